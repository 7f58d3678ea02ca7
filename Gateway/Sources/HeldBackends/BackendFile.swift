import ChaosStore
import Foundation

/// What says how a backend is started, spoken to and watched: one small file of JSON.
///
/// `Docs/BACKENDS.md` says what each key means.
public struct BackendFile: Codable, Sendable {
  /// How a request looks.
  public struct Request: Codable, Sendable {
    /// The method of HTTP; `POST`, unless it is given.
    public var method: String?
    /// The path, with placeholders.
    public var path: String
    /// The body, with placeholders in its texts; none where it is not given.
    public var json: JSONTemplate?
    /// Further headers, with placeholders.
    public var headers: [String: String]?
  }

  /// How an answer is read: the first of these that fits says what it means.
  public struct Reading: Codable, Sendable {
    /// The status of HTTP; any, unless it is given.
    public var status: Int?
    /// Texts that keys of the body have; any, unless they are given.
    public var json: [String: JSONTemplate]?
    /// `delivered`, `already-delivered`, `refused`, `retry`, `unauthorized` or `error`.
    public var means: String
  }

  /// When it can be spoken to.
  public struct Readiness: Codable, Sendable {
    /// A path that is answered with success then.
    public var path: String
    /// How many seconds that may take; 20, unless it is given.
    public var within: Double?
  }

  /// How what it keeps is put back before a run.
  public struct State: Codable, Sendable {
    /// An SQLite file.
    public var sqlite: String?
    /// A PostgreSQL database, as a URL.
    public var postgres: String?
    /// A command that puts it back.
    public var command: [String]?
    /// Whether the processes are started anew before each run, for what they keep in memory.
    public var restart: Bool?
  }

  /// Where credits are seen: in one of three places.
  public struct Credits: Codable, Sendable {
    /// A query in the language of the state's database: account, transaction, and in a third column, where there is one,
    /// how many thousandths stand.
    public var sql: String?
    /// A path of the backend's that is answered with a list of objects, each of them a credit.
    public var path: String?
    /// What the keys of these objects are called that name the account, the transaction, and how many thousandths stand:
    /// `account`, `transaction`, `thousandths`, unless they are given.
    public var keys: Keys?
    /// A regular expression with groups called `account` and `transaction`: each line of its output that it fits is a
    /// credit, and with a group `thousandths` one of so many, or what was taken back, where that is negative.
    public var log: String?

    /// The names of keys.
    public struct Keys: Codable, Sendable {
      /// The account.
      public var account: String?
      /// The transaction.
      public var transaction: String?
      /// How many thousandths stand.
      public var thousandths: String?
    }
  }

  /// What it is called; the name of the file, unless it is given.
  public var name: String?
  /// The program and its arguments, with placeholders.
  public var start: [String]
  /// What is run once before it is started for the first time, and has `{built}` for what it makes.
  public var build: [String]?
  /// In which folder; that of this file, unless it is given.
  public var folder: String?
  /// What stands in its environment beside what stands in ours, with placeholders.
  public var environment: [String: String]?
  /// When it can be spoken to; as soon as its port is open, unless it is given.
  public var ready: Readiness?
  /// What the app sends when something is to be delivered.
  public var report: Request
  /// What it sends when it shows a receipt and wants nothing delivered; nothing, unless it is given.
  public var probe: Request?
  /// Where Apple sends notifications; nowhere, unless it is given.
  public var notifications: String?
  /// How answers are read.
  public var answers: [Reading]?
  /// What it keeps.
  public var state: State?
  /// Where credits are seen.
  public var credits: Credits
  /// bundleId; `com.example.app`, unless it is given.
  public var bundle: String?
  /// Parts of statements that the backend sends of itself, time and again: such a round trip is neither held nor counted.
  public var background: [String]?
  /// Keys of answers in JSON whose values may be others each time, such as a request's number: what they say is no part
  /// of a run.
  public var varying: [String]?
  /// Whose app sends the reports: one of the built-in designs.
  public var client: String?
  /// Which clock its processes go by: `virtual`, that of the run; or `machine`, which is so unless it is given.
  public var clock: String?
  /// 2 for two processes on one database; 1, unless it is given.
  public var processes: Int?
  /// How many seconds of real time a run may take until it has no verdict; ``usualRunLimit``, unless it is given.
  public var runLimit: Double?
  /// How many seconds a run may take where a file says nothing.
  public static let usualRunLimit = 30.0
  /// What is sold, as in a scenario file; `coins` and `map`, unless it is given.
  public var products: JSONTemplate?

  /// Where it stands.
  public internal(set) var path = ""

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, start, folder, environment, ready, report, probe, notifications, answers, state
    case credits, bundle, client, processes, products, background, varying, clock, build, runLimit
  }

  /// What is wrong with a file: where, what was found, what was expected.
  public struct Problem: Error, CustomStringConvertible {
    /// The whole sentence.
    public var description: String
  }

  /// Reads a file; throws what is wrong with it.
  public init(path: String) throws(Problem) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Problem(description: "\(path): found no file that can be read, expected a backend's")
    }
    do {
      let raw = try JSONDecoder().decode([String: JSONTemplate].self, from: bytes)
      // A key that is misspelt is not there: that it is unknown says more.
      try Self.checkKeys(of: .object(raw), as: Known.file, at: "", in: path)
      self = try JSONDecoder().decode(Self.self, from: bytes)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(description: "\(path): \(Self.words(error))")
    }
    self.path = path
    try check()
  }

  private static func words(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func place(_ keys: [any CodingKey]) -> String {
      keys.reduce("") { path, key in
        if let index = key.intValue { return path + "[\(index)]" }
        return path.isEmpty ? key.stringValue : path + "." + key.stringValue
      }
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])): found nothing, expected a value"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return "\(place(context.codingPath)): found something else, expected \(type)"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "found no JSON" : "\(place(context.codingPath)): found what cannot be read"
    @unknown default: return "cannot be read"
    }
  }

  private func refuse(_ key: String, _ found: String, _ expected: String) -> Problem {
    Problem(description: "\(path): \(key): found \(found), expected \(expected)")
  }

  private func check() throws(Problem) {
    if start.isEmpty { throw refuse("start", "nothing", "a program and its arguments") }
    if build?.isEmpty == true { throw refuse("build", "nothing", "a program and its arguments") }
    for (place, reading) in (answers ?? []).enumerated()
    where Meaning(rawValue: reading.means) == nil {
      throw refuse(
        "answers[\(place)].means", "'\(reading.means)'",
        "one of \(Meaning.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try checkPostgres()
    for (key, seconds) in [("ready.within", ready?.within), ("runLimit", runLimit)] {
      if let seconds, !(0.001...86_400).contains(seconds) {
        throw refuse(key, "\(seconds)", "seconds, up to 86400")
      }
    }
    try checkPlaceholders()
    guard (1...2).contains(processes ?? 1) else {
      throw refuse("processes", "\(processes ?? 1)", "1 or 2")
    }
    guard [nil, "machine", "virtual"].contains(clock) else {
      throw refuse("clock", "'\(clock ?? "")'", "virtual or machine")
    }
    try checkCredits()
  }

  private func checkPostgres() throws(Problem) {
    guard let url = state?.postgres else { return }
    let parts = URLComponents(string: url)
    guard let parts, parts.host != nil, (1...65_535).contains(parts.port ?? 5432) else {
      throw refuse(
        "state.postgres", "'\(url)'", "a URL such as postgresql://user:word@127.0.0.1/shop")
    }
    let mode = parts.queryItems?.last { $0.name == "sslmode" }?.value
    if let mode, !["disable", "allow", "prefer"].contains(mode) {
      throw refuse(
        "state.postgres", "sslmode=\(mode)",
        "sslmode=disable, allow or prefer: the link between the backend and PostgreSQL speaks no TLS"
      )
    }
  }

  private func checkCredits() throws(Problem) {
    let places = [credits.sql, credits.path, credits.log].count { $0 != nil }
    guard places == 1 else {
      throw refuse("credits", "\(places) places", "one of sql, path, log")
    }
    if credits.sql != nil, state?.sqlite == nil, state?.postgres == nil {
      throw refuse("credits.sql", "a query", "a state with a database that it can be asked of")
    }
    if credits.keys != nil, credits.path == nil {
      throw refuse("credits.keys", "names", "a path whose answer has them")
    }
    if let log = credits.log {
      guard (try? Regex(log)) != nil else {
        throw refuse("credits.log", "'\(log)'", "a regular expression")
      }
      let line = "(?<account>x)(?<transaction>x)"
      for group in ["account", "transaction"] where !log.contains("(?<\(group)>") {
        throw refuse("credits.log", "'\(log)'", "groups for both, such as '\(line)'")
      }
    }
  }
}

/// What an answer means for the app.
enum Meaning: String, CaseIterable {
  case delivered
  case alreadyDelivered = "already-delivered"
  case refused, retry, unauthorized, error

  var outcome: Reply.Outcome {
    switch self {
    case .delivered: .delivered
    case .alreadyDelivered: .alreadyDelivered
    case .refused: .refused
    case .retry: .retry
    case .unauthorized: .unauthorized
    case .error: .serverError
    }
  }
}

/// A JSON value in whose texts placeholders stand, such as `{transactionId}`.
public indirect enum JSONTemplate: Codable, Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONTemplate])
  case object([String: JSONTemplate])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONTemplate].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONTemplate].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int64(exactly: value) {
        try container.encode(whole)
      } else {
        try container.encode(value)
      }
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// A body as text; where keys are named, and it is JSON, without them, wherever they stand in it.
  static func text(of body: [UInt8], without keys: [String]) -> String {
    guard !keys.isEmpty,
      let value = try? JSONDecoder().decode(JSONTemplate.self, from: Data(body)),
      let rest = try? JSONEncoder.plain.encode(value.without(keys))
    else { return String(decoding: body, as: UTF8.self) }
    return String(decoding: rest, as: UTF8.self)
  }

  private func without(_ keys: [String]) -> JSONTemplate {
    switch self {
    case .null, .bool, .number, .text: self
    case .list(let list): .list(list.map { $0.without(keys) })
    case .object(let object):
      .object(object.filter { !keys.contains($0.key) }.mapValues { $0.without(keys) })
    }
  }

  /// With values in the place of the placeholders. A text that is `{#name}` and nothing else becomes a number.
  func filled(_ values: [String: String]) -> JSONTemplate {
    switch self {
    case .null, .bool, .number: return self
    case .text(let text):
      if text.hasPrefix("{#"), text.hasSuffix("}"),
        let value = values[String(text.dropFirst(2).dropLast())], let number = Double(value)
      {
        return .number(number)
      }
      return .text(text.filled(values))
    case .list(let list): return .list(list.map { $0.filled(values) })
    case .object(let object): return .object(object.mapValues { $0.filled(values) })
    }
  }
}

extension String {
  /// With values in the place of the placeholders; what is none stays as it is.
  func filled(_ values: [String: String]) -> String {
    guard contains("{") else { return self }
    var text = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { break }
      text += rest[..<open]
      let name = String(rest[rest.index(after: open)..<close])
      text += values[name] ?? "{\(name)}"
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}

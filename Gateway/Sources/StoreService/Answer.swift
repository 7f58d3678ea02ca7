import Foundation

/// What a request is answered with.
public struct Answer: Sendable, Equatable {
  /// The HTTP status.
  public var status: Int
  /// The bytes.
  public var body: [UInt8] = []
  /// Their type; nil where there are none.
  public var type: String?
  /// Further headers.
  public var headers: [String: String] = [:]
  /// Whether no answer comes, and the connection is closed some time later.
  public var isWithheld = false

  /// An answer with these bytes.
  public init(
    status: Int, body: [UInt8] = [], type: String? = nil, headers: [String: String] = [:],
    isWithheld: Bool = false
  ) {
    self.status = status
    self.body = body
    self.type = type
    self.headers = headers
    self.isWithheld = isWithheld
  }

  /// No answer comes.
  public static let withheld = Answer(status: 0, isWithheld: true)

  static let json = "application/json"

  static func json(_ value: some Encodable, status: Int = 200) -> Answer {
    do {
      return Answer(status: status, body: Array(try JSON.encoder.encode(value)), type: json)
    } catch {
      return .text("this cannot be written as JSON: \(error)", status: 500)
    }
  }

  /// Plain text.
  public static func text(_ text: String, status: Int) -> Answer {
    Answer(status: status, body: Array((text + "\n").utf8), type: "text/plain")
  }

  /// A request that makes no sense to the gateway's own interface: what is wrong, and what would be right.
  static func refused(_ text: String, status: Int = 400) -> Answer {
    .json(["error": text], status: status)
  }

  /// Apple's word that something went wrong: an HTTP status, or an error code of seven digits.
  static func problem(_ code: Int, at date: Date = Date()) -> Answer {
    guard code >= 4_000_000 else {
      return .text(code == 401 ? "Unauthenticated" : "HTTP \(code)", status: max(code, 400))
    }
    var answer = Answer.json(
      APIBody.Problem(errorCode: code, errorMessage: messages[code] ?? "An error occurred."),
      status: code / 10_000)
    if code == 4_290_000 {
      let retry = Int64(clamping: date.timeIntervalSince1970 * 1000 + 1000)
      answer.headers["Retry-After"] = String(retry)
    }
    return answer
  }

  /// Source: App Store Server API, Error codes.
  private static let messages: [Int: String] = [
    4_000_000: "Bad request.", 4_000_005: "Invalid request revision.",
    4_000_006: "Invalid transaction id.", 4_000_009: "Invalid extend by days value.",
    4_000_010: "Invalid extend reason code.", 4_000_011: "Invalid request identifier.",
    4_000_013: "Invalid request. The end date is not after the start date.",
    4_000_014: "Invalid pagination token.", 4_000_018: "Invalid notification type or subtype.",
    4_000_015: "Invalid start date.", 4_000_016: "Invalid end date.",
    4_000_021: "Invalid sort.", 4_000_022: "Invalid product type.",
    4_000_023: "Invalid product id.", 4_000_026: "Invalid in-app ownership type.",
    4_000_030: "Invalid revoked.",
    4_000_031: "Invalid status.", 4_000_035: "Invalid customer consented value.",
    4_000_183: "Invalid app account token: it is no UUID.",
    4_000_185: "Family-shared transactions are not supported.",
    4_000_187: "The transaction id is not an original transaction id.",
    4_000_209: "Consumption percentage is not supported for this product.",
    4_030_004: "Forbidden. The subscription is ineligible for an extension.",
    4_030_005: "Forbidden. The subscription has been extended as often as it may.",
    4_040_001: "Account not found.", 4_040_002: "Account not found. Please try again.",
    4_040_004: "App not found. Please try again.",
    4_040_006: "Original transaction id not found. Please try again.",
    4_040_007: "No App Store Server Notification URL is set for this app.",
    4_040_008: "Test notification not found.",
    4_040_009: "Status request not found.", 4_040_010: "Transaction id not found.",
    4_290_000: "Rate limit exceeded.", 5_000_000: "An unknown error occurred.",
    5_000_001: "An unknown error occurred. Please try again.",
  ]
}

enum JSON {
  /// The same value has the same text each time.
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// Reads a body that has these keys and no others; throws what is wrong with it in words.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from body: [UInt8], keys: [String]
  ) throws(BadBody) -> Value {
    let value = try decode(type, from: body)
    let object = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    if let key = object?.keys.sorted().first(where: { !keys.contains($0) }) {
      throw BadBody(
        "\(key): found an unknown key, expected one of \(keys.sorted().joined(separator: ", "))")
    }
    if let key = object?.keys.sorted().first(where: { object?[$0] is NSNull }) {
      throw BadBody("\(key): found null, expected a value, or no such key")
    }
    return value
  }

  /// Reads a body; throws what is wrong with it in words.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from body: [UInt8]
  ) throws(BadBody) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw BadBody(error)
    }
  }
}

/// A body that is no JSON, or not what it should be.
struct BadBody: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      description = "the body: \(error)"
      return
    }
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      let keys = (context.codingPath + (key.map { [$0] } ?? [])).map {
        $0.intValue.map { "[\($0)]" } ?? $0.stringValue
      }
      return keys.isEmpty ? "the body" : keys.joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      description = "\(place(context, key)): found nothing, expected a value"
    case .typeMismatch(let type, let context):
      description = "\(place(context)): found something else, expected \(Self.name(type))"
    case .valueNotFound(let type, let context):
      description = "\(place(context)): found null, expected \(Self.name(type))"
    case .dataCorrupted(let context):
      description = "\(place(context)): found what cannot be read, expected JSON"
    @unknown default: description = "the body cannot be read"
    }
  }

  private static func name(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is Int.Type, is Int64.Type: "a whole number"
    default: "another type"
    }
  }
}

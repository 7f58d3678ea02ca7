import ChaosStore
import Foundation
import StoreService

/// Where the backend's credits are seen: in its database, in what it answers, or in what it prints.
extension BackendHost {
  /// What the backend's ledger has now that it had not, or has no more, becomes a part of the history.
  func look(_ server: Server) {
    do {
      guard let rows = try rows() else { return }
      try ledger.update(rows, desk?.names, server)
    } catch {
      if halts(server) { return }
      server.makeUnfit("its credits cannot be seen: \(error)")
    }
  }

  /// What its ledger has; nil where nobody can be asked now.
  private func rows() throws -> [LedgerRow]? {
    let credits = file.credits
    if let query = credits.sql {
      return try (live?.rows(query) ?? postgres?.found(by: query))?.map { try LedgerRow($0) }
    }
    if let log { return try log.read() }
    return try credits.path.flatMap { try answered($0, credits.keys) }
  }

  /// What the backend answers when it is asked for its credits.
  private func answered(
    _ path: String, _ keys: BackendFile.Credits.Keys?
  ) throws -> [LedgerRow]? {
    // Who was killed cannot be asked; its credits are seen when it is back.
    guard let one = trees.sorted(by: { $0.key < $1.key }).first?.value, one.tree.isRunning,
      let socket = Sockets.connect(one.port)
    else { return nil }
    let connection = try Connection(socket, .request, port: one.port, tls: nil)
    connection.ask("GET", path, headers: [:], body: nil)
    isLooking = true
    defer {
      isLooking = false
      connection.close()
    }
    var answer: (status: Int, body: [UInt8])?
    var arrivals: [Arrival] = []
    func isOver() -> Bool { answer != nil || connection.isClosed }
    let isQuiet = untilQuiet([socket], isOver: isOver) { file in
      guard file == socket else { return receive(file, &arrivals) }
      if case .response(let status, let body)? = connection.receive(nil).first {
        answer = (status, body)
      }
    }
    guard isQuiet else { throw Unseen("GET \(path) has no answer within \(setup.patience)") }
    guard let answer else {
      throw Unseen(
        "GET \(path) has no answer while the backend is at something else; a backend that does one thing at a time "
          + "is asked by sql or by log")
    }
    guard arrivals.isEmpty else {
      throw Unseen("GET \(path) has the backend ask Apple, or do something else")
    }
    guard (200..<300).contains(answer.status) else {
      throw Unseen("GET \(path) is answered with \(answer.status)")
    }
    return try Self.rows(answer.body, keys, path)
  }

  /// The credits in an answer: a list of objects, or an object in which one list stands.
  static func rows(
    _ body: [UInt8], _ keys: BackendFile.Credits.Keys?, _ path: String
  ) throws -> [LedgerRow] {
    var value = try? JSONDecoder().decode(JSONTemplate.self, from: Data(body))
    if case .object(let object)? = value {
      let lists = object.values.filter { if case .list = $0 { true } else { false } }
      value = lists.count == 1 ? lists[0] : nil
    }
    guard case .list(let list)? = value else {
      throw Unseen("GET \(path): found no list, expected one of objects")
    }
    return try list.enumerated().map { place, one in
      func text(_ key: String) -> String? {
        guard case .object(let object) = one, let value = object[key] else { return nil }
        return value.plainText
      }
      let (account, transaction) = (keys?.account ?? "account", keys?.transaction ?? "transaction")
      guard text(account) != nil else {
        throw Unseen("GET \(path): [\(place)].\(account): found nothing, expected an account")
      }
      return try LedgerRow(
        [text(account), text(transaction), text(keys?.thousandths ?? "thousandths")])
    }
  }

  /// Why credits cannot be seen.
  struct Unseen: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }
}

extension JSONTemplate {
  /// A text or a number, as text.
  fileprivate var plainText: String? {
    switch self {
    case .text(let text): text
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    default: nil
    }
  }
}

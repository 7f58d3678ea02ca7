import Foundation
import Invariants
import StoreService
import Testing

@testable import HeldBackends

@Suite("What is seen of a ledger")
struct LedgerTests {
  private func rows(_ json: String, _ keys: String? = nil) throws -> [LedgerRow] {
    let keys = try keys.map {
      try JSONDecoder().decode(BackendFile.Credits.Keys.self, from: Data($0.utf8))
    }
    return try BackendHost.rows(Array(json.utf8), keys, "/credits")
  }

  @Test("an answer is a list of objects, or an object with one list, whatever its keys are called")
  func answers() throws {
    let plain = try rows(#"[{"account": "user1", "transaction": "7"}]"#)
    #expect(plain == [try LedgerRow(["user1", "7"])])
    #expect(try rows(#"{"count": 1, "items": [{"account": "user1", "transaction": 7}]}"#) == plain)
    let keys = #"{"account": "who", "transaction": "id", "thousandths": "left"}"#
    let named = try rows(#"[{"who": "user1", "id": "7", "left": 500}]"#, keys)
    #expect(named == [try LedgerRow(["user1", "7", "500"])])
    #expect(try rows("[]").isEmpty)
  }

  @Test("an answer that is something else is refused, with its place")
  func refused() throws {
    for (json, words) in [
      ("{}", "found no list"), ("no JSON", "found no list"),
      (#"{"a": [], "b": []}"#, "found no list"),
      (#"[{"account": "user1"}, {"transaction": "7"}]"#, "[1].account: found nothing"),
    ] {
      let error = #expect(throws: BackendHost.Unseen.self) { try rows(json) }
      #expect(error?.description.contains(words) == true, "\(json)")
    }
    #expect(throws: LedgerRow.Unreadable.self) { try LedgerRow(["user1"]) }
    #expect(throws: LedgerRow.Unreadable.self) { try LedgerRow(["1", "2", "3", "4"]) }
    #expect(throws: LedgerRow.Unreadable.self) { try LedgerRow([nil, "7"]) }
    #expect(throws: LedgerRow.Unreadable.self) { try LedgerRow(["user1", "7", "half"]) }
    for huge in ["9223372036854775807", "-9223372036854775808", "1000001"] {
      #expect(throws: LedgerRow.Unreadable.self) { try LedgerRow(["user1", "7", huge]) }
    }
  }

  @Test("what changes a database, or finds nothing, is no query for credits")
  func queries() throws {
    let file = try SQLite(":memory:")
    #expect(try file.rows("SELECT 'user1', '7'") == [["user1", "7"]])
    for text in ["CREATE TABLE a (b)", "BEGIN"] {
      let error = #expect(throws: SQLite.Failed.self) { try file.rows(text) }
      #expect(error?.description == "found '\(text)', expected a query, which changes nothing")
    }
  }

  @Test("a transaction is one as Apple calls it, or none")
  func transactions() {
    #expect(StoreDesk.transaction(called: "480000000000003") == TransactionID(2))
    #expect(StoreDesk.transaction(called: "")?.isNone == true)
    for text in ["2", "order-7", "480000000000003x"] {
      #expect(StoreDesk.transaction(called: text) == nil, "\(text)")
    }
  }

  @Test("lines of a log are credits from the beginning of a run on, once they are whole")
  func log() throws {
    let path = NSTemporaryDirectory() + "log-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func say(_ text: String) throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
    try Data("credit old 1 1000\n".utf8).write(to: URL(filePath: path))
    let log = try CreditLog(
      output: path,
      pattern: "^credit (?<account>\\S+) (?<transaction>\\S+) (?<thousandths>\\S+)$")
    log.begin()
    #expect(try log.read().isEmpty)
    try say("something else\ncredit user1 7 1000\ncredit user1 8 10")
    #expect(try log.read().map(\.transaction) == ["7"])
    try say("00\n")
    #expect(try log.read().map(\.transaction) == ["7", "8"])
  }

  @Test(
    "what is given again after it was taken back is no second credit; what is more than that is one"
  )
  func givenAgain() throws {
    let path = NSTemporaryDirectory() + "log-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(filePath: path))
    let log = try CreditLog(
      output: path,
      pattern: "(?<account>\\S+) (?<transaction>\\S+) (?<thousandths>\\S+)")
    let text = "user1 7 1000\nuser1 7 -1000\nuser1 7 1000\nuser1 7 1000\n"
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(try log.read().map(\.isCredit) == [true, false, false, true])
  }
}

import Foundation
import Testing

@testable import HeldBackends

#if canImport(Glibc)
  import Glibc
#endif

@Suite("A connection to PostgreSQL with the gateway in between")
final class DatabaseLinkTests {
  private let link: DatabaseLink
  /// What the backend and the database hold of it.
  private let backend: Int32
  private let database: Int32

  init() throws {
    func pair() -> (Int32, Int32) {
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      return (ends[0], ends[1])
    }
    let (near, far) = (pair(), pair())
    backend = near.0
    database = far.0
    link = DatabaseLink(client: near.1, server: far.1)
  }

  deinit {
    close(backend)
    close(database)
  }

  /// A message of the protocol.
  private func message(_ type: Character, _ body: String = "") -> [UInt8] {
    let length = body.utf8.count + 4
    return Array("\(type)".utf8)
      + [
        UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255),
        UInt8(length & 255),
      ]
      + Array(body.utf8)
  }

  private func says(_ file: Int32, _ bytes: [UInt8]) { _ = write(file, bytes, bytes.count) }

  /// The types of the messages that have come.
  private func heard(_ file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    var rest = bytes[..<max(count, 0)]
    var types = ""
    while rest.count >= 5 {
      types += String(decoding: rest.prefix(1), as: UTF8.self)
      let length = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(length + 1)
    }
    return types
  }

  private func fromBackend(_ bytes: [UInt8]) -> String? {
    says(backend, bytes)
    return link.receiveFromClient()
  }

  private func fromDatabase(_ bytes: [UInt8]) {
    says(database, bytes)
    link.receiveFromServer()
  }

  /// The first words of both.
  private func open() {
    _ = fromBackend([0, 0, 0, 9, 0, 3, 0, 0, 0])
    _ = heard(database)
    fromDatabase(message("R", "0000") + message("Z", "I"))
    _ = heard(backend)
    #expect(link.isOpen)
  }

  @Test("rows of a COPY pass, and its end is a round trip of its own")
  func copies() {
    open()
    #expect(fromBackend(message("Q", "COPY rows FROM STDIN\0")) == "COPY rows FROM STDIN")
    link.letGo()
    #expect(link.isUnderWay)
    fromDatabase(message("G", "0"))
    #expect(!link.isUnderWay)
    #expect(link.hasAnswer)
    link.hand()
    #expect(heard(backend) == "G")
    #expect(heard(database) == "Q")
    #expect(fromBackend(message("d", "1") + message("d", "2")) == nil)
    #expect(heard(database) == "dd")
    #expect(fromBackend(message("c")) == "the rows of COPY end")
    #expect(heard(database) == "")
    link.letGo()
    fromDatabase(message("C", "COPY 2\0") + message("Z", "I"))
    #expect(link.hasAnswer)
    link.hand()
    #expect(heard(backend) == "CZ")
    #expect(heard(database) == "c")
  }

  @Test("a COPY that was begun with Sync ends with Sync")
  func copiesExtended() {
    open()
    let begin =
      message("P", "\0COPY rows FROM STDIN\0") + message("B") + message("E") + message("S")
    #expect(fromBackend(begin) == "COPY rows FROM STDIN; bind")
    link.letGo()
    fromDatabase(message("1") + message("2") + message("G", "0"))
    link.hand()
    #expect(fromBackend(message("d", "1") + message("c")) == nil)
    #expect(fromBackend(message("S")) == "the rows of COPY end")
    link.letGo()
    fromDatabase(message("C", "COPY 1\0") + message("Z", "I"))
    #expect(link.hasAnswer)
  }

  @Test("a COPY that the database gives up half way leaves nobody waiting")
  func givesUp() {
    open()
    for goesOn in [false, true] {
      _ = fromBackend(message("Q", "COPY rows FROM STDIN\0"))
      link.letGo()
      fromDatabase(message("G", "0"))
      link.hand()
      #expect(fromBackend(message("c")) != nil)
      fromDatabase(message("E", "no") + message("Z", "I"))
      if goesOn { #expect(fromBackend(message("Q", "ROLLBACK\0")) == nil) }
      link.letGo()
      #expect(link.isUnderWay == goesOn)
      if goesOn { fromDatabase(message("C", "ROLLBACK\0") + message("Z", "I")) }
      #expect(link.hasAnswer)
      link.hand()
    }
  }

  @Test("what two pipelined round trips ask is answered when both are")
  func pipelines() {
    open()
    let ask = message("P", "\0SELECT 1\0") + message("E") + message("S")
    #expect(fromBackend(ask) != nil)
    // It goes with the one that waits.
    #expect(fromBackend(ask) == nil)
    link.letGo()
    fromDatabase(message("Z", "I"))
    #expect(link.isUnderWay)
    fromDatabase(message("Z", "I"))
    #expect(!link.isUnderWay)
    #expect(link.hasAnswer)
  }

  @Test("what is prepared with Flush is prepared at once, and carried out as a round trip")
  func flushes() {
    open()
    #expect(fromBackend(message("P", "\0SELECT 1\0") + message("D", "S\0") + message("H")) == nil)
    #expect(heard(database) == "PDH")
    #expect(link.isUnderWay)
    fromDatabase(message("1") + message("t") + message("T"))
    #expect(!link.isUnderWay)
    #expect(heard(backend) == "1tT")
    #expect(fromBackend(message("B") + message("E") + message("S")) == "SELECT 1; bind")
  }

  @Test(
    "what is carried out with Flush is a round trip, which ends with its last answer or an error")
  func flushesExecuted() {
    open()
    let ask =
      message("P", "\0SELECT 1\0") + message("B") + message("D", "P\0") + message("E")
      + message("H")
    #expect(fromBackend(ask) == "SELECT 1; bind")
    #expect(heard(database) == "")
    link.letGo()
    fromDatabase(message("1") + message("2") + message("T") + message("D"))
    #expect(!link.hasAnswer)
    fromDatabase(message("C", "SELECT 1\0"))
    #expect(link.hasAnswer)
    #expect(heard(backend) == "")
    link.hand()
    #expect(heard(backend) == "12TDC")
    _ = fromBackend(ask)
    link.letGo()
    fromDatabase(message("E", "no"))
    #expect(link.hasAnswer)
    link.hand()
    // Passed over until Sync.
    _ = fromBackend(ask)
    link.letGo()
    #expect(link.hasAnswer)
    link.hand()
    #expect(fromBackend(message("S")) == "sync")
    link.letGo()
    fromDatabase(message("Z", "I"))
    #expect(link.hasAnswer)
  }

  @Test("a client that insists on TLS is told what to set, and one that prefers it goes on without")
  func insists() {
    let asksForTLS: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
    _ = fromBackend(asksForTLS)
    #expect(link.refusal == nil)
    shutdown(backend, Int32(SHUT_WR))
    _ = link.receiveFromClient()
    #expect(link.refusal?.contains("insists on TLS (sslmode=require or stricter)") == true)
    #expect(link.refusal?.contains("set sslmode=disable") == true)
  }

  @Test("a client that prefers TLS goes on without it")
  func prefers() {
    _ = fromBackend([0, 0, 0, 8, 4, 210, 22, 47])
    open()
    shutdown(backend, Int32(SHUT_WR))
    _ = link.receiveFromClient()
    #expect(link.refusal == nil)
  }

  @Test("what the link does not know is named")
  func names() {
    open()
    _ = fromBackend(message("Q", "START_REPLICATION\0"))
    link.letGo()
    fromDatabase(message("W", "000"))
    #expect(
      link.refusal?.contains("does not know CopyBothResponse, which replication uses") == true)
    #expect(link.isClosed)
  }

  @Test(
    "bytes that are no message end the connection, and nothing else",
    arguments: [
      [UInt8(ascii: "Q"), 0, 0, 0, 0], [UInt8(ascii: "Q"), 0, 0, 0, 3, 0],
      [UInt8(ascii: "Q"), 255, 255, 255, 255], [UInt8(ascii: "y"), 0, 0, 0, 4],
    ])
  func survives(_ bytes: [UInt8]) {
    open()
    #expect(fromBackend(bytes) == nil)
    #expect(link.refusal != nil)
    #expect(link.isClosed)
  }

  @Test("a server that puts any number in the place of a process is borne")
  func process() {
    _ = fromBackend([0, 0, 0, 9, 0, 3, 0, 0, 0])
    fromDatabase([UInt8(ascii: "K"), 0, 0, 0, 12, 255, 255, 255, 255, 1, 2, 3, 4])
    #expect(link.process == -1)
    fromDatabase([UInt8(ascii: "K"), 0, 0, 0, 4])
    #expect(!link.isClosed)
  }
}

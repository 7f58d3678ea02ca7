import Foundation
import Invariants
import Testing

@testable import ChaosRunner

/// Clocks that are apart, ledgers that say little, and logs that begin in the middle.
@Suite struct AuditHabitsTests {
  /// A log in few words: `1 10:00:00 charged A u coins`, the day of January, then `key=value` for anything else.
  static func log(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      var members = [
        "\"at\": \"2026-01-\(words[0].count < 2 ? "0" : "")\(words[0])T\(words[1])Z\"",
        "\"fact\": \"\(words[2])\"",
      ]
      let plain = words.dropFirst(3).filter { !$0.contains("=") }
      for (key, word) in zip(["transaction", "account", "product"], plain) {
        members.append("\"\(key)\": \"\(word)\"")
      }
      for word in words.dropFirst(3) where word.contains("=") {
        let sides = word.split(separator: "=").map(String.init)
        let isNumber = sides[1].allSatisfy(\.isNumber)
        members.append("\"\(sides[0])\": " + (isNumber ? sides[1] : "\"\(sides[1])\""))
      }
      return "{" + members.joined(separator: ", ") + "}"
    }.joined(separator: "\n") + "\n"
  }

  func broken(_ text: String, _ change: (inout AuditTerms) -> Void = { _ in }) throws
    -> [String]
  {
    var terms = AuditTerms()
    // What is added below need not stand in its place.
    terms.window = 40 * AuditTests.day
    change(&terms)
    // What comes long after it, so that everything before it has had its time.
    let end = "\n31 23:00:00 charged END u coins"
    return AuditTests.broken(
      try AuditFolder().audit([("log", Self.log(text + end))], terms)
    )
  }

  @Test func `A credit of a clock that is behind is no credit before the charge`() throws {
    let apart = """
      1 10:00:01 charged A u coins
      1 10:00:00 credited A u coins
      """
    #expect(try broken(apart) == [])
    #expect(try broken(apart) { $0.skew = 0 } == ["I05 1"])
    // It hides nothing else that is wrong with it.
    let wrong = apart.replacing("credited A u coins", with: "credited A v gems")
    #expect(try broken(wrong) == ["I04 1", "I19 1"])
    let early = apart.replacing("10:00:00", with: "09:59:30")
    #expect(try broken(early) == ["I05 1"])
    let refund = """
      1 10:00:00 charged A u coins
      1 10:00:01 credited A u coins
      3 10:00:01 refunded A
      3 10:00:00 reversed A u coins
      """
    #expect(try broken(refund) == [])
    #expect(try broken(refund) { $0.skew = 0 } == ["I07 1"])
  }

  @Test func `A renewal may be told and credited a day before its period begins`() throws {
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:01 credited A u sub
      8 10:00:00 renewed B u sub original=A
      7 14:00:00 credited B u sub
      """
    #expect(try broken(log) == [])
    let earlier = log.replacing("7 14", with: "6 14")
    #expect(try broken(earlier) == ["I05 1"])
  }

  @Test func `What was charged before the log begins is not taken for free goods`() throws {
    let log = """
      1 00:00:02 credited OLD u coins
      1 09:00:00 charged A u coins
      1 09:00:01 credited A u coins
      3 10:00:00 refunded EARLIER
      3 10:00:01 reversed EARLIER u coins
      4 10:00:00 restored P2 u pro original=P1
      """
    #expect(try broken(log) == [])
    #expect(try broken(log) { $0.isWhole = true } == ["I05 1", "I07 1", "I11 1"])
    // What nobody can have paid for is free goods all the same, and what comes twice comes twice.
    let forged = log + "\n9 10:00:00 credited FORGED u coins\n20 10:00:00 credited OLD u coins"
    #expect(try broken(forged) == ["I02 1", "I05 1", "I11 1"])
    let result = try AuditFolder().audit([("log", Self.log(log))])
    #expect(result.older == 3)
    #expect(result.charges == 1)
  }

  @Test func `A subscription that began before the log begins with its first renewal in it`() throws
  {
    let log = """
      1 10:00:00 renewed B u sub original=A
      1 10:00:01 granted B u sub amount=1767866400
      8 10:00:00 renewed C u sub original=A
      15 10:00:00 expired C u sub
      """
    #expect(try broken(log) { $0.subscriptions = [("sub", 1)] } == ["I09 1"])
    let sound = log + "\n8 10:00:01 granted C u sub amount=1768471200"
    #expect(try broken(sound) { $0.subscriptions = [("sub", 1)] } == [])
  }

  @Test func `A subscription may be told by credits alone, or by access alone`() throws {
    let credits = """
      1 10:00:00 charged A u sub
      1 10:00:01 credited A u sub
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 credited B u sub
      """
    #expect(try broken(credits) { $0.subscriptions = [("sub", 1)] } == [])
    let lost = credits.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(try broken(lost) { $0.subscriptions = [("sub", 1)] } == ["I01 1", "I11 1"])
    let access = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 granted B u sub amount=1768471200
      15 10:00:00 expired B u sub
      1 09:00:00 charged C u coins
      1 09:00:01 credited C u coins
      """
    #expect(try broken(access) { $0.subscriptions = [("sub", 1)] } == [])
    let both = access + "\n1 10:00:01 credited A u sub\n8 10:00:02 credited B u sub"
    #expect(try broken(both) { $0.subscriptions = [("sub", 1)] } == [])
    let others = access.replacing("granted A u", with: "granted A v")
    #expect(try broken(others) { $0.subscriptions = [("sub", 1)] } == ["I04 1"])
  }

  @Test func `A subscription that is told by credits is judged period by period`() throws {
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:01 credited A u sub
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 credited B u sub
      9 10:00:00 charged C u coins
      9 10:00:01 credited C u coins
      10 10:00:00 refunded C
      10 10:00:01 reversed C u coins

      """
    func broken(_ more: String) throws -> [String] {
      try self.broken(log + more) { $0.subscriptions = [("sub", 1)] }
    }
    #expect(try broken("12 10:00:00 refunded B\n12 10:00:01 reversed B u sub") == [])
    #expect(try broken("12 10:00:00 refunded B") == ["I07 1", "I11 1"])
    #expect(try broken("12 10:00:01 reversed B u sub") == ["I07 1", "I11 1"])
    // Who leaves a family, or pays no longer, may lose what the last period gave.
    #expect(try broken("12 10:00:00 expired B u sub\n12 10:00:01 reversed B u sub") == [])
    #expect(
      try broken("12 10:00:09 expired B u sub\n12 10:00:01 reversed B u sub")
        == ["I07 1", "I11 1"])
  }

  @Test func `A refund after a subscription is over takes nothing back of what was access`() throws
  {
    let log = """
      1 09:00:00 charged C u coins
      1 09:00:01 credited C u coins
      1 09:00:02 refunded C
      1 09:00:03 reversed C u coins
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 10:00:00 expired A u sub
      20 10:00:00 refunded A
      """
    let result = try broken(log) {
      $0.subscriptions = [("sub", 1)]
      $0.window = 3_600_000
    }
    #expect(result == [])
  }

  @Test func `Access that is withdrawn by a clock that is ahead is withdrawn for the refund`()
    throws
  {
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 09:59:58 renewed B u sub original=A
      8 09:59:59 granted A u sub amount=1768471200
      9 10:00:00 granted A u sub amount=1767952800
      9 10:00:01 refunded B
      """
    let same = log.replacing("9 10:00:01", with: "9 10:00:00")
    #expect(try broken(same) { $0.subscriptions = [("sub", 1)] } == [])
    #expect(try broken(log) { $0.subscriptions = [("sub", 1)] } == [])
    let apart = try broken(log) {
      $0.subscriptions = [("sub", 1)]
      $0.skew = 0
    }
    #expect(apart == ["I12 1"])
  }

  @Test func `What is compared has to be named on both sides`() throws {
    func gaps(_ log: String) throws -> [String?] {
      let result = try AuditFolder().audit([("log", Self.log(log))])
      #expect(AuditTests.broken(result) == [])
      return ["I04", "I19"].map { code in
        result.gap(AuditRules.all.firstIndex { $0.invariant.code == code }!)
      }
    }
    let log = """
      1 10:00:00 charged A u coins
      1 10:00:01 credited A u coins
      """
    #expect(try gaps(log) == [nil, nil])
    #expect(
      try gaps(log.replacing("credited A u coins", with: "credited A")) == [
        "the log has no 'credited' with 'account'", "the log has no 'credited' with 'product'",
      ])
    // Nor is a charge that names nothing one of other goods.
    #expect(
      try gaps(log.replacing("charged A u coins", with: "charged A")) == [
        "the log has no 'charged' or 'renewed' with 'account'",
        "the log has no 'charged' or 'renewed' with 'product'",
      ])
    let five = "1 10:00:00 charged A u quantity=5\n1 10:00:01 credited A u quantity=5"
    #expect(try gaps(five) == [nil, nil])
  }

  @Test func `What a charge has caused keeps its order, whatever the store's clock says`() throws {
    let early = """
      1 10:00:01 charged A u coins
      1 10:00:00 credited A u coins
      1 09:59:59 finishing A
      """
    #expect(try broken(early) == ["I03 1"])
    let result = try AuditFolder().audit([("log", Self.log(early))])
    // The time that stands in the log is shown.
    #expect(result.findings.first?.evidence.map(\.at).max() == 1_767_261_601_000)
  }

  @Test func `Each period that was granted is one that was delivered`() throws {
    let log = """
      1 09:00:00 charged B u coins
      1 09:00:01 credited B u coins
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 10:00:00 expired A u sub
      20 10:00:00 charged C u sub original=A
      20 10:00:01 granted C u sub amount=1769508000
      27 10:00:00 expired C u sub
      """
    #expect(try broken(log) { $0.subscriptions = [("sub", 1)] } == [])
    // A ledger that enters it a day later has given access all the same.
    let late = log + "\n3 10:00:00 credited A u sub"
    #expect(try broken(late) { $0.subscriptions = [("sub", 1)] } == [])
    let alone = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A v sub amount=1767866400
      8 10:00:00 expired A u sub
      """
    #expect(try broken(alone) { $0.subscriptions = [("sub", 1)] } == ["I04 1"])
  }

  @Test func `Access may be told under the name of what was bought before the log`() throws {
    let log = """
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 granted A u sub amount=1768471200
      9 10:00:00 refunded A u sub
      9 10:00:01 reversed A u sub
      15 10:00:00 expired B u sub
      """
    #expect(try broken(log) { $0.subscriptions = [("sub", 1)] } == [])
  }

  @Test func `Who had the money back is owed nothing`() throws {
    let log = """
      1 10:00:00 charged A u coins
      1 10:00:05 refunded A
      3 10:00:00 credited A u coins
      3 10:00:05 reversed A u coins
      """
    #expect(try broken(log) == [])
    // Before the money was back it was owed.
    #expect(try broken(log.replacing("1 10:00:05", with: "3 10:00:02")) == ["I01 1"])
  }

  @Test func `What was waited for in the log was not charged before it`() throws {
    let log = """
      1 09:00:00 charged B u coins
      1 09:00:01 credited B u coins
      1 10:00:00 deferred A u coins
      1 10:00:05 credited A u coins
      """
    #expect(try broken(log) == ["I05 1", "I22 1", "I11 1"])
    // The log begins with its first fact, whatever that is about.
    let forged = """
      5 10:00:00 credited F1 u coins
      12 10:00:00 credited F2 u coins
      20 10:00:00 charged A u coins
      20 10:00:05 credited A u coins
      """
    #expect(try broken(forged) == ["I05 1", "I11 1"])
  }

  @Test func `A ledger without a column for whose or what is taken at its word`() throws {
    let log = """
      1 10:00:00 charged A u coins
      1 10:00:01 credited A
      2 10:00:00 restored B u original=A
      """
    #expect(try broken(log) == [])
    let token = "AAAAAAAA-0000-4000-8000-00000000000B"
    let spelled = """
      1 10:00:00 charged A \(token.lowercased()) coins
      1 10:00:01 credited A \(token) coins
      """
    #expect(try broken(spelled) == [])
    // Only a UUID is the same with capitals.
    #expect(
      try broken("1 10:00:00 charged A user coins\n1 10:00:01 credited A USER coins") == ["I04 1"])
  }

  @Test func `What left the queue before its credit was finished too early, whoever wrote what`()
    throws
  {
    let log = """
      1 10:00:00 charged A u coins
      1 10:00:01 finished A
      1 10:00:09 credited A u coins
      """
    #expect(try broken(log) == ["I03 1"])
    #expect(try broken(log.replacing("10:00:09", with: "10:00:00")) == [])
  }

  @Test func `Whose a purchase is stays known when it is closed`() throws {
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:00 traceable A u sub
      1 10:00:01 credited A u sub
      8 10:00:00 renewed B u sub original=A
      8 10:00:00 traceable B u sub original=A
      8 10:00:01 credited B u sub
      20 10:00:00 refunded A
      20 10:00:01 reversed A u sub
      31 22:00:00 charged C u coins
      31 22:00:00 traceable C u coins
      31 23:00:00 traceable END u coins
      """
    #expect(try broken(log) == [])
  }

  @Test
  func `Where facts came too late nothing is said to hold, and it is said which line was ahead`()
    throws
  {
    let folder = try AuditFolder()
    let log = try folder.write(
      "log",
      Self.log(
        """
        1 10:00:00 charged A u coins
        1 10:00:01 credited A u coins
        28 00:00:00 told message=success
        2 10:00:00 charged B u coins
        2 10:00:01 credited B u coins
        """))
    let output = Bench().run("audit", log)
    #expect(output.code == 2)
    let text = output.onOneLine
    #expect(
      text.contains(
        "No verdict: nothing that was judged is broken, but not all was. Left out: 2 facts that came too late"
      ))
    #expect(text.contains("\(log):4: found charged 2026-01-02 10:00:00.000"))
    #expect(text.contains("as \(log):3 is of 2026-01-28 00:00:00.000"))
  }

  @Test func `A mark of the order of bytes is no part of the first fact`() throws {
    let text = "\u{feff}" + Self.log("1 10:00:00 charged A u coins\n1 10:00:01 credited A u coins")
    let result = try AuditFolder().audit([("log", text)])
    #expect(result.damaged == 0 && result.facts == 2)
  }
}

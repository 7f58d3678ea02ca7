import Invariants
import Testing

@testable import ChaosRunner

/// Subscriptions whose ledger writes a credit for each period.
@Suite struct AuditPeriodTests {
  /// A period of a subscription, and coins whose refund shows that refunds are judged.
  private static let log = """
    1 10:00:00 charged A u sub
    1 10:00:01 credited A u sub
    9 10:00:00 charged C u coins
    9 10:00:01 credited C u coins
    10 10:00:00 refunded C
    10 10:00:01 reversed C u coins

    """

  private func broken(_ more: String, after log: String = log) throws -> [String] {
    try AuditHabitsTests().broken(log + more) { $0.subscriptions = [("sub", 1)] }
  }

  @Test func `A period that was bought after the end of another does not end with it`() throws {
    for again in ["renewed B u sub original=A", "charged B u sub original=A"] {
      let log = """
        8 10:00:00 expired A
        15 10:00:00 \(again)
        15 10:00:01 credited B u sub

        """
      #expect(try broken(log) == [])
      #expect(try broken(log + "18 10:00:00 reversed B u sub") == ["I07 1", "I11 1"])
      // Once that is over as well, it may be taken back.
      #expect(try broken(log + "22 10:00:00 expired B\n22 10:00:01 reversed B u sub") == [])
    }
  }

  @Test func `What is given again of a period that is over is owed to nobody either`() throws {
    let log = """
      8 10:00:00 expired A
      8 10:00:01 reversed A u sub
      8 12:00:00 regranted A u sub

      """
    #expect(try broken(log) == [])
    // Of what was taken back without a cause it is the correction.
    let mended = """
      8 10:00:00 expired A
      15 10:00:00 renewed B u sub original=A
      15 10:00:01 credited B u sub
      18 10:00:00 reversed B u sub
      18 10:00:01 regranted B u sub
      """
    #expect(try broken(mended) == ["I07 1"])
  }

  @Test func `Money that comes back when the period is over takes nothing back twice`() throws {
    let log = """
      8 10:00:00 expired A
      8 10:00:01 reversed A u sub

      """
    #expect(try broken(log + "12 10:00:00 refunded A") == [])
    // A ledger may do it once more.
    #expect(try broken(log + "12 10:00:00 refunded A\n12 10:00:01 reversed A u sub") == [])
    // What nobody has taken back is to be taken back.
    #expect(try broken("8 10:00:00 expired A\n12 10:00:00 refunded A") == ["I07 1", "I11 1"])
    #expect(
      try broken(
        """
        8 10:00:00 expired A
        12 10:00:00 refunded A
        12 10:00:01 reversed A u sub
        """) == [])
    // Half was given back before, and the rest is taken back at the end.
    #expect(
      try broken(
        """
        5 10:00:00 refunded A amount=500
        5 10:00:01 reversed A u sub amount=500
        8 10:00:00 expired A
        8 10:00:01 reversed A u sub amount=500
        """) == [])
  }

  @Test func `A renewal that names no product is one of its subscription's`() throws {
    let access = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 10:00:00 renewed B u original=A
      8 10:00:01 granted B u sub amount=1768471200
      15 10:00:00 expired B u sub
      9 10:00:00 charged C u coins
      9 10:00:01 credited C u coins
      """
    #expect(try broken("", after: access) == [])
    #expect(try broken("8 10:00:00 renewed B u original=A\n8 10:00:01 credited B u") == [])
    #expect(try broken("8 10:00:00 renewed B u original=A") == ["I01 1", "I11 1"])
  }

  @Test func `Each period that is credited is judged and shown by itself`() throws {
    let periods = """
      8 10:00:00 renewed B u sub original=A
      15 10:00:00 renewed D u sub original=A
      15 10:00:01 credited D u sub
      15 10:00:02 credited D u sub
      22 10:00:00 renewed E u sub original=A
      9 10:00:00 charged C
      """
    let log = Self.log.replacing("9 10:00:00 charged C", with: periods)
    #expect(try broken("", after: log) == ["I01 2", "I02 1", "I11 1"])
    var terms = AuditTerms()
    terms.window = 40 * AuditTests.day
    terms.subscriptions = [("sub", 1)]
    let text = AuditHabitsTests.log(log + "31 23:00:00 charged END u coins")
    let findings = try AuditFolder().audit([("log", text)], terms).findings
    let lost = findings.filter { AuditRules.all[$0.rule].invariant.code == "I01" }
    #expect(lost.map(\.transaction) == ["B", "E"])
    #expect(lost.map { $0.evidence.map(\.text) } == [["renewed u"], ["renewed u"]])
  }

  @Test func `Lines of access name their transactions and say until when`() throws {
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767866400
      8 10:00:00 renewed B u sub original=A
      15 10:00:00 renewed D u sub original=A
      20 10:00:00 refunded D amount=500
      20 10:01:00 refunded D amount=0
      22 10:00:00 expired D
      31 23:00:00 charged END u coins
      """
    var terms = AuditTerms()
    terms.window = 40 * AuditTests.day
    terms.subscriptions = [("sub", 1)]
    let result = try AuditFolder().audit([("log", AuditHabitsTests.log(log))], terms)
    // All of it is one purchase, and its first break is told.
    #expect(AuditTests.broken(result) == ["I09 1"])
    let finding = result.findings.first { AuditRules.all[$0.rule].invariant.code == "I09" }
    // The gap began with the renewal that nothing was granted for.
    #expect(finding?.transaction == "B")
    #expect(finding?.evidence.firstIndex { $0.isBreak } == 2)
    #expect(
      finding?.evidence.map(\.text) == [
        "charged u, transaction A", "granted u until 2026-01-08 10:00:00.000, transaction A",
        "renewed u", "renewed u, transaction D", "refunded 500/1000, transaction D",
        "refunded, taken back by the store, transaction D", "expired, transaction D",
      ])
  }

  @Test func `A period that began before the log is judged for second credits alone`() throws {
    let log = """
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 credited B u sub
      10 10:00:00 refunded Z u sub original=A
      10 10:00:01 reversed Z u sub

      """
    #expect(try broken(log) == [])
    #expect(try broken(log + "11 10:00:00 credited B u sub") == ["I02 1", "I11 1"])
  }

  @Test func `Charges that answer one wish stay together, subscription or not`() throws {
    let log = """
      2 10:00:00 tapped intent=i
      2 10:00:01 charged B u sub original=A intent=i
      2 10:00:01 credited B u sub
      2 10:00:03 charged D u sub original=A intent=i
      2 10:00:04 credited D u sub
      """
    #expect(try broken(log) == ["I13 1"])
  }

  @Test func `Who has restored a subscription has its later periods where that moves it`() throws {
    let log = """
      5 10:00:00 restored R v sub original=A
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 credited B v sub

      """
    #expect(try broken(log) == ["I04 1"])
    let moved = try AuditHabitsTests().broken(Self.log + log) {
      $0.subscriptions = [("sub", 1)]
      $0.transfersOnRestore = true
    }
    #expect(moved == [])
  }

  @Test func `A restore is of the period whose transaction it names`() throws {
    let log = """
      8 10:00:00 renewed B u sub original=A
      8 10:00:01 credited B u sub
      9 10:00:00 restored R u sub original=B
      9 10:00:01 credited R u sub
      """
    // The period was credited, so that its restore is credited twice.
    let broken = try broken(log)
    #expect(broken == ["I02 1", "I21 1", "I11 1"])
  }

  @Test func `Of each period that was closed it is remembered what became of it`() throws {
    var log = Self.log
    for (day, transaction) in [(2, "B"), (3, "D"), (4, "E")] {
      log += "\(day) 10:00:00 renewed \(transaction) u sub original=A\n"
      log += "\(day) 10:00:01 credited \(transaction) u sub\n"
    }
    log += "5 10:00:00 expired A\n"
    // After that it is closed.
    let again = ["A", "B", "D", "E"].map { "28 10:00:00 credited \($0) u sub" }
    var terms = AuditTerms()
    terms.subscriptions = [("sub", 1)]
    let text = AuditHabitsTests.log(
      (log + again.joined(separator: "\n")).split(separator: "\n").sorted {
        let (one, other) = (Int($0.prefix { $0 != " " }) ?? 0, Int($1.prefix { $0 != " " }) ?? 0)
        return one < other
      }.joined(separator: "\n") + "\n31 23:00:00 charged END u coins")
    let result = try AuditFolder().audit([("log", text)], terms)
    #expect(AuditTests.broken(result) == ["I02 4", "I11 1"])
    let twice = result.findings.filter { AuditRules.all[$0.rule].invariant.code == "I02" }
    #expect(twice.allSatisfy { $0.evidence.first?.text.hasSuffix("judged before") == true })
  }
}

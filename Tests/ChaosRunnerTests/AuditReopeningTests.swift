import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

/// Subscriptions of which something is heard after they were closed, and such as begin before the log does.
@Suite struct AuditReopeningTests {
  /// What is far enough apart is closed in between: the log has another purchase on each of these days.
  private func audit(
    _ text: String, _ change: (inout AuditTerms) -> Void = { $0.subscriptions = [("sub", 1)] }
  ) throws -> AuditResult {
    var lines = text.split(separator: "\n").map(String.init)
    for day in 1...31 {
      lines.append("\(day) 23:00:00 charged X\(day) u coins")
      lines.append("\(day) 23:00:01 credited X\(day) u coins")
      lines.append("\(day) 23:00:02 finished X\(day)")
    }
    let order = lines.enumerated().sorted { one, other in
      let (a, b) = (day(one.element), day(other.element))
      return a == b ? one.offset < other.offset : a < b
    }
    var terms = AuditTerms()
    terms.window = AuditTests.day
    change(&terms)
    return try AuditFolder().audit(
      [("log", AuditHabitsTests.log(order.map(\.element).joined(separator: "\n")))], terms)
  }

  private func day(_ line: String) -> Int { Int(line.prefix { $0 != " " }) ?? 0 }

  private func sum(_ result: AuditResult, of product: String = "sub") -> [Int64]? {
    result.sums.first { $0.product == product }.map {
      [$0.charged, $0.returned, $0.credited, $0.takenBack, $0.difference]
    }
  }

  @Test func `A period that was closed counts once, and what was lost of it is told once`() throws {
    let again = """
      1 10:00:00 charged A u sub
      2 10:00:00 expired A
      9 10:00:00 charged B u sub original=A
      9 10:00:01 credited B u sub
      10 10:00:00 expired B
      20 10:00:00 charged D u sub original=A
      20 10:00:01 credited D u sub
      21 10:00:00 expired A
      """
    let lost = try audit(again)
    #expect(AuditTests.broken(lost) == ["I01 1", "I11 1"])
    #expect(sum(lost) == [3, 0, 2, 0, 1])
    let sound = try audit("1 10:00:01 credited A u sub\n" + again)
    #expect(AuditTests.broken(sound) == [])
    #expect(sum(sound) == [3, 0, 3, 0, 0])
    // So is a refund that nobody has carried out.
    let kept = try audit(
      "1 10:00:01 credited A u sub\n3 10:00:00 refunded A\n15 10:00:00 finished X10\n"
        + "14 10:00:00 reversed X2 u coins\n13 10:00:00 refunded X2\n"
        + again.replacing("2 10:00:00 expired A\n9", with: "9"))
    #expect(AuditTests.broken(kept) == ["I07 1", "I11 1"])
  }

  @Test func `Who had their money back and has it taken again is owed the goods`() throws {
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let log =
      coins + """
        1 10:00:00 charged A u sub
        2 10:00:00 refunded A
        20 10:00:00 refunded A amount=0
        """
    #expect(AuditTests.broken(try audit(log)) == ["I07 1", "I11 1"])
  }

  @Test func `A charge and its renewals that name no product are of what was handed out`() throws {
    let log = """
      1 10:00:00 charged A u
      1 20:00:00 renewed B u original=A
      1 20:00:01 credited B u sub
      """
    let result = try audit(log)
    #expect(AuditTests.broken(result) == ["I01 1", "I11 1"])
    #expect(sum(result) == [2, 0, 1, 0, 1])
    let begun = "1 10:00:00 renewed D u original=A\n1 10:00:01 credited D u sub\n"
    #expect(AuditTests.broken(try audit(begun + "8 10:00:00 renewed B u original=A")).count == 2)
  }

  @Test func `What was taken back of a period that is over stays so when it is closed`() throws {
    // Coins whose refund shows that refunds are judged.
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let over =
      coins + """
        1 10:00:00 charged A u sub
        1 10:00:01 credited A u sub
        2 10:00:00 expired A

        """
    let gone = over + "2 10:00:01 reversed A u sub\n"
    #expect(AuditTests.broken(try audit(gone + "20 10:00:00 refunded A")) == [])
    #expect(AuditTests.broken(try audit(gone + "20 10:00:00 regranted A u sub")) == [])
    let again = "15 10:00:00 charged B u sub original=A\n15 10:00:01 credited B u sub\n"
    #expect(AuditTests.broken(try audit(over + again + "20 10:00:00 reversed A u sub")) == [])
    #expect(
      AuditTests.broken(try audit(over + again + "20 10:00:00 reversed B u sub")) == [
        "I07 1", "I11 1",
      ])
    // What nobody has taken back is to be taken back when its money comes back.
    #expect(
      AuditTests.broken(try audit(over + "20 10:00:00 refunded A")) == ["I07 1", "I11 1"])
  }

  @Test func `A subscription of access that begins before the log has no units`() throws {
    for first in ["charged", "renewed"] {
      let log = """
        5 20:00:00 granted A u sub amount=1767693600
        6 10:00:00 \(first) B u sub original=A
        6 10:00:01 granted B u sub amount=1768298400
        13 10:00:00 charged D u sub original=A
        13 10:00:01 granted D u sub amount=1768903200
        20 10:00:00 expired D
        """
      let result = try audit(log)
      #expect(AuditTests.broken(result) == [])
      #expect(sum(result) == nil)
    }
  }

  @Test func `What was paid for before the log counts once, whenever something is heard of it`()
    throws
  {
    let result = try audit(
      """
      1 00:00:00 credited OLD u coins
      12 10:00:00 refunded OLD
      22 10:00:00 reversed OLD u coins
      """)
    #expect(AuditTests.broken(result) == [])
    #expect(result.older == 1)
  }

  @Test func `A restore of what was bought before the log is no credit of a later period`() throws {
    let result = try audit(
      """
      1 10:00:00 restored R u sub original=A
      1 10:00:01 credited R u sub
      18 10:00:00 renewed B u sub original=A
      18 10:00:01 credited B u sub
      """)
    #expect(AuditTests.broken(result) == [])
    #expect(result.older == 1)
    let twice = try audit(
      """
      1 10:00:00 credited A u sub
      4 10:00:00 credited A u sub
      6 10:00:00 renewed B u sub original=A
      6 10:00:01 credited B u sub
      """)
    #expect(AuditTests.broken(twice) == ["I02 1"])
  }

  @Test func `What a refund before the log has caused is owed to nobody`() throws {
    let coins = "9 10:00:00 refunded X7\n9 10:00:01 reversed X7 u coins\n"
    #expect(AuditTests.broken(try audit(coins + "1 10:00:00 reversed OLD u coins")) == [])
    let late = try audit(coins + "20 10:00:00 reversed OLD u coins")
    #expect(AuditTests.broken(late) == ["I07 1"])
  }

  @Test func `The sums of the sandbox are told apart from those of production`() throws {
    let result = try audit(
      """
      1 10:00:00 charged S u sub environment=sandbox
      2 10:00:00 charged P u sub
      2 10:00:01 credited P u sub
      2 10:00:02 credited P u sub
      """)
    let titles = result.findings.filter {
      AuditRules.all[$0.rule].invariant.title.contains("I11")
    }.map { AuditWords(result).title($0) }
    #expect(
      titles == [
        "sub, 1 unit handed out and not paid for",
        "sub (sandbox), 1 unit paid for and not handed out",
      ])
  }

  @Test func `What names no product continues what its original names`() throws {
    let log = """
      5 10:00:00 refunded X4
      5 10:00:01 reversed X4 u coins
      1 10:00:00 charged A u sub
      1 10:00:01 credited A u sub
      8 10:00:00 expired B original=A
      8 10:00:01 reversed A u sub
      """
    #expect(AuditTests.broken(try audit(log)) == [])
  }

  @Test func `Access of a subscription that was closed is judged by whether it was over`() throws {
    let over = """
      1 10:00:00 charged A u sub
      1 10:00:01 granted A u sub amount=1767693600
      6 10:00:00 renewed B u sub original=A
      6 10:00:01 granted B u sub amount=1768125600
      11 10:00:00 expired B

      """
    for later in [
      "20 10:00:00 restored R u sub original=A", "20 10:00:00 restored R u sub original=B",
      "20 10:00:00 credited B u sub", "20 10:00:00 refunded B",
    ] {
      let result = try audit(over + later)
      #expect(AuditTests.broken(result) == [])
      #expect(result.older == 0)
    }
    // Nobody has paid for another month.
    let free = "20 10:00:00 granted B u sub amount=1772287200"
    #expect(AuditTests.broken(try audit(over + free)) == ["I09 1"])
  }

  @Test func `Who enters both access and credits has the refund entered in both`() throws {
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let log =
      coins + """
        1 10:00:00 charged A u sub
        1 10:00:01 granted A u sub amount=1769853600
        1 10:00:02 credited A u sub
        5 10:00:00 refunded A
        5 10:00:01 granted A u sub amount=1767607201
        5 10:00:02 reversed A u sub
        5 10:00:03 expired A
        """
    let result = try audit(log)
    #expect(AuditTests.broken(result) == [])
    #expect(sum(result) == nil)
  }

  @Test func `What is handed out or refunded long after the purchase was closed has its time`()
    throws
  {
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let refunded = coins + "1 10:00:00 charged A u sub\n1 12:00:00 refunded A\n"
    #expect(
      AuditTests.broken(try audit(refunded + "20 10:00:00 credited A u sub")) == [
        "I07 1", "I11 1",
      ])
    // A refund that nobody has carried out, until the store takes it back.
    let missed =
      coins + """
        1 10:00:00 charged A u gems
        1 10:00:01 credited A u gems
        2 12:00:00 refunded A
        20 10:00:00 refunded A amount=0
        """
    let result = try audit(missed)
    #expect(AuditTests.broken(result) == ["I07 1"])
    #expect(sum(result, of: "gems") == [1, 0, 1, 0, 0])
    #expect(result.sums.allSatisfy { $0.open == 0 })
  }

  @Test func `A refund of a charge may be carried out on its restore, also when both were closed`()
    throws
  {
    let log = """
      1 10:00:00 charged A u gems
      1 11:00:00 restored R u gems original=A
      1 12:00:00 credited R u gems
      20 10:00:00 refunded A
      20 11:00:00 reversed R u gems
      """
    let result = try audit(log)
    #expect(AuditTests.broken(result) == [])
    #expect(sum(result, of: "gems") == [1, 1, 1, 1, 0])
  }

  @Test func `What was never handed out is lost, and not to be taken back`() throws {
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let log = "1 10:00:00 charged A u sub\n5 12:00:00 refunded A amount=500\n"
    #expect(AuditTests.broken(try audit(coins + log)) == ["I01 1", "I11 1"])
  }

  @Test func `What is to be treated as never made may be taken back`() throws {
    let coins = "3 10:00:00 refunded X2\n3 10:00:01 reversed X2 u coins\n"
    let log = """
      1 10:00:00 charged A u sub
      1 10:00:01 credited A u sub
      1 11:00:00 voided A
      1 11:00:01 reversed A u sub

      """
    #expect(AuditTests.broken(try audit(coins + log)) == [])
    #expect(
      AuditTests.broken(try audit(coins + log + "2 11:00:01 reversed A u sub")) == [
        "I07 1", "I11 1",
      ])
  }

  @Test func `Whether access ended is judged where the log tells of ends`() throws {
    let log = "1 10:00:00 charged A u sub\n1 10:00:01 granted A u sub amount=1767693600\n"
    let silent = try audit(log)
    #expect(AuditTests.broken(silent) == [])
    let rule = try #require(AuditRules.all.firstIndex { $0.invariant.code == "I09" })
    #expect(silent.gap(rule) == "the log has no 'expired'")
    #expect(AuditTests.broken(try audit(log + "20 10:00:00 expired A")) == ["I09 1"])
  }
}

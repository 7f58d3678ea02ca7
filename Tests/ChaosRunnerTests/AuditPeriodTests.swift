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
}

import Invariants
import Testing

@Suite struct `Money that is given back` {
  private static let week: Int64 = 7 * 86_400_000

  /// Bought and credited.
  private func bought() -> (History, TransactionID) {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.credit(coins)
    return (history, coins)
  }

  @Test func `Goods go back once, within a week`() {
    var (history, coins) = bought()
    history.refund(coins)
    #expect(history.outcome(of: "I07") == .holds && history.outcome(of: "I11") == .holds)
    var late = history
    late.wait(Self.week)
    #expect(late.outcome(of: "I07") == .brokenAtEnd && late.outcome(of: "I11") == .brokenAtEnd)
    history.takeBack(coins)
    history.wait(Self.week * 2)
    #expect(history.outcome(of: "I07") == .holds && history.outcome(of: "I11") == .holds)
    history.takeBack(coins)
    #expect(history.outcome(of: "I07") == .broken(by: .reversed))
  }

  @Test func `What nobody has refunded is not taken back`() {
    var (history, coins) = bought()
    history.takeBack(coins)
    #expect(history.outcome(of: "I07") == .broken(by: .reversed))
  }

  @Test func `A refund before the credit nets to zero, with a credit or without`() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.refund(coins)
    history.wait(Self.week * 2)
    #expect(history.broken.filter { ["I01", "I07", "I11"].contains($0) } == [])
    history.credit(coins)
    history.wait(Self.week * 2)
    #expect(
      history.outcome(of: "I07") == .brokenAtEnd && history.outcome(of: "I11") == .brokenAtEnd)
    history.takeBack(coins)
    #expect(history.outcome(of: "I07") == .holds && history.outcome(of: "I11") == .holds)
  }

  @Test func `A part of the money is a part of the goods`() {
    var (history, coins) = bought()
    history.refund(coins, 400)
    var whole = history
    whole.takeBack(coins)
    #expect(whole.outcome(of: "I07") == .broken(by: .reversed))
    history.takeBack(coins, 400)
    history.wait(Self.week * 2)
    #expect(history.outcome(of: "I07") == .holds && history.outcome(of: "I11") == .holds)
  }

  @Test func `A refund that is reversed gives the goods again, once`() {
    var (history, coins) = bought()
    history.refund(coins)
    history.takeBack(coins)
    history.refund(coins, 0)
    var late = history
    late.wait(Self.week + 1000)
    #expect(late.outcome(of: "I07") == .brokenAtEnd && late.outcome(of: "I11") == .brokenAtEnd)
    history.giveAgain(coins)
    history.wait(Self.week * 2)
    #expect(history.outcome(of: "I07") == .holds && history.outcome(of: "I11") == .holds)
    history.giveAgain(coins)
    #expect(history.outcome(of: "I07") == .broken(by: .regranted))
  }

  @Test func `A refund that nobody could be told of is found out within a week`() {
    var (history, coins) = bought()
    history.refund(coins)
    var told = history
    told.giveUp(coins, ofRefund: false)
    told.wait(Self.week * 2)
    #expect(told.outcome(of: "I10") == .holds && told.outcome(of: "I07") == .brokenAtEnd)
    history.giveUp(coins)
    #expect(history.outcome(of: "I10") == .holds)
    var late = history
    late.wait(Self.week)
    #expect(late.outcome(of: "I10") == .brokenAtEnd && late.outcome(of: "I07") == .brokenAtEnd)
    history.takeBack(coins)
    history.wait(Self.week * 2)
    #expect(history.outcome(of: "I10") == .holds)
    // Its reversal is another thing to be told of.
    history.refund(coins, 0)
    history.wait(Self.week * 2)
    #expect(history.outcome(of: "I10") == .holds)
    history.giveUp(coins)
    history.wait(Self.week + 1000)
    #expect(history.outcome(of: "I10") == .brokenAtEnd)
  }

  @Test func `What was right stays right until something happens`() {
    var (history, coins) = bought()
    history.refund(coins)
    history.takeBack(coins)
    // The purchase is told of once more.
    var stale = history
    stale.giveAgain(coins)
    #expect(stale.outcome(of: "I12") == .broken(by: .regranted))
    history.refund(coins, 0)
    history.giveAgain(coins)
    #expect(history.outcome(of: "I12") == .holds)
    // And the refund.
    history.takeBack(coins)
    #expect(history.outcome(of: "I12") == .broken(by: .reversed))
  }

  @Test func `What was given back and is then treated as never made was owed once`() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.refund(coins)
    history.void(coins)
    #expect(history.outcome(of: "I11") == .holds)
  }

  @Test func `What comes twice is no old news`() {
    var (history, coins) = bought()
    history.refund(coins, 500)
    history.takeBack(coins, 500)
    history.takeBack(coins, 500)
    #expect(history.outcome(of: "I12") == .holds && history.outcome(of: "I07") != .holds)
  }

  @Test
  func `Who has their money back may be refused, told of a failure, and need not be credited`() {
    var (history, coins) = bought()
    history.refund(coins)
    history.answer(coins, .refused)
    #expect(history.outcome(of: "I20") == .holds)
    history.finish(coins)
    #expect(history.outcome(of: "I03") == .holds)
  }
}

@Suite struct `Access to a subscription` {
  private func subscribed() -> (History, TransactionID) {
    var history = History(isOfSubscriptions: true)
    history.launch()
    let first = history.charge()
    history.grant(first, untilSeconds: 60)
    return (history, first)
  }

  @Test func `The refund of an earlier period takes nothing away`() {
    var (history, first) = subscribed()
    let second = history.renew(first)
    history.grant(second, untilSeconds: 100_000)
    history.refund(first)
    history.wait(40_000)
    #expect(history.outcome(of: "I09") == .holds)
    history.refund(second)
    history.wait(40_000)
    #expect(history.outcome(of: "I09") == .brokenAtEnd)
  }

  @Test func `Who pays and is locked out has paid for nothing`() {
    var (history, first) = subscribed()
    _ = history.renew(first)
    history.wait(200_000)
    #expect(history.outcome(of: "I09") == .brokenAtEnd)
  }

  @Test func `Old news of a period neither locks anybody out nor lets anybody in`() {
    var (history, first) = subscribed()
    let second = history.renew(first)
    history.wait(70_000)
    history.grant(second, untilSeconds: 1000)
    var late = history
    late.grant(second, untilSeconds: 60)
    #expect(late.outcome(of: "I12") == .broken(by: .granted))
    // Or it is locked out later.
    var shorter = subscribed()
    shorter.0.grant(shorter.1, untilSeconds: 30)
    #expect(shorter.0.outcome(of: "I12") == .broken(by: .granted))
    // Who did not know of the renewal has had nothing right.
    var unaware = subscribed()
    _ = unaware.0.renew(unaware.1)
    unaware.0.wait(70_000)
    unaware.0.grant(unaware.1, untilSeconds: 60)
    #expect(unaware.0.outcome(of: "I12") == .holds)
    history.refund(second)
    history.grant(second, untilSeconds: 0)
    #expect(history.outcome(of: "I12") == .holds)
    history.grant(second, untilSeconds: 1000)
    #expect(history.outcome(of: "I12") == .broken(by: .granted))
  }

  @Test func `What ends within a second may be said to end with it`() {
    var (history, first) = subscribed()
    history.wait(60_050)
    history.expire(first)
    history.grant(first, untilSeconds: 30)
    // The end of the second in which it was over.
    var rounded = history
    rounded.grant(first, untilSeconds: 61)
    #expect(rounded.outcome(of: "I12") == .holds)
    history.grant(first, untilSeconds: 63)
    #expect(history.outcome(of: "I12") == .broken(by: .granted))
  }

  @Test func `A renewal does not make up for what is missing`() {
    var (history, first) = subscribed()
    // The product of a lower level, for as long as anybody looks.
    history.grant(first, untilSeconds: 100_000, .chest)
    history.wait(20_000)
    _ = history.renew(first)
    var right = history
    right.grant(first, untilSeconds: 100_000)
    right.wait(20_000)
    #expect(right.outcome(of: "I09") == .holds)
    history.wait(11_000)
    _ = history.renew(first)
    #expect(history.outcome(of: "I09") == .broken(by: .renewed))
  }

  @Test func `A refund that is reversed is paid for again`() {
    var (history, first) = subscribed()
    history.refund(first)
    history.grant(first, untilSeconds: 0)
    history.refund(first, 0)
    history.wait(40_000)
    #expect(history.outcome(of: "I09") == .brokenAtEnd)
  }
}

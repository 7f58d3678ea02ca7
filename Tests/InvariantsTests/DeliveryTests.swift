import Invariants
import Testing

@Suite("What is paid for arrives")
struct DeliveryTests {
  @Test("A charge that is never credited breaks no-charge-without-delivery")
  func neverCredited() {
    var history = History()
    history.launch()
    _ = history.charge()
    #expect(history.outcome(of: "I01") == .brokenAtEnd)
  }

  @Test("A charge that is credited at last keeps no-charge-without-delivery")
  func credited() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.wait(3_600_000)
    history.credit(coins)
    #expect(history.outcome(of: "I01") == .holds)
  }

  @Test("A voided charge that is never credited keeps no-charge-without-delivery")
  func voidedUncredited() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.void(coins)
    #expect(history.outcome(of: "I01") == .holds)
  }

  @Test("A charge whose app never runs again is stuck, and keeps no-charge-without-delivery")
  func neverOpenedAgain() {
    var history = History()
    history.launch()
    history.wait(5_000)
    let coins = history.charge()
    history.deliver(coins)
    #expect(history.outcome(of: "I01") == .brokenAtEnd)

    var closed = History()
    closed.launch()
    closed.wait(5_000)
    closed.end()
    _ = closed.charge()
    closed.wait(3_600_000)
    #expect(closed.outcome(of: "I01") == .holds)
  }

  @Test("Time in which the app runs while faults still strike makes no charge overdue")
  func ranBeforeHealOnly() {
    var history = History(heal: 10_000)
    history.launch()
    _ = history.charge()
    history.wait(5_000)
    history.end()
    history.wait(60_000)
    #expect(history.outcome(of: "I01") == .holds)
  }

  @Test("A first credit after the time allowed breaks no-charge-without-delivery")
  func lateCredit() {
    var history = History(within: 5_000)
    history.launch()
    let coins = history.charge()
    history.wait(5_000)
    history.credit(coins)
    #expect(history.outcome(of: "I01") == .broken(by: .credited))
  }

  @Test("A first credit in the last moment allowed keeps no-charge-without-delivery")
  func creditInTime() {
    var history = History(within: 5_000)
    history.launch()
    let coins = history.charge()
    history.wait(4_900)
    history.credit(coins)
    history.wait(60_000)
    history.credit(coins)
    #expect(history.outcome(of: "I01") == .holds)
  }

  @Test(
    "A late credit of a voided charge keeps no-charge-without-delivery, and breaks another rule")
  func voidedBeforeLateCredit() {
    var history = History(within: 5_000)
    history.launch()
    let coins = history.charge()
    history.void(coins)
    history.wait(5_000)
    history.credit(coins)
    #expect(history.outcome(of: "I01") == .holds)
    #expect(history.outcome(of: "I05") == .broken(by: .credited))
  }

  /// A wish on the phone is charged, and a purchase of the tablet's comes to the phone in its place.
  private func standIn(within: Int64? = nil) -> (History, own: TransactionID) {
    var history = History(within: within)
    history.launch()
    history.launch(.tablet)
    let own = history.charge(history.tap())
    let other = history.charge(history.tap(on: .tablet))
    history.deliver(other)
    history.credit(other)
    return (history, own)
  }

  @Test(
    "A charge in whose place another device's came has time until its app is closed, not longer")
  func standIn() {
    var (history, own) = standIn()
    history.wait(3_600_000)
    #expect(history.outcome(of: "I01") == .holds)
    #expect(history.outcome(of: "I11") == .holds)
    // Handed over in time and credited.
    var credited = history
    credited.end()
    credited.launch()
    credited.deliver(own)
    credited.wait(20_000)
    credited.credit(own)
    #expect(credited.outcome(of: "I01") == .holds)
    // Handed over and not credited, or not even asked for in the next life.
    var dropped = history
    dropped.end()
    dropped.launch()
    var unheard = dropped
    dropped.deliver(own)
    dropped.wait(3_600_000)
    #expect(dropped.outcome(of: "I01") == .brokenAtEnd)
    unheard.wait(20_000)
    #expect(unheard.outcome(of: "I01") == .brokenAtEnd)
    // Handed over in the life in which nobody could know of it.
    history.deliver(own)
    history.wait(3_600_000)
    #expect(history.outcome(of: "I01") == .brokenAtEnd)
  }

  @Test("Only a purchase from elsewhere, of the same product, comes in the place of a charge")
  func noStandIn() {
    // Of the same phone: the app has asked for both, and got one.
    var twice = History()
    twice.launch()
    _ = twice.charge(twice.tap())
    let second = twice.charge(twice.tap())
    twice.deliver(second)
    twice.credit(second)
    twice.wait(3_600_000)
    #expect(twice.outcome(of: "I01") == .brokenAtEnd)
    // Handed to the app before, which has not credited it.
    var had = History()
    had.launch()
    had.launch(.tablet)
    let own = had.charge(had.tap())
    had.deliver(own)
    let other = had.charge(had.tap(on: .tablet))
    had.deliver(other)
    had.credit(other)
    had.wait(3_600_000)
    #expect(had.outcome(of: "I01") == .brokenAtEnd)
    // The other purchase came to the other device alone.
    var apart = History()
    apart.launch()
    apart.launch(.tablet)
    _ = apart.charge(apart.tap())
    let elsewhere = apart.charge(apart.tap(on: .tablet))
    apart.deliver(elsewhere, on: .tablet)
    apart.credit(elsewhere)
    apart.wait(3_600_000)
    #expect(apart.outcome(of: "I01") == .brokenAtEnd)
  }

  @Test("Where a bound is set, it is counted from when the charge is handed over at last")
  func standInWithin() {
    var (history, own) = standIn(within: 5_000)
    history.wait(60_000)
    history.end()
    history.launch()
    history.deliver(own)
    history.wait(4_900)
    var late = history
    history.credit(own)
    #expect(history.outcome(of: "I01") == .holds)
    late.wait(200)
    late.credit(own)
    #expect(late.outcome(of: "I01") == .broken(by: .credited))
  }

  @Test("Time with the app closed does not count against the time allowed for a delivery")
  func closedAppHasTime() {
    var history = History(within: 5_000)
    history.launch()
    let coins = history.charge()
    history.end()
    history.wait(60_000)
    history.launch()
    history.credit(coins)
    #expect(history.outcome(of: "I01") == .holds)
  }

  @Test(
    "A charge that still has time when the history ends is not missed, and one that has none is")
  func stillInTime() {
    var history = History(within: 5_000)
    history.launch()
    _ = history.charge()
    history.wait(4_900)
    #expect(history.outcome(of: "I01") == .holds)
    history.wait(1)
    #expect(history.outcome(of: "I01") == .brokenAtEnd)
  }

  @Test("Fewer units credited than charged break conservation")
  func lost() {
    var history = History()
    history.launch()
    let coins = history.charge(quantity: 5)
    history.credit(coins, quantity: 4)
    #expect(history.outcome(of: "I11") == .brokenAtEnd)
  }

  @Test("As many units credited as charged keep conservation")
  func balanced() {
    var history = History()
    history.launch()
    let coins = history.charge(quantity: 5)
    let more = history.charge(quantity: 2)
    history.credit(coins, quantity: 5)
    history.void(more)
    #expect(history.outcome(of: "I11") == .holds)
  }

  @Test("A credit without a charge breaks conservation")
  func fromNothing() {
    var history = History()
    history.credit(.none)
    #expect(history.outcome(of: "I11") == .brokenAtEnd)
  }

  @Test("A sandbox charge credited in production breaks conservation")
  func wrongLedger() {
    var history = History()
    let coins = history.charge(in: .sandbox)
    history.credit(coins, in: .production)
    #expect(history.outcome(of: "I11") == .brokenAtEnd)
  }

  @Test("A loss in the sandbox alone breaks conservation")
  func sandboxLost() {
    var history = History()
    history.launch()
    _ = history.charge(in: .sandbox)
    #expect(history.outcome(of: "I11") == .brokenAtEnd)
  }

  @Test("What is stuck, or still has time, keeps conservation")
  func stuckIsNotMissing() {
    var history = History(within: 5_000)
    history.launch()
    _ = history.charge()
    _ = history.charge(in: .sandbox, to: .office)
    #expect(history.outcome(of: "I11") == .holds)
  }

  @Test("A loss and a double credit of as many units cancel in conservation alone")
  func cancelling() {
    var history = History()
    history.launch()
    let coins = history.charge()
    _ = history.charge()
    history.credit(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I11") == .holds)
    #expect(history.outcome(of: "I01") == .brokenAtEnd)
    #expect(history.outcome(of: "I02") == .broken(by: .credited))
  }

  @Test("A charge the backend never heard of breaks traceability")
  func anonymous() {
    var history = History()
    _ = history.charge()
    #expect(history.outcome(of: "I24") == .brokenAtEnd)
  }

  @Test("What was bought outside the app breaks traceability once an app had it in hand")
  func outside() {
    for isDelivered in [false, true] {
      var history = History()
      let coins = history.charge(history.newIntent())
      if isDelivered { history.deliver(coins) }
      #expect(history.outcome(of: "I24") == (isDelivered ? .brokenAtEnd : .holds))
    }
  }

  @Test("A charge that the store's data alone can match keeps traceability")
  func traceable() {
    var history = History()
    let coins = history.charge()
    history.makeTraceable(coins)
    #expect(history.outcome(of: "I24") == .holds)
  }

  @Test("A charge that was reported once keeps traceability")
  func reportedOnce() {
    var history = History()
    let coins = history.charge()
    history.report(coins)
    #expect(history.outcome(of: "I24") == .holds)
  }

  @Test("A charge that was verified as an entry of a receipt keeps traceability")
  func receiptEntry() {
    var history = History()
    let coins = history.charge()
    history.report(.none)
    history.verify(coins, .accepted)
    #expect(history.outcome(of: "I24") == .holds)
  }
}

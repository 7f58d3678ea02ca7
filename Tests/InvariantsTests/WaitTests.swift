import Invariants
import Testing

@Suite("What people wait for")
struct WaitTests {
  /// A tap that was charged, of which its person was told that it is pending.
  private static func pending() -> (History, wish: IntentID, coins: TransactionID) {
    var history = History()
    history.launch()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.tell(.pending, about: wish)
    return (history, wish, coins)
  }

  @Test("Two minutes without a word in front of a running app breaks no-endless-wait")
  func silence() {
    var history = History()
    history.launch()
    let wish = history.tap()
    history.wait(119_900)
    history.tell(.pending, about: wish)
    #expect(history.outcome(of: "I27") == .holds)

    history = History()
    history.launch()
    let other = history.tap()
    history.wait(120_000)
    history.tell(.pending, about: other)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test("An app that is closed after two minutes of silence is not excused by being opened again")
  func reopened() {
    var history = History()
    history.launch()
    _ = history.tap()
    history.wait(120_000)
    history.end()
    history.launch()
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test("A second tap ends no wait that was too long already")
  func tappedAgain() {
    var history = History()
    history.launch()
    let wish = history.tap()
    history.wait(120_000)
    history.tapAgain(wish)
    history.tell(.pending, about: wish)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test("Silence counts from the heal on")
  func healed() {
    for (wait, outcome) in [(129_700, History.Outcome.holds), (130_000, .brokenAtEnd)] {
      var history = History(heal: 10_000)
      history.launch()
      let wish = history.tap()
      history.wait(Int64(wait))
      history.tell(.pending, about: wish)
      #expect(history.outcome(of: "I27") == outcome)
    }
  }

  @Test("What another phone shows ends no wait in front of this one")
  func elsewhere() {
    var history = History()
    history.launch()
    history.launch(.tablet)
    let wish = history.tap()
    history.tell(.pending, about: wish, on: .tablet)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test(
    "Pending for ever breaks no-endless-wait once the goods are there and the app has them in hand")
  func pendingForEver() {
    var (history, wish, coins) = Self.pending()
    #expect(history.outcome(of: "I27") == .holds)
    history.deliver(coins)
    #expect(history.outcome(of: "I27") == .holds)
    history.credit(coins)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
    history.tell(.success, about: wish)
    #expect(history.outcome(of: "I27") == .holds)
  }

  @Test("Goods that came three minutes before the app said so break no-endless-wait")
  func toldLate() {
    var (history, wish, coins) = Self.pending()
    history.deliver(coins)
    history.credit(coins)
    var inTime = history
    inTime.wait(179_800)
    inTime.tell(.success, about: wish)
    #expect(inTime.outcome(of: "I27") == .holds)
    history.wait(180_000)
    history.tell(.success, about: wish)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test(
    "Pending for ever breaks no-endless-wait once what the app has in hand was refused for good")
  func refusedInSilence() {
    var (history, wish, coins) = Self.pending()
    history.deliver(coins)
    history.void(coins)
    #expect(history.outcome(of: "I27") == .holds, "only the store knows")
    history.answer(coins, .inconclusive)
    #expect(history.outcome(of: "I27") == .holds)
    history.answer(coins, .refused)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
    var told = history
    told.wait(179_800)
    told.tell(.failure, about: wish)
    #expect(told.outcome(of: "I27") == .holds)
    history.end()
    #expect(history.outcome(of: "I27") == .holds, "who opens it again sees that nothing is there")
  }

  @Test("A refusal of a restore refuses what it stands for, and the first one counts")
  func refusedRestore() {
    var (history, wish, coins) = Self.pending()
    history.deliver(coins)
    let copy = history.restore(coins)
    history.void(coins)
    history.answer(copy, .refused)
    history.wait(179_900)
    history.answer(coins, .refused)
    history.wait(200)
    history.tell(.failure, about: wish)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test("What is told about a product ends the waits of all who wait for it on that device")
  func toldAboutProduct() {
    var history = History()
    history.launch()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.deliver(coins)
    history.credit(coins)
    history.tellAboutProduct(.pending)
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
    history.tellAboutProduct(.success)
    #expect(history.outcome(of: "I27") == .holds)
  }

  @Test("An app that has not been handed a purchase cannot say that it came")
  func creditedElsewhere() {
    var history = History()
    history.launch()
    history.launch(.tablet)
    let wish = history.tap()
    let coins = history.charge(wish)
    history.tell(.pending, about: wish)
    history.deliver(coins, on: .tablet)
    history.credit(coins)
    #expect(history.outcome(of: "I27") == .holds)
  }

  @Test("Pending ends with the app, and goods that were voided are nothing to tell")
  func pendingEnds() {
    var (history, _, coins) = Self.pending()
    history.deliver(coins)
    history.credit(coins)
    history.end()
    history.launch()
    #expect(history.outcome(of: "I27") == .holds)

    history = History()
    history.launch()
    let other = history.tap()
    let gems = history.charge(other)
    history.tell(.pending, about: other)
    history.deliver(gems)
    history.credit(gems)
    history.void(gems)
    #expect(history.outcome(of: "I27") == .holds)
  }
}

@Suite("Whose purchase it is")
struct OwnerTests {
  @Test("Bought, told to a person whose tap was answered with somebody else's purchase, is not so")
  func anothersPurchase() {
    var history = History()
    history.launch()
    let first = history.tap()
    let coins = history.charge(first)
    history.tell(.pending, about: first)
    let second = history.tap(as: .bob)
    history.giveBack(coins, for: second)
    history.credit(coins)
    var told = history
    told.tell(.success, about: second)
    #expect(told.outcome(of: "I14") == .broken(by: .told))

    // Said of the transaction, the person in front takes it for an answer all the same.
    told = history
    told.tell(.success, about: first, coins)
    #expect(told.outcome(of: "I14") == .broken(by: .told))

    told = history
    told.tell(.failure, about: second)
    told.tell(.success, about: first, coins)
    #expect(told.outcome(of: "I14") == .holds)

    told = history
    told.end()
    told.launch()
    told.tell(.success, about: first, coins)
    #expect(told.outcome(of: "I14") == .holds)
  }

  @Test("Bought, told of an older purchase of the same person, is so")
  func ownOlderPurchase() {
    var history = History()
    history.launch()
    let first = history.tap()
    let coins = history.charge(first)
    history.tell(.pending, about: first)
    history.credit(coins)
    let second = history.tap()
    history.giveBack(coins, for: second)
    history.tell(.success, about: second, coins)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("Bought, told of goods that somebody else got, is not so")
  func wronglyCredited() {
    var history = History()
    history.launch()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.credit(coins, to: .bob)
    history.tell(.success, about: wish, coins)
    #expect(history.broken == ["I04", "I14"])
  }

  @Test("A restored purchase that moved with its restore is told to whoever restored it")
  func restored() {
    var history = History(transfersOnRestore: true)
    history.launch()
    let wish = history.tap()
    let map = history.charge(wish)
    history.credit(map)
    history.tell(.success, about: wish, map)
    let again = history.restore(map, as: .bob)
    history.credit(again, to: .bob)
    history.tell(.success, about: wish, again)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("What was bought outside goes to who uses the app with the store account that paid")
  func outside() {
    for (account, codes) in [(AccountID.alice, []), (.bob, []), (AccountID(2), ["I04", "I14"])] {
      var history = History()
      history.launch()
      let coins = history.charge(history.newIntent())
      history.deliver(coins)
      history.report(coins)
      history.report(coins, as: .bob)
      history.credit(coins, to: account)
      history.finish(coins)
      history.tell(.success, about: .none, coins)
      #expect(history.broken == codes)
    }
  }

  @Test("Who uses the app with another store account has no part in what was bought outside")
  func otherHousehold() {
    var history = History()
    history.launch(.phone, .office)
    history.report(.none, as: .bob)
    let coins = history.charge(history.newIntent())
    history.credit(coins, to: .bob)
    #expect(history.outcome(of: "I04") == .broken(by: .credited))
  }

  @Test("What was tapped for in the app goes to who tapped, and to nobody else of the household")
  func inside() {
    var history = History()
    history.launch()
    history.report(.none, as: .bob)
    let coins = history.charge(history.tap())
    history.attribute(coins, to: .bob)
    history.credit(coins, to: .bob)
    #expect(history.broken.prefix(2) == ["I23", "I04"])
  }
}

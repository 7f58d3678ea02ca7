import Invariants
import Testing

@Suite("A bad transaction harms no other")
struct PoisonTests {
  /// A charge that was delivered, voided, refused, and told as a failure.
  private func poison(in history: inout History) -> TransactionID {
    let wish = history.tap()
    let coins = history.charge(wish)
    history.deliver(coins)
    history.void(coins)
    history.answer(coins, .refused)
    history.tell(.failure, about: wish)
    return coins
  }

  @Test("A tap answered with what was just refused breaks poison-isolation")
  func blocked() {
    var history = History()
    history.launch()
    let coins = poison(in: &history)
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .broken(by: .returned))
  }

  @Test("A tap answered with what the app has tried to finish keeps poison-isolation")
  func finishCalled() {
    var history = History()
    history.launch()
    let coins = poison(in: &history)
    history.callFinish(coins)
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A tap answered with what the app does not know to be refused keeps poison-isolation")
  func notLearnedYet() {
    var history = History()
    history.launch()
    let first = history.tap()
    let coins = history.charge(first)
    history.deliver(coins)
    history.void(coins)
    history.answer(coins, .refused)
    history.tell(.pending, about: first, coins)
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A tap right after a crash that is answered with the poison keeps poison-isolation")
  func crashedBeforeFinish() {
    var history = History()
    history.launch()
    let coins = poison(in: &history)
    history.end()
    history.launch()
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A tap answered with a good unfinished transaction keeps poison-isolation")
  func goodOneReturned() {
    var history = History()
    history.launch()
    let first = history.tap()
    let coins = history.charge(first)
    history.deliver(coins)
    history.tell(.failure, about: first)
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A good charge never reported behind a poisonous one breaks poison-isolation")
  func starved() {
    var history = History()
    history.launch()
    _ = poison(in: &history)
    let good = history.charge()
    history.deliver(good)
    #expect(history.outcome(of: "I17") == .brokenAtEnd)
  }

  @Test("A good charge that was reported all the same keeps poison-isolation")
  func reported() {
    var history = History()
    history.launch()
    _ = poison(in: &history)
    let good = history.charge()
    history.deliver(good)
    history.report(good)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A charge never reported although the poison was finished keeps poison-isolation")
  func poisonFinished() {
    var history = History()
    history.launch()
    let bad = poison(in: &history)
    history.finish(bad)
    let good = history.charge()
    history.deliver(good)
    #expect(history.outcome(of: "I17") == .holds)
    #expect(history.outcome(of: "I01") == .brokenAtEnd)
  }

  @Test("Poison in the queue of another store account keeps poison-isolation")
  func otherQueue() {
    var history = History()
    history.launch()
    _ = poison(in: &history)
    history.launch(.tablet, .office)
    let good = history.charge(to: .office)
    history.deliver(good, on: .tablet)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("Poison on one phone does not stand in the way of another phone of the same store account")
  func otherPhone() {
    var history = History()
    history.launch()
    let bad = poison(in: &history)
    history.launch(.tablet)
    let good = history.charge()
    history.deliver(good, on: .tablet)
    #expect(history.outcome(of: "I17") == .holds)
    history.deliver(bad, on: .tablet)
    #expect(history.outcome(of: "I17") == .brokenAtEnd)
    history.deliver(bad, on: .phone)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("Poison that a log hands to no device stands in nobody's way")
  func noDevice() {
    var history = History()
    history.launch()
    let bad = history.charge()
    history.void(bad)
    history.deliver(bad, on: .none)
    let good = history.charge()
    history.deliver(good)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A charge that was never delivered behind poison keeps poison-isolation")
  func notInHand() {
    var history = History()
    history.launch()
    _ = poison(in: &history)
    _ = history.charge()
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A charge behind poison whose app never ran again keeps poison-isolation")
  func closedBehindPoison() {
    var history = History()
    history.launch()
    _ = poison(in: &history)
    history.end()
    let good = history.charge()
    history.deliver(good)
    #expect(history.outcome(of: "I17") == .holds)
  }

  @Test("A tap answered with what the verifier refused breaks poison-isolation too")
  func refusedOnly() {
    var history = History()
    history.launch()
    let first = history.tap()
    let coins = history.charge(first)
    history.deliver(coins)
    history.verify(coins, .refused)
    history.tell(.failure, about: first, coins)
    let next = history.tap()
    history.giveBack(coins, for: next)
    #expect(history.outcome(of: "I17") == .broken(by: .returned))
  }
}

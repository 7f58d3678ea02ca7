import Invariants
import Testing

/// Before the heal faults strike; what nothing has struck is judged all the same.
@Suite struct `Access before the heal` {
  /// Of somebody who has subscribed for a minute, in a history that faults strike until far later.
  private func subscribed(knowsStrikes: Bool = true) -> (History, TransactionID) {
    var history = History(
      heal: 1_000_000_000, isOfSubscriptions: true, knowsStrikes: knowsStrikes)
    history.launch()
    let first = history.charge()
    history.grant(first, untilSeconds: 60)
    return (history, first)
  }

  @Test func `Who pays and is locked out for longer than people bear has paid for nothing`() {
    var (history, first) = subscribed()
    let second = history.renew(first)
    history.wait(88_000)
    var soon = history
    soon.grant(second, untilSeconds: 100_000)
    #expect(soon.outcome(of: "I09") == .holds)
    history.wait(3000)
    history.grant(second, untilSeconds: 100_000)
    #expect(history.outcome(of: "I09") == .broken(by: .granted))
  }

  @Test func `Who has their money back must not go on`() {
    var (history, first) = subscribed()
    history.grant(first, untilSeconds: 100_000)
    history.refund(first)
    history.wait(31_000)
    history.grant(first, untilSeconds: 0)
    #expect(history.outcome(of: "I09") == .broken(by: .granted))
  }

  @Test func `Where nobody says what strikes, only the heal is known`() {
    var (history, first) = subscribed(knowsStrikes: false)
    let second = history.renew(first)
    history.wait(200_000)
    history.grant(second, untilSeconds: 100_000)
    #expect(history.outcome(of: "I09") == .holds)
  }

  @Test func `A fault excuses what follows for as long as the app runs`() {
    var (history, first) = subscribed()
    history.strike()
    let second = history.renew(first)
    history.wait(1_000_000)
    history.grant(second, untilSeconds: 100_000)
    #expect(history.outcome(of: "I09") == .holds)
  }

  @Test func `An app that is launched soon after a fault may wait before it tries again`() {
    func outcome(launchedAfter millis: Int64) -> History.Outcome {
      var (history, first) = subscribed()
      let second = history.renew(first)
      history.strike(for: 20_000)
      history.end()
      history.wait(millis)
      history.launch()
      history.wait(100_000)
      history.grant(second, untilSeconds: 100_000)
      return history.outcome(of: "I09")
    }
    #expect(outcome(launchedAfter: 310_000) == .holds)
    #expect(outcome(launchedAfter: 321_000) == .broken(by: .granted))
  }

  @Test func `Time without faults adds up over launches, and no strike lies between`() {
    func outcome(strikes: Bool) -> History.Outcome {
      var (history, first) = subscribed()
      let second = history.renew(first)
      history.end()
      for round in 0..<2 {
        history.wait(400_000)
        history.launch()
        history.wait(20_000)
        history.end()
        if strikes, round == 0 { history.strike() }
      }
      history.grant(second, untilSeconds: 100_000)
      return history.outcome(of: "I09")
    }
    #expect(outcome(strikes: false) == .broken(by: .granted))
    #expect(outcome(strikes: true) == .holds)
  }

  @Test func `Who waits for an answer that was lost right before the heal cannot know sooner`() {
    func outcome(lostAt millis: Int64) -> History.Outcome {
      var history = History(heal: 200_000, isOfSubscriptions: true, knowsStrikes: true)
      history.launch()
      let first = history.charge()
      history.grant(first, untilSeconds: 60)
      let second = history.renew(first)
      history.wait(millis)
      history.strike()
      history.wait(280_000 - millis)
      history.grant(second, untilSeconds: 100_000)
      return history.outcome(of: "I09")
    }
    // From a minute after it on, half a minute is left: until 290 s.
    #expect(outcome(lostAt: 199_000) == .holds)
    #expect(outcome(lostAt: 150_000) == .broken(by: .granted))
  }
}

@Suite struct `A tap for what is subscribed to` {
  /// The store answers with the renewal that is there, and charges nothing.
  private func tapped(untilSeconds: UInt32) -> History {
    var history = History(isOfSubscriptions: true)
    history.launch()
    let wish = history.tap()
    let first = history.charge(wish)
    history.credit(first)
    history.grant(first, untilSeconds: 60)
    history.tell(.success, about: wish, first)
    let second = history.renew(first)
    history.grant(second, untilSeconds: untilSeconds)
    history.wait(70_000)
    let again = history.tap()
    let old = history.restore(second)
    history.giveBack(old, for: again)
    history.tell(.success, about: again, old)
    return history
  }

  @Test func `is answered with "bought" where it can be used, and with nothing else there is`() {
    #expect(tapped(untilSeconds: 100_000).outcome(of: "I14") == .holds)
    #expect(tapped(untilSeconds: 65).outcome(of: "I14") == .broken(by: .told))
  }
}

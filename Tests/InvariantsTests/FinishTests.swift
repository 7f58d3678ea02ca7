import Invariants
import Testing

@Suite("Finishing is in time")
struct FinishTests {
  @Test("Finishing before the credit breaks finish-only-after-credit")
  func finishedFirst() {
    var history = History()
    let coins = history.charge()
    history.finish(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I03") == .broken(by: .finishing))
  }

  @Test("Finishing after the credit keeps finish-only-after-credit")
  func creditedFirst() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.finish(coins)
    #expect(history.outcome(of: "I03") == .holds)
  }

  @Test("Finishing the restore of an uncredited charge breaks finish-only-after-credit")
  func restoreFinishedFirst() {
    var history = History()
    let coins = history.charge()
    let again = history.restore(coins)
    history.finish(again)
    #expect(history.outcome(of: "I03") == .broken(by: .finishing))
  }

  @Test("What failed, was voided or was refused for good may be finished without a credit")
  func nothingToLose() {
    var history = History()
    let failed = history.newTransaction()
    let voided = history.charge()
    let refused = history.charge()
    history.finish(failed)
    history.void(voided)
    history.finish(voided)
    history.verify(refused, .refused)
    history.finish(refused)
    #expect(history.outcome(of: "I03") == .holds)
  }

  @Test("Only an app without a backend may finish a non-consumable before it delivers it")
  func keptByStore() {
    for hasBackend in [true, false] {
      var history = History()
      history.terms.hasBackend = hasBackend
      history.terms.isKeptByStore = [true]
      history.finish(history.charge())
      #expect(
        history.outcome(of: "I03") == (hasBackend ? .broken(by: .finishing) : .holds))
    }
  }

  @Test("A refusal by the backend alone is no excuse to finish before the credit")
  func refusedByBackendOnly() {
    var history = History()
    let coins = history.charge()
    history.answer(coins, .refused)
    history.finish(coins)
    #expect(history.outcome(of: "I03") == .broken(by: .finishing))
  }

  @Test("Finishing after an inconclusive answer breaks no-finish-on-doubt")
  func inconclusiveAnswer() {
    var history = History()
    let coins = history.charge()
    history.answer(coins, .inconclusive)
    history.callFinish(coins)
    #expect(history.outcome(of: "I15") == .broken(by: .finishing))
  }

  @Test("Finishing after a refusal made of an inconclusive verdict breaks no-finish-on-doubt")
  func inconclusiveVerdict() {
    var history = History()
    let coins = history.charge()
    history.verify(coins, .inconclusive)
    history.answer(coins, .refused)
    history.callFinish(coins)
    #expect(history.outcome(of: "I15") == .broken(by: .finishing))
  }

  @Test("Finishing after the doubt was resolved by a credit keeps no-finish-on-doubt")
  func doubtResolved() {
    var history = History()
    let coins = history.charge()
    history.answer(coins, .inconclusive)
    history.credit(coins)
    history.callFinish(coins)
    #expect(history.outcome(of: "I15") == .holds)
  }

  @Test("Finishing what was never charged, or was refused for good, keeps no-finish-on-doubt")
  func nothingDoubtful() {
    var history = History()
    let failed = history.newTransaction()
    let refused = history.charge()
    history.answer(failed, .inconclusive)
    history.callFinish(failed)
    history.verify(refused, .refused)
    history.answer(refused, .inconclusive)
    history.callFinish(refused)
    #expect(history.outcome(of: "I15") == .holds)
  }

  @Test("Finishing what nobody answered about keeps no-finish-on-doubt, and breaks another rule")
  func neverAnswered() {
    var history = History()
    let coins = history.charge()
    history.callFinish(coins)
    #expect(history.outcome(of: "I15") == .holds)
    #expect(history.outcome(of: "I03") == .broken(by: .finishing))
  }

  @Test("A delivered charge that is never finished breaks queue-drains")
  func neverFinished() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.deliver(coins)
    history.credit(coins)
    history.callFinish(coins)
    #expect(history.outcome(of: "I06") == .brokenAtEnd)
  }

  @Test("A delivered charge that is finished keeps queue-drains")
  func finishedAtLast() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.deliver(coins)
    history.credit(coins)
    history.finish(coins)
    #expect(history.outcome(of: "I06") == .holds)
  }

  @Test("A charge that was never delivered and never finished keeps queue-drains")
  func neverDelivered() {
    var history = History()
    history.launch()
    _ = history.charge()
    #expect(history.outcome(of: "I06") == .holds)
  }

  @Test("A voided charge that is never finished breaks queue-drains")
  func deadButQueued() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.deliver(coins)
    history.void(coins)
    #expect(history.outcome(of: "I06") == .brokenAtEnd)
  }

  @Test("A delivered restore that is never finished breaks queue-drains")
  func restoreQueued() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.deliver(coins)
    history.credit(coins)
    history.finish(coins)
    let again = history.restore(coins)
    history.deliver(again)
    #expect(history.outcome(of: "I06") == .brokenAtEnd)
  }

  @Test("An unfinished restore after which the app never ran again keeps queue-drains")
  func restoreOfClosedApp() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.deliver(coins)
    history.credit(coins)
    history.finish(coins)
    history.end()
    let again = history.restore(coins)
    history.deliver(again)
    #expect(history.outcome(of: "I06") == .holds)
  }

  @Test("A retry record lost after finishing, before the credit, breaks local-record-discipline")
  func recordLostAfterFinish() {
    var history = History()
    let coins = history.charge()
    history.save(coins)
    history.callFinish(coins)
    history.loseRecord(coins)
    #expect(history.outcome(of: "I18") == .broken(by: .recordLost))
  }

  @Test("A retry record lost after the server finished the purchase breaks local-record-discipline")
  func recordLostAfterServerFinish() {
    var history = History()
    let coins = history.charge()
    history.save(coins)
    history.removeFromQueue(coins)
    history.loseRecord(coins)
    #expect(history.outcome(of: "I18") == .broken(by: .recordLost))
  }

  @Test("A retry record lost while the store still has the purchase keeps local-record-discipline")
  func recordLostBeforeFinish() {
    var history = History()
    let coins = history.charge()
    history.save(coins)
    history.loseRecord(coins)
    history.callFinish(coins)
    #expect(history.outcome(of: "I18") == .holds)
  }

  @Test("A retry record lost after the credit keeps local-record-discipline")
  func recordLostAfterCredit() {
    var history = History()
    let coins = history.charge()
    history.save(coins)
    history.finish(coins)
    history.credit(coins)
    history.loseRecord(coins)
    #expect(history.outcome(of: "I18") == .holds)
  }

  @Test("A retry record that outlives the credit breaks local-record-discipline")
  func recordKept() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.save(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I18") == .brokenAtEnd)
  }

  @Test("A retry record that is erased after the credit keeps local-record-discipline")
  func recordErased() {
    var history = History()
    history.launch()
    let coins = history.charge()
    history.save(coins)
    history.credit(coins)
    history.erase(coins)
    #expect(history.outcome(of: "I18") == .holds)
  }

  @Test("A retry record in an app that never ran again keeps local-record-discipline")
  func recordOfClosedApp() {
    var history = History()
    let coins = history.charge()
    history.save(coins)
    history.wait(3_600_000)
    #expect(history.outcome(of: "I18") == .holds)
  }
}

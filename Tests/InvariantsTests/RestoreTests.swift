import Invariants
import Testing

@Suite("A restore adds nothing")
struct RestoreTests {
  @Test("A charge that the ledger credits again as its restore breaks restore-neutrality")
  func namedByTheLedger() {
    var history = History()
    let map = history.charge()
    history.credit(map)
    let again = history.restore(map)
    history.credit(again)
    #expect(history.outcome(of: "I21") == .broken(by: .credited))
  }

  @Test("A charge that is credited again while its restore is reported breaks restore-neutrality")
  func reportedAsRestore() {
    var history = History()
    let map = history.charge()
    history.report(map)
    history.credit(map)
    history.answer(map, .accepted)
    let again = history.restore(map)
    history.report(again)
    history.credit(map)
    #expect(history.outcome(of: "I21") == .broken(by: .credited))
  }

  @Test("Coins credited again by the receipt that was sent for a restore break restore-neutrality")
  func coinsInTheReceipt() {
    var history = History()
    let map = history.charge()
    let coins = history.charge()
    for bought in [map, coins] {
      history.report(bought)
      history.credit(bought)
      history.answer(bought, .accepted)
    }
    let again = history.restore(map)
    history.report(again)
    history.credit(coins)
    #expect(history.outcome(of: "I21") == .broken(by: .credited))
  }

  @Test("What a restore is the first to bring is credited, and keeps restore-neutrality")
  func firstCredit() {
    var history = History()
    let map = history.charge()
    history.report(map)
    history.answer(map, .inconclusive)
    let again = history.restore(map)
    history.report(again)
    history.credit(again)
    history.answer(again, .accepted)
    #expect(history.outcome(of: "I21") == .holds)
    #expect(history.outcome(of: "I02") == .holds)
  }

  @Test("A restore that is reported and changes nothing keeps restore-neutrality")
  func nothingChanges() {
    var history = History()
    let map = history.charge()
    history.credit(map)
    for _ in 0..<3 {
      let again = history.restore(map)
      history.report(again)
      history.answer(again, .accepted)
    }
    #expect(history.outcome(of: "I21") == .holds)
  }

  @Test("A charge credited again when a launch brings it back is no restore's fault")
  func redelivery() {
    var history = History()
    let coins = history.charge()
    history.report(coins)
    history.credit(coins)
    history.answer(coins, .accepted)
    let again = history.restore(coins)
    history.report(again)
    history.answer(again, .accepted)
    history.launch()
    history.deliver(coins)
    history.report(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I21") == .holds)
    #expect(history.outcome(of: "I02") == .broken(by: .credited))
  }

  @Test("Where a charge is reported beside its restore, the restore is not blamed")
  func bothReported() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    let again = history.restore(coins)
    history.report(coins)
    history.report(again)
    history.credit(coins)
    #expect(history.outcome(of: "I21") == .holds)
    history.answer(coins, .accepted)
    history.credit(coins)
    #expect(history.outcome(of: "I21") == .broken(by: .credited))
  }

  @Test("Another charge that is reported at the moment explains a credit that no restore is about")
  func anotherReported() {
    func outcome(otherIsAnswered: Bool) -> History.Outcome {
      var history = History()
      let map = history.charge()
      let coins = history.charge()
      let gems = history.charge()
      history.credit(coins)
      let again = history.restore(map)
      history.report(gems)
      history.report(again)
      if otherIsAnswered { history.answer(gems, .accepted) }
      history.credit(coins)
      return history.outcome(of: "I21")
    }
    #expect(outcome(otherIsAnswered: false) == .holds)
    #expect(outcome(otherIsAnswered: true) == .broken(by: .credited))
  }

  @Test("What a thief is credited with while a restore is reported is not the restore's")
  func thief() {
    func outcome(_ account: AccountID, reportedBy reporter: AccountID) -> History.Outcome {
      var history = History()
      let map = history.charge()
      history.credit(map)
      let again = history.restore(map)
      history.report(again, as: reporter)
      history.credit(map, to: account)
      return history.outcome(of: "I21")
    }
    #expect(outcome(.bob, reportedBy: .alice) == .holds)
    #expect(outcome(.bob, reportedBy: .bob) == .broken(by: .credited))
    #expect(outcome(.alice, reportedBy: .bob) == .broken(by: .credited))
  }

  @Test("A restore that the ledger names is its own for whoever asked for it")
  func asker() {
    var history = History()
    let map = history.charge()
    history.credit(map)
    let again = history.restore(map, as: .bob)
    history.credit(again, to: .bob)
    #expect(history.outcome(of: "I21") == .broken(by: .credited))
  }

  @Test("A report that comes twice is answered once, and a judge that begins anew has none open")
  func counted() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    let again = history.restore(coins)
    history.report(again)
    history.report(again)
    history.answer(again, .accepted)
    var other = History()
    let map = other.charge()
    other.credit(map)
    other.credit(map)
    #expect(history.outcome(of: "I21") == .holds)
    let rules = Catalogue.invariants.filter { $0.code == "I21" }
    var judge = Judge(rules: rules, terms: Books.Terms())
    var open = History()
    let gems = open.charge()
    open.credit(gems)
    open.report(open.restore(gems))
    open.tell(to: &judge)
    judge.clear()
    other.tell(to: &judge)
    #expect(judge.violations.isEmpty)
  }
}

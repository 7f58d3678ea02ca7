import Invariants
import Testing

@Suite("A credit is right")
struct CreditTests {
  @Test("A charge that is credited twice breaks no-double-credit")
  func twice() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I02") == .broken(by: .credited))
  }

  @Test("A credit after a refusal breaks no-credit-without-charge, unless who was told is gone")
  func forgotten() {
    func outcome(refusals: Int, forgotten: Int) -> History.Outcome {
      var history = History()
      let coins = history.charge()
      history.verify(coins, .accepted)
      history.void(coins)
      for _ in 0..<refusals { history.verify(coins, .refused) }
      for _ in 0..<forgotten { history.forget(coins) }
      history.credit(coins)
      return history.outcome(of: "I05")
    }
    #expect(outcome(refusals: 1, forgotten: 0) == .broken(by: .credited))
    #expect(outcome(refusals: 1, forgotten: 1) == .holds)
    #expect(outcome(refusals: 2, forgotten: 1) == .broken(by: .credited))
  }

  @Test("Two charges that are credited once each keep no-double-credit")
  func twoCharges() {
    var history = History()
    let coins = history.charge()
    let more = history.charge()
    history.credit(coins)
    history.credit(more)
    #expect(history.outcome(of: "I02") == .holds)
  }

  @Test("A charge credited again for its restore breaks no-double-credit")
  func restoredTwice() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    let again = history.restore(coins)
    let onceMore = history.restore(again)
    history.credit(onceMore)
    #expect(history.outcome(of: "I02") == .broken(by: .credited))
  }

  @Test("A credit to another account breaks right-account")
  func stranger() {
    var history = History()
    let coins = history.charge()
    history.credit(coins, to: .bob)
    #expect(history.outcome(of: "I04") == .broken(by: .credited))
  }

  @Test("A credit to the account that tapped keeps right-account")
  func owner() {
    var history = History()
    let coins = history.charge()
    history.credit(coins, to: .alice)
    #expect(history.outcome(of: "I04") == .holds)
  }

  @Test("A restore by another account makes it the owner only where the terms say so")
  func restoredByOther() {
    var history = History()
    let coins = history.charge()
    let again = history.restore(coins, as: .bob)
    history.credit(again, to: .bob)
    #expect(history.outcome(of: "I04") == .broken(by: .credited))

    var transferring = History(transfersOnRestore: true)
    let gold = transferring.charge()
    let moved = transferring.restore(gold, as: .bob)
    transferring.credit(moved, to: .bob)
    #expect(transferring.outcome(of: "I04") == .holds)
  }

  @Test("A credit that no charge stands behind breaks no-credit-without-charge")
  func forged() {
    var history = History()
    history.credit(.none)
    #expect(history.outcome(of: "I05") == .broken(by: .credited))
  }

  @Test("A credit before the charge breaks no-credit-without-charge")
  func tooEarly() {
    var history = History()
    let pending = history.newTransaction()
    history.deliver(pending)
    history.credit(pending)
    #expect(history.outcome(of: "I05") == .broken(by: .credited))
  }

  @Test("A credit of a voided charge breaks no-credit-without-charge")
  func voidedFirst() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I05") == .broken(by: .credited))
  }

  @Test("A credit after the verifier refused its charge breaks no-credit-without-charge")
  func refusedFirst() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.verify(coins, .refused)
    history.credit(coins)
    #expect(history.broken == ["I05", "I11"])
  }

  @Test("A credit of a charge whose void the verifier was too busy to tell breaks nothing")
  func voidedUntold() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.verify(coins, .inconclusive)
    history.credit(coins)
    #expect(history.outcome(of: "I05") == .holds)
    #expect(history.outcome(of: "I11") == .holds)
  }

  @Test("A second credit of such a charge is one too many")
  func voidedUntoldTwice() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.verify(coins, .inconclusive)
    history.credit(coins)
    history.credit(coins)
    #expect(history.outcome(of: "I02") == .broken(by: .credited))
    #expect(history.outcome(of: "I11") == .brokenAtEnd)
  }

  @Test("A credit of a charge that is voided later keeps no-credit-without-charge")
  func voidedLater() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.void(coins)
    #expect(history.outcome(of: "I05") == .holds)
  }

  @Test("A credit of the restore of a charge keeps no-credit-without-charge")
  func creditedRestore() {
    var history = History()
    let coins = history.charge()
    let again = history.restore(coins)
    history.credit(again)
    #expect(history.outcome(of: "I05") == .holds)
  }

  @Test("A sandbox charge credited in production breaks environment-isolation")
  func playMoney() {
    var history = History()
    let coins = history.charge(in: .sandbox)
    history.credit(coins, in: .production)
    #expect(history.outcome(of: "I08") == .broken(by: .credited))
  }

  @Test("A sandbox charge credited in the sandbox keeps environment-isolation")
  func playGoods() {
    var history = History()
    let coins = history.charge(in: .sandbox)
    history.credit(coins, in: .sandbox)
    #expect(history.outcome(of: "I08") == .holds)
  }

  @Test("A sandbox credit without a charge keeps environment-isolation, and breaks another rule")
  func playMoneyOfNobody() {
    var history = History()
    history.credit(.none, in: .sandbox)
    #expect(history.outcome(of: "I08") == .holds)
    #expect(history.outcome(of: "I05") == .broken(by: .credited))
  }

  @Test("One credited for five charged breaks fidelity")
  func oneForFive() {
    var history = History()
    let coins = history.charge(quantity: 5)
    history.credit(coins, quantity: 1)
    #expect(history.outcome(of: "I19") == .broken(by: .credited))
  }

  @Test("A chest credited for coins breaks fidelity")
  func chestForCoins() {
    var history = History()
    let coins = history.charge()
    history.credit(coins, product: .chest)
    #expect(history.outcome(of: "I19") == .broken(by: .credited))
  }

  @Test("Five credited for five charged keeps fidelity")
  func fiveForFive() {
    var history = History()
    let coins = history.charge(quantity: 5)
    history.credit(coins, quantity: 5)
    #expect(history.outcome(of: "I19") == .holds)
  }

  @Test("A purchase written down as somebody else's breaks no-cross-user-leak")
  func leaked() {
    var history = History()
    let coins = history.charge()
    history.attribute(coins, to: .bob)
    #expect(history.outcome(of: "I23") == .broken(by: .attributed))
  }

  @Test("A purchase written down as its owner's keeps no-cross-user-leak")
  func writtenDown() {
    var history = History()
    let coins = history.charge()
    history.report(coins, as: .bob)
    history.attribute(coins, to: .alice)
    #expect(history.outcome(of: "I23") == .holds)
  }
}

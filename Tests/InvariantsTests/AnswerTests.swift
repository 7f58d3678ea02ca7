import Invariants
import Testing

@Suite("Answers are honest")
struct AnswerTests {
  @Test("A second charge for one intent breaks one-tap-one-charge")
  func chargedTwice() {
    var history = History()
    let wish = history.tap()
    _ = history.charge(wish)
    history.tapAgain(wish)
    _ = history.charge(wish)
    #expect(history.outcome(of: "I13") == .broken(by: .charged))
  }

  @Test("One charge for each of two intents keeps one-tap-one-charge")
  func twoWishes() {
    var history = History()
    let wish = history.tap()
    let other = history.tap()
    _ = history.charge(wish)
    _ = history.charge(other)
    #expect(history.outcome(of: "I13") == .holds)
  }

  @Test("A charge in place of a voided one keeps one-tap-one-charge")
  func chargedAgainAfterVoid() {
    var history = History()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.void(coins)
    history.tapAgain(wish)
    _ = history.charge(wish)
    #expect(history.outcome(of: "I13") == .holds)
  }

  @Test("Charges that nobody tapped for are not counted by one-tap-one-charge")
  func noIntent() {
    var history = History()
    _ = history.charge()
    _ = history.charge()
    #expect(history.outcome(of: "I13") == .holds)
  }

  @Test("A charge that nobody can attribute is nobody's second, and makes no answer false")
  func unattributed() {
    for message in [Fact.Message.success, .failure] {
      var history = History()
      history.launch()
      let first = history.tap()
      let second = history.tap()
      _ = history.charge(first)
      history.chargeSomebody()
      history.chargeSomebody()
      history.tell(.pending, about: first)
      history.tell(message, about: second)
      #expect(history.outcome(of: "I14") == .holds)
      #expect(history.outcome(of: "I13") == .holds)
      #expect(history.outcome(of: "I01") == .brokenAtEnd)
    }
    var other = History()
    let wish = other.tap()
    other.chargeSomebody(of: .chest)
    other.tell(.success, about: wish)
    #expect(other.outcome(of: "I14") == .broken(by: .told), "another product is no answer to it")
  }

  @Test("What is told about a product ends the wait of everybody who tapped it, and is not judged")
  func toldOfProduct() {
    var history = History()
    history.launch()
    _ = history.tap()
    _ = history.tap()
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
    history.tell(.success, ofProduct: .coins)
    #expect(history.outcome(of: "I27") == .holds)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("A failure told after the charge breaks honest-answers")
  func failureAfterCharge() {
    var history = History()
    let wish = history.tap()
    _ = history.charge(wish)
    history.tell(.failure, about: wish)
    #expect(history.outcome(of: "I14") == .broken(by: .told))
  }

  @Test("A failure told about a charged transaction breaks honest-answers")
  func failureOfTransaction() {
    var history = History()
    let coins = history.charge()
    history.tell(.failure, about: .none, coins)
    #expect(history.outcome(of: "I14") == .broken(by: .told))
  }

  @Test("A failure told after the charge was voided keeps honest-answers")
  func failureAfterVoid() {
    var history = History()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.void(coins)
    history.tell(.failure, about: wish, coins)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("A failure told about what was never charged, or voided, keeps honest-answers")
  func failureOfNothing() {
    var history = History()
    let failed = history.newTransaction()
    let voided = history.charge()
    history.void(voided)
    history.tell(.failure, about: .none, failed)
    history.tell(.failure, about: .none, voided)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("A charge after a failure was told breaks honest-answers")
  func chargeAfterFailure() {
    var history = History()
    let wish = history.tap()
    history.tell(.failure, about: wish)
    _ = history.charge(wish)
    #expect(history.outcome(of: "I14") == .broken(by: .charged))
  }

  @Test("A charge after a failure and a second tap keeps honest-answers")
  func chargeAfterSecondTap() {
    var history = History()
    let wish = history.tap()
    history.tell(.failure, about: wish)
    history.tapAgain(wish)
    _ = history.charge(wish)
    history.tell(.pending, about: wish)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("A success told before the credit breaks honest-answers")
  func successTooEarly() {
    var history = History()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.tell(.success, about: wish, coins)
    history.credit(coins)
    #expect(history.outcome(of: "I14") == .broken(by: .told))
  }

  @Test("A success told after the credit keeps honest-answers")
  func successInTime() {
    var history = History()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.credit(coins)
    history.tell(.success, about: wish, coins)
    #expect(history.outcome(of: "I14") == .holds)
  }

  @Test("A person left waiting breaks no-endless-wait")
  func endlessWait() {
    var history = History()
    history.launch()
    _ = history.tap()
    #expect(history.outcome(of: "I27") == .brokenAtEnd)
  }

  @Test("A wait that ends with the app keeps no-endless-wait")
  func waitEndsWithApp() {
    var history = History()
    history.launch()
    _ = history.tap()
    history.end()
    #expect(history.outcome(of: "I27") == .holds)
  }

  @Test("A refusal of what the verifier never refused breaks transient-is-not-permanent")
  func outageRefused() {
    var history = History()
    let coins = history.charge()
    history.verify(coins, .inconclusive)
    history.answer(coins, .refused)
    #expect(history.outcome(of: "I16") == .broken(by: .answered))
  }

  @Test("An inconclusive answer to an inconclusive verdict keeps transient-is-not-permanent")
  func outageAdmitted() {
    var history = History()
    let coins = history.charge()
    history.verify(coins, .inconclusive)
    history.answer(coins, .inconclusive)
    #expect(history.outcome(of: "I16") == .holds)
  }

  @Test(
    "A refusal of what is not charged, voided or refused for good keeps transient-is-not-permanent")
  func rightlyRefused() {
    var history = History()
    let forged = history.newTransaction()
    let voided = history.charge()
    let refused = history.charge()
    history.answer(.none, .refused)
    history.answer(forged, .refused)
    history.void(voided)
    history.answer(voided, .refused)
    history.verify(refused, .refused)
    history.answer(refused, .refused)
    #expect(history.outcome(of: "I16") == .holds)
  }

  @Test("A fifth report half a minute after the refusal breaks transient-is-not-permanent")
  func retriedForEver() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.answer(coins, .refused)
    for _ in 1...3 { history.report(coins) }
    history.wait(30_000)
    history.report(coins)
    #expect(history.outcome(of: "I16") == .holds)
    history.report(coins)
    #expect(history.outcome(of: "I16") == .broken(by: .reported))
  }

  @Test("Many reports while the refusal may be under way keep transient-is-not-permanent")
  func retriedBeforeTheRefusalCame() {
    var history = History()
    let coins = history.charge()
    history.void(coins)
    history.answer(coins, .refused)
    history.wait(28_900)
    for _ in 1...10 { history.report(coins) }
    #expect(history.outcome(of: "I16") == .holds)
    for _ in 1...4 { history.report(coins) }
    #expect(history.outcome(of: "I16") == .broken(by: .reported))
  }

  @Test("Only what is reported after the heal is counted by transient-is-not-permanent")
  func refusedBeforeTheHeal() {
    var history = History(heal: 40_000)
    let coins = history.charge()
    history.void(coins)
    history.answer(coins, .refused)
    history.wait(40_000)
    for _ in 1...10 { history.report(coins) }
    #expect(history.outcome(of: "I16") == .holds)
    history.answer(coins, .refused)
    history.wait(30_000)
    history.report(coins)
    #expect(history.outcome(of: "I16") == .broken(by: .reported))
  }

  @Test("A refusal of a charge that was credited breaks idempotent-acknowledgement")
  func duplicateRefused() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.answer(coins, .refused)
    #expect(history.outcome(of: "I20") == .broken(by: .answered))
  }

  @Test("A yes to a charge that was credited keeps idempotent-acknowledgement")
  func duplicateAcknowledged() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.answer(coins, .accepted)
    history.answer(coins, .inconclusive)
    #expect(history.outcome(of: "I20") == .holds)
  }

  @Test("A refusal of what was voided after its credit keeps idempotent-acknowledgement")
  func voidedAfterCredit() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.void(coins)
    history.answer(coins, .refused)
    #expect(history.outcome(of: "I20") == .holds)
  }

  @Test("A refusal before the credit keeps idempotent-acknowledgement, and breaks another rule")
  func refusedBeforeCredit() {
    var history = History()
    let coins = history.charge()
    history.answer(coins, .refused)
    history.credit(coins)
    #expect(history.outcome(of: "I20") == .holds)
    #expect(history.outcome(of: "I16") == .broken(by: .answered))
  }
}

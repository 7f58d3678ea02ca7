import Invariants
import Testing

@Suite("Books understand facts")
struct BooksTests {
  @Test("Running time counts from the heal, once for each store account, while any app runs")
  func running() {
    var books = Books(terms: Books.Terms(heal: Instant(millis: 1_000)))
    books.enter(launch(of: .phone, at: 500))
    books.enter(launch(of: .tablet, at: 2_000))
    books.enter(end(of: .phone, at: 3_000))
    books.enter(end(of: .tablet, at: 4_000))
    books.enter(launch(of: .phone, at: 10_000))
    books.close(at: Instant(millis: 10_500))
    #expect(books.faultFreeRunning(.family) == 3_500)
    #expect(books.faultFreeRunning(.office) == 0)
  }

  @Test("The restore of a restore stands for the first charge")
  func chain() {
    var history = History()
    let coins = history.charge(quantity: 3)
    let again = history.restore(coins)
    let onceMore = history.restore(again)
    history.credit(onceMore, quantity: 3)

    let books = history.judged(by: []).books

    #expect(books.charge(behind: onceMore).credits == 1)
    #expect(books.transaction(coins).credits == 1)
    #expect(books.transaction(onceMore).original == coins)
    #expect(books.owed.production == 0)
  }

  @Test("What is said about a restore holds for its charge")
  func aboutRestores() {
    var history = History()
    let coins = history.charge()
    let again = history.restore(coins)
    history.report(again)
    history.verify(again, .refused)
    history.makeTraceable(again)
    history.void(again)

    let charge = history.judged(by: []).books.transaction(coins)

    #expect(charge.isReported && charge.wasRefusedByVerifier)
    #expect(charge.isTraceable && charge.isVoided)
  }

  @Test("A charge voided twice is taken off what is owed once")
  func voidedTwice() {
    var history = History()
    let coins = history.charge(quantity: 2)
    history.void(coins)
    history.void(coins)
    #expect(history.judged(by: []).books.owed.production == 0)
  }

  @Test("The restore of a charge the history does not have is no charge")
  func restoredFromBefore() {
    var history = History()
    let unknown = history.newTransaction()
    let again = history.restore(unknown)
    #expect(!history.judged(by: []).books.charge(behind: again).isCharged)
  }

  @Test("Unknown transactions and intents have empty records")
  func unknown() {
    let books = Books()
    #expect(!books.transaction(.none).isCharged)
    #expect(!books.charge(behind: TransactionID(7)).isCharged)
    #expect(books.intent(.none).charges == 0)
  }

  private func launch(of device: DeviceID, at millis: Int64) -> Fact {
    var fact = Fact(.launched, at: Instant(millis: millis))
    fact.device = device
    fact.storeAccount = .family
    return fact
  }

  private func end(of device: DeviceID, at millis: Int64) -> Fact {
    var fact = launch(of: device, at: millis)
    fact.kind = .ended
    return fact
  }
}

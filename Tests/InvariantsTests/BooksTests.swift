import Invariants
import Testing

@Suite("Books understand facts")
struct BooksTests {
  @Test(
    "The running time of a store account counts from the heal, once, while any of its apps runs")
  func running() {
    var books = Books(terms: Books.Terms(heal: Instant(millis: 1_000)))
    books.enter(launch(of: .phone, at: 500))
    books.enter(launch(of: .tablet, at: 2_000))
    books.enter(end(of: .phone, at: 3_000))
    books.enter(end(of: .tablet, at: 4_000))
    books.enter(launch(of: .phone, at: 10_000))
    books.close(at: Instant(millis: 10_500))
    let family = books.faultFreeRunning(.family)
    let office = books.faultFreeRunning(.office)
    #expect(family == 3_500)
    #expect(office == 0)
  }

  @Test("The restore of a restore stands for the first charge")
  func chain() {
    var history = History()
    let coins = history.charge(quantity: 3)
    let again = history.restore(coins)
    let onceMore = history.restore(again)
    history.credit(onceMore, quantity: 3)

    let judge = history.judged(by: [])
    let behind = judge.books.charge(behind: onceMore)
    let first = judge.books.transaction(coins)
    let last = judge.books.transaction(onceMore)
    let owed = judge.books.owed.production

    #expect(behind.credits == 1)
    #expect(first.credits == 1)
    #expect(last.original == coins)
    #expect(owed == 0)
  }

  @Test("What the backend and the store say about a restore holds for the charge behind it")
  func aboutRestores() {
    var history = History()
    let coins = history.charge()
    let again = history.restore(coins)
    history.report(again)
    history.verify(again, .refused)
    history.makeTraceable(again)
    history.void(again)

    let judge = history.judged(by: [])
    let charge = judge.books.transaction(coins)

    #expect(charge.isReported && charge.wasRefusedByVerifier)
    #expect(charge.isTraceable && charge.isVoided)
  }

  @Test("A charge voided twice is taken off what is owed once")
  func voidedTwice() {
    var history = History()
    let coins = history.charge(quantity: 2)
    history.void(coins)
    history.void(coins)
    let judge = history.judged(by: [])
    let owed = judge.books.owed.production
    #expect(owed == 0)
  }

  @Test("The restore of a charge that the history does not have is no charge")
  func restoredFromBefore() {
    var history = History()
    let unknown = history.newTransaction()
    let again = history.restore(unknown)
    let judge = history.judged(by: [])
    let charge = judge.books.charge(behind: again)
    #expect(!charge.isCharged)
  }

  @Test("Unknown transactions and intents have empty records")
  func unknown() {
    let books = Books()
    let transaction = books.transaction(.none)
    let charge = books.charge(behind: TransactionID(7))
    let intent = books.intent(.none)
    #expect(!transaction.isCharged && !charge.isCharged)
    #expect(intent.charges == 0)
  }

  @Test("A position that no identifier can have stands for nothing, and for no other thing")
  func positions() {
    #expect(TransactionID(index: 7).raw == 7)
    #expect(TransactionID(index: Int(UInt32.max) - 1).index == Int(UInt32.max) - 1)
    for position in [-1, .min, Int(UInt32.max), Int(UInt32.max) + 1, Int(UInt32.max) + 8, .max] {
      #expect(TransactionID(index: position).isNone, "\(position)")
    }
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

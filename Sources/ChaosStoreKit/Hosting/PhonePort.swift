import ChaosStore
import Foundation
import Invariants

/// What a hosted process asks of the simulated phone: directly, or over a pipe.
protocol PhonePort {
  var isAlive: Bool { get }
  var account: AccountID { get }
  var now: Int64 { get }
  var number: Int { get }
  var launches: Int { get }
  var environment: Environment { get }
  var products: Range<Int> { get }
  func product(_ product: ProductID) -> Setup.Product

  func observe()
  func unobserve()
  func loadProducts(for tap: Tap)
  func purchase(_ tap: Tap, appAccountToken token: Token)
  func add(_ tap: Tap, applicationUsername token: Token)
  func finish(_ transaction: PaymentTransaction)
  func restore()
  var unfinishedTransactions: [PaymentTransaction] { get }
  var history: [PaymentTransaction] { get }
  func receipt() -> Evidence
  func refreshReceipt()
  func evidence(for transaction: TransactionID) -> Evidence

  func send(_ report: Report, about transaction: TransactionID, tag: UInt32)
  func newOrder(for tap: Tap) -> Token
  func save(_ record: StoredRecord, key: UInt64)
  func erase(key: UInt64)
  func flush()
  var storedRecords: [(key: UInt64, record: StoredRecord)] { get }
  func startTimer(after millis: Int64, tag: UInt8)
  func nextTask(of count: Int) -> Int
  func note(problem: String)
  func note(leak: String)
  func tell(_ message: Fact.Message, about tap: Tap)
  func tell(_ message: Fact.Message, about transaction: PaymentTransaction)
  func tell(_ message: Fact.Message, about transaction: TransactionID)
}

extension Phone: PhonePort {
  var unfinishedTransactions: [PaymentTransaction] { Array(unfinished) }
  var storedRecords: [(key: UInt64, record: StoredRecord)] { Array(records) }

  func startTimer(after millis: Int64, tag: UInt8) {
    startTimer(after: millis, about: .none, tag: tag)
  }
}

/// Keeps what does not fit into the numbers that the simulator passes on.
protocol PayloadKeeper: AnyObject {
  func keep(_ data: Data) -> UInt32
  func payload(_ number: UInt32) -> Data?
  func receipt(_ evidence: Evidence) -> Data
  func evidence(inReceipt data: Data) -> Evidence?
  func keep(storedName name: String, _ key: UInt64)
  func storedName(_ key: UInt64) -> String?
}

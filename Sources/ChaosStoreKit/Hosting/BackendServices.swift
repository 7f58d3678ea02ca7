import ChaosStore
import Foundation
import Invariants

/// What a backend works with: Apple's answers, the ledger, and tables of its own.
///
/// Whatever is awaited is a round trip, to Apple or to the database. What it does is done when it is called;
/// its answer takes a while, in which other requests are handled and the process may die. So a check is over
/// by the time the backend can act on it: what is to be one is a ``commit(_:to:)`` or a ``transaction(_:)``.
@MainActor
public final class BackendServices {
  // Of the simulation's thread, as everything of a backend is.
  private nonisolated(unsafe) let work: HeldWork
  private var server: Server { work.server }

  nonisolated init(_ work: HeldWork) { self.work = work }

  /// No process of this backend does anything when it starts.
  func startsNothing() { work.process.run.startsBackends = false }

  /// Asks Apple about the evidence of the request; nil when the process has ended.
  public func verify(_ question: VerifierQuestion) async -> VerifierAnswer? {
    guard server.isAlive else { return nil }
    return await withUnsafeContinuation { continuation in
      work.process.wait(for: question, work) { continuation.resume(returning: $0) }
    }
  }

  /// What the answer proves.
  public func purchases(in answer: VerifierAnswer) -> [VerifiedPurchase] {
    Array(server.purchases(in: answer))
  }

  /// verifyReceipt's latest_receipt_info: each transaction of the person but consumables that were finished, newest
  /// first, as it stands now; nothing where no subscription was ever bought.
  public func latestReceiptInfo(in answer: VerifierAnswer) -> [LatestReceiptEntry] {
    server.latestReceiptInfo(in: answer)
  }

  /// verifyReceipt's pending_renewal_info: each subscription of the person.
  public func pendingRenewals(in answer: VerifierAnswer) -> [PendingRenewal] {
    server.pendingRenewals(in: answer)
  }

  /// The order with which a transaction was paid for, as whoever paid can read in Apple's e-mail.
  public func order(of transaction: TransactionID) -> OrderID? { server.order(of: transaction) }

  /// Apple's App Store Server API at one of its two addresses, for what no request needs to have brought.
  public func appStore(_ environment: Environment) -> AppStoreServerAPI {
    AppStoreServerAPI(services: self, environment: environment)
  }

  /// Asks Apple for something that no request needs to name.
  func ask(
    _ question: VerifierQuestion, _ ask: (Server) -> UInt64?
  ) async -> VerifierAnswer? {
    guard server.isAlive else { return nil }
    return await withUnsafeContinuation { continuation in
      work.process.wait(for: question, { ask(server) }) { continuation.resume(returning: $0) }
    }
  }

  func historyPage(in answer: VerifierAnswer) -> HistoryPage { server.historyPage(in: answer) }

  func order(in answer: VerifierAnswer) -> OrderLookUp { server.order(in: answer) }

  func testNotificationToken(in answer: VerifierAnswer) -> TestNotificationToken? {
    server.testNotificationToken(in: answer)
  }

  func testNotificationStatus(in answer: VerifierAnswer) -> TestNotificationStatus? {
    server.testNotificationStatus(in: answer)
  }

  func subscription(in answer: VerifierAnswer) -> SubscriptionStatus? {
    server.subscription(in: answer)
  }

  func undelivered(in answer: VerifierAnswer, since millis: Int64) -> [StoreNotification] {
    server.undelivered(in: answer, since: millis)
  }

  /// Until when a payment for a subscription lasts, as its signed transaction says, in milliseconds since the history
  /// began; nil for what is none. Apple: expiresDate.
  public func expiresMillis(of purchase: VerifiedPurchase) -> Int64? {
    server.expiresMillis(of: purchase)
  }

  /// The transaction with which the subscription began that a payment is for, as its signed transaction says; of
  /// anything else the one that was paid for. Apple: originalTransactionId.
  public func originalTransaction(of purchase: VerifiedPurchase) -> TransactionID {
    server.originalTransaction(of: purchase)
  }

  /// A round trip to the database that asks for nothing.
  public func databaseRoundTrip() async { await answer(()) }

  /// Something was done in the database; its answer takes a round trip.
  private func answer<Answer>(_ answer: Answer) async -> Answer {
    guard server.isAlive else { return answer }
    await withUnsafeContinuation { continuation in
      work.process.waitForDatabase(work) { continuation.resume() }
    }
    return answer
  }

  // MARK: - The ledger

  /// Enters (environment, transaction id) and the credit in one commit, unless it is there.
  public func commit(_ purchase: VerifiedPurchase, to account: AccountID) async -> Server.Commit {
    await answer(server.commit(purchase, to: account))
  }
  /// Credits without asking whether it was done before.
  public func credit(_ purchase: VerifiedPurchase, to account: AccountID) async -> Server.Commit {
    await answer(server.credit(purchase, to: account))
  }
  /// Leaves an account with as much of a purchase as Apple says was paid for in the end, in one commit; asking
  /// again changes nothing until Apple says something else.
  @discardableResult
  public func settle(_ purchase: VerifiedPurchase, to account: AccountID) async -> Server.Commit {
    await answer(server.settle(purchase, to: account))
  }
  /// Takes a part of a purchase back, in thousandths, without asking whether that was done before; less than
  /// nothing gives it again.
  @discardableResult
  public func takeBack(_ purchase: VerifiedPurchase, thousandths: Int) async -> Server.Commit {
    await answer(server.takeBack(purchase, thousandths: thousandths))
  }
  /// Enters until when an account may use a subscription, instead of what was there before; in milliseconds since
  /// the history began, and in the past where it may not any more.
  @discardableResult
  public func entitle(
    _ purchase: VerifiedPurchase, to account: AccountID, until: Int64
  ) async -> Server.Commit {
    await answer(server.entitle(purchase, to: account, until: until))
  }
  /// Whether the table of credited transactions has it.
  public func isRecorded(_ purchase: VerifiedPurchase) async -> Bool {
    await answer(server.isRecorded(purchase))
  }
  /// The same in a replica of the database, which may not have the last commit yet (F55).
  public func isRecorded(_ purchase: VerifiedPurchase, in copy: Server.Copy) async -> Bool {
    await answer(server.isRecorded(purchase, in: copy))
  }
  /// Enters a purchase in that table, in a commit of its own; nothing is credited.
  public func record(_ purchase: VerifiedPurchase) async { await answer(server.record(purchase)) }
  /// Whom the ledger has credited with it; none where it has not.
  public func creditedAccount(of purchase: VerifiedPurchase) async -> AccountID {
    await answer(server.creditedAccount(of: purchase))
  }
  /// Whether a cache of handled requests has it; the cache may have forgotten (F53).
  public func isCached(_ purchase: VerifiedPurchase) async -> Bool {
    await answer(server.isCached(purchase))
  }
  /// Remembers it in a cache of handled requests.
  public func cache(_ purchase: VerifiedPurchase) async { await answer(server.cache(purchase)) }
  /// Writes down when a transaction was first reported, once, and says when that was, in milliseconds
  /// since the history began.
  public func firstSeen(_ transaction: TransactionID) async -> Int64 {
    await answer(server.firstSeen(transaction))
  }

  // MARK: - Its own tables

  /// What is kept under a key; nil for nothing.
  public func read(_ key: String, from table: Server.Table) async -> Data? {
    let number = server.read(Server.Table.key(key), from: table)
    return await answer(number.flatMap { work.payloads.payload(UInt32(truncatingIfNeeded: $0)) })
  }
  /// All rows of a table, in the order in which they were entered.
  public func rows(of table: Server.Table) async -> [(key: String, value: Data)] {
    let rows = server.rows(of: table).map { row in
      (
        key: work.payloads.storedName(row.key) ?? "",
        value: work.payloads.payload(UInt32(truncatingIfNeeded: row.value)) ?? Data()
      )
    }
    return await answer(rows)
  }
  /// Writes a row, whatever was there.
  @discardableResult
  public func write(
    _ value: Data = Data(), to table: Server.Table, at key: String
  ) async -> Server.Write {
    await answer(server.write(work.number(of: value), to: table, at: work.key(key)))
  }
  /// Enters a row unless one with this key is there: a unique constraint.
  @discardableResult
  public func insert(
    _ value: Data = Data(), into table: Server.Table, at key: String
  ) async -> Server.Write {
    await answer(server.insert(work.number(of: value), into: table, at: work.key(key)))
  }
  /// Removes a row; one that is not there is removed already.
  @discardableResult
  public func remove(_ key: String, from table: Server.Table) async -> Server.Write {
    await answer(server.remove(Server.Table.key(key), from: table))
  }
  /// Makes one commit of several writes and credits: all of them happen, or none does.
  ///
  ///     await services.transaction {
  ///       $0.commit(purchase, to: owner)
  ///       $0.remove(order, from: outbox)
  ///     }
  @discardableResult
  public func transaction(_ body: (inout BackendTransaction) -> Void) async -> Server.Write {
    await answer(
      server.transaction { base in
        var transaction = BackendTransaction(base, work)
        body(&transaction)
        base = transaction.base
      })
  }

  /// The same in a replica of the database, which may not have the last commit yet (F55).
  public func read(
    _ key: String, from table: Server.Table, in copy: Server.Copy
  ) async -> Data? {
    let number = server.read(Server.Table.key(key), from: table, in: copy)
    return await answer(number.flatMap { work.payloads.payload(UInt32(truncatingIfNeeded: $0)) })
  }

  // MARK: - Its job queue

  /// Hands a job to a queue that outlives the process: ``SimulatedBackend/perform(_:_:)`` of a process that runs gets
  /// it after so many milliseconds, at least once.
  @discardableResult
  public func enqueue(
    _ body: Data = Data(), about transaction: TransactionID = .none, after millis: Int64 = 0
  ) async -> Bool {
    await answer(
      server.enqueue(
        BackendProcess.Step.job, about: transaction,
        payload: body.isEmpty ? 0 : work.payloads.keep(body), after: millis))
  }

  // MARK: - What never changes, and costs no round trip

  /// App Store Server API: the appAccountToken of a purchase, and whose it is.
  public func owner(of purchase: VerifiedPurchase) -> AccountID {
    server.owner(of: server.token(of: purchase))
  }
  /// Whose token an app named.
  public func owner(of token: Token) -> AccountID { server.owner(of: token) }
  /// Whether two transactions stand for one charge.
  public func isSame(_ a: TransactionID, _ b: TransactionID) -> Bool { server.isSame(a, b) }
  /// A purchase that was verified before, as the backend has it in its own tables.
  public func purchase(_ id: TransactionID) -> VerifiedPurchase { server.purchase(id) }
}

/// Several writes and credits of a hosted backend that will happen together, in this order.
public struct BackendTransaction {
  fileprivate var base: Server.Transaction
  private let work: HeldWork

  fileprivate init(_ base: Server.Transaction, _ work: HeldWork) {
    self.base = base
    self.work = work
  }

  /// Writes a row, whatever was there.
  public mutating func write(_ value: Data = Data(), to table: Server.Table, at key: String) {
    base.write(work.number(of: value), to: table, at: work.key(key))
  }
  /// Enters a row; where one with this key is there, nothing of all this happens.
  public mutating func insert(_ value: Data = Data(), into table: Server.Table, at key: String) {
    base.insert(work.number(of: value), into: table, at: work.key(key))
  }
  /// Removes a row; one that is not there is removed already.
  public mutating func remove(_ key: String, from table: Server.Table) {
    base.remove(Server.Table.key(key), from: table)
  }
  /// Enters (environment, transaction id) and the credit; where it is there, nothing of all this happens.
  public mutating func commit(_ purchase: VerifiedPurchase, to account: AccountID) {
    base.commit(purchase, to: account)
  }
  /// Credits without asking whether it was done before.
  public mutating func credit(_ purchase: VerifiedPurchase, to account: AccountID) {
    base.credit(purchase, to: account)
  }
  /// Takes a part of a purchase back, in thousandths, without asking whether that was done before; less than
  /// nothing gives it again. With an ``insert(_:into:at:)`` of what says so, once.
  public mutating func takeBack(_ purchase: VerifiedPurchase, thousandths: Int) {
    base.takeBack(purchase, thousandths: thousandths)
  }
}

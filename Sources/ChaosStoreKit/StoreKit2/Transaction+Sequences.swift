import Foundation

extension Transaction {
  /// What happens to transactions, besides what `purchase()` returns.
  ///
  /// As in StoreKit 2 it never ends by itself, and what was left unfinished comes soon after launch.
  /// Each iterator listens by itself, from when it is made until it is gone. Simulated: faults deliver
  /// late, twice, in part, or what was finished long ago. The sequence ends when the process does.
  public static var updates: Transactions { Transactions(source: .updates) }

  /// What is not finished at the moment in which the first element is asked for.
  public static var unfinished: Transactions { Transactions(source: .unfinished) }

  /// The non-consumables that this person owns, finished or not, and of each subscription that may be used now its
  /// last transaction. Consumables are never in it.
  public static var currentEntitlements: Transactions { Transactions(source: .entitlements) }

  /// What the device shows of the past: what is unfinished, non-consumables, and what was taken back.
  ///
  /// As in StoreKit 2 a finished consumable is gone from it.
  public static var all: Transactions { Transactions(source: .all) }

  /// ``all``, for one product.
  public static func all(for productID: String) -> Transactions {
    Transactions(source: .all, productID: productID)
  }

  /// ``currentEntitlements``, for one product.
  public static func currentEntitlements(for productID: String) -> Transactions {
    Transactions(source: .entitlements, productID: productID)
  }

  /// The newest transaction for a product of those that ``all`` shows.
  public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
    await newest(in: all(for: productID))
  }

  /// The transaction that entitles to a product; nil for a consumable.
  public static func currentEntitlement(
    for productID: String
  ) async -> VerificationResult<Transaction>? {
    await newest(in: currentEntitlements(for: productID))
  }

  private static func newest(
    in transactions: Transactions
  ) async -> VerificationResult<Transaction>? {
    var newest: VerificationResult<Transaction>?
    for await result in transactions {
      let transaction = result.unsafePayloadValue
      if let best = newest?.unsafePayloadValue,
        (best.store.purchaseMillis, best.id) >= (transaction.store.purchaseMillis, transaction.id)
      {
        continue
      }
      newest = result
    }
    return newest
  }

  /// A sequence of transactions: an endless one for ``updates``, a snapshot for the others.
  public struct Transactions: AsyncSequence, Sendable {
    /// A transaction with the store's word for it; see ``VerificationResult``.
    public typealias Element = VerificationResult<Transaction>

    enum Source { case updates, unfinished, entitlements, all }

    let source: Source
    var productID: String?

    /// Begins to listen at once for ``updates``. A snapshot is taken when its first element is
    /// asked for.
    public func makeAsyncIterator() -> AsyncIterator {
      guard source == .updates else { return AsyncIterator(pending: self) }
      return AsyncIterator(updates: UpdatesListener(StoreSession.current))
    }

    /// Asks the phone. Suspends before it does, as a question to another process does.
    func snapshot() async -> [StoreTransaction] {
      await Task.yield()
      let session = StoreSession.current
      let found = session.isAlive ? ask(session.port) : []
      if session.mustStop { await session.stop() }
      guard session.isAlive else { return [] }
      guard let productID else { return found }
      return found.filter { $0.productID == productID }
    }

    private func ask(_ port: any StorePort) -> [StoreTransaction] {
      switch source {
      case .updates: fatalError("bug: a snapshot of an endless sequence")
      case .unfinished: port.unfinished
      case .entitlements: port.entitlements
      case .all: port.history
      }
    }

    /// Goes through the transactions once.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let updates: UpdatesListener?
      private var pending: Transactions?
      private var rest: ArraySlice<StoreTransaction> = []

      init(updates: UpdatesListener) { self.updates = updates }

      init(pending: Transactions) {
        updates = nil
        self.pending = pending
      }

      /// The next transaction. Nil at the end of a snapshot; for ``updates`` only when the process
      /// ends or the task is cancelled.
      public mutating func next() async -> VerificationResult<Transaction>? {
        if let updates { return await updates.next().map { VerificationResult($0) } }
        if let source = pending {
          pending = nil
          rest = await source.snapshot()[...]
        }
        return rest.popFirst().map { VerificationResult($0) }
      }
    }
  }
}

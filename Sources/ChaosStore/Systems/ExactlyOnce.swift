import Invariants

/// The corrected design: StoreKit's queue is the record, the backend's unique key the judge.
///
/// Its backend is sound for any app that reports a StoreKit 2 transaction by its id, so an app of
/// your own can be tested against it: `typealias Backend = ExactlyOnce.Backend`.
public enum ExactlyOnce: PurchaseSystem {
  /// `exactly-once`, in a StoreKit 2 and a StoreKit 1 form.
  public static let entry = SystemEntry(
    name: "exactly-once",
    summary: "The corrected design: report by id until answered, finish on a final answer only.",
    about: """
      The listener is attached at launch and never removed. A purchase carries the account's UUID. \
      Whatever brings a transaction (callback, purchase result, the unfinished at launch, the \
      receipt) is reported by its id until there is an answer; an answer that decides nothing is \
      waited out, a final one finishes. The backend looks the id up with Apple, finds the owner by \
      the UUID, and enters (environment, transaction id) and the credit in one commit; a repeat \
      answers success. Variants: `storekit2`, `storekit1`.
      """,
    source: "ChaosStore", backends: [.idempotent])

  /// Which of the two payment queues the app uses.
  public enum Variant: String, CaseIterable, Sendable {
    /// StoreKit 2: purchase results, updates, and the unfinished at launch.
    case storeKit2 = "storekit2"
    /// StoreKit 1: a transaction observer, and the receipt.
    case storeKit1 = "storekit1"
  }

  /// Reports each transaction until there is a final answer, and only then finishes it.
  public struct App: PurchaseApp {
    private enum Timer {
      static let retry: UInt8 = 0
      static let patience: UInt8 = 1
      static let refresh: UInt8 = 2
      static let probe: UInt8 = 3
    }

    private let usesStoreKit2: Bool
    /// Taps whose payment has not come back yet.
    private var paying = TapList()
    /// Transactions that are being reported.
    private var open = TransactionSet()
    /// Transactions that were answered for good in this life.
    private var settled = TransactionSet()
    private var isProbed = false

    /// A new process, which knows nothing of the last one.
    public init(_ launch: Launch) {
      usesStoreKit2 = launch.variant(of: ExactlyOnce.self) == .storeKit2
    }

    /// Listens, and takes up what is unfinished: the queue in StoreKit 2, the receipt in StoreKit 1.
    public mutating func launched(_ phone: Phone) {
      phone.observe()
      if usesStoreKit2 {
        for transaction in phone.unfinished { begin(transaction.id, phone) }
      } else {
        phone.refreshReceipt()
      }
    }

    // MARK: - Buying

    /// Pays, unless a payment for the same product is under way.
    public mutating func tapped(_ tap: Tap, _ phone: Phone) {
      // One payment of a product at a time: a second tap must not become a second charge.
      guard !paying.contains(product: tap.product) else {
        return phone.tell(.pending, about: tap)
      }
      paying.append(tap)
      phone.startTimer(after: 30_000, tag: Timer.patience)
      if usesStoreKit2 {
        phone.purchase(tap, appAccountToken: .account(tap.account))
      } else {
        phone.add(tap, applicationUsername: .account(tap.account))
      }
    }

    /// Reports what was bought; of an error it says no more than that the purchase is pending.
    public mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      paying.remove(product: tap.product)
      // An error does not say that nothing was charged, and success may be an older purchase.
      phone.tell(.pending, about: tap)
      if case .success(let transaction) = result { begin(transaction.id, phone) }
    }

    /// Reports what is called back, and finishes what failed.
    public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      // In StoreKit 2 the result of the purchase ends it. In StoreKit 1 what is called back does, unless
      // it is known from before: then it says nothing of the payment that is under way.
      if !usesStoreKit2, !isKnown(transaction),
        let tap = paying.remove(product: transaction.product)
      {
        phone.tell(.pending, about: tap)
      }
      switch transaction.state {
      case .failed: phone.finish(transaction)
      case .purchased, .restored: begin(transaction.id, phone)
      }
    }

    private func isKnown(_ transaction: PaymentTransaction) -> Bool {
      open.contains(transaction.id) || settled.contains(transaction.id)
    }

    // MARK: - Reporting

    private mutating func begin(_ transaction: TransactionID, _ phone: Phone) {
      // Called back again although it is done: the finish may have been lost.
      if settled.contains(transaction) { return phone.finish(transaction) }
      if open.insert(transaction) { report(transaction, phone) }
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
      phone.startTimer(after: 8000, about: transaction, tag: Timer.retry)
    }

    /// Finishes on a final answer; any other leaves the transaction open for the next try.
    public mutating func replied(_ reply: Reply, _ phone: Phone) {
      if reply.purpose == .probe {
        isProbed = reply.outcome.isFinal
        return
      }
      guard reply.outcome.isFinal else {
        return phone.tell(.pending, about: reply.transaction)
      }
      open.remove(reply.transaction)
      settled.insert(reply.transaction)
      phone.finish(reply.transaction)
      phone.tell(reply.isDelivered ? .success : .failure, about: reply.transaction)
    }

    /// Reports again what has no final answer, eight seconds later each time.
    public mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      switch tag {
      case Timer.retry: if open.contains(transaction) { report(transaction, phone) }
      case Timer.patience:
        for tap in paying { phone.tell(.pending, about: tap) }
      case Timer.refresh: phone.refreshReceipt()
      default: if !isProbed { probe(phone) }
      }
    }

    // MARK: - What StoreKit 1 may never call back, the receipt still lists

    /// Shows the receipt to the backend, or tries again later.
    public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      if succeeded { probe(phone) } else { phone.startTimer(after: 20_000, tag: Timer.refresh) }
    }

    private func probe(_ phone: Phone) {
      phone.send(
        Report(session: phone.account, purpose: .probe, evidence: phone.receipt()), about: .none)
      phone.startTimer(after: 15_000, tag: Timer.probe)
    }
  }

  /// Looks each transaction up with Apple, and credits it once.
  public struct Backend: PurchaseBackend {
    /// Keeps nothing in memory.
    public init(_ launch: Launch) {}

    /// Asks Apple about the transaction, or about the receipt of a probe.
    public mutating func received(_ report: Report, _ server: Server) {
      server.verify(report.purpose == .probe ? .productionReceipt : .transaction)
    }

    /// Credits what Apple vouches for, and refuses only what never will be valid.
    public mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      case .retry: server.reply(.retry)
      case .permanent: server.reply(.refused)
      case .otherEnvironment:
        answer.question == .productionReceipt
          ? server.verify(.sandboxReceipt) : server.reply(.refused)
      case .valid: server.reply(commit(answer, report, server))
      }
    }

    private func commit(_ answer: VerifierAnswer, _ report: Report, _ server: Server)
      -> Reply.Outcome
    {
      // An empty receipt proves nothing, but answers a probe; a look-up always has one entry.
      var outcome = report.purpose == .probe ? Reply.Outcome.alreadyDelivered : .refused
      for purchase in server.purchases(in: answer) {
        guard purchase.isOurs, !purchase.transaction.isNone else { continue }
        let owner = server.owner(of: server.token(of: purchase))
        // Bought outside the app, without a UUID: whoever reports it first, by policy.
        switch server.commit(purchase, to: owner.isNone ? report.session : owner) {
        case .credited: outcome = .delivered
        case .alreadyThere: outcome = .alreadyDelivered
        case .unavailable: return .retry
        }
      }
      return outcome
    }
  }
}

extension Reply.Outcome {
  /// Whether asking again can change nothing.
  fileprivate var isFinal: Bool {
    switch self {
    case .delivered, .alreadyDelivered, .refused: true
    case .retry, .businessError, .unauthorized, .serverError: false
    }
  }
}

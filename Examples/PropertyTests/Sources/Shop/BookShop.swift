import ChaosStore
import Invariants

/// StoreKit 2: a purchase carries the buyer, is reported until the backend has decided, and only
/// then finished; the backend credits each transaction once.
public enum BookShop: PurchaseSystem {
  public static let entry = SystemEntry(
    name: "book-shop",
    summary: "Report until answered, finish on a final answer, credit once.",
    source: "An example", backends: [.idempotent])

  /// A second form of the design would be a second case, told by `launch.variant(of: BookShop.self)`.
  public enum Variant: String, CaseIterable, Sendable { case asBuilt = "as-built" }

  public struct App: PurchaseApp {
    private enum Timer {
      static let report: UInt8 = 0
      static let patience: UInt8 = 1
      static let scan: UInt8 = 2
    }

    /// What `purchase()` was called for and has not come back yet.
    private var paying: [Tap] = []
    /// What the backend has not decided yet, and what it has, since this launch.
    private var open: [TransactionID] = []
    private var decided: [TransactionID] = []

    public init(_ launch: Launch) {}

    public mutating func launched(_ phone: Phone) {
      phone.observe()
      scan(phone)
    }

    /// What is unfinished, at launch and while the app stays open: the store may call back with a charge in
    /// the next launch only, and a finish can be lost.
    private mutating func scan(_ phone: Phone) {
      for transaction in phone.unfinished { handle(transaction.id, phone) }
      phone.startTimer(after: 30_000, tag: Timer.scan)
    }

    public mutating func tapped(_ tap: Tap, _ phone: Phone) {
      // The button waits for the payment that is under way.
      guard !paying.contains(where: { $0.product == tap.product }) else {
        return phone.tell(.pending, about: tap)
      }
      paying.append(tap)
      phone.startTimer(after: 30_000, tag: Timer.patience)
      phone.purchase(tap, appAccountToken: .account(tap.account))
    }

    public mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      paying.removeAll { $0.product == tap.product }
      // An error does not say that nothing was charged; Transaction.updates will.
      phone.tell(.pending, about: tap)
      if case .success(let transaction) = result { handle(transaction.id, phone) }
    }

    public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      for tap in paying where tap.product == transaction.product {
        phone.tell(.pending, about: tap)
      }
      paying.removeAll { $0.product == transaction.product }
      if transaction.state == .failed { return phone.finish(transaction) }
      handle(transaction.id, phone)
    }

    private mutating func handle(_ transaction: TransactionID, _ phone: Phone) {
      // Called back although it is done: the finish was lost.
      if decided.contains(transaction) { return phone.finish(transaction) }
      guard !open.contains(transaction) else { return }
      open.append(transaction)
      report(transaction, phone)
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
      phone.startTimer(after: 8000, about: transaction, tag: Timer.report)
    }

    public mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered || reply.outcome == .refused else {
        return phone.tell(.pending, about: reply.transaction)
      }
      open.removeAll { $0 == reply.transaction }
      decided.append(reply.transaction)
      phone.finish(reply.transaction)
      phone.tell(reply.isDelivered ? .success : .failure, about: reply.transaction)
    }

    public mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      switch tag {
      case Timer.patience: for tap in paying { phone.tell(.pending, about: tap) }
      case Timer.scan: scan(phone)
      default: if open.contains(transaction) { report(transaction, phone) }
      }
    }
  }

  public struct Backend: PurchaseBackend {
    public init(_ launch: Launch) {}

    public mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    public mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      // Apple does not know it: it is seconds old, or of the sandbox.
      case .retry, .notFound: return server.reply(.retry)
      case .permanent, .otherEnvironment: return server.reply(.refused)
      case .valid: break
      }
      var outcome = Reply.Outcome.refused
      for purchase in server.purchases(in: answer) where purchase.isOurs {
        let owner = server.owner(of: server.token(of: purchase))
        switch server.commit(purchase, to: owner.isNone ? report.session : owner) {
        case .credited: outcome = .delivered
        case .alreadyThere: outcome = .alreadyDelivered
        case .unavailable, .unknown: return server.reply(.retry)
        }
      }
      server.reply(outcome)
    }
  }
}

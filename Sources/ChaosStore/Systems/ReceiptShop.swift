import Invariants

/// A backend that leaves everything to a receipt shop with habits of its own.
protocol ReceiptBackend: PurchaseBackend {
  var shop: ReceiptShop { get }
}

extension ReceiptBackend {
  package mutating func received(_ report: Report, _ server: Server) {
    shop.received(report, server)
  }

  package mutating func verified(
    _ answer: VerifierAnswer, for report: Report, _ server: Server
  ) {
    shop.verified(answer, for: report, server)
  }
}

/// The backend of the designs that post the app's receipt file and have Apple verify it.
///
/// `naive` credits what each report proves, with no memory of earlier ones; `idempotent` commits
/// the transaction id together with the balance. What the articles leave open is in `Habits`.
package struct ReceiptShop {
  /// Where the published backends differ.
  struct Habits {
    /// Whether a sandbox receipt is verified at the sandbox address and credited like any other.
    var acceptsSandbox = false
    /// Whether only the newest entry of a receipt without a transaction id is credited.
    var takesNewestOnly = false
    /// Whether the report must name an order, which is looked up.
    var needsOrder = false
    /// Whether an order is delivered once, whatever pays for it.
    var deliversOrderOnce = false
    /// Whether a cache of handled transactions keeps repeats away.
    var cachesHandled = false
    /// Whether a receipt is recognised by its bytes and looked at once.
    var looksAtReceiptOnce = false
    /// Whether what the app says about a verification of its own is believed.
    var believesApp = false
  }

  let kind: BackendKind
  let habits: Habits

  func received(_ report: Report, _ server: Server) {
    if habits.believesApp, report.evidence.kind == .verdict {
      return deliverClaim(report, server)
    }
    server.verify(.productionReceipt)
  }

  func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
    switch answer.class {
    case .otherEnvironment:
      if habits.acceptsSandbox, answer.question == .productionReceipt {
        server.verify(.sandboxReceipt)
      } else {
        server.reply(.refused)
      }
    case .retry: server.reply(.retry)
    case .permanent, .notFound: server.reply(.refused)
    case .valid: deliver(answer, report, server)
    }
  }

  private func deliver(_ answer: VerifierAnswer, _ report: Report, _ server: Server) {
    if habits.needsOrder, report.token.isNone { return server.reply(.refused) }
    if habits.deliversOrderOnce, server.closeOrder(report.token) {
      return server.reply(.alreadyDelivered)
    }
    if habits.looksAtReceiptOnce, server.hasSeen(report.evidence) {
      return server.reply(.alreadyDelivered)
    }
    var outcome = Reply.Outcome.refused
    for purchase in server.purchases(in: answer) {
      // A restore has an id of its own; the receipt lists what it restores.
      if !report.transaction.isNone, !purchase.transaction.isNone,
        !server.isSame(purchase.transaction, report.transaction)
      {
        continue
      }
      outcome = credit(purchase, to: report.session, server)
      if outcome == .serverError || habits.takesNewestOnly { break }
    }
    server.reply(outcome)
  }

  private func credit(_ purchase: VerifiedPurchase, to account: AccountID, _ server: Server)
    -> Reply.Outcome
  {
    var purchase = purchase
    if habits.acceptsSandbox { purchase.environment = .production }
    // Whose app the receipt is of is looked at by the sound backend only.
    if kind == .idempotent, !purchase.isOurs || purchase.transaction.isNone { return .refused }
    if habits.cachesHandled, server.isCached(purchase) { return .alreadyDelivered }
    let commit =
      kind == .idempotent
      ? server.commit(purchase, to: account) : server.credit(purchase, to: account)
    if habits.cachesHandled { server.cache(purchase) }
    switch commit {
    case .credited: return .delivered
    case .alreadyThere: return .alreadyDelivered
    case .unavailable, .unknown: return .serverError
    }
  }

  /// The app says that it has verified a purchase of this product, and is believed.
  private func deliverClaim(_ report: Report, _ server: Server) {
    var purchase = server.claim(report)
    purchase.product = report.product
    server.reply(credit(purchase, to: report.session, server))
  }
}

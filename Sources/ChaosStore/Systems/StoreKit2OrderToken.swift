import Invariants

/// StoreKit 2: the order number as appAccountToken, finish before the server knows.
///
/// Not in the source: that anybody tries again, on the phone or on the server (so nobody does), what an
/// app shows of an answer or of a purchase that is refused as one is in progress, and what a server does
/// with 4040010 or a transaction of the sandbox (here it refuses both).
package enum StoreKit2OrderToken: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "storekit2-order-token",
    summary: "StoreKit 2: order number as appAccountToken, finishes before the server knows.",
    about: """
      The backend opens an order, whose number is the purchase's appAccountToken. A successful \
      purchase is verified on the device, finished, and then reported by its id; what \
      Transaction.updates brings is treated alike, one after the other. Every thrown error reads as \
      a failed verification. The backend looks the transaction up, finds the order by its token and \
      credits; nobody tries again. Variants: `order-dedupe` delivers an order once, whatever pays for it; \
      `listen-on-page` begins to listen on the shop page.
      """,
    source: "Published design, StoreKit 2 with an order UUID")

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case orderDedupe = "order-dedupe"
    case listenOnPage = "listen-on-page"
  }

  package struct App: PurchaseApp {
    package static var hasShopPage: Bool { true }

    private let listensOnPage: Bool
    private var isInProgress = false

    package init(_ launch: Launch) {
      listensOnPage = launch.variant(of: StoreKit2OrderToken.self) == .listenOnPage
    }

    package mutating func launched(_ phone: Phone) { if !listensOnPage { phone.observe() } }

    package mutating func visitedShop(_ phone: Phone) { if listensOnPage { phone.observe() } }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      guard !isInProgress else { return phone.tell(.failure, about: tap) }
      isInProgress = true
      phone.purchase(tap, appAccountToken: phone.newOrder(for: tap))
    }

    package mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      isInProgress = false
      switch result {
      case .failed, .refused: phone.tell(.failure, about: tap)
      case .pending: phone.tell(.pending, about: tap)
      case .success(let transaction): finishAndReport(transaction, phone)
      }
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      finishAndReport(transaction, phone)
    }

    private func finishAndReport(_ transaction: PaymentTransaction, _ phone: Phone) {
      phone.finish(transaction.id)
      phone.send(
        Report(
          session: phone.account, transaction: transaction.id,
          evidence: phone.evidence(for: transaction.id)),
        about: transaction.id)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      phone.tell(reply.isDelivered ? .success : .failure, about: reply.transaction)
    }
  }

  package struct Backend: PurchaseBackend {
    private let kind: BackendKind
    private let deliversOrderOnce: Bool

    package init(_ launch: Launch) {
      kind = launch.backend
      deliversOrderOnce = launch.variant(of: StoreKit2OrderToken.self) == .orderDedupe
    }

    package mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      case .retry: server.reply(.retry)
      case .permanent, .otherEnvironment, .notFound: server.reply(.refused)
      case .valid:
        for purchase in server.purchases(in: answer) {
          return server.reply(credit(purchase, server))
        }
        server.reply(.refused)
      }
    }

    private func credit(_ purchase: VerifiedPurchase, _ server: Server)
      -> Reply.Outcome
    {
      let owner = server.owner(of: purchase.token)
      guard !owner.isNone, purchase.isOurs, purchase.environment == .production else {
        return .refused
      }
      if deliversOrderOnce, server.closeOrder(purchase.token) { return .alreadyDelivered }
      let commit =
        kind == .idempotent
        ? server.commit(purchase, to: owner) : server.credit(purchase, to: owner)
      switch commit {
      case .credited: return .delivered
      case .alreadyThere: return .alreadyDelivered
      case .unavailable, .unknown: return .serverError
      }
    }
  }
}

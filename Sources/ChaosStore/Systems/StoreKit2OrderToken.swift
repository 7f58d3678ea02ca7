import Invariants

/// StoreKit 2: the order number as appAccountToken, finish before the server knows.
///
/// Not in the source: that anybody tries again, on the phone or on the server (so nobody does), what an
/// app shows of an answer or of a purchase that is refused as one is in progress, and what a server does
/// with 4040010 or a transaction of the sandbox (here it refuses both). Of notifications it names those of
/// renewals and refunds; that a server passes all others by is ours, and so are when the StoreKit 1 form
/// finishes (here as in StoreKit 2) and by which id a refund finds what it takes back.
package enum StoreKit2OrderToken: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "storekit2-order-token",
    summary: "StoreKit 2: order number as appAccountToken, finishes before the server knows.",
    about: """
      The backend opens an order, whose number is the purchase's appAccountToken. A successful \
      purchase is verified on the device, finished, and then reported by its id; what \
      Transaction.updates brings is treated alike, one after the other. Every thrown error reads as \
      a failed verification. The backend looks the transaction up, finds the order by its token and \
      credits; nobody tries again. A subscription lasts until the date of the transaction that was looked \
      up. Of Apple's notifications DID_RENEW delivers the next period, REFUND takes back what was delivered, \
      and the others are passed by. Variants: `order-dedupe` delivers an order once, whatever pays for it; \
      `listen-on-page` begins to listen on the shop page; `look-up` repairs by hand: who misses what they \
      have paid for brings the order number from Apple's mail, and the backend looks that up; \
      `original-refund` finds what a refund takes back by the original id, which the app asks refunds for; \
      `storekit1` is the form for old devices: the order number as applicationUsername, and \
      shouldAddStorePayment returns false.
      """,
    source: "Published design, StoreKit 2 with an order UUID")

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case orderDedupe = "order-dedupe"
    case listenOnPage = "listen-on-page"
    case lookUp = "look-up"
    case originalRefund = "original-refund"
    case storeKit1 = "storekit1"
  }

  package struct App: PurchaseApp {
    package static var hasShopPage: Bool { true }

    private let variant: Variant
    private var isInProgress = false

    package init(_ launch: Launch) { variant = launch.variant(of: StoreKit2OrderToken.self) }

    package mutating func launched(_ phone: Phone) {
      if variant != .listenOnPage { phone.observe() }
      // It is told of a payment that began in the App Store, and returns false: that is the end of it.
      if variant == .storeKit1 { phone.follow(.wishes) }
    }

    package mutating func visitedShop(_ phone: Phone) {
      if variant == .listenOnPage { phone.observe() }
      guard variant == .lookUp else { return }
      for order in phone.missedOrders { report(order, phone) }
    }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      if variant == .storeKit1 {
        return phone.add(tap, applicationUsername: phone.newOrder(for: tap))
      }
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
      switch transaction.state {
      case .failed where variant == .storeKit1:
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
      case .deferred where variant == .storeKit1: phone.tell(.pending, about: transaction)
      case .purchased, .restored, .failed, .deferred: finishAndReport(transaction, phone)
      }
    }

    private func finishAndReport(_ transaction: PaymentTransaction, _ phone: Phone) {
      phone.finish(transaction.id)
      report(transaction.id, phone)
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      phone.tell(reply.isDelivered ? .success : .failure, about: reply.transaction)
    }
  }
}

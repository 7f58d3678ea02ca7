import Invariants

/// StoreKit 1: an observer around each purchase, the receipt to the server, finish on its 200.
///
/// Not in the source: on which pages the observer is added again (here one that is visited after a
/// launch; a timer, which it names as well, is not used), how long a request may take (a minute), and
/// all of the server but that it verifies the receipt and credits whoever the session names.
package enum ObserverOnDemand: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "observer-on-demand",
    summary: "StoreKit 1: observes around each purchase, posts the receipt, finishes on 200.",
    about: """
      A tap keeps the product id, adds the observer and asks for the product; the product list \
      adds the payment. `purchased` posts the receipt file, and 200 finishes and removes the \
      observer; any other answer leaves the transaction for the next time the observer is added, \
      at a launch or on the shop page. Failed and restored transactions remove the observer and \
      are finished; a product list that fails removes it too. Variants: `order-map` sends an order number remembered in memory; \
      `newest-entry` has a backend that credits only the newest entry of the receipt; \
      `cached` one that remembers handled transactions in a cache.
      """,
    source: "Published design, StoreKit 1 singleton with 'lost order handling'")

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case orderMap = "order-map"
    case newestEntry = "newest-entry"
    case cached
  }

  package struct App: PurchaseApp {
    package static var hasShopPage: Bool { true }

    private let keepsOrders: Bool
    /// What was tapped last; a second tap overwrites it.
    private var goods = Tap.none
    private var order = Token.none
    private var isObserving = false
    private var unanswered = TransactionSet()

    package init(_ launch: Launch) {
      keepsOrders = launch.variant(of: ObserverOnDemand.self) == .orderMap
    }

    package mutating func launched(_ phone: Phone) { addObserver(phone) }

    package mutating func visitedShop(_ phone: Phone) { addObserver(phone) }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      goods = tap
      if keepsOrders { order = phone.newOrder(for: tap) }
      addObserver(phone)
      phone.loadProducts(for: tap)
    }

    package mutating func productsArrived(for tap: Tap, _ phone: Phone) {
      guard tap.product == goods.product else { return }
      addObserver(phone)
      phone.add(goods)
    }

    package mutating func productsFailed(for tap: Tap, _ phone: Phone) {
      removeObserver(phone)
      phone.tell(.failure, about: tap)
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      addObserver(phone)
      switch transaction.state {
      case .deferred: break
      case .purchased:
        unanswered.insert(transaction.id)
        phone.send(
          Report(session: phone.account, token: order, evidence: phone.receipt()),
          about: transaction.id)
        phone.startTimer(after: 60_000, about: transaction.id)
      case .failed:
        removeObserver(phone)
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
      case .restored:
        removeObserver(phone)
        phone.finish(transaction.id)
      }
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      unanswered.remove(reply.transaction)
      if reply.isDelivered {
        phone.finish(reply.transaction)
        removeObserver(phone)
        phone.tell(.success, about: reply.transaction)
      } else {
        phone.tell(.failure, about: reply.transaction)
      }
    }

    /// The request has timed out: "purchase failed, restart the app".
    package mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      guard unanswered.contains(transaction) else { return }
      unanswered.remove(transaction)
      phone.tell(.failure, about: transaction)
    }

    private mutating func addObserver(_ phone: Phone) {
      guard !isObserving else { return }
      isObserving = true
      phone.observe()
    }

    private mutating func removeObserver(_ phone: Phone) {
      guard isObserving else { return }
      isObserving = false
      phone.unobserve()
    }
  }

  package struct Backend: ReceiptBackend {
    let shop: ReceiptShop

    package init(_ launch: Launch) {
      let variant = launch.variant(of: ObserverOnDemand.self)
      shop = ReceiptShop(
        kind: launch.backend,
        habits: .init(
          takesNewestOnly: variant == .newestEntry, needsOrder: variant == .orderMap,
          cachesHandled: variant == .cached))
    }
  }
}

import ChaosStore
import Invariants

/// A design of these tests' own: sound, but for a button that stays stuck after the first tap, until
/// the app is opened again.
enum StuckShop: PurchaseSystem {
  static let entry = SystemEntry(
    name: "stuck-shop", summary: "Answers one tap in each life.", backends: [.idempotent])

  struct App: PurchaseApp {
    private var sound: ExactlyOnce.App
    private var isStuck = false

    init(_ launch: Launch) { sound = ExactlyOnce.App(launch) }

    mutating func launched(_ phone: Phone) { sound.launched(phone) }

    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      if !isStuck { sound.tapped(tap, phone) }
      isStuck = true
    }

    mutating func productsArrived(for tap: Tap, _ phone: Phone) {
      sound.productsArrived(for: tap, phone)
    }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      sound.updated(transaction, phone)
    }
    mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
      sound.purchaseEnded(result, for: tap, phone)
    }
    mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      sound.receiptRefreshed(succeeded, phone)
    }
    mutating func replied(_ reply: Reply, _ phone: Phone) { sound.replied(reply, phone) }
    mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      sound.timerFired(tag, about: transaction, phone)
    }
  }

  typealias Backend = ExactlyOnce.Backend
}

import Invariants

/// StoreKit 1 without a server: the device verifies its receipt, and keeps the date until when a subscription lasts.
///
/// The library says how to buy, verify and read the date, and that where to keep it is up to its clients, such as
/// in user defaults; #49 and #476 are of people who do that. Not in the source: when a client looks again (here as
/// soon as the date is over, at a launch), that the receipt is verified again after it was refreshed, and what the
/// app shows.
package enum StoredExpiry: PurchaseSystem {
  package typealias Backend = NoBackend

  package static let entry = SystemEntry(
    name: "stored-expiry",
    summary: "No server: verifies the receipt on the device, keeps its expiry date.",
    about: """
      The observer is added at launch. The library finishes what is called back and then tells the app, \
      which has Apple verify the receipt, takes the latest date until when a payment for the subscription \
      lasts, and stores it; a missing receipt is refreshed first. At a launch the stored date decides: as \
      long as it is to come nobody is asked, once it is over the receipt is verified again, and without \
      one nobody has subscribed. Variants: `published`; `each-launch` verifies at each launch.
      """,
    source: "bizz84/SwiftyStoreKit, README (Verify Subscription); issues #49, #476",
    backends: [.naive])

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case eachLaunch = "each-launch"
  }

  package struct App: PurchaseApp {
    private let verifiesAtLaunch: Bool
    /// What was called back and waits for a receipt.
    private var waiting: [TransactionID] = []

    package init(_ launch: Launch) {
      verifiesAtLaunch = launch.variant(of: StoredExpiry.self) == .eachLaunch
    }

    package mutating func launched(_ phone: Phone) {
      phone.observe()
      var isKnown = false
      for (_, record) in phone.records {
        isKnown = true
        let until = Int64(record.payload) * 1000
        phone.entitle(record.product, until: until)
        if verifiesAtLaunch || until <= phone.now { _ = verify(phone) }
      }
      if !isKnown { phone.showUnsubscribed() }
    }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state != .failed else {
        phone.finish(transaction)
        return phone.tell(.failure, about: transaction)
      }
      // purchaseProduct(atomically: true) and completeTransactions finish before they tell.
      phone.finish(transaction.id)
      if phone.receipt().isNone {
        waiting.append(transaction.id)
        return phone.refreshReceipt()
      }
      answer(transaction.id, phone)
    }

    package mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      for transaction in waiting { answer(transaction, phone) }
      waiting = []
    }

    private func answer(_ transaction: TransactionID, _ phone: Phone) {
      phone.tell(verify(phone) ? .success : .failure, about: transaction)
    }

    /// Whether somebody is subscribed now, as Apple says.
    private func verify(_ phone: Phone) -> Bool {
      guard let payments = phone.latestReceiptInfo else { return false }
      let latest = payments.max { ($0.expiresMillis ?? 0) < ($1.expiresMillis ?? 0) }
      guard let latest, let until = latest.expiresMillis else {
        phone.erase(key: 0)
        phone.showUnsubscribed()
        return false
      }
      phone.entitle(latest.product, until: until)
      let date = UInt32(clamping: (until + 999) / 1000)
      phone.save(
        StoredRecord(transaction: .none, product: latest.product, payload: date), key: 0)
      return until > phone.now
    }
  }
}

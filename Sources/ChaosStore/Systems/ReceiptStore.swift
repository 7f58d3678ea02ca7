import Invariants

/// StoreKit 1: finish at once, keep the receipt in local storage, resend it at each launch.
///
/// Not in the source: when the helper library finishes (here when the app was told of the purchase), under
/// which key a record is stored (here one for each transaction), which of the verifier's two addresses is
/// asked (here production, then the sandbox, whose purchases are credited like others), and all of the
/// server but that it verifies; that it looks the order up and refuses a report without one is ours.
package enum ReceiptStore: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "receipt-store",
    summary: "StoreKit 1: finishes at once, stores the receipt, resends it at each launch.",
    about: """
      A tap keeps an order number in memory. A helper library hands over the purchase: the \
      receipt and the order are stored in user defaults and posted; then the library finishes. \
      Success removes the record; whatever is left is posted again at the next launch. Variants: \
      `finish-then-save` has the other order; `one-key` stores under one key; `order-dedupe` has \
      a backend that delivers an order once, `receipt-dedupe` one that looks at each receipt file \
      once; `client-verifies` verifies on the device and tells the backend the result.
      """,
    source: "Published design, IAPHelper with receipts in NSUserDefaults")

  package enum Variant: String, CaseIterable, Sendable {
    case saveThenFinish = "save-then-finish"
    case finishThenSave = "finish-then-save"
    case oneKey = "one-key"
    case orderDedupe = "order-dedupe"
    case clientVerifies = "client-verifies"
    case receiptDedupe = "receipt-dedupe"
  }

  package struct App: PurchaseApp {
    private let variant: Variant
    /// The order of the last tap; nothing after a relaunch.
    private var order = Token.none

    package init(_ launch: Launch) { variant = launch.variant(of: ReceiptStore.self) }

    package mutating func launched(_ phone: Phone) {
      phone.observe()
      for (_, record) in phone.records { post(record, phone) }
    }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      order = phone.newOrder(for: tap)
      phone.add(tap)
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state != .failed else {
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
        return
      }
      if variant == .finishThenSave { phone.finish(transaction.id) }
      var receipt = phone.receipt()
      if variant == .clientVerifies {
        receipt = phone.verifyLocally(receipt, about: transaction.id)
      }
      // Without a receipt there are no parameters, and nothing is stored or sent.
      if !receipt.isNone {
        let record = StoredRecord(
          transaction: transaction.id, product: transaction.product, token: order,
          evidence: receipt)
        phone.save(record, key: key(transaction.id))
        post(record, phone)
      }
      if variant != .finishThenSave { phone.finish(transaction.id) }
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered else { return }
      phone.erase(key: key(reply.transaction))
      phone.tell(.success, about: reply.transaction)
    }

    private func post(_ record: StoredRecord, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, token: record.token, product: record.product,
          evidence: record.evidence),
        about: record.transaction)
    }

    private func key(_ transaction: TransactionID) -> UInt64 {
      variant == .oneKey ? 0 : UInt64(transaction.raw)
    }
  }

  package struct Backend: ReceiptBackend {
    let shop: ReceiptShop

    package init(_ launch: Launch) {
      let variant = launch.variant(of: ReceiptStore.self)
      shop = ReceiptShop(
        kind: launch.backend,
        habits: .init(
          acceptsSandbox: true, needsOrder: true, deliversOrderOnce: variant == .orderDedupe,
          looksAtReceiptOnce: variant == .receiptDedupe, believesApp: variant == .clientVerifies))
    }
  }
}

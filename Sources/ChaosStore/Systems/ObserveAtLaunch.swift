import Invariants

/// StoreKit 1: an observer from launch on; finish after delivery, or when verification fails.
///
/// Not in the source: what happens when the receipt was refreshed (here nothing before the next launch),
/// that a failed verification is told as a failure, which answers of a server are one (here every answer
/// but 401 and 5xx), and all of the server but that it verifies and delivers.
package enum ObserveAtLaunch: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "observe-at-launch",
    summary:
      "StoreKit 1: observes from launch, finishes after delivery or when verification fails.",
    about: """
      The observer is added when the app launches. `purchased` and `restored` read the receipt, \
      which is refreshed and not looked at again if it is missing, and have the server verify \
      and deliver. A delivery is finished, and so is a failed verification; a network failure is \
      not. One pair of closures tells the person, whichever purchase it was; of a failure it says \
      nothing while purchases are being restored. Variants: \
      `finish-first` finishes when called back and resends from storage; `finish-before-answer` \
      finishes when the report is sent; `late-observer` observes on the shop page.
      """,
    source: "Published design, 'preventing lost orders' with StoreKit 1")

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case finishFirst = "finish-first"
    case finishBeforeAnswer = "finish-before-answer"
    case lateObserver = "late-observer"
  }

  package struct App: PurchaseApp {
    package static var hasShopPage: Bool { true }

    private let variant: Variant
    /// Whose closures are set: the last tap's.
    private var waiting = Tap.none
    /// From the first restored purchase to the last, or to the next tap.
    private var isRestoring = false

    package init(_ launch: Launch) { variant = launch.variant(of: ObserveAtLaunch.self) }

    package mutating func launched(_ phone: Phone) {
      if variant != .lateObserver { phone.observe() }
      if variant == .finishFirst {
        for (_, record) in phone.records { send(record.transaction, record.evidence, phone) }
      }
    }

    package mutating func visitedShop(_ phone: Phone) {
      if variant == .lateObserver { phone.observe() }
    }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      waiting = tap
      isRestoring = false
      if variant == .lateObserver { phone.observe() }
      phone.add(tap)
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      switch transaction.state {
      case .failed:
        if !isRestoring { tell(.failure, phone) }
        phone.finish(transaction)
      case .deferred: break
      case .purchased: deliver(transaction.id, phone)
      case .restored:
        isRestoring = true
        deliver(transaction.id, phone)
      }
    }

    package mutating func restoreEnded(_ phone: Phone) { isRestoring = false }

    private mutating func deliver(_ transaction: TransactionID, _ phone: Phone) {
      if variant == .finishFirst { phone.finish(transaction) }
      let receipt = phone.receipt()
      if receipt.isNone {
        phone.refreshReceipt()
        return
      }
      if variant == .finishFirst {
        phone.save(
          StoredRecord(transaction: transaction, evidence: receipt), key: UInt64(transaction.raw))
      }
      send(transaction, receipt, phone)
      if variant == .finishBeforeAnswer { phone.finish(transaction) }
    }

    private func send(_ transaction: TransactionID, _ receipt: Evidence, _ phone: Phone) {
      phone.send(
        Report(session: phone.account, transaction: transaction, evidence: receipt),
        about: transaction)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      switch reply.outcome {
      case .delivered, .alreadyDelivered:
        if variant == .finishFirst { phone.erase(key: UInt64(reply.transaction.raw)) }
        tell(.success, phone)
        phone.finish(reply.transaction)
      case .refused, .retry, .businessError:
        if variant == .finishFirst { return }
        tell(.failure, phone)
        phone.finish(reply.transaction)
      case .unauthorized, .serverError: break
      }
    }

    private mutating func tell(_ message: Fact.Message, _ phone: Phone) {
      guard !waiting.isNone else { return }
      phone.tell(message, about: waiting)
      waiting = .none
    }
  }

  package struct Backend: ReceiptBackend {
    let shop: ReceiptShop

    package init(_ launch: Launch) { shop = ReceiptShop(kind: launch.backend, habits: .init()) }
  }
}

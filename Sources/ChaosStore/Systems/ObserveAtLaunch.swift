import Invariants

/// StoreKit 1: an observer from launch on; finish after delivery, or when verification fails.
public enum ObserveAtLaunch: PurchaseSystem {
  public static let entry = SystemEntry(
    name: "observe-at-launch",
    summary:
      "StoreKit 1: observes from launch, finishes after delivery or when verification fails.",
    about: """
      The observer is added when the app launches. `purchased` and `restored` read the receipt, \
      which is refreshed and not looked at again if it is missing, and have the server verify \
      and deliver. A delivery is finished, and so is a failed verification; a network failure is \
      not. One pair of closures tells the person, whichever purchase it was. Variants: \
      `finish-first` finishes when called back and resends from storage; `finish-before-answer` \
      finishes when the report is sent; `late-observer` observes on the shop page.
      """,
    source: "Published design, 'preventing lost orders' with StoreKit 1",
    variants: ["published", "finish-first", "finish-before-answer", "late-observer"])

  public struct App: PurchaseApp {
    public static var hasShopPage: Bool { true }

    private enum Variant: Int { case published, finishFirst, finishBeforeAnswer, lateObserver }
    private let variant: Variant
    /// Whose closures are set: the last tap's.
    private var waiting = Tap.none

    public init(_ launch: Launch) { variant = Variant(rawValue: launch.variant) ?? .published }

    public mutating func launched(_ phone: Phone) {
      if variant != .lateObserver { phone.observe() }
      if variant == .finishFirst {
        for (_, record) in phone.records { send(record.transaction, record.evidence, phone) }
      }
    }

    public mutating func visitedShop(_ phone: Phone) {
      if variant == .lateObserver { phone.observe() }
    }

    public mutating func tapped(_ tap: Tap, _ phone: Phone) {
      waiting = tap
      if variant == .lateObserver { phone.observe() }
      phone.add(tap)
    }

    public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      switch transaction.state {
      case .failed:
        tell(.failure, phone)
        phone.finish(transaction)
      case .purchased, .restored: deliver(transaction.id, phone)
      }
    }

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

    public mutating func replied(_ reply: Reply, _ phone: Phone) {
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

  public struct Backend: ReceiptBackend {
    let shop: ReceiptShop

    public init(_ launch: Launch) { shop = ReceiptShop(kind: launch.backend, habits: .init()) }
  }
}

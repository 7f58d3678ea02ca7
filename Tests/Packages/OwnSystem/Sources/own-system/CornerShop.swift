import ChaosStore
import Invariants

/// StoreKit 1, done almost right: observed from launch to exit, finished on the backend's ok.
///
/// The backend verifies each receipt and credits what it proves. It never asks whether it has done
/// so before, so a lost answer makes it give the goods away a second time.
enum CornerShop: PurchaseSystem {
  static let entry = SystemEntry(
    name: "corner-shop", summary: "StoreKit 1, finish on ok, a backend without a memory.",
    about: """
      A purchased transaction is reported with the receipt file, and finished when the backend \
      says ok; otherwise it is left for the next launch. The backend credits whatever a valid \
      receipt proves.
      """,
    source: "An example", backends: [.naive])

  struct App: PurchaseApp {
    init(_ launch: Launch) {}

    mutating func launched(_ phone: Phone) { phone.observe() }

    mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }

    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      switch transaction.state {
      case .purchased, .restored:
        phone.send(
          Report(
            session: phone.account, transaction: transaction.id, product: transaction.product,
            evidence: phone.receipt()),
          about: transaction.id)
      case .failed:
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
      case .deferred: break
      }
    }

    mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered else { return }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
  }

  struct Backend: PurchaseBackend {
    init(_ launch: Launch) {}

    mutating func received(_ report: Report, _ server: Server) {
      server.verify(.productionReceipt)
    }

    mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      guard answer.class == .valid else { return server.reply(.retry) }
      for purchase in server.purchases(in: answer)
      where purchase.transaction == report.transaction {
        switch server.credit(purchase, to: report.session) {
        case .credited, .alreadyThere: return server.reply(.delivered)
        case .unavailable, .unknown: return server.reply(.serverError)
        }
      }
      server.reply(.retry)
    }
  }
}

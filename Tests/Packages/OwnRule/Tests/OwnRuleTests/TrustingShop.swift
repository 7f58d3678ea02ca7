import ChaosStore
import Invariants

/// A shop whose backend gives the benefit of the doubt: what the verifier cannot say now is credited.
enum TrustingShop: PurchaseSystem {
  static let entry = SystemEntry(
    name: "trusting-shop", summary: "Credits what the app names while the verifier is down.",
    backends: [.idempotent])

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

    mutating func received(_ report: Report, _ server: Server) { server.verify(.productionReceipt) }

    mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
      switch answer.class {
      case .retry: credit(server.purchase(report.transaction), report, server)
      case .permanent, .otherEnvironment, .notFound: server.reply(.refused)
      case .valid:
        for purchase in server.purchases(in: answer)
        where purchase.transaction == report.transaction {
          return credit(purchase, report, server)
        }
        server.reply(.retry)
      }
    }

    private func credit(_ purchase: VerifiedPurchase, _ report: Report, _ server: Server) {
      switch server.commit(purchase, to: report.session) {
      case .credited, .alreadyThere: server.reply(.delivered)
      case .unavailable, .unknown: server.reply(.serverError)
      }
    }
  }
}

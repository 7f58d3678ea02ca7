import ChaosStore
import Invariants

/// A bad design, for the reports to have something to say: it finishes first and reports once,
/// and its naive backend credits every report.
enum HastyShop: PurchaseSystem {
  typealias Backend = Shop

  static let entry = SystemEntry(
    name: "hasty-shop", summary: "Finishes first, reports once, credits every report.",
    about: "Called back, it finishes, then reports.\nThe backend asks Apple and credits.",
    source: "the tests of this package")

  enum Variant: String, CaseIterable { case hasty, hastier }

  struct App: PurchaseApp {
    init(_ launch: Launch) {}

    mutating func launched(_ phone: Phone) { phone.observe() }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }

    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state != .failed else { return }
      phone.finish(transaction.id)
      phone.send(
        Report(
          session: phone.account, transaction: transaction.id,
          evidence: phone.evidence(for: transaction.id)),
        about: transaction.id)
    }

    mutating func replied(_ reply: Reply, _ phone: Phone) {
      if reply.isDelivered { phone.tell(.success, about: reply.transaction) }
    }
  }

  struct Shop: PurchaseBackend {
    private let backend: BackendKind

    init(_ launch: Launch) { backend = launch.backend }

    mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      guard answer.class == .valid else { return server.reply(.retry) }
      let purchase = server.purchase(report.transaction)
      let commit =
        backend == .naive
        ? server.credit(purchase, to: report.session) : server.commit(purchase, to: report.session)
      switch commit {
      case .credited: server.reply(.delivered)
      case .alreadyThere: server.reply(.alreadyDelivered)
      case .unavailable, .unknown: server.reply(.serverError)
      }
    }
  }
}

import Invariants

/// The smallest sound design, used to time the simulator: report, retry every five seconds, finish.
package enum CheckoutBenchmark: PurchaseSystem {
  package typealias Backend = Shop

  package static let entry = SystemEntry(
    name: "checkout-benchmark",
    summary: "Report, retry every five seconds, finish on ok: the work the speed is measured on.",
    about: """
      Called back with a transaction, the app sends it to the backend and starts a five-second \
      timer; it sends again when the timer fires, and finishes on ok. The backend asks Apple and \
      credits each transaction once.
      """,
    source: "ChaosStore", backends: [.idempotent])

  package struct App: PurchaseApp {
    /// What needs no timer any more.
    private var finished = TransactionSet()

    package init(_ launch: Launch) {}

    package mutating func launched(_ phone: Phone) { phone.observe() }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state != .failed else { return phone.finish(transaction) }
      if transaction.isFinished { finished.insert(transaction.id) }
      report(transaction.id, phone)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered else { return }
      finished.insert(reply.transaction)
      phone.finish(reply.transaction)
    }

    package mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      if !finished.contains(transaction) { report(transaction, phone) }
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
      phone.startTimer(after: 5000, about: transaction)
    }
  }

  package struct Shop: PurchaseBackend {
    package init(_ launch: Launch) {}

    package mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      guard answer.class == .valid else { return server.reply(.serverError) }
      switch server.commit(server.purchase(report.transaction), to: report.session) {
      case .credited: server.reply(.delivered)
      case .alreadyThere: server.reply(.alreadyDelivered)
      case .unavailable, .unknown: server.reply(.serverError)
      }
    }
  }
}

import ChaosStore
import Invariants

/// Finishes what it is handed at once, and credits what Apple's history of the person lists.
enum HistoryShop: PurchaseSystem {
  static let entry = SystemEntry(name: "history-shop", summary: "For these tests.")

  struct App: PurchaseApp {
    init(_ launch: Launch) {}

    mutating func launched(_ phone: Phone) { phone.observe() }
    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      phone.purchase(tap, appAccountToken: .account(phone.account))
    }
    mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
      if case .success(let transaction) = result { updated(transaction, phone) }
    }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      phone.finish(transaction)
      if transaction.state != .failed { report(transaction.id, phone) }
    }
    mutating func replied(_ reply: Reply, _ phone: Phone) {
      if reply.isDelivered { return phone.tell(.success, about: reply.transaction) }
      phone.startTimer(after: 8000, about: reply.transaction)
    }
    mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone) {
      report(transaction, phone)
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
    }
  }

  struct Backend: PurchaseBackend {
    init(_ launch: Launch) {}

    mutating func received(_ report: Report, _ server: Server) {
      if server.isRecorded(server.purchase(report.transaction)) {
        return server.reply(.alreadyDelivered)
      }
      server.history(of: report.transaction)
      server.reply(.retry)
    }

    mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
      for purchase in server.historyPage(in: answer).purchases {
        let owner = server.owner(of: purchase.token)
        if !owner.isNone { server.commit(purchase, to: owner) }
      }
    }
  }
}

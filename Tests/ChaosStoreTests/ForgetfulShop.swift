import ChaosStore
import Invariants

/// A design of these tests' own: it reports until it is answered, and its backend never looks
/// whether it has credited before.
enum ForgetfulShop: PurchaseSystem {
  static let entry = SystemEntry(
    name: "forgetful-shop", summary: "Credits every report.", backends: [.naive])

  struct App: PurchaseApp {
    private var unanswered: [TransactionID] = []

    init(_ launch: Launch) {}

    mutating func launched(_ phone: Phone) { phone.observe() }

    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      phone.add(tap)
      phone.tell(.pending, about: tap)
    }

    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state == .purchased else { return phone.finish(transaction) }
      unanswered.append(transaction.id)
      report(transaction.id, phone)
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
      phone.startTimer(after: 20_000, about: transaction)
    }

    mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone) {
      if unanswered.contains(transaction) { report(transaction, phone) }
    }

    mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered else { return }
      unanswered.removeAll { $0 == reply.transaction }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
  }

  struct Backend: PurchaseBackend {
    init(_ launch: Launch) {}

    mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      for purchase in server.purchases(in: answer) {
        server.credit(purchase, to: report.session)
        return server.reply(.delivered)
      }
      server.reply(.retry)
    }
  }
}

/// The same under the same name, with a backend that credits a transaction once.
enum MendedShop: PurchaseSystem {
  typealias App = ForgetfulShop.App
  static let entry = ForgetfulShop.entry

  struct Backend: PurchaseBackend {
    init(_ launch: Launch) {}

    mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      for purchase in server.purchases(in: answer) {
        server.commit(purchase, to: report.session)
        return server.reply(.delivered)
      }
      server.reply(.retry)
    }
  }
}

import Invariants

/// StoreKit 1: claim tables on the server, a ten-second probe, applicationUsername.
///
/// Not in the source: what the server answers where the id is not in the white table (here a refusal) or
/// is in the black one (here success; the white row stays), what becomes of a report without a name, in
/// what commits the tables and the balance change, and what the app does with a failed payment. Of
/// subscriptions it says nothing, and takes what a receipt lists for what is unfinished, which is so for
/// consumables alone; that one lasts until the date of its receipt entry is ours.
package enum WhiteBlackTables: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "white-black-tables",
    summary: "StoreKit 1: paid and delivered tables on the server, a probe, applicationUsername.",
    about: """
      The observer is added at launch, the payment carries the user's name, `purchased` posts the \
      receipt, that name and the transaction id. The backend enters everything the receipt lists \
      into a white table (paid, unclaimed) by its original id, whether it was delivered or not, looks \
      the id up there, then in a black table (delivered), credits, and moves it from white to black. \
      A restored transaction has another id and is not found. If nothing was called back within \
      ten seconds of a launch, the app posts its receipt for the white table alone; what is left \
      there is for people to look at. A renewal has the original id of the subscription, so that its own \
      id is not found either; and a receipt lists a subscription for good, so that each one that is posted \
      enters it into the white table again. Variants: `uuid-username` gives a UUID as the name; \
      `black-first` enters the black table before it credits; `black-refuses` answers a repeat \
      with an error; `buys-listed` adds a payment for every product that the store lists; `auto-credit` \
      leaves nothing to people: what a probe's receipt lists and is in the white table is credited to \
      whoever is logged in, where the backend is `naive` without a look at the black table.
      """,
    source: "Published design, white and black tables")

  package enum Variant: String, CaseIterable, Sendable {
    case published
    case uuidUsername = "uuid-username"
    case blackFirst = "black-first"
    case blackRefuses = "black-refuses"
    case buysListed = "buys-listed"
    case autoCredit = "auto-credit"
  }

  package struct App: PurchaseApp {
    private static let probe: UInt8 = 1

    private let namesUUID: Bool
    private let buysListed: Bool
    private var wasCalledBack = false

    package init(_ launch: Launch) {
      let variant = launch.variant(of: WhiteBlackTables.self)
      namesUUID = variant == .uuidUsername
      buysListed = variant == .buysListed
    }

    package mutating func launched(_ phone: Phone) {
      phone.observe()
      phone.startTimer(after: 10_000, tag: Self.probe)
    }

    package mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.loadProducts(for: tap) }

    package mutating func productsArrived(for tap: Tap, _ phone: Phone) {
      let name: Token = namesUUID ? .account(tap.account) : .username(tap.account)
      guard buysListed else { return phone.add(tap, applicationUsername: name) }
      for product in phone.products {
        phone.add(tap.of(ProductID(index: product)), applicationUsername: name)
      }
    }

    package mutating func productsFailed(for tap: Tap, _ phone: Phone) {
      phone.tell(.failure, about: tap)
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      wasCalledBack = true
      switch transaction.state {
      case .deferred: break
      case .failed:
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
      case .purchased, .restored:
        let receipt = phone.receipt()
        if receipt.isNone { return }
        phone.send(
          Report(
            session: phone.account, transaction: transaction.id, token: transaction.token,
            evidence: receipt),
          about: transaction.id)
      }
    }

    package mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      guard tag == Self.probe, !wasCalledBack else { return }
      let receipt = phone.receipt()
      if receipt.isNone { return }
      phone.send(
        Report(session: phone.account, purpose: .probe, evidence: receipt), about: .none)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.purpose == .deliver, reply.isDelivered else { return }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
  }

  package struct Backend: PurchaseBackend {
    private enum Step {
      static let lookInWhite: UInt8 = 1
      static let lookInBlack: UInt8 = 2
      static let credit: UInt8 = 3
    }

    private let kind: BackendKind
    private let recordsFirst: Bool
    private let refusesRepeats: Bool
    private let creditsLeftovers: Bool

    package init(_ launch: Launch) {
      kind = launch.backend
      let variant = launch.variant(of: WhiteBlackTables.self)
      recordsFirst = variant == .blackFirst
      refusesRepeats = variant == .blackRefuses
      creditsLeftovers = variant == .autoCredit
    }

    package mutating func received(_ report: Report, _ server: Server) {
      server.verify(.productionReceipt)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      case .otherEnvironment where answer.question == .productionReceipt:
        server.verify(.sandboxReceipt)
      case .otherEnvironment, .permanent, .notFound: server.reply(.refused)
      case .retry: server.reply(.retry)
      case .valid:
        let isRestore = enter(answer, report, server)
        if report.purpose == .probe {
          if creditsLeftovers { creditLeftovers(answer, report, server) }
          return server.reply(.delivered)
        }
        // The table has the original's id, and the app names that of the restored transaction.
        if isRestore { return server.reply(.refused) }
        server.pause(Step.lookInWhite, about: server.purchase(report.transaction))
      }
    }

    /// Everything that the receipt lists is paid, and belongs to whoever the report names.
    ///
    /// What was delivered is not kept away from the table, which would cost a look-up for each. Whether
    /// the report is about a copy of something that is listed.
    private func enter(
      _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) -> Bool {
      var isRestore = false
      let named = server.owner(of: report.token)
      let owner = report.purpose == .probe ? report.session : named
      for purchase in server.purchases(in: answer) {
        if purchase.transaction.isNone {
          // Nothing tells this backend another app's receipt, or the sandbox's, from its own.
          var credited = purchase
          credited.environment = .production
          if report.purpose == .deliver { server.credit(credited, to: owner) }
          continue
        }
        if purchase.transaction != report.transaction {
          isRestore = isRestore || server.isSame(purchase.transaction, report.transaction)
        }
        let row = row(of: purchase, server)
        if server.isUnclaimed(row) { continue }
        server.addUnclaimed(row)
        if row.transaction == report.transaction || report.purpose == .probe {
          server.attribute(row, to: owner)
        }
      }
      return isRestore
    }

    /// The tables have one row for all that has one original id: for a subscription, whatever it is renewed by.
    private func row(of purchase: VerifiedPurchase, _ server: Server) -> VerifiedPurchase {
      guard purchase.isSubscription else { return purchase }
      return server.purchase(server.originalTransaction(of: purchase))
    }

    private func creditLeftovers(_ answer: VerifierAnswer, _ report: Report, _ server: Server) {
      // The newest payment for a subscription comes first, and takes its row away.
      for purchase in server.purchases(in: answer) where !purchase.transaction.isNone {
        let row = row(of: purchase, server)
        guard server.isUnclaimed(row) else { continue }
        if kind == .idempotent, server.isRecorded(row) { continue }
        guard enterCredit(purchase, to: report.session, server).isThere else { return }
        server.removeUnclaimed(row)
        server.record(row)
      }
    }

    private func enterCredit(
      _ purchase: VerifiedPurchase, to owner: AccountID, _ server: Server
    ) -> Server.Commit {
      if let until = server.expiresMillis(of: purchase) {
        return server.entitle(purchase, to: owner, until: until)
      }
      return kind == .idempotent
        ? server.commit(purchase, to: owner) : server.credit(purchase, to: owner)
    }

    package mutating func resumed(
      at step: UInt8, about transaction: TransactionID, for report: Report,
      _ server: Server
    ) {
      let purchase = server.purchase(transaction)
      switch step {
      case Step.lookInWhite:
        guard server.isUnclaimed(purchase) else { return server.reply(.refused) }
        server.pause(Step.lookInBlack, about: purchase)
      case Step.lookInBlack:
        if server.isRecorded(purchase) {
          return server.reply(refusesRepeats ? .refused : .alreadyDelivered)
        }
        server.pause(Step.credit, about: purchase)
      default: settle(purchase, report, server)
      }
    }

    private func settle(
      _ purchase: VerifiedPurchase, _ report: Report, _ server: Server
    ) {
      let owner = server.owner(of: report.token)
      // Without a user id there is nobody to credit: it stays in the white table, for people.
      guard !owner.isNone else { return server.reply(.retry) }
      var purchase = purchase
      purchase.environment = .production
      if kind == .idempotent {
        let commit = enterCredit(purchase, to: owner, server)
        guard commit.isThere else { return server.reply(.serverError) }
        server.removeUnclaimed(purchase)
        return server.reply(commit == .credited ? .delivered : .alreadyDelivered)
      }
      if recordsFirst { server.record(purchase) }
      guard enterCredit(purchase, to: owner, server).isThere else {
        return server.reply(.serverError)
      }
      server.removeUnclaimed(purchase)
      if !recordsFirst { server.record(purchase) }
      server.reply(.delivered)
    }
  }
}

import Invariants

extension MutantShop {
  /// The backend of `ExactlyOnce`, with the places at which a defect changes it.
  package struct Backend: PurchaseBackend {
    private enum Step {
      static let credit: UInt8 = 0
    }

    private static let patience: Int64 = 600_000

    private let defect: Defect?
    /// Requests that the production address has not let in.
    private var denied: [UInt64] = []

    // What only a defect needs to know: in the memory of one process, and gone with it.
    private var doubts = Tally()
    private var credited = TransactionSet()
    private var lastProduct = ProductID.none
    private var lastOwner = AccountID.none

    package init(_ launch: Launch) { defect = Build(launch).defect }

    package mutating func received(_ report: Report, _ server: Server) {
      if defect == .creditBeforeVerify, report.purpose == .deliver {
        _ = creditClaim(report, server)
      }
      server.verify(report.purpose == .probe ? .productionReceipt : .transaction)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      let wasDenied = answer.question == .sandboxTransaction && takeDenied(server)
      switch answer.class {
      case .retry: doubt(answer, report, server)
      case .permanent: server.reply(.refused)
      case .otherEnvironment:
        if answer.question == .productionReceipt {
          server.verify(.sandboxReceipt)
        } else {
          server.reply(defect == .outageAsksSandbox ? .retry : .refused)
        }
      case .notFound:
        if defect == .unknownIsRefused { return server.reply(.refused) }
        if answer.question == .transaction { return server.verify(.sandboxTransaction) }
        let age = server.now - server.firstSeen(report.transaction)
        server.reply(wasDenied || age < Self.patience ? .retry : .refused)
      case .valid: settle(answer, report, server)
      }
    }

    private mutating func takeDenied(_ server: Server) -> Bool {
      guard let place = denied.firstIndex(of: server.request) else { return false }
      denied.remove(at: place)
      return true
    }

    /// Apple's answer decides nothing.
    private mutating func doubt(
      _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) {
      if answer.question == .transaction {
        if answer.status == 401 {
          denied.append(server.request)
          return server.verify(.sandboxTransaction)
        }
        if defect == .fallbackWithoutKey, answer.status == 503 {
          return server.verify(.productionReceipt)
        }
        if defect == .outageAsksSandbox { return server.verify(.sandboxReceipt) }
      }
      let isSilent = answer.status == VerifierAnswer.timedOut || answer.status == 503
      if defect == .outageTrustsApp, isSilent {
        let commit = creditClaim(report, server)
        let owner = server.creditedAccount(of: server.claim(report))
        return server.reply(
          commit.isThere ? .delivered : .retry, payload: owner.raw &+ 1)
      }
      server.reply(refuses(answer, report) ? .refused : .retry)
    }

    /// Whether this takes an outage for a refusal.
    private mutating func refuses(_ answer: VerifierAnswer, _ report: Report) -> Bool {
      switch answer.status {
      case 21002:
        return defect == .status21002IsFinal
          || defect == .third21002IsFinal && doubts.count(report.transaction) == 3
      case 21100:
        return defect == .second21100IsFinal && doubts.count(report.transaction) == 2
          || defect == .probeRefusedOn21100 && report.purpose == .probe
      default: return false
      }
    }

    // MARK: - The ledger

    private mutating func settle(
      _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) {
      if report.purpose == .probe {
        if defect == .receiptOnce, server.hasSeen(report.evidence) {
          return server.reply(.alreadyDelivered)
        }
      } else if defect == .checkThenCredit {
        return check(answer, server)
      }
      let (outcome, owner) = commit(answer, report, server)
      server.reply(outcome, payload: owner.raw &+ 1)
    }

    private mutating func commit(
      _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) -> (Reply.Outcome, owner: AccountID) {
      var holder = AccountID.none
      var outcome = report.purpose == .probe ? Reply.Outcome.alreadyDelivered : .refused
      for entry in server.purchases(in: answer) {
        guard entry.isOurs, !entry.transaction.isNone else {
          if defect == .otherAppAccepted { server.credit(entry, to: report.session) }
          continue
        }
        guard let owner = owner(of: entry, report, server) else { continue }
        if defect == .sessionIsWrittenDown { server.attribute(entry, to: report.session) }
        let purchase = altered(entry, answer, report)
        switch enter(purchase, owner, answer, report, server) {
        case .credited: outcome = .delivered
        case .alreadyThere:
          outcome = isRefused(repeatBy: report.session, of: owner) ? .refused : .alreadyDelivered
        case .unavailable, .unknown:
          if defect == .receiptEntrySkipped, report.purpose == .probe { continue }
          if defect != .outageIsSuccess { return (.retry, .none) }
          outcome = .delivered
        }
        holder = server.creditedAccount(of: purchase)
      }
      return (outcome, holder)
    }

    /// Nil where it is nobody's whom this report could stand for.
    private func owner(
      of purchase: VerifiedPurchase, _ report: Report, _ server: Server
    ) -> AccountID? {
      if defect == .creditsSession { return report.session }
      if defect == .retryNamesOwner, !report.token.isNone { return server.owner(of: report.token) }
      // A receipt has no token; a look-up would.
      let token = defect == .receiptOwnerIsSession ? purchase.token : server.token(of: purchase)
      let owner = server.owner(of: token)
      if !owner.isNone { return owner }
      return purchase.isDeviceVerified ? report.session : nil
    }

    /// What is entered instead of what Apple vouches for.
    private func altered(
      _ purchase: VerifiedPurchase, _ answer: VerifierAnswer, _ report: Report
    ) -> VerifiedPurchase {
      var purchase = purchase
      if defect == .sandboxAccepted { purchase.environment = .production }
      if defect == .outageAsksSandbox, answer.question == .sandboxReceipt {
        purchase.environment = .production
      }
      if defect == .reportNamesProduct, !report.product.isNone {
        purchase.product = report.product
      }
      if defect == .receiptQuantityIsOne, report.purpose == .probe { purchase.quantity = 1 }
      return purchase
    }

    private func isRefused(repeatBy session: AccountID, of owner: AccountID) -> Bool {
      defect == .repeatIsRefused || defect == .repeatByOtherIsRefused && session != owner
    }

    /// Enters a credit in the way of the defect; soundly, id and balance are one commit.
    private mutating func enter(
      _ purchase: VerifiedPurchase, _ owner: AccountID, _ answer: VerifierAnswer,
      _ report: Report, _ server: Server
    ) -> Server.Commit {
      if skipsKey(answer, report) { return server.credit(purchase, to: owner) }
      switch defect {
      case .creditThenRecord, .recordThenCredit:
        return enterInTwo(purchase, owner, server)
      case .dedupeInMemory:
        if credited.contains(purchase.transaction) { return .alreadyThere }
        let commit = server.credit(purchase, to: owner)
        if commit == .credited { credited.insert(purchase.transaction) }
        return commit
      case .dedupeByOrder:
        if server.closeOrder(server.token(of: purchase)) { return .alreadyThere }
      case .dedupeByProduct:
        if purchase.product == lastProduct, owner == lastOwner { return .alreadyThere }
        let commit = server.commit(purchase, to: owner)
        if commit == .credited {
          lastProduct = purchase.product
          lastOwner = owner
        }
        return commit
      case .keyExpires:
        server.cache(purchase)
        let commit = server.commit(purchase, to: owner)
        guard commit == .alreadyThere, !server.isCached(purchase) else { return commit }
        return server.credit(purchase, to: owner)
      case .firstResultRepeated:
        if server.isCached(purchase), !server.isRecorded(purchase) { return .unavailable }
        let commit = server.commit(purchase, to: owner)
        if commit == .unavailable { server.cache(purchase) }
        return commit
      default: break
      }
      return server.commit(purchase, to: owner)
    }

    /// Whether this report came by a way on which nobody asks for the key.
    private func skipsKey(_ answer: VerifierAnswer, _ report: Report) -> Bool {
      if defect == .noKey { return true }
      if !report.token.isNone {
        return defect == .secondRetryWithoutKey || defect == .replayIsRestore
          || defect == .keyPerReport
      }
      return defect == .fallbackWithoutKey && answer.question == .productionReceipt
    }

    private func enterInTwo(
      _ purchase: VerifiedPurchase, _ owner: AccountID, _ server: Server
    ) -> Server.Commit {
      if server.isRecorded(purchase) { return .alreadyThere }
      if defect == .recordThenCredit { server.record(purchase) }
      let commit = server.credit(purchase, to: owner)
      if defect == .creditThenRecord, commit == .credited { server.record(purchase) }
      return commit
    }

    /// The app's word, before or instead of Apple's.
    private func creditClaim(_ report: Report, _ server: Server)
      -> Server.Commit
    {
      let claim = server.claim(report)
      if claim.transaction.isNone { return server.credit(claim, to: report.session) }
      let owner = server.owner(of: server.token(of: claim))
      return server.commit(claim, to: owner.isNone ? report.session : owner)
    }

    // MARK: - Look first, credit later

    private func check(_ answer: VerifierAnswer, _ server: Server) {
      for purchase in server.purchases(in: answer) where purchase.isOurs {
        if server.isRecorded(purchase) {
          return server.reply(
            .alreadyDelivered, payload: server.creditedAccount(of: purchase).raw &+ 1)
        }
        return server.pause(Step.credit, about: purchase)
      }
      server.reply(.refused)
    }

    package mutating func resumed(
      at step: UInt8, about transaction: TransactionID, for report: Report,
      _ server: Server
    ) {
      let purchase = server.purchase(transaction)
      guard let owner = owner(of: purchase, report, server) else { return server.reply(.refused) }
      guard server.credit(purchase, to: owner) == .credited else { return server.reply(.retry) }
      server.record(purchase)
      server.reply(.delivered, payload: owner.raw &+ 1)
    }
  }
}

import Invariants

// What the backend enters in its ledger, and for whom.
extension MutantShop.Backend {
  mutating func settle(
    _ answer: VerifierAnswer, _ report: Report, _ server: Server
  ) {
    if report.purpose == .probe {
      if defect == .receiptOnce, server.hasSeen(report.evidence) {
        return server.reply(.alreadyDelivered)
      }
    } else if defect == .checkThenCredit || defect == .lockPerReplica {
      return check(answer, server)
    } else if defect == .ownerInAField {
      return lookUpOwner(answer, report, server)
    }
    let (outcome, owner) = commit(answer, report, server)
    if defect == .outcomeInAField, report.purpose == .deliver {
      return answerLater(outcome, report, server)
    }
    if outcome == .retry { return later(report, server) }
    server.reply(outcome, payload: owner.raw &+ 1)
  }

  /// Answers after a further round trip to the database.
  mutating func answerLater(_ outcome: Reply.Outcome, _ report: Report, _ server: Server) {
    self.outcome = outcome
    server.pause(Step.answer, about: server.purchase(report.evidence.transaction))
  }

  private mutating func commit(
    _ answer: VerifierAnswer, _ report: Report, _ server: Server
  ) -> (Reply.Outcome, owner: AccountID) {
    var holder = AccountID.none
    guard let isEntitled = ReceiptSubscriptions.entitle(answer, report, server) else {
      return (.retry, .none)
    }
    var outcome =
      report.purpose == .probe || isEntitled ? Reply.Outcome.alreadyDelivered : .refused
    if let left = parked {
      parked = nil
      if server.commit(left, to: report.session) == .unavailable { parked = left }
    }
    for entry in server.purchases(in: answer) {
      guard entry.isOurs, !entry.transaction.isNone else {
        if defect == .otherAppAccepted { server.credit(entry, to: report.session) }
        continue
      }
      if entry.isSubscription { continue }
      if server.owner(of: server.token(of: entry)).isNone, entry.isDeviceVerified,
        !RefundedOwners.keep(entry, report, server)
      {
        return (.retry, .none)
      }
      if defect == .homeStorefrontOnly, entry.isElsewhere { continue }
      guard let owner = owner(of: entry, report, server) else { continue }
      // Apple tells of what nobody has reported yet.
      guard !owner.isNone else { return (.alreadyDelivered, .none) }
      if defect == .sessionIsWrittenDown { server.attribute(entry, to: report.session) }
      let purchase = altered(entry, answer, report)
      switch enter(purchase, owner, answer, report, server) {
      case .credited: outcome = .delivered
      case .alreadyThere where purchase.isRefunded && report.purpose == .deliver: outcome = .refused
      case .alreadyThere:
        outcome = isRefused(repeatBy: report.session, of: owner) ? .refused : .alreadyDelivered
      case .unavailable, .unknown:
        if defect == .parkedForNextReport { parked = purchase }
        if defect == .receiptEntrySkipped, report.purpose == .probe { continue }
        if defect == .ledgerDownIsDone, report.session.isNone { return (.alreadyDelivered, .none) }
        if defect != .outageIsSuccess { return (.retry, .none) }
        outcome = .delivered
      }
      holder = server.creditedAccount(of: purchase)
    }
    return (outcome, holder)
  }

  /// Nil where it is nobody's whom this report could stand for.
  private mutating func owner(
    of purchase: VerifiedPurchase, _ report: Report, _ server: Server
  ) -> AccountID? {
    if defect == .creditsSession { return report.session }
    if defect == .retryNamesOwner || defect == .loginNamesOwner, !report.token.isNone {
      return server.owner(of: report.token)
    }
    // A receipt has no token; a look-up would.
    let token = defect == .receiptOwnerIsSession ? purchase.token : server.token(of: purchase)
    let owner = server.owner(of: token)
    if !owner.isNone {
      if defect == .ownerlessToLastBuyer { lastOwner = owner }
      return owner
    }
    guard purchase.isDeviceVerified || defect == .copiedEvidenceCounts else { return nil }
    switch defect {
    case .claimedBeforeVerify:
      return claims.first { $0.id == purchase.transaction }?.by ?? report.session
    case .ownerlessToLastBuyer: return lastOwner.isNone ? report.session : lastOwner
    default:
      return report.session.isNone ? RefundedOwners.owner(of: purchase, server) : report.session
    }
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
    if skipsKey(answer, report) || defect == .recordedBeforeVerify {
      return server.credit(purchase, to: owner)
    }
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
    guard server.receivesNotifications else { return server.commit(purchase, to: owner) }
    return settle(purchase, owner, report, server)
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
  func creditClaim(_ report: Report, _ server: Server)
    -> Server.Commit
  {
    let claim = server.claim(report)
    if claim.transaction.isNone { return server.credit(claim, to: report.session) }
    let owner = server.owner(of: server.token(of: claim))
    return server.commit(claim, to: owner.isNone ? report.session : owner)
  }

  // MARK: - Look first, write later

  private mutating func check(_ answer: VerifierAnswer, _ server: Server) {
    for purchase in server.purchases(in: answer) where purchase.isOurs {
      if defect == .lockPerReplica, !locked.insert(purchase.transaction) {
        return server.reply(.retry)
      }
      if server.isRecorded(purchase) {
        locked.remove(purchase.transaction)
        return server.reply(
          .alreadyDelivered, payload: server.creditedAccount(of: purchase).raw &+ 1)
      }
      return server.pause(Step.credit, about: purchase)
    }
    server.reply(.refused)
  }

  private mutating func lookUpOwner(
    _ answer: VerifierAnswer, _ report: Report, _ server: Server
  ) {
    for purchase in server.purchases(in: answer) where purchase.isOurs {
      guard let owner = owner(of: purchase, report, server) else { break }
      self.owner = owner
      return server.pause(Step.enter, about: purchase)
    }
    server.reply(.refused)
  }

  package mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report,
    _ server: Server
  ) {
    let purchase = server.purchase(transaction)
    let holder = server.creditedAccount(of: purchase)
    switch step {
    case Step.reconciliation: reconcile(server)
    case Step.answer: server.reply(outcome, payload: holder.raw &+ 1)
    case Step.enter:
      let outcome: Reply.Outcome =
        switch server.commit(purchase, to: owner) {
        case .credited: .delivered
        case .alreadyThere: .alreadyDelivered
        case .unavailable, .unknown: .retry
        }
      server.reply(outcome, payload: server.creditedAccount(of: purchase).raw &+ 1)
    default:
      defer { locked.remove(transaction) }
      guard let owner = owner(of: purchase, report, server) else { return server.reply(.refused) }
      guard server.credit(purchase, to: owner) == .credited else { return server.reply(.retry) }
      server.record(purchase)
      server.reply(.delivered, payload: owner.raw &+ 1)
    }
  }
}

import Invariants

// What the backend does about what Apple tells it: refunds, renewals, and what never came.
extension MutantShop.Backend {
  private static let day: Int64 = 86_400_000
  private static let done = Server.Table("done")

  package mutating func started(_ server: Server) {
    guard server.receivesNotifications, server.number == 0, defect != .newsIsAllThereIs else {
      return
    }
    server.wake(after: ExactlyOnce.Backend.reconciliation, Step.reconciliation)
  }

  /// It is time to ask again what never came.
  func reconcile(_ server: Server) {
    server.verify(.notificationHistory)
    if defect != .productionHistoryOnly { server.verify(.sandboxNotificationHistory) }
    server.wake(after: ExactlyOnce.Backend.reconciliation, Step.reconciliation)
  }

  /// What never came is looked up.
  func catchUp(_ answer: VerifierAnswer, _ server: Server) {
    var seen = TransactionSet()
    let since = defect == .historyOfOneHour ? server.now - 3_600_000 : 0
    let missed = server.undelivered(in: answer, since: since).map(\.purchase)
    let asksForKnown = answer.question.environment == .sandbox && defect != .historyOfOneHour
    let known = asksForKnown ? server.recorded(in: .sandbox) : []
    for purchase in missed + known where seen.insert(purchase.transaction) {
      server.verify(question(about: purchase), about: purchase.transaction)
    }
  }

  package mutating func notified(_ news: StoreNotification, _ server: Server) {
    guard news.isSigned || defect == .signatureUnread else { return server.reply(.refused) }
    if isDone(news, server) { return }
    if defect == .answersBeforeLookUp { server.reply(.alreadyDelivered) }
    server.verify(question(about: news.purchase))
  }

  private func question(about purchase: VerifiedPurchase) -> VerifierQuestion {
    let question: VerifierQuestion = purchase.isSubscription ? .subscriptions : .transaction
    return question.at(purchase.environment)
  }

  // MARK: - Notifications that are believed, or not heard

  /// Whether a defect has dealt with the notification, without asking Apple.
  private mutating func isDone(_ news: StoreNotification, _ server: Server) -> Bool {
    let isRefund = news.kind == .refunded
    switch defect {
    case .refundsUnheard where isRefund: break
    case .reversalsUnheard where news.kind == .refundReversed: break
    case .firstNewsOfEach:
      if isNew(UInt64(news.transaction.raw), server) { return false }
    case .signatureUnread:
      guard !news.isSigned, server.isRecorded(news.purchase) else { return false }
      return take(1000, of: news, server)
    case .eachRefundCounts where isRefund && server.isRecorded(news.purchase):
      return take(news.purchase.refunded, of: news, server)
    case .refundOncePerNumber where isRefund && server.isRecorded(news.purchase):
      if isNew(UInt64(news.number), server) {
        return take(news.purchase.refunded, of: news, server)
      }
    case .refundOnceInMemory where isRefund && server.isRecorded(news.purchase):
      if takenBack.insert(news.transaction) {
        return take(news.purchase.refunded, of: news, server)
      }
    case .refundMarkedFirst where isRefund && server.isRecorded(news.purchase):
      if isNew(UInt64(news.transaction.raw), server) {
        return take(news.purchase.refunded, of: news, server)
      }
    case .refundMarkedLast where isRefund && server.isRecorded(news.purchase):
      if server.read(UInt64(news.transaction.raw), from: Self.done) == nil {
        guard server.takeBack(news.purchase, thousandths: news.purchase.refunded).isThere else {
          server.reply(.serverError)
          return true
        }
        _ = isNew(UInt64(news.transaction.raw), server)
      }
    case .eachReversalCounts
    where news.kind == .refundReversed && server.isRecorded(news.purchase):
      return take(-1000, of: news, server)
    case .kindDecides where !news.isSubscription && server.isRecorded(news.purchase):
      guard isRefund || news.kind == .refundReversed else { return false }
      var purchase = news.purchase
      purchase.refunded = isRefund ? 1000 : 0
      server.settle(purchase, to: server.creditedAccount(of: purchase))
    case .lastNewsCounts:
      guard let status = news.status else { return false }
      let owner = server.owner(of: server.token(of: news.purchase))
      guard !owner.isNone else { return false }
      server.entitle(server.purchase(status.latest), to: owner, until: status.untilMillis)
    default: return false
    }
    server.reply(.alreadyDelivered)
    return true
  }

  private func take(_ thousandths: Int, of news: StoreNotification, _ server: Server) -> Bool {
    let commit = server.takeBack(news.purchase, thousandths: thousandths)
    server.reply(commit.isThere ? .alreadyDelivered : .serverError)
    return true
  }

  /// Whether nobody has written this down before, and now somebody has.
  private func isNew(_ key: UInt64, _ server: Server) -> Bool {
    server.insert(0, into: Self.done, at: key) == .written
  }

  // MARK: - Refunds

  /// Leaves an account with as much as was paid for in the end, in the way of the defect.
  func settle(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ report: Report, _ server: Server
  ) -> Server.Commit {
    var purchase = purchase
    switch defect {
    case .refundsStayIn: return server.commit(purchase, to: owner)
    case .wholeRefund: if purchase.refunded > 0 { purchase.refunded = 1000 }
    case .partsStayIn: if !purchase.isRefunded { purchase.refunded = 0 }
    default: break
    }
    return server.settle(purchase, to: owner)
  }

  // MARK: - Subscriptions

  func isOfSubscription(_ answer: VerifierAnswer, _ server: Server) -> Bool {
    guard server.sellsSubscriptions else { return false }
    return answer.question.kind == .subscriptions
      || answer.question.kind == .transaction
        && server.purchases(in: answer).contains(where: \.isSubscription)
  }

  mutating func subscription(_ answer: VerifierAnswer, _ report: Report, _ server: Server) {
    guard let status = server.subscription(in: answer) else {
      return server.verify(VerifierQuestion.subscriptions.at(answer.question.environment))
    }
    guard let purchase = server.purchases(in: answer).first(where: \.isOurs) else {
      return server.reply(.refused)
    }
    var owner = server.owner(of: server.token(of: purchase))
    if defect == .entitlesSession, !report.session.isNone { owner = report.session }
    if defect == .sharedIsRefused, purchase.isShared { return server.reply(.refused) }
    if owner.isNone {
      let first = server.purchase(status.original)
      owner = report.session.isNone ? server.creditedAccount(of: first) : report.session
      guard !owner.isNone, report.session.isNone || purchase.isDeviceVerified else {
        return server.reply(report.session.isNone ? .alreadyDelivered : .refused)
      }
    }
    if defect == .leaverStays, purchase.isShared, status.state == .revoked {
      return server.reply(.alreadyDelivered)
    }
    guard let until = until(status, server) else { return server.reply(.alreadyDelivered) }
    let latest = server.purchase(status.latest)
    switch server.entitle(latest, to: owner, until: until) {
    case .credited, .alreadyThere:
      let isRefused = purchase.isRefunded && report.purpose == .deliver
      server.reply(
        isRefused ? .refused : .alreadyDelivered,
        payload: purchase.isRenewal ? 0 : owner.raw &+ 1)
    case .unavailable, .unknown: later(report, server)
    }
  }

  /// Until when it may be used, in the way of the defect; nil to leave it as it is.
  private func until(_ status: SubscriptionStatus, _ server: Server) -> Int64? {
    switch defect {
    case .graceIsIgnored where status.state == .gracePeriod: return server.now
    case .retryIsAccess where status.state == .billingRetry: return server.now + 60 * Self.day
    case .consentIsCertain where status.priceConsent == .pending:
      return max(status.untilMillis, server.now) + 30 * Self.day
    case .renewalIsCertain where status.renews:
      return max(status.untilMillis, server.now) + 30 * Self.day
    case .weekFromNow: return status.isEntitled ? server.now + 7 * Self.day : nil
    case .revokedStays where status.state == .revoked: return nil
    case .revokedForEver:
      let key = UInt64(status.original.raw) | 1 << 40
      if status.state == .revoked { _ = isNew(key, server) }
      let isRevoked = server.read(key, from: Self.done) != nil
      return isRevoked ? min(status.untilMillis, server.now) : status.untilMillis
    case .shorterIsOld where status.isEntitled:
      // What was let use once is not made shorter.
      let key = UInt64(status.original.raw) | 1 << 41
      let before = server.read(key, from: Self.done).map(Int64.init) ?? 0
      let until = max(before, status.untilMillis)
      server.write(UInt64(max(until, 0)), to: Self.done, at: key)
      return until
    case .shorterIsOld: return nil
    default: return status.untilMillis
    }
  }
}

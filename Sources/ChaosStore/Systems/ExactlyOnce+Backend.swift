import Invariants

extension ExactlyOnce {
  /// Looks each transaction up with Apple, and credits it once.
  public struct Backend: PurchaseBackend {
    /// For how long a transaction may be unknown to Apple before that is believed.
    private static let patience: Int64 = 600_000

    /// Requests that the production address has not let in.
    private var denied: [UInt64] = []
    /// Whether Apple is told to finish what was delivered, and not the app.
    private let finishes: Bool

    /// Keeps nothing in memory but what a request needs until it is answered.
    public init(_ launch: Launch) {
      finishes = launch.variant(of: ExactlyOnce.self) == .serverFinish
    }

    /// Asks Apple about the transaction, or about the receipt of a probe.
    public mutating func received(_ report: Report, _ server: Server) {
      server.verify(
        report.evidence.isReceipt || report.evidence.isNone ? .productionReceipt : .transaction)
    }

    /// How often is asked which notifications never came, two weeks: Apple itself tries for six and a half days,
    /// and what it could not deliver it tells for 180 days. So one question may fail. In the sandbox it tries once,
    /// and tells for 30 days: what is known of there is asked about as well.
    static let reconciliation: Int64 = 14 * 86_400_000

    /// From now on Apple is asked regularly what it could not deliver.
    public mutating func started(_ server: Server) {
      guard server.receivesNotifications, server.number == 0 else { return }
      server.wake(after: Self.reconciliation, 0)
    }

    /// It is time to ask again.
    public mutating func resumed(
      at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
    ) {
      server.verify(.notificationHistory)
      server.verify(.sandboxNotificationHistory)
      server.wake(after: Self.reconciliation, 0)
    }

    /// Asks Apple how things stand now: what a notification says may be old, or not Apple's.
    public mutating func notified(_ notification: StoreNotification, _ server: Server) {
      guard notification.isSigned else { return server.reply(.refused) }
      // It is about nothing that anybody has bought.
      if notification.kind == .test { return server.reply(.alreadyDelivered) }
      server.verify(question(about: notification.purchase))
    }

    private func question(about purchase: VerifiedPurchase) -> VerifierQuestion {
      let question: VerifierQuestion = purchase.isSubscription ? .subscriptions : .transaction
      return question.at(purchase.environment)
    }

    /// Credits what Apple vouches for, and refuses only what never will be valid.
    public mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      // If that was lost, the app reports it once more.
      if answer.question.kind == .finish { return }
      let wasDenied = answer.question == .sandboxTransaction && takeDenied(server)
      switch answer.class {
      case .retry:
        // 401 can mean what 4040010 does, where the app was never released.
        guard answer.question == .transaction, answer.status == 401 else {
          return later(report, server)
        }
        denied.append(server.request)
        server.verify(.sandboxTransaction)
      case .permanent: decide(.refused, answer, report, server)
      case .otherEnvironment:
        answer.question == .productionReceipt
          ? server.verify(.sandboxReceipt) : server.reply(.refused)
      case .notFound:
        if answer.question == .transaction { return server.verify(.sandboxTransaction) }
        // Neither address knows it. It may be seconds old, so that is believed after ten minutes, and
        // only if both said so.
        let age = server.now - server.firstSeen(report.transaction)
        if wasDenied || age < Self.patience { return later(report, server) }
        server.reply(.refused)
      case .valid:
        if answer.question.kind == .notificationHistory { return catchUp(answer, server) }
        if server.sellsSubscriptions,
          answer.question == .transaction || answer.question == .sandboxTransaction,
          server.purchases(in: answer).contains(where: \.isSubscription)
        {
          return server.verify(
            answer.question == .transaction ? .subscriptions : .sandboxSubscriptions)
        }
        if let status = server.subscription(in: answer) {
          return entitle(status, answer, report, server)
        }
        let (outcome, owner) = commit(answer, report, server)
        if outcome == .retry { return later(report, server) }
        decide(outcome, answer, report, server, payload: owner.raw &+ 1)
      }
    }

    /// What never came is looked up: each transaction once, as Apple says how it stands now.
    private func catchUp(_ answer: VerifierAnswer, _ server: Server) {
      let missed = server.undelivered(in: answer, since: 0)
      let isSandbox = answer.question.environment == .sandbox
      let known = isSandbox ? server.recorded(in: .sandbox) : []
      var seen = TransactionSet()
      func look(_ purchase: VerifiedPurchase) {
        guard seen.insert(purchase.transaction) else { return }
        server.verify(question(about: purchase), about: purchase.transaction)
      }
      for notification in missed where notification.kind != .test { look(notification.purchase) }
      for purchase in known { look(purchase) }
    }

    /// Answers for good, whereupon what was reported and delivered can be finished.
    private func decide(
      _ outcome: Reply.Outcome, _ answer: VerifierAnswer, _ report: Report, _ server: Server,
      payload: UInt32 = 0
    ) {
      server.reply(outcome, payload: payload)
      let isDelivered = outcome == .delivered || outcome == .alreadyDelivered
      guard finishes, isDelivered, !report.session.isNone, !report.transaction.isNone else {
        return
      }
      server.call(.finish, about: report.transaction, in: answer.question.environment)
    }

    /// Nothing was found out: whoever asked is to ask again. Apple does unless the answer is a success.
    private func later(_ report: Report, _ server: Server) {
      server.reply(report.session.isNone ? .serverError : .retry)
    }

    /// Lets whoever pays use the subscription for as long as Apple says, whatever was known before.
    private func entitle(
      _ status: SubscriptionStatus, _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) {
      guard let purchase = server.purchases(in: answer).first(where: \.isOurs) else {
        return server.reply(.refused)
      }
      var owner = server.owner(of: server.token(of: purchase))
      if owner.isNone {
        // Bought outside the app, without a UUID, or by the family: whoever reports it first, by policy. What Apple
        // says of it later is about whoever has it since.
        let first = server.purchase(status.original)
        owner = report.session.isNone ? server.creditedAccount(of: first) : report.session
        guard !owner.isNone, report.session.isNone || purchase.isDeviceVerified else {
          return server.reply(report.session.isNone ? .alreadyDelivered : .refused)
        }
      }
      // What is reported may have been something else of its group, or another period.
      let latest = server.purchase(status.latest)
      switch server.entitle(latest, to: owner, until: status.untilMillis) {
      case .credited, .alreadyThere:
        // Who has their money back has not bought it.
        let isRefused = purchase.isRefunded && report.purpose == .deliver
        // Nobody has tapped for a renewal, and nobody waits for a word of it.
        decide(
          isRefused ? .refused : .alreadyDelivered, answer, report, server,
          payload: purchase.isRenewal ? 0 : owner.raw &+ 1)
      case .unavailable, .unknown: later(report, server)
      }
    }

    private mutating func takeDenied(_ server: Server) -> Bool {
      guard let place = denied.firstIndex(of: server.request) else { return false }
      denied.remove(at: place)
      return true
    }

    /// What became of it, and who has got the last of it.
    private func commit(_ answer: VerifierAnswer, _ report: Report, _ server: Server)
      -> (Reply.Outcome, owner: AccountID)
    {
      var holder = AccountID.none
      guard let isEntitled = ReceiptSubscriptions.entitle(answer, report, server) else {
        return (.retry, .none)
      }
      // An empty receipt proves nothing, but answers a probe; a look-up always has one entry.
      var outcome =
        report.purpose == .probe || isEntitled ? Reply.Outcome.alreadyDelivered : .refused
      for purchase in server.purchases(in: answer) {
        guard purchase.isOurs, !purchase.transaction.isNone, !purchase.isSubscription else {
          continue
        }
        var owner = server.owner(of: server.token(of: purchase))
        if owner.isNone {
          // Bought outside the app, without a UUID: whoever reports it first, by policy, but from
          // the device for which the store made the evidence. Others can have copied it.
          guard purchase.isDeviceVerified else { continue }
          guard RefundedOwners.keep(purchase, report, server) else { return (.retry, .none) }
          owner =
            report.session.isNone ? RefundedOwners.owner(of: purchase, server) : report.session
          // Apple tells of what nobody has reported yet.
          guard !owner.isNone else { return (.alreadyDelivered, .none) }
        }
        switch server.receivesNotifications
          ? server.settle(purchase, to: owner) : server.commit(purchase, to: owner)
        {
        case .credited: outcome = .delivered
        // Who has their money back has not bought it.
        case .alreadyThere where purchase.isRefunded && report.purpose == .deliver:
          outcome = .refused
        case .alreadyThere: outcome = .alreadyDelivered
        // What may have been entered is entered once, whoever asks again.
        case .unavailable, .unknown: return (.retry, .none)
        }
        holder = server.creditedAccount(of: purchase)
      }
      return (outcome, holder)
    }
  }
}

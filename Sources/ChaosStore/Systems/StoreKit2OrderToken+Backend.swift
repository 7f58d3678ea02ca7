import Invariants

extension StoreKit2OrderToken {
  /// Looks each transaction up, and believes what Apple's notifications say of renewals and refunds.
  package struct Backend: PurchaseBackend {
    /// The periods that were delivered, and the refunds that were made up for, by their transaction.
    private static let delivered = Server.Table("delivered")
    private static let refunds = Server.Table("refunds")
    /// The last period that was delivered of a subscription, by its original transaction.
    private static let periods = Server.Table("periods")

    private let kind: BackendKind
    private let variant: Variant

    package init(_ launch: Launch) {
      kind = launch.backend
      variant = launch.variant(of: StoreKit2OrderToken.self)
    }

    package mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      case .retry: server.reply(.retry)
      case .permanent, .otherEnvironment, .notFound: server.reply(.refused)
      case .valid:
        for purchase in server.purchases(in: answer) {
          return server.reply(credit(purchase, server))
        }
        server.reply(.refused)
      }
    }

    private func credit(_ purchase: VerifiedPurchase, _ server: Server)
      -> Reply.Outcome
    {
      let owner = server.owner(of: purchase.token)
      guard !owner.isNone, purchase.isOurs, purchase.environment == .production else {
        return .refused
      }
      if variant == .orderDedupe, server.closeOrder(purchase.token) { return .alreadyDelivered }
      if let until = server.expiresMillis(of: purchase) {
        return outcome(of: deliver(purchase, to: owner, until: until, server))
      }
      return outcome(
        of: kind == .idempotent
          ? server.commit(purchase, to: owner) : server.credit(purchase, to: owner))
    }

    private func outcome(of commit: Server.Commit) -> Reply.Outcome {
      switch commit {
      case .credited: .delivered
      case .alreadyThere: .alreadyDelivered
      case .unavailable, .unknown: .serverError
      }
    }

    /// A period of a subscription, whichever was delivered before.
    private func deliver(
      _ purchase: VerifiedPurchase, to owner: AccountID, until: Int64, _ server: Server
    ) -> Server.Commit {
      let key = UInt64(purchase.transaction.raw)
      if kind == .idempotent, server.read(key, from: Self.delivered) != nil { return .alreadyThere }
      let commit = server.entitle(purchase, to: owner, until: until)
      guard commit.isThere else { return commit }
      if kind == .idempotent { server.write(1, to: Self.delivered, at: key) }
      server.write(key, to: Self.periods, at: original(of: purchase, server))
      return commit
    }

    private func original(of purchase: VerifiedPurchase, _ server: Server) -> UInt64 {
      UInt64(server.originalTransaction(of: purchase).raw)
    }

    // MARK: - Notifications

    package mutating func notified(_ news: StoreNotification, _ server: Server) {
      guard news.isSigned else { return server.reply(.refused) }
      let isHandled = news.kind == .renewed || news.kind == .refunded
      guard isHandled, news.environment == .production else {
        return server.reply(.alreadyDelivered)
      }
      server.reply(news.kind == .renewed ? credit(news.purchase, server) : takeBack(news, server))
    }

    private func takeBack(_ news: StoreNotification, _ server: Server) -> Reply.Outcome {
      let purchase = news.purchase
      let owner = server.owner(of: purchase.token)
      guard !owner.isNone else { return .refused }
      if purchase.isSubscription { return endAccess(purchase, of: owner, server) }
      guard !server.creditedAccount(of: purchase).isNone else { return .alreadyDelivered }
      if kind == .naive {
        return outcome(of: server.takeBack(purchase, thousandths: purchase.refunded))
      }
      let write = server.transaction {
        $0.insert(1, into: Self.refunds, at: UInt64(purchase.transaction.raw))
        $0.takeBack(purchase, thousandths: purchase.refunded)
      }
      return write == .written || write == .alreadyThere ? .delivered : .serverError
    }

    private func endAccess(
      _ purchase: VerifiedPurchase, of owner: AccountID, _ server: Server
    ) -> Reply.Outcome {
      // What was refunded may be a period that is over anyway, and another one is paid for.
      if variant != .originalRefund,
        server.read(original(of: purchase, server), from: Self.periods)
          != UInt64(purchase.transaction.raw)
      {
        return .alreadyDelivered
      }
      return outcome(of: server.entitle(purchase, to: owner, until: server.now))
    }
  }
}

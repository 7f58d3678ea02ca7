import Invariants

/// What Apple has of the person who made a transaction, a page at a time.
public struct HistoryPage: Sendable {
  /// At most 20 transactions, as they stand now, in the order in which they were charged.
  public var purchases: [VerifiedPurchase] = []
  /// Whether there are more after these.
  public var hasMore = false
  /// What the next page is asked for with. Apple: revision.
  public var revision: UInt32 = 0
}

/// What else Apple's App Store Server API is asked for.
extension Server {
  /// Get Transaction History: all that the person has bought in this app who made a transaction, finished or not,
  /// renewals and refunds included; answered by ``PurchaseBackend/verified(_:for:_:)``, and read by
  /// ``historyPage(in:)``.
  ///
  /// `revision` is that of the page before; 0 for the first.
  ///
  /// - Returns: the ``request`` of the work that gets the answer; nil where none will come.
  @discardableResult
  public func history(
    of transaction: TransactionID, after revision: UInt32 = 0,
    in environment: Environment = .production
  ) -> UInt64? {
    ask(VerifierQuestion.history.at(environment), about: transaction) {
      $0.evidence.asOf = revision
    }
  }

  /// The same of those transactions alone that a filter lets through; each page is asked for with the filter of the
  /// first. A filter whose end is not after its start is refused (4000013).
  @discardableResult
  public func history(
    of transaction: TransactionID, where filter: HistoryFilter, after revision: UInt32 = 0,
    in environment: Environment = .production
  ) -> UInt64? {
    let number = world.number(of: filter)
    return ask(VerifierQuestion.history.at(environment), about: transaction) {
      $0.evidence.asOf = revision
      $0.evidence.edition = number
    }
  }

  /// Get Refund History: those of them whose money was given back, in whole or in part.
  @discardableResult
  public func refundHistory(
    of transaction: TransactionID, after revision: UInt32 = 0,
    in environment: Environment = .production
  ) -> UInt64? {
    ask(VerifierQuestion.refundHistory.at(environment), about: transaction) {
      $0.evidence.asOf = revision
    }
  }

  /// Has Apple do something about a transaction; answered by ``PurchaseBackend/verified(_:for:_:)``, with a `valid`
  /// answer where it was done.
  @discardableResult
  public func call(
    _ command: AppStoreCommand, about transaction: TransactionID,
    in environment: Environment = .production
  ) -> UInt64? {
    ask(command.question(environment), about: transaction) { row in
      switch command {
      case .finish: break
      case .setAppAccountToken(let token): row.token = token
      case .extendRenewalDate(let days): row.payload = UInt32(clamping: days)
      case .sendConsumption(let information): row.payload = information.packed
      }
    }
  }

  /// What an answer lists to ``history(of:after:in:)`` or ``refundHistory(of:after:in:)``; nothing where it was asked
  /// something else, or the answer is not valid.
  public func historyPage(in answer: VerifierAnswer) -> HistoryPage {
    let kind = answer.question.kind
    guard kind == .history || kind == .refundHistory, answer.status == 0,
      world.purchases.holds(answer.evidence.transaction)
    else { return HistoryPage() }
    // It can be about any of the person's purchases.
    world.usesOwnTables = true
    return world.historyPage(answer.evidence, isOfRefunds: kind == .refundHistory)
  }
}

extension World {
  /// Source: App Store Server API; up to 20 transactions a response.
  private static let pageLength = 20

  /// What a store account has bought after a moment of the store's clock.
  mutating func historyPage(_ asked: Evidence, isOfRefunds: Bool) -> HistoryPage {
    var found: [TransactionID] = []
    let filter = filter(asked.filter)
    let isShortened = asked.isShortened
    var row = storeAccounts[asked.storeAccount].first
    while row != .none {
      let purchase = purchases[row]
      row = purchase.next
      let isBefore = filter.isDescending && asked.asOf > 0 && purchase.chargedAt >= asked.asOf
      let isTakenBack = purchase.refunded > 0 || purchase.flags.contains(.voided)
      guard purchase.flags.contains(.charged), !purchase.flags.contains(.restore),
        purchase.environment == asked.environment, !isBefore,
        filter.isDescending || purchase.chargedAt > asked.asOf, !isOfRefunds || isTakenBack,
        isOfRefunds || lets(filter, purchase, isTakenBack)
      else { continue }
      let isFinished = purchase.flags.isUsedUp
      if isShortened, isFinished, !isTakenBack { continue }
      found.append(purchase.original)
    }
    if !filter.isDescending { found.reverse() }
    var page = HistoryPage(hasMore: found.count > Self.pageLength, revision: asked.asOf)
    for purchase in found.prefix(Self.pageLength) {
      page.purchases.append(verified(purchase, hasToken: true))
      page.revision = purchases[purchase].chargedAt
    }
    return page
  }

  /// Apple does what a backend has asked for, and answers with a status: 0 where it was done.
  mutating func obey(_ question: VerifierQuestion, _ exchange: ExchangeID) -> Int32 {
    let command = question.kind
    if command == .testNotification {
      return sendTestNotification(question.environment, exchange)
    }
    let asked = exchanges[exchange]
    let row = asked.evidence.transaction
    guard purchases.holds(row) else { return 4_040_010 }
    switch command {
    case .finish:
      guard purchases[row].flags.isUnfinished else { return 0 }
      var fact = fact(.finishing)
      fact.transaction = row
      emit(fact)
      finishArrives(row, purchases[row].device)
      return 0
    case .setAppAccountToken: return setToken(asked.token, of: row)
    case .extendRenewalDate: return extend(row, days: Int(asked.payload))
    case .consumption: return take(ConsumptionInformation(packed: asked.payload), about: row)
    case .receipt, .transaction, .subscriptions, .notificationHistory, .history, .refundHistory,
      .orderLookUp, .testNotification, .testNotificationStatus:
      return 0
    }
  }

  private mutating func setToken(_ token: Token, of row: TransactionID) -> Int32 {
    guard purchases[row].original == row, firstOfSubscription(row) == .none else {
      return 4_000_187
    }
    guard token.isUUID else { return 4_000_183 }
    guard !purchases[row].flags.contains(.shared) else { return 4_000_185 }
    let subscription = purchases[row].subscription
    var other = storeAccounts[purchases[row].storeAccount].first
    while other != .none {
      let isMeant =
        purchases[other].original == row
        || subscription != .none && purchases[other].subscription == subscription
      if isMeant {
        purchases[other].token = token
        purchases[other].flags.remove(.tokenHidden)
      }
      other = purchases[other].next
    }
    noteTraceable(row)
    return 0
  }

  private mutating func extend(_ row: TransactionID, days: Int) -> Int32 {
    let id = purchases[row].subscription
    guard id != .none else { return 4_000_187 }
    guard (1...90).contains(days) else { return 4_000_009 }
    guard subscriptions[id].state == .active, !subscriptions[id].isUnpaid,
      subscriptions[id].sharedFrom == .none
    else { return 4_030_004 }
    guard subscriptions[id].extensions < 2 else { return 4_030_005 }
    subscriptions[id].extensions += 1
    prolong(id, by: Int64(days) * 86_400_000)
    notify(.renewalExtended, subscriptions[id].latest)
    return 0
  }
}

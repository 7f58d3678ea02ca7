import Invariants

/// What verifyReceipt has of a transaction in latest_receipt_info, as it stands now and not as the receipt was written.
public struct LatestReceiptEntry: Equatable, Sendable, BitwiseCopyable {
  /// transaction_id, product_id, quantity; a receipt has no account token.
  public internal(set) var purchase: VerifiedPurchase
  /// original_transaction_id: of a subscription, what it began with.
  public internal(set) var original: TransactionID
  /// purchase_date_ms, in milliseconds since the history began.
  public internal(set) var chargedMillis: Int64
  /// expires_date_ms: until when it pays, any grace left out; nil for what is no subscription.
  public internal(set) var expiresMillis: Int64?
  /// cancellation_date_ms: when the money was given back; nil where it was not.
  public internal(set) var cancelledMillis: Int64?
  /// is_upgraded: whether another subscription of the group has taken its place before it was over.
  public internal(set) var isUpgraded: Bool

  /// transaction_id.
  public var transaction: TransactionID { purchase.transaction }
}

/// What verifyReceipt has of a subscription in pending_renewal_info, as it stands now.
public struct PendingRenewal: Equatable, Sendable, BitwiseCopyable {
  /// Apple's expiration_intent, as far as this store has it.
  public enum ExpirationIntent: UInt8, Sendable, BitwiseCopyable {
    /// 1: the customer has turned its renewal off.
    case voluntary = 1
    /// 2: a payment has failed.
    case billingError
  }

  /// original_transaction_id: what it began with.
  public internal(set) var original: TransactionID
  /// product_id: what is subscribed to.
  public internal(set) var product: ProductID
  /// auto_renew_product_id: what the next period will be of.
  public internal(set) var renewalProduct: ProductID
  /// auto_renew_status: whether there is to be one (1), or the renewal is turned off (0).
  public internal(set) var renews: Bool
  /// expiration_intent: why it is over; nil where it is not.
  public internal(set) var expirationIntent: ExpirationIntent?
  /// is_in_billing_retry_period: whether a payment has failed and Apple goes on trying, for sixty days.
  public internal(set) var isInBillingRetry: Bool
  /// grace_period_expires_date_ms: until when it can be used although a payment has failed; nil where there is no grace.
  public internal(set) var graceExpiresMillis: Int64?
}

extension Server {
  /// latest_receipt_info: each transaction of the person in this app but consumables that were finished, newest first;
  /// nothing where the answer is none about a receipt, or not valid, or no subscription was ever bought.
  ///
  /// A receipt of long ago tells of what was charged since, so that a backend which keeps it can ask again.
  public func latestReceiptInfo(in answer: VerifierAnswer) -> [LatestReceiptEntry] {
    guard let receipt = wholeReceipt(in: answer) else { return [] }
    return world.latestReceiptInfo(receipt)
  }

  /// pending_renewal_info: each subscription of the person, in the order in which they began.
  public func pendingRenewals(in answer: VerifierAnswer) -> [PendingRenewal] {
    guard let receipt = wholeReceipt(in: answer) else { return [] }
    return world.pendingRenewals(receipt)
  }

  private func wholeReceipt(in answer: VerifierAnswer) -> Evidence? {
    let receipt = answer.evidence
    guard answer.question.kind == .receipt, answer.status == 0, receipt.isReceipt,
      !receipt.isOutside, world.knows(receipt)
    else { return nil }
    // It can have what the receipt that was sent has not.
    world.usesOwnTables = true
    return receipt
  }
}

extension World {
  /// For how long Apple tries to be paid. Source: Reducing involuntary subscriber churn.
  private static let retries: Int64 = 60 * 86_400_000

  mutating func latestReceiptInfo(_ receipt: Evidence) -> [LatestReceiptEntry] {
    guard subscriptions.ids.contains(where: { isOf(receipt, $0) }) else { return [] }
    var found: [LatestReceiptEntry] = []
    var row = storeAccounts[receipt.storeAccount].first
    while row != .none {
      let id = row
      let purchase = purchases[id]
      row = purchase.next
      guard purchase.flags.contains(.charged), !purchase.flags.contains(.restore),
        purchase.environment == receipt.environment,
        !purchase.flags.isUsedUp
      else { continue }
      let isSubscription = purchase.subscription != .none
      let isCancelled = !purchase.flags.isDisjoint(with: .voided.union(.refunded))
      var entry = verified(id, hasToken: false)
      entry.isDeviceVerified = !receipt.isCopied
      found.append(
        LatestReceiptEntry(
          purchase: entry,
          original: isSubscription ? subscriptions[purchase.subscription].first : id,
          chargedMillis: purchase.chargedMillis,
          expiresMillis: isSubscription ? purchase.expiresMillis : nil,
          cancelledMillis: isCancelled ? purchase.voidedMillis : nil,
          isUpgraded: purchase.flags.contains(.upgraded)))
    }
    return found
  }

  func pendingRenewals(_ receipt: Evidence) -> [PendingRenewal] {
    subscriptions.ids.filter { isOf(receipt, $0) }.map { id in
      let row = subscriptions[id]
      let paid = purchases[row.latest].expiresMillis
      let intent: PendingRenewal.ExpirationIntent? =
        switch row.state {
        case .expired: row.isUnpaid ? .billingError : .voluntary
        case .billingRetry: .billingError
        case .active, .gracePeriod, .revoked: nil
        }
      // Also where the money of the last period was given back meanwhile and is taken again.
      let hasGrace = row.isUnpaid && row.state.isUsable && row.expiresMillis > paid
      return PendingRenewal(
        original: row.first, product: purchases[row.latest].product, renewalProduct: row.next,
        renews: row.renews, expirationIntent: intent,
        isInBillingRetry: row.isUnpaid && now < paid + Self.retries,
        graceExpiresMillis: hasGrace ? row.expiresMillis : nil)
    }
  }

  private func isOf(_ receipt: Evidence, _ id: SubscriptionID) -> Bool {
    let first = purchases[subscriptions[id].first]
    return first.storeAccount == receipt.storeAccount && first.environment == receipt.environment
  }
}

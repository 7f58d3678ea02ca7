import Invariants

/// What becomes of a purchase after it was made: the store tells the backend, and may give the money back.
extension World {
  /// A charge was made that is no subscription's.
  mutating func beginAftermath(_ row: TransactionID) {
    guard purchases[row].subscription == .none else { return }
    notify(.oneTimeCharge, row)
    mayRefund(row)
  }

  /// Something happens hours or weeks later, unless the history is over by then: that need not be kept, and the
  /// fault that led to it, if any, counts as not struck.
  mutating func scheduleInTime(
    _ happening: Happening, after millis: Int64, struckBy question: Question? = nil
  ) {
    guard now + millis <= setup.horizonMillis else {
      if let question { decisions.takeBackStrike(of: question) }
      return
    }
    schedule(happening, at: now + millis)
  }

  mutating func mayRefund(_ row: TransactionID) {
    let who = who(purchase: row)
    guard decisions.strikes(.refundCharge, who) else { return mayAskForRefund(row) }
    scheduleInTime(
      .refund(row), after: decisions.delay(.delayRefund, who), struckBy: .refundCharge)
  }

  /// Somebody will ask for the money of a consumable or of a subscription back.
  private mutating func mayAskForRefund(_ row: TransactionID) {
    let isAsked =
      purchases[row].flags.contains(.consumable) || purchases[row].subscription != .none
    let who = who(purchase: row)
    guard isAsked, decisions.strikes(.askRefund, who) else { return }
    scheduleInTime(
      .refundRequest(row), after: decisions.delay(.delayRefund, who), struckBy: .askRefund)
  }

  /// Somebody asks for it, and Apple asks whoever sells what became of it.
  mutating func askForRefund(_ row: TransactionID) {
    guard purchases[row].refunded == 0, !purchases[row].flags.contains(.voided) else { return }
    purchases[row].flags.insert(.refundAsked)
    notify(.consumptionRequest, row)
    let delay = decisions.delay(.delayRefundDecision, who(purchase: row))
    scheduleInTime(.refundDecision(row), after: delay)
  }

  /// An app has somebody ask for it.
  mutating func requestRefund(of row: TransactionID, on device: DeviceID) -> RefundRequest {
    guard purchases.holds(row) else { return .unknown }
    let charge = purchases[row].original
    let purchase = purchases[charge]
    guard purchase.storeAccount == devices[device].storeAccount, purchase.flags.contains(.charged),
      purchase.flags.isDisjoint(with: .shared.union(.voided))
    else { return .unknown }
    guard purchase.refunded == 0, !purchase.flags.contains(.refundAsked) else { return .duplicate }
    askForRefund(charge)
    return .taken
  }

  /// Apple decides, whatever it was answered.
  mutating func decideRefund(_ row: TransactionID) {
    guard purchases[row].refunded == 0 else { return }
    guard decisions.strikes(.declineRefund, who(purchase: row)) else { return refund(row) }
    notify(.refundDeclined, row)
  }

  /// Apple gives money of a charge back.
  mutating func refund(_ row: TransactionID) {
    guard purchases[row].refunded == 0, !purchases[row].flags.contains(.voided) else { return }
    var part = 1000
    if purchases[row].flags.contains(.consumable) {
      part = decisions.choice(.prorateRefund, who(purchase: row)) ?? part
    }
    refund(row, part: part)
  }

  /// It gives so many thousandths of it back.
  mutating func refund(_ row: TransactionID, part: Int) {
    let who = who(purchase: row)
    purchases[row].refunded = UInt16(part)
    purchases[row].voidedMillis = now
    if part == 1000 {
      purchases[row].flags.insert(.refunded)
      if _slowPath(sharesPurchases) { revokeShares(of: row) }
      if purchases[row].subscription != .none { revokeSubscription(row) }
    }
    noteRefund(row)
    notify(.refunded, row)
    guard decisions.strikes(.reverseRefund, who) else { return }
    scheduleInTime(
      .refundReversal(row), after: decisions.delay(.delayReversal, who), struckBy: .reverseRefund)
  }

  /// Apple takes it again.
  mutating func reverseRefund(_ row: TransactionID) {
    purchases[row].refunded = 0
    purchases[row].voidedMillis = 0
    purchases[row].flags.remove(.refunded)
    if purchases[row].subscription != .none {
      reinstateSubscription(row)
    } else if _slowPath(sharesPurchases) {
      mayShare(row)
    }
    noteRefund(row)
    notify(.refundReversed, row)
  }

  /// The history has it, and apps of StoreKit 2 that run are told.
  mutating func noteRefund(_ row: TransactionID) {
    var fact = fact(.refunded)
    fact.transaction = row
    fact.amount = UInt32(purchases[row].refunded)
    if purchases[row].subscription != .none { fact.original = firstOfSubscription(row) }
    emit(fact)
    let isStoreKit2 = purchases[row].flags.contains(.storeKit2)
    guard isStoreKit2 || isHeard, !decisions.strikes(.hideRefund, who(purchase: row)) else {
      return
    }
    if isStoreKit2 { announce(row, .replay) }
    if isHeard, purchases[row].flags.isDisjoint(with: .consumable),
      purchases[row].flags.contains(.refunded)
    {
      tell(.revocations, about: row)
    }
  }
}

/// What the App Store says to who asks for their money back.
public enum RefundRequest: UInt8, Sendable, BitwiseCopyable {
  /// It will decide, an hour to two days later.
  case taken = 1
  /// They have asked before, or have it back.
  case duplicate
  /// They have bought no such thing.
  case unknown
}

extension Phone {
  /// Asks for the money of a transaction back. StoreKit 2: `beginRefundRequest`, with a sheet that the person confirms.
  ///
  /// The App Store asks the backend what became of what was bought (CONSUMPTION_REQUEST), and gives the money back unless
  /// F87 has it decline.
  public func requestRefund(of transaction: TransactionID) -> RefundRequest {
    guard isAlive else { return .unknown }
    world.looksAtStore = true
    return world.requestRefund(of: transaction, on: device)
  }
}

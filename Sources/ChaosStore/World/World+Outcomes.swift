import Invariants

/// What StoreKit answers besides a charge and a failure of which it says no more.
///
/// Asked only for an app that ``PurchaseApp/takesAnyOutcome``.
extension World {
  /// The payment is not charged now: somebody must agree first, or it is over.
  mutating func endsOtherwise(_ row: TransactionID, _ device: DeviceID, _ who: Who) -> Bool {
    if purchases[row].flags.contains(.deferred) { return isDeclined(row, device, who) }
    // Nobody who buys in the store itself is asked by the app's sheet.
    guard purchases[row].intent != .none, intents[purchases[row].intent].isTapped else {
      return false
    }
    if let code = decisions.choice(.refusePayment, who) {
      refuse(row, device, UInt8(code))
      return true
    }
    if purchases[row].flags.contains(.storeKit2), decisions.strikes(.forgePayment, who) {
      purchases[row].flags.formUnion([.failed, .forged])
      giveUp(row, .none)
      purchases[row].doubt = Self.wrongSignature
      schedule(
        purchaseResult(row, device, .charged), after: decisions.delay(.delayPurchaseResult, who))
      return true
    }
    if decisions.strikes(.deferPayment, who) {
      deferPayment(row, device, who)
      return true
    }
    return false
  }

  /// The storefront has changed since the price was shown (F25); whether the product is not sold there.
  @inline(never)
  mutating func isRefusedElsewhere(_ row: TransactionID, _ place: Int) -> Bool {
    guard place == 1 else {
      purchases[row].flags.insert(.elsewhere)
      return false
    }
    purchases[row].flags.insert(.failed)
    if takesAnyOutcome { purchases[row].error = PaymentError.notAvailable.rawValue }
    link(row)
    return true
  }

  /// StoreKit 2's `invalidSignature`, by its position among the verification errors.
  private static let wrongSignature: UInt8 = 5

  /// Who tapped twice at once sees a second payment sheet and cancels it, unless they confirm that too.
  ///
  /// Only for a tap: of what an app pays a second time of its own accord a sheet tells nobody more. And only as
  /// long as the first payment is under way: after a failure the tap is another attempt.
  mutating func cancelsSecondSheet(_ row: TransactionID) -> Bool {
    let intent = purchases[row].intent
    let device = purchases[row].device
    guard intents[intent].isTappedTwice, !intents[intent].isOpen, isUnderWay(intent, before: row)
    else { return false }
    // Nobody who knows that the first waits for somebody else takes the second for the same.
    if !isDeferred(intent), decisions.strikes(.confirmAgain, who(purchase: row)) {
      intents[intent].hasConfirmedSheet = true
      return false
    }
    intents[intent].isTappedTwice = false
    intents[intent].hasCancelledSheet = true
    purchases[row].flags.insert(.failed)
    purchases[row].error = PaymentError.cancelled.rawValue
    link(row)
    // The tap before has had its answer, and who cancels this one waits for no other.
    if intents[intent].wasAnswered {
      intents[intent].awaitsAnswer = false
      note(.declined, row, row)
    }
    announceFailure(row, device)
    return true
  }

  /// Whether a failure is about one of two payment sheets, so that it says nothing of the other: of the one
  /// that the person cancelled themselves, or of one of the two that they confirmed.
  mutating func isOfOneSheet(_ message: Fact.Message, _ intent: IntentID) -> Bool {
    guard message == .failure else { return false }
    if intents[intent].hasCancelledSheet {
      intents[intent].hasCancelledSheet = false
      return true
    }
    guard intents[intent].hasConfirmedSheet, hasFailedPayment(intent) else { return false }
    intents[intent].hasConfirmedSheet = false
    return true
  }

  private func isDeferred(_ intent: IntentID) -> Bool {
    purchases.ids.contains {
      purchases[$0].intent == intent && purchases[$0].flags.contains(.deferred)
        && !purchases[$0].flags.contains(.failed)
    }
  }

  private func hasFailedPayment(_ intent: IntentID) -> Bool {
    purchases.ids.contains {
      purchases[$0].intent == intent && purchases[$0].flags.contains(.failed)
    }
  }

  /// Whether another payment of the wish is with the store.
  private func isUnderWay(_ intent: IntentID, before row: TransactionID) -> Bool {
    purchases.ids.contains { other in
      other != row && purchases[other].intent == intent
        && purchases[other].flags.isDisjoint(with: .failed.union(.restore))
        && purchases[other].askedInLife == purchases[row].askedInLife
    }
  }

  private mutating func refuse(_ row: TransactionID, _ device: DeviceID, _ code: UInt8) {
    purchases[row].flags.insert(.failed)
    purchases[row].error = code
    link(row)
    if code == PaymentError.cancelled.rawValue { giveUp(row, row) }
    announceFailure(row, device)
  }

  /// The person knows that nothing will be paid, and waits for no word.
  private mutating func giveUp(_ row: TransactionID, _ transaction: TransactionID) {
    let intent = purchases[row].intent
    intents[intent].isGivenUp = true
    intents[intent].awaitsAnswer = false
    note(.declined, row, transaction)
  }

  private mutating func deferPayment(_ row: TransactionID, _ device: DeviceID, _ who: Who) {
    purchases[row].flags.insert(.deferred)
    intents[purchases[row].intent].awaitsAnswer = false
    note(.deferred, row, row)
    // Who is asked decides while faults can strike, so that there is time to see what comes of it.
    let decision = now + decisions.delay(.delayApproval, who)
    schedule(.charge(row), at: max(now, min(decision, setup.healMillis - 1)))
    if purchases[row].flags.contains(.storeKit2) {
      schedule(
        purchaseResult(row, device, .deferred), after: decisions.delay(.delayPurchaseResult, who))
    } else {
      callBack(row, device, .deferred)
    }
  }

  /// Who was asked does not agree, or there is nothing left to agree to. StoreKit 2 tells nobody.
  private mutating func isDeclined(
    _ row: TransactionID, _ device: DeviceID, _ who: Who
  ) -> Bool {
    guard ownedMeanwhile(row) != nil || decisions.strikes(.declineApproval, who) else {
      return false
    }
    purchases[row].flags.insert(.failed)
    link(row)
    giveUp(row, row)
    if !purchases[row].flags.contains(.storeKit2) {
      purchases[row].error = PaymentError.cancelled.rawValue
      announceFailure(row, device)
    }
    return true
  }

  private mutating func note(
    _ kind: Fact.Kind, _ row: TransactionID, _ transaction: TransactionID
  ) {
    var fact = fact(kind)
    fact.intent = stated(purchases[row].intent)
    fact.transaction = transaction
    fact.device = purchases[row].device
    fact.product = purchases[row].product
    emit(fact)
  }

  /// How `purchase()` ended, if not with a charge.
  mutating func outcome(_ event: Event) -> PurchaseResult? {
    let row = event.transaction
    switch event.callback {
    case .failed:
      return PaymentError(rawValue: purchases[row].error).map { .refused($0) } ?? .failed
    case .deferred: return .pending(transaction(row, .deferred))
    case .charged, .duplicate, .replay, .restored:
      // The store has not delivered what it never sold.
      return purchases[row].flags.contains(.forged) ? .success(transaction(row, .purchased)) : nil
    }
  }

  // MARK: - The device's own check

  /// In this life of the app the device may not be able to verify the transaction. StoreKit 1 verifies none.
  mutating func mayDoubt(_ row: TransactionID, _ device: DeviceID) {
    guard purchases[row].flags.contains(.storeKit2), purchases[row].flags.contains(.charged),
      mayWaitForLaunch(.doubtTransaction, on: device),
      let doubt = decisions.choice(.doubtTransaction, who(purchase: row))
    else { return }
    purchases[row].doubt = UInt8(doubt)
    purchases[row].doubtedInLife = devices[device].life
    // It goes on for as long as this life does, which nobody knows yet.
    decisions.disturb(until: setup.healMillis)
  }

  /// What an app sees of a failure's reason, and of a device that cannot verify.
  func addOutcome(of row: TransactionID, to transaction: inout PaymentTransaction) {
    let purchase = purchases.at(row)
    if transaction.state == .failed {
      transaction.error = PaymentError(rawValue: purchase.pointee.error)
    }
    guard purchase.pointee.doubt != 0 else { return }
    let isDoubted =
      purchase.pointee.doubtedInLife == devices[purchase.pointee.device].life
      && !decisions.isHealed
    if isDoubted || purchase.pointee.flags.contains(.forged) {
      transaction.doubt = purchase.pointee.doubt
    }
  }
}

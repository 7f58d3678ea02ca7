/// Money that the store gives back, and goods that are taken back for it.
extension Books {
  /// For how long a ledger may differ from what the store has given back, in milliseconds: seven days, as the
  /// store itself goes on telling a backend of it for six and a half.
  public static let settling: Int64 = 604_800_000

  /// Whether the ledger has another part of a purchase than was paid for in the end, as one that the store has
  /// given money back for.
  ///
  /// What is credited twice is another rule's affair, and so is what is subscribed to.
  public func isUnsettled(_ charge: Charge) -> Bool {
    guard charge.wasRefunded, charge.isCharged, !charge.isVoided, terms.hasBackend,
      !charge.isOfSubscription
    else { return false }
    return charge.heldThousandths != 1000 - Int(charge.refunded)
  }

  /// Whether it has been so for longer than that may take, without faults.
  public func isUnsettledTooLong(_ charge: Charge) -> Bool {
    isUnsettled(charge) && hadTimeToSettle(charge)
  }

  /// True if a ledger has had its time, without faults, to follow the last refund of a charge or its reversal.
  func hadTimeToSettle(_ charge: Charge) -> Bool {
    now.millis - max(charge.refundChangedAt, charge.creditedAt, terms.heal.millis) > Self.settling
  }

  /// How many units of a charge are owed, or too many, and have time yet; nil for none.
  package func unitsInTheirTime(_ charge: Charge) -> Int64? {
    if charge.wasRefunded {
      guard isUnsettled(charge), !isUnsettledTooLong(charge) else { return nil }
      let held = (charge.credits > 0 ? 1 : 0) - Int64(charge.takenBack / 1000)
      return ((charge.isRefunded ? 0 : 1) - held) * Int64(charge.quantity)
    }
    guard charge.awaitsCredit, !charge.isOfSubscription, !isOverdue(charge) else { return nil }
    return Int64(charge.quantity)
  }

  /// The store has given so much back altogether.
  @inline(never) mutating func refund(_ t: Int, _ fact: Fact) {
    let before = charges[t]
    page.charges[changing: t].becomeRefunded(fact)
    if charges[t].isRefunded { endStanding(t) }
    if before.isOfSubscription { return refundSubscription(fact) }
    guard before.isCharged, !before.isVoided, before.isRefunded != charges[t].isRefunded else {
      return
    }
    let units = Int64(before.quantity)
    owe(before.isRefunded ? units : -units, before.environment)
  }

  /// The store has stopped to tell of a charge.
  @inline(never) mutating func giveUp(_ t: Int, _ fact: Fact) {
    if fact.amount > 0 { page.charges[changing: t].isNewsLost = true }
  }

  /// The ledger has taken so many thousandths back, or given them again.
  @inline(never) mutating func takeBack(_ t: Int, _ thousandths: Int32) {
    let before = charges[t]
    // A log may have more of them than any purchase.
    let sum = before.takenBack.addingReportingOverflow(thousandths)
    page.charges[changing: t].takenBack =
      sum.overflow ? (thousandths < 0 ? .min : .max) : sum.partialValue
    page.charges[changing: t].isOutdated =
      before.wasRefunded && before.heldThousandths == 1000 - Int(before.refunded)
      && charges[t].takenBack == Int32(before.refundedBefore)
    // Whole units are summed up; whoever has a part has the unit.
    let units = charges[t].takenBack / 1000 - before.takenBack / 1000
    owe(Int64(units) * Int64(before.quantity), before.environment)
  }
}

extension Books.Charge {
  /// Whether the store gave all the money back, and has not taken it again.
  public var isRefunded: Bool { refunded == 1000 }

  /// How many thousandths of the purchase the ledger has left to whoever got it.
  public var heldThousandths: Int { (credits > 0 ? 1000 : 0) - Int(takenBack) }

  mutating func becomeRefunded(_ fact: Fact) {
    refundedBefore = refunded
    isNewsLost = false
    refunded = UInt16(clamping: fact.amount)
    mostRefunded = max(mostRefunded, refunded)
    wasRefunded = true
    refundChangedAt = fact.at.millis
  }
}

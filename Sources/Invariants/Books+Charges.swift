/// What becomes of a charge that is not simply delivered.
extension Books {
  @inline(never) mutating func restore(_ t: Int, _ fact: Fact) {
    guard !fact.original.isNone else { return }
    makeRoom(forTransaction: fact.original.index)
    let source = root(of: fact.original.index)
    let original = charges[source]
    page.charges[changing: t].original = TransactionID(index: source)
    page.charges[changing: t].intent = original.intent
    page.charges[changing: t].restoredBy = fact.account
    page.charges[changing: t].storeAccount = original.storeAccount
    page.charges[changing: t].product = original.product
    page.charges[changing: t].quantity = original.quantity
    page.charges[changing: t].environment = original.environment
    page.charges[changing: t].runningAtCharge = faultFreeRunning(original.storeAccount)
    if terms.transfersOnRestore { page.charges[changing: source].owner = fact.account }
  }

  /// A purchase that was made elsewhere comes to an app that waits for one of the same product of its own.
  @inline(never) mutating func standIn(_ t: Int, on device: DeviceID) {
    guard intent(charges[t].intent).device != device else { return }
    var wish = devices[device.index].lastWish
    // A log may have a wish on several devices in turn, and so before itself.
    var left = intents.count
    while !wish.isNone, left > 0 {
      left -= 1
      let own = intent(wish).transaction
      if transaction(own).awaitsCredit, !transaction(own).isDelivered,
        transaction(own).product == charges[t].product
      {
        page.charges[changing: own.index].hasStandIn = true
      }
      wish = intent(wish).wishBefore
    }
  }

  @inline(never) mutating func endStandIn(_ t: Int) {
    page.charges[changing: t].hasStandIn = false
    page.charges[changing: t].runningAtCharge = faultFreeRunning(charges[t].storeAccount)
  }

  @inline(never) mutating func void(_ t: Int) {
    let record = charges[t]
    if record.isCharged, !record.isVoided {
      // Of what has been given back already nothing is owed.
      if !record.isRefunded { owe(-Int64(record.quantity), record.environment) }
      endStanding(t)
    }
    change(t) { $0.isVoided = true }
  }

  /// Whether whoever tapped had the goods already: bought for good, or by a subscription that runs.
  @inline(never) func isOwned(_ intent: Intent) -> Bool {
    guard terms.isKept(intent.product), intent.charges == 0, intent.device.index < devices.count
    else { return false }
    let payer = devices[intent.device.index].storeAccount
    return charges.indices.contains { place in
      let charge = charges[place]
      guard charge.isCharged, charge.product == intent.product, charge.credits > 0,
        !charge.isRefusedForGood
      else { return false }
      if let subscription = subscription(paidBy: charge), subscription.untilMillis <= now.millis {
        return false
      }
      return terms.hasBackend
        ? charge.creditedTo == intent.account : charge.storeAccount == payer
    }
  }

  /// The person has not paid for what they wanted any more, or pays for another time.
  mutating func endStanding(_ t: Int) {
    guard charges[t].isStanding else { return }
    page.charges[changing: t].isStanding = false
    let wanted = charges[t].intent.index
    // A log may name another wish for it later, or none.
    guard wanted < intents.count, intents[wanted].standingCharges > 0 else { return }
    page.intents[changing: wanted].standingCharges -= 1
  }

  @inline(never) mutating func noteRefusal(_ t: Int) {
    let root = root(of: t)
    if charges[root].firstRefusedAt < 0 { page.charges[changing: root].firstRefusedAt = now.millis }
    guard now >= terms.heal, charges[t].refusedAt == .never else { return }
    page.charges[changing: t].refusedAt = now
  }

  /// Where nobody has refused it there is nothing to forget.
  @inline(never) mutating func forgetRefusal(_ t: Int) {
    guard charges[t].refusalsKept > 0 else { return }
    page.charges[changing: t].refusalsKept -= 1
  }

  @inline(never) mutating func loseGoods(_ t: Int, _ fact: Fact) {
    guard charges[t].credits > 0 else { return }
    page.charges[changing: t].credits -= 1
    if !charges[t].isCreditedUnaware { owe(Int64(fact.quantity), fact.environment) }
  }

  /// What is credited for a voided charge is missing in the sums, unless nobody could know.
  @inline(never) mutating func noteVoidedCredit(_ t: Int, _ fact: Fact) {
    let isUnaware = charges[t].credits == 0 && !charges[t].isKnownToBeVoided
    page.charges[changing: t].isCreditedUnaware = isUnaware
    if !isUnaware { owe(-Int64(fact.quantity), fact.environment) }
  }
}

import Invariants

/// Somebody with a modified device: for each genuine report, a dishonest one may follow.
///
/// The attacker has an account of their own, behind the scenario's.
extension World {
  var attacker: AccountID { AccountID(index: setup.accounts) }

  mutating func attack(with exchange: ExchangeID, _ who: Who) {
    guard !exchanges.at(exchange).pointee.evidence.isNone else { return }
    if decisions.strikes(.forgeReceipt, who) {
      let forged = post(exchange, as: attacker, who)
      exchanges[forged].evidence.isForged = true
    }
    if decisions.strikes(.stealEvidence, who) {
      let stolen = post(exchange, as: attacker, who)
      exchanges[stolen].evidence.isCopied = true
    }
    if decisions.strikes(.foreignReceipt, who) {
      let foreign = post(exchange, as: attacker, who)
      exchanges[foreign].evidence.isForeign = true
      exchanges[foreign].evidence.isOutside = true
    }
    if decisions.strikes(.sandboxEvidence, who) { postSandbox(exchange, who) }
    if setup.products.count > 1, decisions.strikes(.substituteProduct, who) {
      let substituted = post(exchange, as: exchanges[exchange].session, who)
      exchanges[substituted].product = ProductID(index: setup.products.count - 1)
    }
  }

  /// Sends a copy of a report; what is dishonest about it is written into its row.
  private mutating func post(
    _ exchange: ExchangeID, as account: AccountID, _ who: Who
  ) -> ExchangeID {
    let copy = addExchange(copyOf: exchange)
    let row = exchanges.at(copy)
    row.pointee.route.sender = .attacker
    row.pointee.session = account
    if row.pointee.token.kind == .account || row.pointee.token.kind == .username {
      row.pointee.token.value = account.raw
    }
    row.pointee.nextFree = .none
    schedule(.request(copy), after: decisions.delay(.delayAttack, who))
    return copy
  }

  /// A purchase in the sandbox, where nobody pays, shown to the production backend.
  private mutating func postSandbox(_ exchange: ExchangeID, _ who: Who) {
    let model = exchanges.at(exchange).pointee.route.about
    guard model != .none else { return }
    let row = buyInSandbox(like: model)
    // The table can move for it.
    let posted = post(exchange, as: attacker, who)
    let copy = exchanges.at(posted)
    copy.pointee.route.about = row
    copy.pointee.evidence.environment = .sandbox
    copy.pointee.evidence.storeAccount = purchases[row].storeAccount
    copy.pointee.evidence.asOf = storeClock
    copy.pointee.evidence.transaction = row
  }

  private mutating func buyInSandbox(like model: TransactionID) -> TransactionID {
    attackersPurchases &+= 1
    var purchase = purchases[purchases[model].original]
    purchase.key = Subject.attacker.payment(attackersPurchases).key
    purchase.slot = attackerWho.slot
    purchase.account = attacker
    purchase.storeAccount = StoreAccountID(index: setup.storeAccounts)
    purchase.environment = .sandbox
    purchase.token = .account(attacker)
    purchase.intent = .none
    purchase.flags = purchase.flags.intersection(.consumable).union(.charged)
    purchase.subscription = .none
    purchase.refunded = 0
    purchase.takenBack = 0
    purchase.removedAt = .max
    purchase.firstSeen = -1
    purchase.original = purchases.nextID
    let row = purchases.append(purchase)
    enlist(row)
    noteCharge(row)
    return row
  }
}

import Invariants

/// Somebody with a modified device: for each genuine report, a dishonest one may follow.
///
/// The attacker has an account of their own, behind the scenario's.
extension World {
  var attacker: AccountID { AccountID(index: setup.accounts) }

  mutating func attack(with exchange: ExchangeID, _ who: Who) {
    guard !exchanges.at(exchange).pointee.evidence.isNone else { return }
    if decisions.strikes(.forgeReceipt, who) {
      var forged = exchanges[exchange]
      forged.evidence.isForged = true
      post(forged, as: attacker, who)
    }
    if decisions.strikes(.stealEvidence, who) {
      var stolen = exchanges[exchange]
      stolen.evidence.isCopied = true
      post(stolen, as: attacker, who)
    }
    if decisions.strikes(.foreignReceipt, who) {
      var foreign = exchanges[exchange]
      foreign.evidence.isForeign = true
      foreign.evidence.isOutside = true
      post(foreign, as: attacker, who)
    }
    if decisions.strikes(.sandboxEvidence, who) { postSandbox(exchanges[exchange], who) }
    if setup.products.count > 1, decisions.strikes(.substituteProduct, who) {
      var substituted = exchanges[exchange]
      substituted.product = ProductID(index: setup.products.count - 1)
      post(substituted, as: substituted.session, who)
    }
  }

  private mutating func post(_ row: ExchangeRow, as account: AccountID, _ who: Who) {
    var row = row
    row.route.sender = .attacker
    row.session = account
    if row.token.kind == .account || row.token.kind == .username { row.token.value = account.raw }
    row.nextFree = .none
    let exchange = addExchange(row)
    schedule(.request(exchange), after: decisions.delay(.delayAttack, who))
  }

  /// A purchase in the sandbox, where nobody pays, shown to the production backend.
  private mutating func postSandbox(_ model: ExchangeRow, _ who: Who) {
    guard model.route.about != .none else { return }
    let row = buyInSandbox(like: model.route.about)
    var exchange = model
    exchange.route.about = row
    exchange.evidence.environment = .sandbox
    exchange.evidence.storeAccount = purchases[row].storeAccount
    exchange.evidence.asOf = storeClock
    exchange.evidence.transaction = row
    post(exchange, as: attacker, who)
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

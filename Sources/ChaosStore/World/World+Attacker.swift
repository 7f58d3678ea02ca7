import Invariants

/// Somebody with a modified device: for each genuine report, a dishonest one may follow.
///
/// The attacker has an account of their own, behind the scenario's.
extension World {
  var attacker: UInt32 { UInt32(setup.accounts) }

  mutating func attack(with exchange: UInt32, _ who: Who) {
    let model = exchanges[exchange]
    guard !model.evidence.isNone else { return }
    if decisions.strikes(.forgeReceipt, who) {
      var forged = model
      forged.evidence.isForged = true
      post(forged, as: attacker, who)
    }
    if decisions.strikes(.stealEvidence, who) { post(model, as: attacker, who) }
    if decisions.strikes(.foreignReceipt, who) {
      var foreign = model
      foreign.evidence.isForeign = true
      foreign.evidence.isOutside = true
      post(foreign, as: attacker, who)
    }
    if decisions.strikes(.sandboxEvidence, who) { postSandbox(model, who) }
    if setup.products.count > 1, decisions.strikes(.substituteProduct, who) {
      var substituted = model
      substituted.product = UInt32(setup.products.count - 1)
      post(substituted, as: model.session, who)
    }
  }

  private mutating func post(_ row: ExchangeRow, as account: UInt32, _ who: Who) {
    var row = row
    row.isFromAttacker = true
    row.session = account
    if row.token.kind == .account || row.token.kind == .username { row.token.value = account }
    row.nextFree = .max
    let exchange = addExchange(row)
    queue.schedule(
      at: now + decisions.delay(.delayAttack, who), .request, subject: exchange)
  }

  /// A purchase in the sandbox, where nobody pays, shown to the production backend.
  private mutating func postSandbox(_ model: ExchangeRow, _ who: Who) {
    var row = model
    row.evidence.environment = .sandbox
    row.evidence.isOutside = true
    post(row, as: attacker, who)
  }
}

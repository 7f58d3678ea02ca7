import Invariants

/// The ledger: what was credited, to whom, and with which commit.
extension Server {
  /// Credits without asking whether it was done before.
  @discardableResult
  public func credit(_ purchase: VerifiedPurchase, to account: AccountID) -> Commit {
    guard isValid(purchase), enter(.crashServerBeforeCredit) else { return .unavailable }
    if let failure = commitFails() { return failure }
    world.writes(.credit, original(of: purchase))
    noteCommit()
    world.credit(purchase, to: account)
    guard !dies(.crashServerAfterCredit) else { return .credited }
    return world.decisions.strikes(.dropCommitted, who) ? .unknown : .credited
  }

  /// Enters (environment, transaction id) and the credit in one commit, unless it is there.
  @inline(__always) @discardableResult
  public func commit(_ purchase: VerifiedPurchase, to account: AccountID) -> Commit {
    enters(purchase) { original in
      let isNew = world.enter(purchase, original, to: account)
      return (isNew: isNew, isChanged: isNew)
    }
  }

  /// Makes one commit about a purchase, which says of its charge whether it is new and whether anything changed.
  @inline(__always)
  func enters(
    _ purchase: VerifiedPurchase,
    _ change: (TransactionID) -> (isNew: Bool, isChanged: Bool)
  ) -> Commit {
    guard isValid(purchase), enter(.crashServerBeforeCommit) else { return .unavailable }
    if let failure = commitFails() { return failure }
    guard !purchase.transaction.isNone else { return .unavailable }
    let original = key(of: purchase)
    world.writes(.commit, world.ledgerKey(of: original))
    let (isNew, isChanged) = change(original)
    if isChanged { noteCommit() }
    if dies(.crashServerAfterCommit) || !isNew { return isNew ? .credited : .alreadyThere }
    return world.decisions.strikes(.dropCommitted, who) ? .unknown : .credited
  }

  /// What keeps a commit from happening; nil for nothing.
  @inline(__always)
  func commitFails() -> Commit? {
    if world.decisions.strikes(.failCommit, who) { return .unavailable }
    return world.decisions.strikes(.dropCommit, who) ? .unknown : nil
  }

  /// Something is in the database of which the answer may yet say that it is not.
  @inline(__always)
  func noteCommit() { if isOpen { world.exchanges[exchange].hasCommitted = true } }

  /// Whom the ledger has credited with it; none where it has not.
  public func creditedAccount(of purchase: VerifiedPurchase) -> AccountID {
    guard isAlive, world.purchases.holds(purchase.transaction) else { return .none }
    world.reads(.creditedAccount, key(of: purchase))
    return world.purchases[key(of: purchase)].creditedTo
  }

  /// Whether the table of credited transactions has it.
  public func isRecorded(_ purchase: VerifiedPurchase) -> Bool {
    has(.recorded, purchase, .isRecorded)
  }

  /// All that the table of credited transactions has of an environment, in the order of the charges.
  public func recorded(in environment: Environment) -> [VerifiedPurchase] {
    guard isAlive else { return [] }
    var found: [VerifiedPurchase] = []
    for row in world.purchases.ids {
      let purchase = world.purchases.at(row)
      guard purchase.pointee.original == row, purchase.pointee.environment == environment else {
        continue
      }
      world.reads(.isRecorded, row)
      guard purchase.pointee.flags.contains(.recorded) else { continue }
      if found.isEmpty { found.reserveCapacity(16) }
      found.append(self.purchase(row))
    }
    return found
  }

  /// Enters it into the table of credited transactions, in a commit of its own.
  public func record(_ purchase: VerifiedPurchase) { put(.recorded, purchase, true, .record) }
}

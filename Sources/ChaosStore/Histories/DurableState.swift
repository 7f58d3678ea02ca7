import Invariants

/// What of each purchase is written down where no crash reaches it, as facts come.
///
///     var state = DurableState(of: record)
///     for fact in record.facts { state.take(fact) }
///     print(state.purchases[0].money)
public struct DurableState: Sendable, Equatable {
  /// One purchase: with the store, with the app's backend, on the phone.
  public struct Purchase: Sendable, Equatable {
    /// Such as `tx1`.
    public var name: String
    /// Whether the store has it.
    public var isKnown = false
    /// Whether it waits for somebody to agree.
    public var isPending = false
    /// How often money was taken for it: 1, or 0 for what was restored, or never was charged.
    public var charges = 0
    /// How much of the money was given back, in thousandths.
    public var givenBack = 0
    /// How often the goods were credited.
    public var credits = 0
    /// How much of the credits was taken back, in thousandths of one.
    public var takenBack = 0
    /// Whether the store counts it as finished.
    public var isFinished = false
    /// Whether a phone keeps a record of it for a later retry.
    public var isOnPhone = false

    /// What the store says: `charged`, `given back`.
    public var money: String {
      if givenBack > 0 {
        return givenBack == 1000 ? "given back" : "charged, \(Self.percent(givenBack)) given back"
      }
      if charges > 0 { return "charged" }
      return isPending ? "pending" : isKnown ? "no charge" : ""
    }

    /// What the ledger says: `credited`, `credited 2 times`.
    public var goods: String {
      var text = credits == 0 ? "" : credits == 1 ? "credited" : "credited \(credits) times"
      if takenBack > 0 {
        text += takenBack == 1000 ? ", taken back" : ", \(Self.percent(takenBack)) taken back"
      }
      return text
    }

    /// Whether the store would hand it out again: `unfinished`, `finished`.
    public var queue: String { isKnown ? isFinished ? "finished" : "unfinished" : "" }
    /// What is kept on the phone: `record`.
    public var phone: String { isOnPhone ? "record" : "" }

    private static func percent(_ part: Int) -> String {
      part % 10 == 0 ? "\(part / 10) %" : "\(part) thousandths"
    }
  }

  /// The purchases, in the order in which the run knew them.
  public private(set) var purchases: [Purchase]

  /// Before anything has happened in the run.
  public init(of record: Record) { self.init(names: record.purchaseNames) }

  init(names: [String]) { purchases = names.map { Purchase(name: $0) } }

  /// Takes the next fact; whether anything durable changed.
  @discardableResult
  public mutating func take(_ fact: Fact) -> Bool {
    guard !fact.transaction.isNone, fact.transaction.index < purchases.count else { return false }
    let before = purchases[fact.transaction.index]
    purchases[fact.transaction.index].take(fact)
    return purchases[fact.transaction.index] != before
  }
}

extension DurableState.Purchase {
  fileprivate mutating func take(_ fact: Fact) {
    switch fact.kind {
    case .charged, .renewed:
      (isKnown, isPending) = (true, false)
      // What somebody of the family has paid costs nothing.
      if fact.amount != 5 { charges += 1 }
    case .restored: isKnown = true
    case .deferred: (isKnown, isPending) = (true, true)
    case .declined: isPending = false
    case .voided: (isKnown, charges) = (false, 0)
    case .credited: credits += 1
    case .goodsLost: credits = max(0, credits - 1)
    case .refunded: givenBack = Int(fact.amount)
    case .reversed: takenBack += Int(fact.amount)
    case .regranted: takenBack = max(0, takenBack - Int(fact.amount))
    case .finished: isFinished = true
    case .saved: isOnPhone = true
    case .erased, .recordLost: isOnPhone = false
    default: break
    }
  }
}

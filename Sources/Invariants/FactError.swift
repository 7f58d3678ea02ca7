/// Why a fact cannot stand in a history: something is missing in it, or it contradicts an earlier one.
public struct FactError: Error, Equatable, CustomStringConvertible {
  /// Which fact of the history it is, counted from 1.
  public var position: Int
  /// The kind of the fact.
  public var kind: Fact.Kind
  /// What is wrong with it.
  public var found: String
  /// What it would have to be.
  public var expected: String

  /// One line with all of it.
  public var description: String {
    "fact \(position) (\(kind)): found \(found), expected \(expected)"
  }
}

extension Books {
  /// How far the number of a thing may be ahead of those seen so far. Books keep a record for each.
  static let largestGap = 65_536

  /// Why this fact cannot be the next one, as what was found and what was expected; nil if it can.
  func problem(with fact: Fact) -> (found: String, expected: String)? {
    if fact.at < now {
      return ("\(fact.at.millis) ms", "\(now.millis) ms or later, as the fact before it")
    }
    if let missing = fact.missing {
      return ("no \(missing)", "one, as every fact of this kind has")
    }
    if fact.kind == .charged, transaction(fact.transaction).isCharged {
      return ("transaction \(fact.transaction.raw) charged again", "one charge for a transaction")
    }
    if fact.kind == .charged, fact.quantity == 0 { return ("quantity 0", "at least 1") }
    if fact.kind == .restored, fact.original == fact.transaction {
      return ("transaction \(fact.transaction.raw) restored from itself", "another one")
    }
    return gap(in: fact)
  }

  private func gap(in fact: Fact) -> (found: String, expected: String)? {
    for (name, id, count) in [
      ("intent", fact.intent.index, intents.count),
      ("transaction", fact.transaction.index, charges.count),
      ("original", fact.original.index, charges.count),
      ("store account", fact.storeAccount.index, storeAccountCount),
      ("device", fact.device.index, deviceCount),
    ] where id != Int(UInt32.max) && id > count + Self.largestGap {
      return (
        "\(name) \(id)",
        "at most \(count + Self.largestGap): things of a kind are numbered from 0, without gaps"
      )
    }
    return nil
  }
}

extension Fact {
  /// The first field that the kind cannot do without and that is none.
  fileprivate var missing: String? {
    switch kind {
    case .reported, .verified, .answered, .credited, .told, .declined: nil
    case .asked: device.isNone ? "device" : nil
    case .tapped: intent.isNone ? "intent" : nil
    case .charged: transaction.isNone ? "transaction" : storeAccount.isNone ? "storeAccount" : nil
    case .renewed:
      transaction.isNone
        ? "transaction" : original.isNone ? "original" : storeAccount.isNone ? "storeAccount" : nil
    case .restored: transaction.isNone ? "transaction" : original.isNone ? "original" : nil
    case .launched, .ended: device.isNone ? "device" : storeAccount.isNone ? "storeAccount" : nil
    case .loggedIn: device.isNone ? "device" : account.isNone ? "account" : nil
    case .attributed: transaction.isNone ? "transaction" : account.isNone ? "account" : nil
    case .deferred, .returned, .voided, .delivered, .withheld, .traceable, .finishing, .finished,
      .saved, .erased, .recordLost, .goodsLost, .forgotten, .expired, .refunded, .granted,
      .reversed,
      .regranted, .givenUp:
      transaction.isNone ? "transaction" : nil
    }
  }
}

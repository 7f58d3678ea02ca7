import Invariants

/// What clocks, habits and the beginning of a log do to the facts of a purchase, set right before it is judged.
///
/// Clocks are apart, so that a credit may bear an earlier time than the charge that it is for. A ledger may have no column for
/// whose or what. A subscription may be told by access alone, or by credits alone. And what was paid for before the log
/// begins is told of in part.
struct PurchaseTidying {
  private typealias Entry = OpenPurchases.Entry
  /// The store tells of a renewal up to a day before the period that it is for.
  private static let renewalLead: Int64 = 86_400_000

  private let skew: Int64
  private let within: Int64
  private let isWhole: Bool

  init(_ terms: AuditTerms) {
    skew = terms.skew
    within = terms.within
    isWhole = terms.isWhole
  }

  /// Sets the facts right; they need not be in their order afterwards. Says whether the purchase began before the log does.
  @inline(__always)
  func tidy(_ facts: inout [OpenPurchases.Entry], logBegins: Int64) -> Bool {
    var new: UInt64 = 0
    var old: UInt64 = 0
    var lastCharge = Int64.min
    var firstOther = Int64.max
    var firstCredit = Int64.max
    var isBare = false
    for place in facts.indices {
      let kind = facts[place].fact.kind
      if facts[place].isOld {
        old |= Self.bit(kind)
        continue
      }
      new |= Self.bit(kind)
      let at = facts[place].fact.at.millis
      if Self.charges & Self.bit(kind) != 0 {
        lastCharge = max(lastCharge, at)
      } else if Self.before & Self.bit(kind) == 0 {
        firstOther = min(firstOther, at)
        if kind == .credited {
          firstCredit = min(firstCredit, at)
          if facts[place].fact.account.isNone || facts[place].fact.product.isNone { isBare = true }
        }
      }
    }
    if firstOther < lastCharge { alignToCharges(&facts) }
    let isOdd =
      isBare || new & (Self.bit(.renewed) | Self.bit(.granted)) != 0
      || new & Self.bit(.finishing) == 0 && new & Self.bit(.finished) != 0
      || new & Self.bit(.refunded) != 0 && new & (Self.bit(.reversed) | Self.bit(.regranted)) != 0
    if isOdd { setRight(&facts, new, old) }
    if (new | old) & (Self.bit(.charged) | Self.bit(.renewed)) != 0 || isWhole { return false }
    return new & Self.ofCharges != 0 || old & Self.bit(.credited) != 0
      || logBegins == .max || firstCredit < logBegins + within
  }

  private static func bit(_ kind: Fact.Kind) -> UInt64 { 1 << UInt64(kind.rawValue) }
  private static func bits(_ kinds: [Fact.Kind]) -> UInt64 { kinds.reduce(0) { $0 | bit($1) } }

  /// Of these a transaction comes.
  private static let charges = bits([.charged, .renewed, .restored, .returned])
  /// What comes before a charge, or is the store's own.
  private static let before = bits([.tapped, .deferred, .declined, .refunded, .expired, .voided])
  /// What the store says of a charge that there was.
  private static let ofCharges = bits([.restored, .returned, .refunded, .renewed, .expired])

  // MARK: - Clocks

  /// What a charge has caused did not happen before it, as far as clocks can be apart.
  @inline(never)
  private func alignToCharges(_ facts: inout [Entry]) {
    for place in facts.indices {
      let fact = facts[place].fact
      let bit = Self.bit(fact.kind)
      if facts[place].isOld || (Self.charges | Self.before) & bit != 0 || fact.transaction.isNone {
        continue
      }
      let cause = facts.first {
        !$0.isOld && $0.fact.transaction == fact.transaction
          && Self.charges & Self.bit($0.fact.kind) != 0
      }
      guard let cause, cause.fact.at > fact.at else { continue }
      let most = cause.isRenewal ? Self.renewalLead + skew : skew
      if cause.fact.at.millis - fact.at.millis <= most { facts[place].fact.at = cause.fact.at }
    }
  }

  /// What a refund has caused did not happen before it.
  private func alignToRefunds(_ facts: inout [Entry]) {
    for place in facts.indices {
      let fact = facts[place].fact
      guard !facts[place].isOld, fact.kind == .reversed || fact.kind == .regranted else { continue }
      let refunds = facts.filter {
        !$0.isOld && $0.fact.kind == .refunded && $0.fact.transaction == fact.transaction
          && ($0.fact.amount == 0) == (fact.kind == .regranted)
      }.map(\.fact.at)
      guard !refunds.contains(where: { $0 <= fact.at }), let next = refunds.min(),
        next.millis - fact.at.millis <= skew
      else { continue }
      facts[place].fact.at = next
    }
  }

  // MARK: - Habits

  @inline(never)
  private func setRight(_ facts: inout [Entry], _ new: UInt64, _ old: UInt64) {
    let all = new | old
    if new & Self.bit(.renewed) != 0, all & Self.bit(.charged) == 0 { promote(&facts) }
    if all & Self.bit(.granted) != 0 {
      countAccess(&facts, hasCredit: all & Self.bit(.credited) != 0)
    } else if new & Self.bit(.renewed) != 0 {
      // Who credits each period has a purchase each time.
      for place in facts.indices where facts[place].fact.kind == .renewed {
        facts[place].fact.kind = .charged
        facts[place].fact.original = .none
      }
    }
    if new & Self.bit(.finishing) == 0, new & Self.bit(.finished) != 0 { addFinishing(&facts) }
    if new & Self.bit(.refunded) != 0 { alignToRefunds(&facts) }
    for place in facts.indices where facts[place].fact.kind == .credited && !facts[place].isOld {
      fill(&facts[place].fact, facts)
    }
  }

  /// A renewal of what was bought before the log begins is where it begins.
  private func promote(_ facts: inout [Entry]) {
    guard
      let first = facts.indices.filter({ facts[$0].fact.kind == .renewed })
        .min(by: { facts[$0].fact.at < facts[$1].fact.at })
    else { return }
    let (unknown, known) = (facts[first].fact.original, facts[first].fact.transaction)
    facts[first].fact.kind = .charged
    facts[first].fact.original = .none
    for place in facts.indices where facts[place].fact.original == unknown && !unknown.isNone {
      facts[place].fact.original = known
    }
  }

  /// Access is what a subscription delivers: a credit of its own is made for who tells of none, and one of a renewal is
  /// no further goods.
  private func countAccess(_ facts: inout [Entry], hasCredit: Bool) {
    let renewed = facts.filter { $0.fact.kind == .renewed }.map(\.fact.transaction)
    if hasCredit {
      facts.removeAll { $0.fact.kind == .credited && renewed.contains($0.fact.transaction) }
      return
    }
    guard let charge = facts.first(where: { $0.fact.kind == .charged }),
      var entry = facts.filter({ $0.fact.kind == .granted }).min(by: { $0.fact.at < $1.fact.at })
    else { return }
    entry.fact.kind = .credited
    entry.fact.transaction = charge.fact.transaction
    entry.fact.product = charge.fact.product
    entry.fact.quantity = charge.fact.quantity
    entry.fact.amount = 0
    facts.append(entry)
  }

  /// What is out of the queue was finished, whoever wrote that down.
  private func addFinishing(_ facts: inout [Entry]) {
    for entry in facts where entry.fact.kind == .finished && !entry.isOld {
      var asked = entry
      asked.fact.kind = .finishing
      facts.append(asked)
    }
  }

  /// Where a ledger does not say whose it is, or what, it is taken for what was paid for.
  private func fill(_ credit: inout Fact, _ facts: [Entry]) {
    guard credit.account.isNone || credit.product.isNone else { return }
    var transaction = credit.transaction
    if let restore = facts.first(where: {
      $0.fact.kind == .restored && $0.fact.transaction == transaction
    }) {
      transaction = restore.fact.original
    }
    let charge = facts.first {
      ($0.fact.kind == .charged || $0.fact.kind == .renewed) && $0.fact.transaction == transaction
    }
    guard let charge else { return }
    if credit.account.isNone { credit.account = charge.fact.account }
    if credit.product.isNone { credit.product = charge.fact.product }
  }
}

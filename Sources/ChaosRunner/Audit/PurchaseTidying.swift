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
  private let transfersOnRestore: Bool
  /// The products that are subscriptions are the first ones.
  private let subscriptions: Int

  init(_ terms: AuditTerms) {
    skew = terms.skew
    within = terms.within
    isWhole = terms.isWhole
    transfersOnRestore = terms.transfersOnRestore
    subscriptions = terms.subscriptions.count
  }

  /// What a purchase is found to be.
  struct Nature {
    /// Whether the log tells who has access, so that it is a subscription to be judged as one.
    var isAccess = false
    /// Of each transaction whose period is over what is to be known of that.
    var states: [TransactionID: ClosedPurchase.State] = [:]
  }

  /// Sets the facts right; they need not be in their order afterwards.
  @inline(__always)
  func tidy(_ facts: inout [OpenPurchases.Entry]) -> Nature {
    var nature = Nature()
    var new: UInt64 = 0
    var old: UInt64 = 0
    var lastCharge = Int64.min
    var firstOther = Int64.max
    var isBare = false
    for place in facts.indices {
      let kind = facts[place].fact.kind
      if facts[place].isOld {
        old |= Self.bit(kind)
        if facts[place].state.contains(.access) { nature.isAccess = true }
        if !facts[place].state.isDisjoint(with: [.over, .gone]) { isBare = true }
        continue
      }
      new |= Self.bit(kind)
      let at = facts[place].fact.at.millis
      if Self.charges & Self.bit(kind) != 0 {
        lastCharge = max(lastCharge, at)
        if kind == .charged, facts[place].fact.product.isNone { isBare = true }
      } else if Self.before & Self.bit(kind) == 0 {
        firstOther = min(firstOther, at)
        if kind == .credited {
          if facts[place].fact.account.isNone || facts[place].fact.product.isNone { isBare = true }
        }
      }
    }
    if new & Self.bit(.granted) != 0 { nature.isAccess = true }
    if firstOther < lastCharge { alignToCharges(&facts) }
    let isOdd =
      isBare || new & Self.subscribed != 0
      || new & Self.bit(.finishing) == 0 && new & Self.bit(.finished) != 0
      || new & Self.bit(.refunded) != 0 && new & Self.takenBack != 0
    if isOdd { setRight(&facts, new, &nature) }
    return nature
  }

  /// Whether a purchase began before the log does.
  @inline(__always)
  func isOlder(_ facts: [OpenPurchases.Entry], logBegins: Int64) -> Bool {
    if isWhole { return false }
    var new: UInt64 = 0
    var old: UInt64 = 0
    var firstCredit = Int64.max
    var firstTaken = Int64.max
    for entry in facts {
      let kind = entry.fact.kind
      // What was waited for within the log was charged within it, or not at all.
      if kind == .charged || kind == .renewed || kind == .deferred && !entry.isOld { return false }
      if entry.isOld { old |= Self.bit(kind) } else { new |= Self.bit(kind) }
      if entry.isOld { continue }
      if kind == .credited { firstCredit = min(firstCredit, entry.fact.at.millis) }
      if kind == .reversed || kind == .regranted {
        firstTaken = min(firstTaken, entry.fact.at.millis)
      }
    }
    if new & Self.ofCharges != 0 || old & Self.bit(.credited) != 0 { return true }
    // What a refund before the log has caused has its time as well.
    return firstCredit == .max
      ? firstTaken < logBegins + max(within, Books.settling) : firstCredit < logBegins + within
  }

  private static func bit(_ kind: Fact.Kind) -> UInt64 { 1 << UInt64(kind.rawValue) }
  private static func bits(_ kinds: [Fact.Kind]) -> UInt64 { kinds.reduce(0) { $0 | bit($1) } }

  /// Of these a transaction comes.
  private static let charges = bits([.charged, .renewed, .restored, .returned])
  /// What comes before a charge, or is the store's own.
  private static let before = bits([.tapped, .deferred, .declined, .refunded, .expired, .voided])
  /// What the store says of a charge that there was.
  private static let ofCharges = bits([.restored, .returned, .refunded, .renewed, .expired])
  /// What there is of subscriptions alone.
  private static let subscribed = bits([.renewed, .granted, .expired])
  /// What a ledger enters of goods that have units.
  private static let units = bits([.credited, .reversed, .regranted])
  /// What a refund causes.
  private static let takenBack = bits([.reversed, .regranted, .granted])

  // MARK: - Clocks

  /// What a charge has caused did not happen before it, as far as clocks can be apart: the charge was earlier by that much,
  /// so that what it has caused keeps its order.
  @inline(never)
  private func alignToCharges(_ facts: inout [Entry]) {
    for place in facts.indices where Self.charges & Self.bit(facts[place].fact.kind) != 0 {
      let most = facts[place].isRenewal ? Self.renewalLead + skew : skew
      let transaction = facts[place].fact.transaction
      pull(place, &facts, by: most) { effect in
        effect.transaction == transaction
          && (Self.charges | Self.before) & Self.bit(effect.kind) == 0
      }
    }
  }

  /// What a refund has caused did not happen before it: goods, or access, are taken back, or given again.
  private func alignToRefunds(_ facts: inout [Entry]) {
    for place in facts.indices where facts[place].fact.kind == .refunded {
      let refund = facts[place].fact
      let isTaken = refund.amount > 0
      pull(place, &facts, by: skew) { effect in
        switch effect.kind {
        case .reversed: isTaken && effect.transaction == refund.transaction
        case .regranted: !isTaken && effect.transaction == refund.transaction
        // Access is told under the name of any of its charges.
        case .granted: isTaken == (Int64(effect.amount) * 1000 <= effect.at.millis)
        default: false
        }
      }
    }
  }

  /// Moves a cause to the first of its effects, where that is earlier by no more than so much.
  private func pull(
    _ cause: Int, _ facts: inout [Entry], by most: Int64, isEffect: (Fact) -> Bool
  ) {
    guard !facts[cause].isOld else { return }
    let at = facts[cause].fact.at
    // Of facts of one millisecond access comes before what the store gives back.
    let ahead: Int64 = facts[cause].fact.kind == .refunded ? 1 : 0
    var first = at
    for entry in facts where !entry.isOld && at.millis - entry.fact.at.millis <= most {
      let latest = Instant(millis: entry.fact.at.millis - ahead)
      if latest < first, isEffect(entry.fact) { first = latest }
    }
    facts[cause].shift = Int32(clamping: Int64(facts[cause].shift) + at.millis - first.millis)
    facts[cause].fact.at = first
  }

  // MARK: - Habits

  @inline(never)
  private func setRight(_ facts: inout [Entry], _ new: UInt64, _ nature: inout Nature) {
    fillProducts(&facts, of: .charged)
    fillRenewals(&facts)
    fillProducts(&facts, of: .renewed)
    fillRenewals(&facts)
    if nature.isAccess {
      promote(&facts)
      countAccess(&facts)
    } else {
      countPeriods(&facts, &nature.states)
    }
    if new & Self.bit(.finishing) == 0, new & Self.bit(.finished) != 0 { addFinishing(&facts) }
    if new & Self.bit(.refunded) != 0 { alignToRefunds(&facts) }
    for place in facts.indices where facts[place].fact.kind == .credited && !facts[place].isOld {
      fill(&facts[place].fact, facts)
    }
  }

  /// A subscription that was bought before the log begins is told of from the first charge on that the log has.
  private func promote(_ facts: inout [Entry]) {
    guard
      let first = facts.indices.filter({
        isCharge(facts[$0]) && !facts[$0].isOld && !facts[$0].fact.original.isNone
      })
      .min(by: { facts[$0].fact.at < facts[$1].fact.at })
    else { return }
    let (unknown, known) = (facts[first].fact.original, facts[first].fact.transaction)
    guard !facts.contains(where: { isCharge($0) && $0.fact.transaction == unknown }) else { return }
    facts[first].fact.kind = .charged
    facts[first].fact.original = .none
    // Access is told under the name of what was bought first; what else is, is about periods before the log.
    facts.removeAll {
      $0.fact.transaction == unknown && $0.fact.kind != .granted && $0.fact.kind != .expired
    }
    for place in facts.indices {
      if facts[place].fact.original == unknown { facts[place].fact.original = known }
      if facts[place].fact.transaction == unknown { facts[place].fact.transaction = known }
    }
  }

  /// Who credits each period has a purchase each time, and what a ledger takes back of it when it is over is owed to nobody.
  private func countPeriods(
    _ facts: inout [Entry], _ states: inout [TransactionID: ClosedPurchase.State]
  ) {
    if transfersOnRestore { moveRenewals(&facts) }
    for place in facts.indices where facts[place].fact.kind == .renewed {
      facts[place].fact.kind = .charged
      facts[place].fact.original = .none
    }
    let ends = facts.filter { $0.fact.kind == .expired }.map(\.fact.at.millis)
    for entry in facts where entry.isOld && !entry.state.isDisjoint(with: [.over, .gone]) {
      states[entry.fact.transaction] = entry.state.intersection([.over, .gone])
    }
    if ends.isEmpty, states.isEmpty { return }
    let order = facts.indices.sorted {
      if facts[$0].isOld != facts[$1].isOld { return facts[$0].isOld }
      return (facts[$0].fact.at, $0) < (facts[$1].fact.at, $1)
    }
    var places: [TransactionID: [Int]] = [:]
    for place in order { places[facts[place].fact.transaction, default: []].append(place) }
    var owedToNobody: Set<Int> = []
    for (transaction, places) in places where !transaction.isNone {
      let known = states[transaction] ?? []
      let bought = places.first { !facts[$0].isOld && facts[$0].fact.kind == .charged }
      // What was bought later does not end with what was paid for before.
      let from = bought.map { facts[$0].fact.at.millis } ?? .min
      let next = ends.filter { $0 > from }.min().map { $0 - skew }
      guard let end = known.contains(.over) ? .min : next else { continue }
      let (found, isGone) = takenBackAtTheEnd(
        places, of: facts, end: end, isGone: known.contains(.gone))
      owedToNobody.formUnion(found)
      states[transaction] = isGone ? [.over, .gone] : .over
    }
    facts = facts.indices.filter { !owedToNobody.contains($0) }.map { facts[$0] }
  }

  /// Whoever has restored a subscription, where that moves it, has what is paid for from then on.
  private func moveRenewals(_ facts: inout [Entry]) {
    let moves = facts.filter { $0.fact.kind == .restored && !$0.fact.account.isNone }
    for place in facts.indices where facts[place].fact.kind == .renewed {
      let before = moves.filter { $0.fact.at <= facts[place].fact.at }
      guard let move = before.max(by: { $0.fact.at < $1.fact.at }) else { continue }
      facts[place].fact.account = move.fact.account
    }
  }

  /// What a ledger takes back of a period that is over, gives again of that, and need not take back once more when the money
  /// comes back after that: the places of these facts among those of the period, which come in order, and whether anything is
  /// taken back so in the end.
  private func takenBackAtTheEnd(
    _ places: [Int], of facts: [Entry], end: Int64, isGone: Bool
  ) -> (found: [Int], isGone: Bool) {
    var found: [Int] = []
    var taken = 0
    // What was taken back so before it was closed was all that there was.
    var gone = isGone ? 1000 : 0
    for (index, place) in places.enumerated() {
      let fact = facts[place].fact
      let amount = Int(fact.amount)
      // What was given back until then, as far as clocks can be apart.
      let refund = places.last {
        facts[$0].fact.kind == .refunded
          && (facts[$0].isOld || facts[$0].fact.at.millis <= fact.at.millis + skew)
      }
      let due = refund.map { Int(facts[$0].fact.amount) } ?? 0
      switch fact.kind {
      case .reversed where !facts[place].isOld && fact.at.millis >= end && taken >= due:
        found.append(place)
        gone += amount
      case .reversed: taken += amount
      case .regranted where gone > 0 && taken <= due:
        found.append(place)
        gone -= amount
      case .regranted: taken -= amount
      case .refunded where gone > 0 && amount > taken:
        let isTakenBackAgain = places[index...].contains {
          facts[$0].fact.kind == .reversed
        }
        if !isTakenBackAgain { found.append(place) }
      default: break
      }
    }
    return (found, gone > 0)
  }

  /// Access is what a subscription delivers: each of its charges is credited by the first access that comes of it, and what
  /// its periods are credited beside that is no further goods.
  private func countAccess(_ facts: inout [Entry]) {
    let paid = facts.filter {
      isCharge($0) && !$0.fact.product.isNone && $0.fact.product.index < subscriptions
    }
    guard !paid.isEmpty else { return }
    let grants = facts.filter { $0.fact.kind == .granted && !$0.isOld }
      .sorted { $0.fact.at < $1.fact.at }
    facts.removeAll { entry in
      Self.units & Self.bit(entry.fact.kind) != 0 && !entry.isOld
        && paid.contains { $0.fact.transaction == entry.fact.transaction }
    }
    for charge in paid where charge.fact.kind == .charged && !charge.isOld {
      // What was granted before is of what was paid for before.
      let later = grants.filter { $0.fact.at >= charge.fact.at }
      let own = later.first { $0.fact.transaction == charge.fact.transaction }
      guard var entry = own ?? later.first else { continue }
      entry.state = .access
      entry.fact.kind = .credited
      entry.fact.transaction = charge.fact.transaction
      entry.fact.product = charge.fact.product
      entry.fact.quantity = charge.fact.quantity
      entry.fact.amount = 0
      facts.append(entry)
    }
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
    let charge = facts.first { isCharge($0) && $0.fact.transaction == transaction }
    guard let charge else { return }
    if credit.account.isNone { credit.account = charge.fact.account }
    if credit.product.isNone { credit.product = charge.fact.product }
  }

  /// A renewal that does not say of what it is one is one of what was bought.
  private func fillRenewals(_ facts: inout [Entry]) {
    guard let known = facts.first(where: { isCharge($0) && !$0.fact.product.isNone }) else {
      return
    }
    for place in facts.indices where isCharge(facts[place]) && facts[place].fact.product.isNone {
      facts[place].fact.product = known.fact.product
    }
  }

  private func isCharge(_ entry: Entry) -> Bool {
    entry.fact.kind == .charged || entry.fact.kind == .renewed
  }

  /// The same for all charges of a kind.
  private func fillProducts(_ facts: inout [Entry], of kind: Fact.Kind) {
    for place in facts.indices where facts[place].fact.kind == kind && !facts[place].isOld {
      fillProduct(&facts[place].fact, facts)
    }
  }

  /// Where nobody says what was bought, it is what was handed out for it.
  private func fillProduct(_ charge: inout Fact, _ facts: [Entry]) {
    guard charge.product.isNone, !charge.transaction.isNone else { return }
    let credit = facts.first {
      $0.fact.kind == .credited && $0.fact.transaction == charge.transaction
    }
    if let credit { charge.product = credit.fact.product }
  }
}

import Invariants

/// One judge for all purchases of a log, one after the other, and what they add up to.
struct PurchaseJudging: ~Copyable {
  /// What is broken is one purchase's, but for sums, which are those of a product.
  private static let rules = AuditRules.all.indices.filter {
    AuditRules.all[$0].onlyWhole == nil && AuditRules.all[$0].invariant.code != "I11"
  }
  private static let loss = AuditRules.all.firstIndex { $0.invariant.code == "I01" }
  private static let secondCredit = AuditRules.all.firstIndex { $0.invariant.code == "I02" }
  private static let refund = AuditRules.all.firstIndex { $0.invariant.code == "I07" }
  private static let access = AuditRules.all.firstIndex { $0.invariant.code == "I09" }

  private var judge: Judge
  /// The facts of what is judged now, in their order.
  private var facts: [OpenPurchases.Entry] = []
  /// What is to be kept of each transaction of the purchase that was judged last.
  private var kept: [Kept] = []
  /// By product and environment.
  private var sums: [AuditSum?] = []
  private let tidying: PurchaseTidying
  /// What tidying has found of what is judged now.
  private var nature = PurchaseTidying.Nature()
  /// Whether all of it has had its time.
  private var isDue = true
  /// The levels of subscriptions, and none for what is judged now.
  private let levels: [Int]
  private var isLevelled = true

  init(_ terms: AuditTerms) {
    var judged = Books.Terms(
      heal: .start, within: terms.within, transfersOnRestore: terms.transfersOnRestore)
    levels = terms.subscriptions.map(\.level)
    judged.levels = levels
    judge = Judge(rules: Self.rules.map { AuditRules.all[$0].invariant }, terms: judged)
    tidying = PurchaseTidying(terms)
  }

  /// Judges a purchase as it stands at this moment, at which all of it has had its time or not.
  mutating func judge(
    _ purchase: UInt32, _ open: borrowing OpenPurchases, _ products: borrowing ProductNames,
    until end: Int64, isDue: Bool, _ result: inout AuditResult
  ) {
    gather(purchase, open)
    self.isDue = isDue
    kept.removeAll(keepingCapacity: true)
    let known = open.purchases[purchase]
    // Words about a wish that nobody remembers say nothing.
    guard known.count(of: .transaction) > 0 || known.hasTap || known.credits > 0 else { return }
    kept.append(contentsOf: repeatElement(Kept(), count: known.count(of: .transaction)))
    var isOlder = false
    if nature.isAccess || known.count(of: .transaction) < 2 {
      isOlder = judgeFacts(of: purchase, known, open, products, until: end, &result)
    } else {
      let periods = PurchasePeriods(
        transactions: known.count(of: .transaction), intents: known.count(of: .intent), facts)
      for period in periods.split(facts) {
        facts = period
        if judgeFacts(of: purchase, known, open, products, until: end, &result) { isOlder = true }
      }
    }
    if isOlder { result.older += 1 }
  }

  /// Judges the facts that are at hand, and says whether they are the first ones of what began before the log.
  private mutating func judgeFacts(
    of purchase: UInt32, _ known: OpenPurchases.Purchase, _ open: borrowing OpenPurchases,
    _ products: borrowing ProductNames, until end: Int64, _ result: inout AuditResult
  ) -> Bool {
    clear()
    guard let first = facts.first else { return false }
    let isOlder = tidying.isOlder(facts, logBegins: result.begins)
    let nobody = StoreAccountID(index: known.count(of: .storeAccount))
    let start = facts.first { !$0.isOld }?.fact.at ?? first.fact.at
    let unsaid = run(known, from: start, nobody)
    var before = Tally()
    var credited: Int64 = 0
    for index in facts.indices {
      var fact = facts[index].fact
      if facts[index].isOld {
        fact.at = start
      } else if index > 0, facts[index - 1].isOld {
        before = tally(index)
      }
      if fact.storeAccount.isNone { fact.storeAccount = nobody }
      if fact.kind == .charged, judge.books.transaction(fact.transaction).isCharged {
        result.note(
          LineDamage(
            found: "a transaction that is charged again", expected: "one charge for a transaction"),
          at: facts[index].place)
        fact.becomeNothing()
      }
      if fact.kind == .restored, fact.original.isNone { fact.becomeNothing() }
      result.happened |= 1 << UInt64(fact.kind.rawValue)
      judge.observe(fact)
      // What is told by access has no units.
      if fact.kind == .credited, !facts[index].isOld,
        fact.transaction.isNone || judge.books.subscription(of: fact.transaction) == nil
      {
        credited += Int64(fact.quantity)
      }
    }
    var last = TransactionID.none
    for entry in facts where entry.fact.transaction != last {
      last = entry.fact.transaction
      if !last.isNone { keep(last, purchase, open) }
    }
    guard let latest = facts.last(where: { !$0.isOld })?.fact.at.millis else {
      // Nothing has happened since it was judged.
      return false
    }
    judge.close(at: Instant(millis: max(end, latest)))
    // Of what was paid for before the log nothing is known but what comes twice.
    for violation in judge.violations
    where !isOlder || Self.rules[violation.rule] == Self.secondCredit {
      report(violation, unsaid, purchase, open, products, &result)
    }
    if !isOlder { add(before, credited, &result) }
    return isOlder && !first.isOld
  }

  /// What is kept of a transaction of the purchase that was judged last.
  func kept(_ number: Int) -> Kept { number < kept.count ? kept[number] : Kept() }

  /// What is kept of a transaction: what became of it, and the line of its credit or what it stands for.
  struct Kept {
    var bits = ClosedPurchase().bits
    var extra: UInt64 = 0
  }

  private mutating func keep(
    _ id: TransactionID, _ purchase: UInt32, _ open: borrowing OpenPurchases
  ) {
    let charge = judge.books.transaction(id)
    let renewal = facts.first { $0.fact.kind == .renewed && $0.fact.transaction == id }?.fact
    if charge.isRestore, renewal == nil {
      var closed = ClosedPurchase()
      closed.isRestore = true
      kept[id.index].bits = closed.bits
      open.eachKey(of: purchase) { name, kind, number in
        if kind == .transaction, number == charge.original.raw { kept[id.index].extra = name }
      }
      return
    }
    let kind = charge.credits > 0 ? Fact.Kind.credited : .charged
    let entry = facts.first { $0.fact.kind == kind && $0.fact.transaction == id }
    var closed = ClosedPurchase(charge)
    closed.state = nature.states[id] ?? []
    if nature.isAccess {
      closed.state.insert(.access)
      let subscription = judge.books.subscription(of: id)
      let isLast = subscription?.latest == id
      if let subscription, !isLast || !subscription.isPaid { closed.state.insert(.over) }
    }
    if let renewal { closed.becomeCharged(renewal) }
    if isDue { closed.state.insert(.due) }
    kept[id.index] = Kept(bits: closed.bits, extra: entry?.place.bits ?? 0)
  }

  /// Forgets what was judged before. Each period of a subscription that nobody tells the access of is a purchase.
  private mutating func clear() {
    if nature.isAccess == isLevelled || levels.isEmpty { return judge.clear() }
    isLevelled = nature.isAccess
    judge.clear(levels: isLevelled ? levels : [])
  }

  // MARK: - The facts in order

  private mutating func gather(_ purchase: UInt32, _ open: borrowing OpenPurchases) {
    facts.removeAll(keepingCapacity: true)
    var place = open.purchases[purchase].firstFact
    while place != OpenPurchases.none {
      let entry = open.entries[place]
      facts.append(entry)
      place = entry.next
    }
    nature = tidying.tidy(&facts)
    if facts.count < 2 { return }
    if facts.count > 32 { return facts.sort(by: Self.isBefore) }
    for index in 1..<facts.count {
      let entry = facts[index]
      var place = index
      while place > 0, Self.isBefore(entry, facts[place - 1]) {
        facts[place] = facts[place - 1]
        place -= 1
      }
      facts[place] = entry
    }
  }

  private static func isBefore(_ a: OpenPurchases.Entry, _ b: OpenPurchases.Entry) -> Bool {
    if a.isOld != b.isOld { return a.isOld }
    // What was kept of a purchase has its own order.
    if a.isOld { return false }
    if a.fact.at != b.fact.at { return a.fact.at < b.fact.at }
    let (first, second) = (rank(a.fact.kind), rank(b.fact.kind))
    return first == second ? a.place < b.place : first < second
  }

  /// The order in which a purchase goes, for facts of one millisecond: clocks of logs are coarse.
  private static func rank(_ kind: Fact.Kind) -> UInt8 {
    switch kind {
    case .launched, .ended, .loggedIn, .asked: 0
    case .tapped: 1
    case .deferred, .declined: 2
    case .charged, .renewed: 3
    case .restored, .returned, .withheld: 4
    case .traceable: 5
    case .delivered: 6
    case .saved: 7
    case .reported: 8
    case .verified: 9
    case .voided: 10
    case .attributed: 11
    case .credited, .granted: 12
    case .forgotten: 13
    case .answered: 14
    case .finishing: 15
    case .finished: 16
    case .erased, .recordLost: 17
    case .told: 18
    case .refunded: 19
    case .reversed: 20
    case .regranted: 21
    case .goodsLost, .expired, .givenUp: 22
    }
  }

  /// Lets an app of each account of the store run from the beginning on, so that time is that of the clock.
  private mutating func run(
    _ known: OpenPurchases.Purchase, from start: Instant, _ nobody: StoreAccountID
  ) -> Int {
    for index in 0...nobody.index {
      var fact = Fact(.launched, at: start)
      fact.device = DeviceID(index: known.count(of: .device) + index)
      fact.storeAccount = StoreAccountID(index: index)
      judge.observe(fact)
    }
    return nobody.index + 1
  }

  // MARK: - What comes of it

  private func report(
    _ violation: Violation, _ unsaid: Int, _ purchase: UInt32, _ open: borrowing OpenPurchases,
    _ products: borrowing ProductNames, _ result: inout AuditResult
  ) {
    let rule = Self.rules[violation.rule]
    let position = violation.fact == nil ? nil : violation.position - 1 - unsaid
    if let position, facts[position].isOld { return }
    // Whose money was given back was owed nothing any more when it came after all.
    if rule == Self.loss, let fact = violation.fact,
      facts.contains(where: {
        $0.fact.kind == .refunded && $0.fact.amount == 1000 && $0.fact.at <= fact.at
          && $0.fact.transaction == fact.transaction
      })
    {
      return
    }
    // Who may use it is found at the next thing that happens, and is about the last one before that.
    let cause = rule == Self.access ? self.cause(before: position) : position
    var subject = violation.fact?.transaction ?? violation.found?.transaction ?? .none
    if rule == Self.access, let charge = lastCharge(until: cause) { subject = charge }
    if subject.isNone {
      subject = facts.first { !$0.fact.transaction.isNone }?.fact.transaction ?? .none
    }
    if wasTold(rule, violation, of: subject) || isElsewhere(rule, subject) { return }
    guard result.counts[rule] < result.terms.most else {
      result.counts[rule] += 1
      return
    }
    let charge = judge.books.charge(behind: subject)
    var finding = AuditFinding(rule: rule, at: violation.at.millis, evidence: [])
    // What a restore stands for was paid.
    let paid = charge.isCharged ? charge.original : subject
    finding.transaction =
      open.text(.transaction, paid.raw, in: purchase)
      ?? open.text(.transaction, subject.raw, in: purchase)
    let intent = violation.found?.intent ?? violation.fact?.intent ?? .none
    if !intent.isNone { finding.intent = open.text(.intent, intent.raw, in: purchase) }
    var account = charge.owner
    if account.isNone { account = violation.fact?.account ?? .none }
    if account.isNone { account = charge.creditedTo }
    finding.account = account.isNone ? nil : open.text(.account, account.raw, in: purchase)
    let product = charge.product.isNone ? violation.fact?.product ?? .none : charge.product
    finding.product = products.text(product)
    finding.quantity = charge.isCharged ? charge.quantity : violation.fact?.quantity ?? 0
    finding.environment = charge.environment
    FindingEvidence(facts: facts, isAccess: nature.isAccess)
      .add(cause, purchase, open, to: &finding)
    result.keep(finding)
  }

  /// What was missing when the purchase was closed was told then.
  private func wasTold(_ rule: Int, _ violation: Violation, of subject: TransactionID) -> Bool {
    guard rule == Self.loss || rule == Self.refund && violation.fact == nil else { return false }
    let old = facts.filter {
      $0.isOld && $0.state.contains(.due) && $0.fact.transaction == subject
    }
    func amount(_ kind: Fact.Kind) -> UInt32 {
      old.first { $0.fact.kind == kind }?.fact.amount ?? 0
    }
    let isCredited = old.contains { $0.fact.kind == .credited }
    // Who had their money back had lost nothing.
    if rule == Self.loss { return !old.isEmpty && !isCredited && amount(.refunded) < 1000 }
    return isCredited && amount(.refunded) > amount(.reversed)
  }

  /// Whether it is another rule's affair, or nothing is known of it any more.
  private func isElsewhere(_ rule: Int, _ subject: TransactionID) -> Bool {
    if rule == Self.access {
      // Until when it was to be used is not kept.
      return facts.contains { $0.isOld && $0.state.intersection([.access, .over]) == .access }
    }
    // A part of the money came back, and the goods never came: they are lost.
    let charge = judge.books.charge(behind: subject)
    return rule == Self.refund && charge.credits == 0 && 1..<1000 ~= charge.refunded
      && charge.takenBack == 0
  }

  /// What decides who may use a subscription.
  private static let decisive: Set<Fact.Kind> = [.charged, .renewed, .refunded, .expired, .granted]

  /// The last thing that decided who may use it before this one, or before the end.
  private func cause(before position: Int?) -> Int? {
    facts[..<(position ?? facts.count)].lastIndex { Self.decisive.contains($0.fact.kind) }
      ?? position
  }

  private func lastCharge(until position: Int?) -> TransactionID? {
    guard let position else { return nil }
    return facts[...position].last { $0.fact.kind == .charged || $0.fact.kind == .renewed }?
      .fact.transaction
  }

  // MARK: - Sums

  private struct Tally {
    var charged: Int64 = 0
    var returned: Int64 = 0
    var takenBack: Int64 = 0
    var owed: Int64 = 0
    var environment = Environment.production
    var product = ProductID.none
    var open: Int64 = 0
    var waiting = 0
  }

  /// What the books say after so many facts; purchases of a subscription have no units.
  private func tally(_ count: Int) -> Tally {
    var tally = Tally()
    let owed = judge.books.owed
    tally.owed = owed.production + owed.sandbox
    for index in judge.books.charges.indices {
      let charge = judge.books.charges[index]
      if tally.product.isNone, charge.isCharged {
        tally.product = charge.product
        tally.environment = charge.environment
      }
      guard charge.isCharged, judge.books.subscription(of: TransactionID(index: index)) == nil
      else { continue }
      tally.charged += Int64(charge.quantity)
      if charge.isVoided || charge.isRefunded { tally.returned += Int64(charge.quantity) }
      tally.takenBack += Int64(charge.takenBack / 1000) * Int64(charge.quantity)
      if let units = judge.books.unitsInTheirTime(charge),
        mayBeOpen(TransactionID(index: index), units > 0 ? .charged : .refunded, facts[..<count])
      {
        tally.open += units
        tally.waiting += 1
      }
    }
    return tally
  }

  /// What has had its time when the purchase was closed is open no more.
  private func mayBeOpen(
    _ transaction: TransactionID, _ kind: Fact.Kind, _ facts: ArraySlice<OpenPurchases.Entry>
  ) -> Bool {
    facts.contains {
      $0.fact.transaction == transaction && $0.fact.kind == kind
        && !($0.isOld && $0.state.contains(.due))
    }
  }

  private mutating func add(_ before: Tally, _ credited: Int64, _ result: inout AuditResult) {
    let after = tally(facts.count)
    result.open += after.waiting - before.waiting
    var (product, environment) = (after.product, after.environment)
    if product.isNone, let fact = facts.first(where: { !$0.fact.product.isNone })?.fact {
      (product, environment) = (fact.product, fact.environment)
    }
    guard after.charged != 0 || credited != 0 || after.owed != before.owed else { return }
    let number = product.isNone ? 0 : product.index + 1
    let place = number * 2 + (environment == .sandbox ? 1 : 0)
    while sums.count <= place { sums.append(nil) }
    var sum = sums[place] ?? AuditSum(product: "", environment: environment)
    sum.charged += after.charged - before.charged
    sum.returned += after.returned - before.returned
    sum.takenBack += after.takenBack - before.takenBack
    sum.credited += credited
    let open = after.open - before.open
    sum.open += open
    sum.difference += after.owed - before.owed - open
    sums[place] = sum
  }

  /// Names the sums, and finds those that do not agree.
  mutating func finish(_ names: [String], _ result: inout AuditResult) {
    let rule = AuditRules.all.firstIndex { $0.invariant.code == "I11" }
    for place in sums.indices {
      guard var sum = sums[place] else { continue }
      sum.product = place < 2 ? "no product" : names[place / 2 - 1]
      result.sums.append(sum)
      guard sum.difference != 0, let rule else { continue }
      var finding = AuditFinding(rule: rule, at: result.last ?? 0, evidence: [])
      finding.product = sum.product
      finding.environment = sum.environment
      result.keep(finding)
    }
  }
}

extension Fact {
  /// Keeps its place in the history and says nothing: nobody is logged in nowhere.
  fileprivate mutating func becomeNothing() {
    kind = .loggedIn
    account = .none
    device = .none
  }
}

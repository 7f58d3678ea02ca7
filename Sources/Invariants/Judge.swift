/// Holds a history against a set of invariants, fact by fact.
///
/// It records the first break of each invariant and goes on, so one history can show several. Hand it
/// the facts in the order of time, then ``close(at:)`` it:
///
///     var judge = Judge(rules: Catalogue.invariants, terms: Books.Terms())
///     for fact in facts { try judge.observe(checking: fact) }
///     judge.close(at: end)
///     for violation in judge.violations {
///       print(judge.rules[violation.rule].summary, violation.at.millis)
///     }
public struct Judge: ~Copyable {
  /// The invariants asked, in the order in which their violations are numbered.
  public var rules: [any Invariant] { rulebook.rules }
  /// What the facts amount to so far.
  public private(set) var books: Books
  /// One bit for each rule that the history has broken, by position in ``rules``.
  package private(set) var broken: UInt64 = 0
  /// The first break of each rule that the history has broken, in the order in which they broke.
  public private(set) var violations: [Violation] = []
  /// How many facts were seen.
  public private(set) var factCount = 0
  /// A bit for each kind of fact that was seen.
  package private(set) var happened: UInt64 = 0

  private let rulebook: Rulebook
  /// The rulebook's own, at hand because every fact looks into it.
  private let listeners: UnsafeMutablePointer<UInt64>

  /// A judge that has seen nothing yet. It has room for at most 64 invariants.
  public init(rules: [any Invariant], terms: Books.Terms) {
    guard rules.count <= 64 else {
      fatalError("bug: found \(rules.count) invariants for one judge, expected at most 64")
    }
    guard terms.within ?? 0 >= 0 else {
      fatalError("bug: found \(terms.within ?? 0) ms from charge to credit, expected 0 or more")
    }
    self.books = Books(terms: terms)
    rulebook = Rulebook(rules)
    listeners = rulebook.listeners
  }

  /// Forgets the history and keeps the memory.
  public mutating func clear() {
    books.clear()
    broken = 0
    happened = 0
    factCount = 0
    if !violations.isEmpty { violations.removeAll(keepingCapacity: true) }
  }

  /// Forgets the history; from now on these products are subscriptions, as ``Books/Terms/levels`` has them.
  package mutating func clear(levels: [Int]) {
    clear()
    books.take(levels: levels)
  }

  /// Makes room for so many purchases at once.
  public mutating func reserve(purchases: Int) { books.reserve(purchases: purchases) }

  /// Enters a fact and asks every rule that listens to its kind.
  ///
  /// The caller answers for the fact: it has what its kind says, and is no earlier than the one
  /// before it. ``observe(checking:)`` is for facts that come from a log.
  public mutating func observe(_ fact: Fact) { enter(fact) }

  /// The same; what struck last goes on until then, as ``disturb(until:)`` has it.
  package mutating func observe(_ fact: Fact, disturbedUntil millis: Int64) {
    books.disturb(until: millis)
    enter(fact)
  }

  @inline(__always)
  private mutating func enter(_ fact: Fact) {
    books.enter(fact)
    factCount &+= 1
    happened |= 1 << UInt64(fact.kind.rawValue)
    var asked = listeners[Int(fact.kind.rawValue)] & ~broken
    while asked != 0 {
      let position = asked.trailingZeroBitCount
      asked &= asked - 1
      if _slowPath(rulebook.isBroken(position, by: fact, books)) { note(position, fact) }
    }
  }

  /// What struck last before the heal goes on until then, in milliseconds; to be said before the first fact after
  /// it.
  ///
  /// After a heal nothing strikes. Before it, time counts only from when nothing goes on any more; whoever
  /// says nothing has only the heal to go by.
  @inline(__always)
  package mutating func disturb(until millis: Int64) { books.disturb(until: millis) }

  /// Does what ``observe(_:)`` does, unless the fact cannot stand in this history.
  ///
  /// A fact that is refused changes nothing: it may be mended, or left out.
  public mutating func observe(checking fact: Fact) throws(FactError) {
    if let (found, expected) = books.problem(with: fact) {
      throw FactError(position: factCount + 1, kind: fact.kind, found: found, expected: expected)
    }
    observe(fact)
  }

  @inline(never)
  private mutating func note(_ position: Int, _ fact: Fact) {
    broken |= 1 << position
    violations.append(Violation(rule: position, at: fact.at, fact: fact, position: factCount))
  }

  /// One bit for each rule that this history has given nothing to judge, by position in ``rules``.
  package var idle: UInt64 {
    mutating get {
      // Histories of one scenario are much alike.
      if happened != lastHappened {
        lastHappened = happened
        lastIdle = rulebook.idle(where: happened)
      }
      return lastIdle | rulebook.hurried(books, except: lastIdle)
    }
  }
  private var lastHappened: UInt64 = .max
  private var lastIdle: UInt64 = 0

  /// What the eventual rules would find if nothing more happened after this instant. The history goes on all the same.
  package mutating func breaks(at end: Instant) -> [Violation] {
    books.close(at: end)
    return rulebook.rules.indices.compactMap { position in
      guard broken & (1 << position) == 0, let found = rulebook.breakAtEnd(position, books) else {
        return nil
      }
      return Violation(rule: position, at: end, found: found, position: factCount)
    }
  }

  /// Asks the eventual rules, once, when nothing more will happen.
  ///
  /// The end is an instant of the history: apps that run at the last fact run until then.
  public mutating func close(at end: Instant) {
    books.close(at: end)
    for position in 0..<rulebook.rules.count where broken & (1 << position) == 0 {
      if let found = rulebook.breakAtEnd(position, books) {
        broken |= 1 << position
        violations.append(Violation(rule: position, at: end, found: found, position: factCount))
      }
    }
  }
}

/// The first break of one invariant in one history.
public struct Violation: Sendable, Equatable {
  /// The position of the invariant in the judge's rules.
  public var rule: Int
  /// When it broke: the instant of the fact, or of the end of the history.
  public var at: Instant
  /// The fact that broke it; nil if it shows only at the end of the history.
  public var fact: Fact?
  /// What was left wrong, for a rule judged at the end.
  public var found: Break?
  /// The number of facts seen when it broke, the one that broke it included.
  public var position: Int

  init(rule: Int, at: Instant, fact: Fact? = nil, found: Break? = nil, position: Int) {
    self.rule = rule
    self.at = at
    self.fact = fact
    self.found = found
    self.position = position
  }
}

/// The rules of a judge, in a form in which asking one copies and counts nothing.
private final class Rulebook: @unchecked Sendable {
  let rules: [any Invariant]
  /// For each kind of fact, a bit for each rule that listens to it; never changed again.
  fileprivate let listeners: UnsafeMutablePointer<UInt64>
  /// For each rule, a bit for each kind of fact that gives it something to judge.
  private let concerns: [UInt64]
  /// One bit for each rule that can break only after some time.
  private let timed: UInt64
  /// Never changed after the initialiser, which keeps a reference to each.
  private let bound: UnsafeMutablePointer<Unmanaged<BoundRule>>

  init(_ rules: [any Invariant]) {
    self.rules = rules
    concerns = rules.map { $0.concerns.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
    timed = rules.indices.reduce(0) { rules[$1].needsTime ? $0 | 1 << UInt64($1) : $0 }
    bound = .allocate(capacity: max(rules.count, 1))
    listeners = .allocate(capacity: Fact.Kind.allCases.count)
    listeners.initialize(repeating: 0, count: Fact.Kind.allCases.count)
    for (position, rule) in rules.enumerated() {
      (bound + position).initialize(to: .passRetained(Self.bind(rule)))
      for kind in rule.listensTo { listeners[Int(kind.rawValue)] |= 1 << position }
    }
  }

  deinit {
    for position in rules.indices { bound[position].release() }
    bound.deallocate()
    listeners.deallocate()
  }

  func idle(where happened: UInt64) -> UInt64 {
    concerns.indices.reduce(0) { concerns[$1] & happened == 0 ? $0 | 1 << UInt64($1) : $0 }
  }

  /// One bit for each rule for which the history was too short, but for those that are excepted.
  func hurried(_ books: borrowing Books, except idle: UInt64) -> UInt64 {
    var hurried: UInt64 = 0
    var left = timed & ~idle
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left - 1
      if !bound[position]._withUnsafeGuaranteedRef({ $0.hadTime(books) }) {
        hurried |= 1 << UInt64(position)
      }
    }
    return hurried
  }

  @inline(__always)
  func isBroken(_ position: Int, by fact: Fact, _ books: borrowing Books) -> Bool {
    bound[position]._withUnsafeGuaranteedRef { $0.isBroken(by: fact, books) }
  }

  func breakAtEnd(_ position: Int, _ books: borrowing Books) -> Break? {
    bound[position]._withUnsafeGuaranteedRef { $0.breakAtEnd(books) }
  }

  private static func bind<Rule: Invariant>(_ rule: Rule) -> BoundRule { Bound(rule) }
}

/// A rule behind one virtual call.
private class BoundRule {
  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool { false }
  func breakAtEnd(_ books: borrowing Books) -> Break? { nil }
  func hadTime(_ books: borrowing Books) -> Bool { true }
}

private final class Bound<Rule: Invariant>: BoundRule {
  private let rule: Rule

  init(_ rule: Rule) { self.rule = rule }

  override func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    rule.isBroken(by: fact, books)
  }

  override func breakAtEnd(_ books: borrowing Books) -> Break? { rule.breakAtEnd(books) }

  override func hadTime(_ books: borrowing Books) -> Bool { rule.hadTime(books) }
}

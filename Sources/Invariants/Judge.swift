/// Holds a history against a set of invariants, fact by fact.
///
/// It records the first break of each invariant and goes on, so one history can show several.
public struct Judge: ~Copyable {
  /// The invariants asked, in the order in which their violations are numbered.
  public var rules: [any Invariant] { rulebook.rules }
  public private(set) var books: Books
  /// One bit for each rule that the history has broken, by position in `rules`.
  public private(set) var broken: UInt64 = 0
  public private(set) var violations: [Violation] = []
  /// How many facts were seen.
  public private(set) var factCount = 0

  private let rulebook: Rulebook

  public init(rules: [any Invariant], terms: Books.Terms) {
    guard rules.count <= 64 else { fatalError("bug: more than 64 invariants in one judge") }
    self.books = Books(terms: terms)
    rulebook = Rulebook(rules)
  }

  /// Forgets the history and keeps the memory.
  public mutating func clear() {
    books.clear()
    broken = 0
    factCount = 0
    if !violations.isEmpty { violations.removeAll(keepingCapacity: true) }
  }

  /// Makes room for so many purchases at once.
  public mutating func reserve(purchases: Int) { books.reserve(purchases: purchases) }

  /// Enters a fact and asks every rule that listens to its kind.
  public mutating func observe(_ fact: Fact) {
    books.enter(fact)
    factCount += 1
    var asked = rulebook.listeners[Int(fact.kind.rawValue)] & ~broken
    while asked != 0 {
      let position = asked.trailingZeroBitCount
      asked &= asked - 1
      if _slowPath(rulebook.isBroken(position, by: fact, books)) { note(position, fact) }
    }
  }

  @inline(never)
  private mutating func note(_ position: Int, _ fact: Fact) {
    broken |= 1 << position
    violations.append(Violation(rule: position, at: fact.at, fact: fact, position: factCount))
  }

  /// Asks the eventual rules, once, when nothing more will happen.
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

/// The rules of a judge, in a form in which asking one copies and counts nothing.
private final class Rulebook: @unchecked Sendable {
  let rules: [any Invariant]
  /// For each kind of fact, a bit for each rule that listens to it; never changed again.
  let listeners: UnsafeMutablePointer<UInt64>
  /// Never changed after the initialiser, which keeps a reference to each.
  private let bound: UnsafeMutablePointer<Unmanaged<BoundRule>>

  init(_ rules: [any Invariant]) {
    self.rules = rules
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
}

private final class Bound<Rule: Invariant>: BoundRule {
  private let rule: Rule

  init(_ rule: Rule) { self.rule = rule }

  override func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    rule.isBroken(by: fact, books)
  }

  override func breakAtEnd(_ books: borrowing Books) -> Break? { rule.breakAtEnd(books) }
}

/// The first break of one invariant in one history.
public struct Violation: Sendable, Equatable {
  /// The position of the invariant in the judge's rules.
  public var rule: Int
  public var at: Instant
  /// The fact that broke it; nil if it shows only at the end of the history.
  public var fact: Fact?
  /// What was left wrong, for a rule judged at the end.
  public var found: Break?
  /// The number of facts seen when it broke.
  public var position: Int

  init(rule: Int, at: Instant, fact: Fact? = nil, found: Break? = nil, position: Int) {
    self.rule = rule
    self.at = at
    self.fact = fact
    self.found = found
    self.position = position
  }
}

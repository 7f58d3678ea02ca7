/// Holds a history against a set of invariants, fact by fact.
///
/// It records the first break of each invariant and goes on, so one history can show several.
public struct Judge: Sendable {
  /// The invariants asked, in the order in which their violations are numbered.
  public let rules: [any Invariant]
  public private(set) var books: Books
  /// One bit for each rule that the history has broken, by position in `rules`.
  public private(set) var broken: UInt64 = 0
  public private(set) var violations: [Violation] = []
  /// How many facts were seen.
  public private(set) var factCount = 0

  /// For each kind of fact, a bit for each rule that listens to it.
  private let listeners: [UInt64]

  public init(rules: [any Invariant], terms: Books.Terms) {
    guard rules.count <= 64 else { fatalError("bug: more than 64 invariants in one judge") }
    self.rules = rules
    self.books = Books(terms: terms)
    var listeners = [UInt64](repeating: 0, count: Fact.Kind.allCases.count)
    for (position, rule) in rules.enumerated() {
      for kind in rule.listensTo { listeners[Int(kind.rawValue)] |= 1 << position }
    }
    self.listeners = listeners
  }

  /// Forgets the history and keeps the memory.
  public mutating func clear() {
    books.clear()
    broken = 0
    factCount = 0
    if !violations.isEmpty { violations.removeAll(keepingCapacity: true) }
  }

  /// Enters a fact and asks every rule that listens to its kind.
  public mutating func observe(_ fact: Fact) {
    books.enter(fact)
    factCount += 1
    var asked = listeners[Int(fact.kind.rawValue)] & ~broken
    while asked != 0 {
      let position = asked.trailingZeroBitCount
      asked &= asked - 1
      if rules[position].isBroken(by: fact, books) {
        broken |= 1 << position
        violations.append(
          Violation(rule: position, at: fact.at, fact: fact, position: factCount))
      }
    }
  }

  /// Asks the eventual rules, once, when nothing more will happen.
  public mutating func close(at end: Instant) {
    books.close(at: end)
    for position in rules.indices where broken & (1 << position) == 0 {
      if let found = rules[position].breakAtEnd(books) {
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

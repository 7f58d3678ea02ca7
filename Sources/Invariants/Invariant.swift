/// A rule about histories.
///
/// A safety rule is asked after each fact it listens to, an eventual rule at the end. Both see
/// the books with the fact already entered, and do a constant amount of work per fact or charge.
/// A rule reads the fact and the books and nothing else, so that the same history gets the same
/// verdict every time; it keeps no state, for one rule serves many runs on many threads.
public protocol Invariant: Sendable {
  /// The short name used in scenarios and on the command line, such as `no-double-credit`.
  var name: String { get }
  /// The number in the catalogue, such as `I02`. Rules of your own begin with another letter.
  var code: String { get }
  /// What it comes to where it is broken, for a report that orders by cost; `.other` by default.
  var impact: Impact { get }
  /// What must be true, in one sentence.
  var summary: String { get }
  /// Why it matters to the people who pay, and to those who run the shop.
  var meaning: String { get }
  /// Public reports of it being broken; empty unless given.
  var evidence: [String] { get }
  /// The kinds of fact after which ``isBroken(by:_:)`` is asked; none for a rule that is judged at the
  /// end alone. It has no default, as a rule that forgets it would never be asked.
  var listensTo: [Fact.Kind] { get }

  /// The kinds of fact of which a history has at least one where it gives the rule something to judge.
  ///
  /// A report says in how many runs that was so. What the rule listens to, unless given.
  var concerns: [Fact.Kind] { get }

  /// True if the rule can break only some time after a fact that concerns it; false unless given.
  ///
  /// A history that ends sooner gives it nothing to judge: see ``hadTime(_:)``.
  var needsTime: Bool { get }

  /// True if the history went on for long enough to break the rule. Asked at the end, and only of rules
  /// with ``needsTime``.
  func hadTime(_ books: borrowing Books) -> Bool

  /// Why a history gave the rule nothing to judge, in a few words; what follows from ``concerns`` unless given.
  var lacking: String { get }

  /// Whether this fact breaks the rule; no fact does unless given.
  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool

  /// The first break that shows only when the history has ended; nil unless given.
  func breakAtEnd(_ books: borrowing Books) -> Break?
}

extension Invariant {
  /// Nothing that has a name of its own.
  public var impact: Impact { .other }
  /// What it listens to.
  public var concerns: [Fact.Kind] { listensTo }
  /// None of the kinds of fact that concern it.
  public var lacking: String {
    concerns.isEmpty ? "nothing to judge" : concerns.map(\.lack).joined(separator: ", ")
  }
  /// It can break at once.
  public var needsTime: Bool { false }
  /// There is always enough.
  public func hadTime(_ books: borrowing Books) -> Bool { true }
  /// No report is known.
  public var evidence: [String] { [] }
  /// No fact breaks it.
  public func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool { false }
  /// Nothing shows at the end.
  public func breakAtEnd(_ books: borrowing Books) -> Break? { nil }
}

/// What an eventual rule found wrong at the end of a history.
public struct Break: Equatable, Sendable {
  /// The charge or transaction that was left wrong; none where it is about an intent or a sum.
  public var transaction: TransactionID
  /// The intent that was left wrong; none where it is about a transaction or a sum.
  public var intent: IntentID

  /// A break about a transaction or an intent; about a sum if neither is given.
  public init(transaction: TransactionID = .none, intent: IntentID = .none) {
    self.transaction = transaction
    self.intent = intent
  }
}

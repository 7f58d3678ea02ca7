/// A rule about histories.
///
/// A safety rule is asked after each fact it listens to, an eventual rule at the end. Both see
/// the books with the fact already entered, and do a constant amount of work per fact or charge.
public protocol Invariant: Sendable {
  /// The short name used in scenarios and on the command line, such as `no-double-credit`.
  var name: String { get }
  /// The number in the catalogue, such as `I02`.
  var code: String { get }
  /// What must be true, in one sentence.
  var summary: String { get }
  /// Why it matters to the people who pay, and to those who run the shop.
  var meaning: String { get }
  /// Public reports of it being broken.
  var evidence: [String] { get }
  /// The kinds of fact after which `isBroken(by:_:)` is asked.
  var listensTo: [Fact.Kind] { get }

  /// Whether this fact breaks the rule.
  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool

  /// The first break that shows only when the history has ended.
  func breakAtEnd(_ books: borrowing Books) -> Break?
}

/// What an eventual rule found wrong at the end of a history.
public struct Break: Equatable, Sendable {
  /// The charge or transaction that was left wrong; none where it is about an intent or a sum.
  public var transaction: TransactionID
  public var intent: IntentID

  public init(transaction: TransactionID = .none, intent: IntentID = .none) {
    self.transaction = transaction
    self.intent = intent
  }
}

extension Invariant {
  public var listensTo: [Fact.Kind] { [] }
  public func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool { false }
  public func breakAtEnd(_ books: borrowing Books) -> Break? { nil }
}

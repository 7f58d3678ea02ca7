import Invariants

/// Nobody is credited on a guess.
///
/// A backend that cannot reach the verifier may answer "later", but it may not give the goods away.
public struct CreditAfterVerification: Invariant {
  public let name = "credit-after-verification"
  public let code = "X01"
  public let summary = "A purchase is credited only after the verifier has accepted it."
  public let meaning = """
    Whoever credits while the verifier is down has goods for everybody who can make it seem down.
    """
  public let listensTo: [Fact.Kind] = [.credited]

  public init() {}

  public func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.transaction(fact.transaction).verified != .accepted
  }
}

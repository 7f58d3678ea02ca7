import Invariants

/// What an app or a backend hands in is looked at before a table is.
///
/// A value of another simulation, or one that somebody made up, names rows that are not there. It has no
/// effect, and the run has no verdict: the problem says what it was.
extension World {
  /// Whether the catalogue has this product, or none was named.
  func knows(_ product: ProductID) -> Bool {
    product.isNone || product.index < setup.products.count
  }

  /// Whether everything that evidence points at is in this world.
  @inline(__always)
  func knows(_ evidence: Evidence) -> Bool {
    storeAccounts.holds(evidence.storeAccount)
      && (evidence.transaction.isNone || purchases.holds(evidence.transaction))
  }

  /// Whether a purchase is of this world, or of none.
  @inline(__always)
  func knows(_ purchase: VerifiedPurchase) -> Bool {
    (purchase.transaction.isNone || purchases.holds(purchase.transaction))
      && knows(purchase.product)
  }

  /// Notes what makes the run unfit for a verdict, once.
  @inline(never)
  mutating func note(_ kind: Problem.Kind, _ text: String) {
    guard !problems.contains(where: { $0.kind == kind && $0.text == text }) else { return }
    problems.append(Problem(kind, text, event: events, at: Instant(millis: now)))
  }

  /// Notes that nothing can be said of what a real process does: the run ends with this event.
  mutating func abandon(_ why: String) {
    note(.misuse, why)
    isAbandoned = true
  }

  /// Notes that something was handed in that this world does not have; false, for a guard.
  @inline(never)
  mutating func refuse(_ what: String) -> Bool {
    note(.misuse, "\(what) is not of this simulation")
    return false
  }

  /// Notes a product that the catalogue does not have; false, for a guard.
  @inline(never)
  mutating func refuse(_ product: ProductID, in what: String) -> Bool {
    let last = setup.products.count - 1
    note(.misuse, "\(what) names product \(product.raw), and the catalogue has 0 to \(last)")
    return false
  }
}

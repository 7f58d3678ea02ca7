import Invariants

/// Orders broken rules, the likely cause first.
///
/// One defect breaks several rules. The rule that takes the fewest decisions to break is closest to it, and of
/// rules that take as many the gravest. Sums that do not agree say little about why, and an app that says
/// nothing for too long says least.
package struct CauseOrder: Comparable {
  private let standsBack: Int
  private let size: Int
  private let impact: Impact
  private let runs: Int
  private let rule: Int

  /// A rule at this position, which a plan of this size breaks, and which broke in so many runs.
  package init(_ invariant: any Invariant, at rule: Int, size: Int?, runs: Int) {
    standsBack =
      switch invariant.impact {
      case .leftWaiting: 2
      case .booksDiffer: 1
      default: 0
      }
    self.size = size ?? .max
    impact = invariant.impact
    self.runs = runs
    self.rule = rule
  }

  package static func < (a: Self, b: Self) -> Bool {
    if a.standsBack != b.standsBack { return a.standsBack < b.standsBack }
    if a.size != b.size { return a.size < b.size }
    if a.impact != b.impact { return a.impact < b.impact }
    return (b.runs, a.rule) < (a.runs, b.rule)
  }
}

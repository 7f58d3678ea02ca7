import Invariants

/// Refuses what could not be judged: each invariant once, and what must or may break among them.
struct JudgingCheck {
  var invariants: [any Invariant]
  var expects: [String]
  var allows: [String]
  var goals: [Goal] = []

  func check() throws(Refusal) {
    try checkInvariants()
    let must = try checked(expects, "expects")
    let may = try checked(allows, "allows")
    for (index, name) in may.enumerated() where must.contains(name) {
      throw Refusal(
        [.name("allows"), .index(index)], found: "'\(allows[index])'",
        expected: "an invariant that is not expected to break")
    }
    guard Limits.goals.contains(goals.count) else {
      throw Refusal(
        [.name("goals")], found: "\(goals.count)", expected: "at most \(Limits.goals.upperBound)")
    }
  }

  private func checkInvariants() throws(Refusal) {
    guard Limits.invariants.contains(invariants.count) else {
      throw Refusal(
        [.name("invariants")], found: invariants.isEmpty ? "an empty list" : "\(invariants.count)",
        expected: invariants.isEmpty
          ? "at least one invariant" : "at most \(Limits.invariants.upperBound)")
    }
    var names = Set<String>()
    for (index, invariant) in invariants.enumerated() {
      if invariant.name.isEmpty || invariant.code.isEmpty {
        throw Refusal(
          [.name("invariants"), .index(index)],
          found: "the name '\(invariant.name)' and the code '\(invariant.code)'",
          expected: "a name and a code")
      }
      guard names.insert(invariant.name).inserted else {
        throw Refusal(
          [.name("invariants"), .index(index)], found: "'\(invariant.name)'",
          expected: "each invariant once")
      }
    }
  }

  /// The names of invariants that are judged, of a list of names and codes.
  private func checked(_ list: [String], _ key: String) throws(Refusal) -> [String] {
    var names: [String] = []
    for (index, name) in list.enumerated() {
      guard let invariant = invariants.first(where: { $0.goes(by: name) }) else {
        let judged = invariants.map(\.name)
        let hint = suggestion(for: name, among: judged)
        throw Refusal(
          [.name(key), .index(index)], found: "'\(name)'",
          expected: "an invariant that is judged here"
            + (hint.isEmpty ? ": \(judged.joined(separator: ", "))" : hint))
      }
      // There are 64 of them at most, so the list ends before this gets long.
      guard !names.contains(invariant.name) else {
        throw Refusal(
          [.name(key), .index(index)], found: "'\(name)'", expected: "each invariant once")
      }
      names.append(invariant.name)
    }
    return names
  }
}

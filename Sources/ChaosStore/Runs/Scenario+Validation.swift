extension Scenario {
  /// Throws where the scenario could not be run: which property, what it holds, and what it may hold.
  ///
  /// `devices[2].storeAccount: found 5, expected one of 2 store accounts, counted from 0`. A scenario
  /// that was read from a file has passed already; a ``Simulation`` asks before it is made.
  public func validate() throws(ScenarioError) {
    do {
      try SetupCheck(setup).check()
      try refuseBeyondSetup()
    } catch { throw error.error }
  }

  /// Throws where the engine could not hold it; what is only pointless, such as no step, may be run.
  func validateForEngine() throws(ScenarioError) {
    do {
      try SetupCheck(setup, allowsNothing: true).check()
      try refuseBeyondSetup(allowsNothing: true)
    } catch { throw error.error }
  }

  /// Refuses what a setup cannot know by itself.
  func refuseBeyondSetup(allowsNothing: Bool = false) throws(Refusal) {
    try refuseOwn()
    try SetupCheck(setup, allowsNothing: allowsNothing).checkWhole()
    try JudgingCheck(invariants: invariants, expects: expects, allows: allows, goals: goals).check()
  }

  private func refuseOwn() throws(Refusal) {
    let entry = system.entry
    if name.isEmpty { throw Refusal([.name("name")], found: "''", expected: "a name") }
    if entry.backends.isEmpty {
      throw Refusal(
        [.name("system")], found: "'\(entry.name)' without backends",
        expected: "a system with at least one")
    }
    guard let index = system.variants.firstIndex(of: variant) else {
      throw Refusal(
        [.name("variant")], found: "'\(variant)'",
        expected: oneOf(system.variants, "variants of \(entry.name)")
          + suggestion(for: variant, among: system.variants))
    }
    if setup.variant != index {
      throw Refusal(
        [.name("setup"), .name("variant")], found: "\(setup.variant)",
        expected: "\(index) for '\(variant)'; a setup that is put in later loses the variant")
    }
    if !entry.backends.contains(setup.backend) {
      throw Refusal(
        [.name("backend")], found: "'\(setup.backend)'",
        expected: oneOf(entry.backends.map(\.rawValue), "backends"))
    }
    if !Limits.seeds.contains(seeds) {
      throw Refusal([.name("seeds")], found: "\(seeds)", expected: Limits.whole(Limits.seeds))
    }
  }
}

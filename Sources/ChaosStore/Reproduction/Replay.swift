import Invariants

/// A plan file that was run again, and whether it still says what it said.
///
///     let replay = Replay(try PlanFile(json: text), among: scenarios)
///     print(replay.standing, replay.doubts)
public struct Replay {
  /// What became of the file's claim.
  public enum Standing: String, Sendable, CaseIterable {
    /// Comes out as recorded, event by event.
    case sameHistory = "same-history"
    /// Comes out as recorded, in another way: what is tested has changed.
    case otherHistory = "other-history"
    /// Breaks what it held, or no longer breaks what it broke.
    case different
    /// Nothing can be said, for the `doubts` that there are.
    case stale
  }

  /// What was run again.
  public let file: PlanFile
  /// Whether whatever still fits was played.
  public let isBestEffort: Bool
  /// Nil where there is no scenario of that name any more.
  public private(set) var scenario: Scenario?
  /// What the run came to; nil where there is no scenario.
  public private(set) var outcome: Outcome?
  /// The names of the invariants that broke, in the scenario's order.
  public private(set) var broken: [String] = []
  /// What the plan names and the run never asked.
  public private(set) var unmatched: [Decision] = []
  /// Why nothing can be said, in words.
  public private(set) var doubts: [String] = []
  /// The run, written down; nil where there is none or it is too large.
  public private(set) var record: Record?

  /// Runs it in the scenario of its name.
  ///
  /// Strictly, the model must be the recorded one and every decision be asked for. With the best
  /// effort what is asked for is played, and the outcome decides.
  public init(_ file: PlanFile, among scenarios: [Scenario], bestEffort: Bool = false) {
    self.init(file, among: scenarios, bestEffort: bestEffort, cancellation: .never)
  }

  /// One that can be ended; it is stale then, as nothing can be said.
  package init(
    _ file: PlanFile, among scenarios: [Scenario], bestEffort: Bool = false,
    cancellation: Cancellation
  ) {
    self.file = file
    isBestEffort = bestEffort
    guard let scenario = scenarios.first(where: { $0.name == file.scenario }) else {
      let names = scenarios.map(\.name)
      doubts = [
        "there is no scenario '\(file.scenario)'" + suggestion(for: file.scenario, among: names)
      ]
      return
    }
    self.scenario = scenario
    let run = Observation(file.origin, in: Simulation(scenario, cancellation: cancellation))
    outcome = run.outcome
    unmatched = run.unmatched
    record = run.record
    broken = run.broken.map { scenario.invariants[$0].name }
    doubts =
      modelDoubts(scenario) + planDoubts + outcomeDoubts(scenario, run.outcome)
      + differences(run, scenario, cancellation)
    // What was found by then may be no more than half of the truth.
    if cancellation.isRequested { doubts = ["it was interrupted"] }
  }

  /// Whether the file still says the truth.
  public var standing: Standing {
    guard doubts.isEmpty, let outcome else { return .stale }
    guard isAsExpected else { return .different }
    return outcome.trace == file.trace ? .sameHistory : .otherHistory
  }

  /// Whether what broke is what was to break.
  public var isAsExpected: Bool {
    switch file.expectation {
    case .holds: broken.isEmpty
    case .violates(let name): rule(named: name).map { broken.contains($0.name) } ?? false
    }
  }

  /// How many decisions of the plan were asked for.
  public var matched: Int { file.plan.decisions.count - unmatched.count }

  /// `3 of 4 decisions matched`.
  package var match: String {
    let count = file.plan.decisions.count
    return "\(matched) of \(count) decision\(count == 1 ? "" : "s") matched"
  }

  // MARK: -

  /// By name or code, as everywhere.
  private func rule(named name: String) -> (any Invariant)? {
    scenario?.invariants.first { $0.goes(by: name) }
  }

  private func modelDoubts(_ scenario: Scenario) -> [String] {
    let now = Model(of: scenario, followsSeed: file.seed != nil)
    // A seed alone has nothing that could match: under another model it is another run.
    let isSeedAlone = file.seed != nil && file.plan.isEmpty
    guard file.model != now, !isBestEffort || isSeedAlone else { return [] }
    let models = "its model is \(file.model), and now it is \(now)"
    if file.model.version != now.version {
      return ["the simulated world has changed since \(file.tool) recorded it: \(models)"]
    }
    return ["the scenario has changed since it was recorded: \(models)"]
  }

  private var planDoubts: [String] {
    guard !unmatched.isEmpty, !isBestEffort || matched == 0 else { return [] }
    return unmatched.map { "'\($0)' is never asked" }
  }

  private func outcomeDoubts(_ scenario: Scenario, _ outcome: Outcome) -> [String] {
    var doubts: [String] = []
    if case .violates(let name) = file.expectation, rule(named: name) == nil {
      let known = scenario.invariants.map(\.name)
      doubts.append("the scenario does not judge '\(name)'" + suggestion(for: name, among: known))
    }
    if outcome.isCutOff {
      doubts.append("the run is cut off after \(scenario.setup.eventLimit) events")
    }
    return doubts
  }

  /// Nothing is said about a run that comes out differently when it is run again.
  private func differences(
    _ run: Observation, _ scenario: Scenario, _ cancellation: Cancellation
  ) -> [String] {
    var doubts: [String] = []
    let again = Observation(file.origin, in: Simulation(scenario, cancellation: cancellation))
    if let difference = run.difference(from: again, of: scenario) {
      doubts.append("it came out differently when it was run again: \(difference)")
    }
    if !run.problems.isEmpty {
      let again = Repetition(
        of: scenario, file.origin, noted: run.problems, cancellation: cancellation)
      if let text = again.text { doubts.append(text) }
    }
    return doubts + (run.record?.ruleBreaks ?? []).map { "bug of this harness: \($0)" }
  }
}

import ChaosStore
import Invariants

/// A design without a planted defect, searched as its defective twins were: what is found is a false
/// alarm.
public struct SoundTwin: Sendable {
  /// An invariant that broke although nothing is planted.
  public struct Alarm: Sendable {
    /// The name of the invariant.
    public var invariant: String
    /// The shrunk plan; nil where a seed alone is known, as there was no time to shrink.
    public var plan: Plan?
    /// The first seed under which it broke; nil where it was a plan.
    public var seed: UInt64?
  }

  /// The name of the scenario.
  public var name: String
  /// How many runs there were.
  public var runs = 0
  /// The invariants that broke, each once.
  public var alarms: [Alarm] = []
}

/// Searches the sound twins of what `power` has measured.
struct SoundTwinSearch {
  /// How long one search may take where no budget is shared.
  let seconds: Double
  /// When all of them must be over; nil for never.
  let end: ContinuousClock.Instant?
  let console: Console
  let progress: Progress

  /// One for each sound twin of the rows: by each strategy, from each start, under the seeds and for
  /// at least as many runs as the longest search for one of its defects took, and for a share of
  /// `least` runs, to be had by the judged strategy.
  func twins(
    of result: PowerResult, _ strategies: [any Strategy], least: Int
  ) -> [SoundTwin] {
    var controls: [Scenario] = []
    for row in result.rows {
      guard let control = row.target.control else { continue }
      if !controls.contains(where: { $0.name == control.name }) { controls.append(control) }
    }
    var twins: [SoundTwin] = []
    for (index, control) in controls.enumerated() where !console.isInterrupted() {
      progress.begin(index + 1, of: controls.count, "the sound twin \(control.name)")
      let rows = result.rows.filter { $0.target.control?.name == control.name }
      let share = (least + controls.count - 1) / controls.count
      var twin = SoundTwin(name: control.name)
      for strategy in strategies {
        let trials = rows.flatMap(\.trials).filter { $0.strategy == strategy.name }
        let starts = trials.map(\.starts.count).max() ?? 0
        for start in 0..<starts {
          let taken = trials.compactMap { trial in
            start < trial.starts.count ? trial.starts[start].runs : nil
          }
          let wanted =
            strategy.name == result.judged ? (share + starts - 1) / starts : 0
          let runs = max(taken.max() ?? 0, wanted)
          search(control, strategy, start: UInt64(start), runs: runs, &twin)
        }
      }
      twins.append(twin)
    }
    return twins
  }

  private func search(
    _ control: Scenario, _ strategy: any Strategy, start: UInt64, runs: Int, _ twin: inout SoundTwin
  ) {
    let now = ContinuousClock.now
    let last = min(now + .seconds(seconds), end ?? now + .seconds(seconds))
    let cancellation = Cancellation(console, progress, end: last)
    var budget = Budget.ofPower(control, start: start)
    budget.cancellation = cancellation
    let before = twin.runs
    budget.goesOn = { done in
      progress.show(runs: before + done)
      return done < runs && !cancellation.isRequested
    }
    let findings = strategy.search(control, budget)
    twin.runs += findings.runs
    for rule in control.invariants.indices where findings.rules[rule].runs > 0 {
      let name = control.invariants[rule].name
      guard !twin.alarms.contains(where: { $0.invariant == name }) else { continue }
      let found = findings.rules[rule]
      let seed = found.smallestPlan == nil ? found.firstSeed : nil
      let origin = found.smallestPlan.map { Origin(plan: $0) } ?? seed.map { Origin(seed: $0) }
      let runner = ScenarioRunner(control, cancellation: Cancellation(console, progress, end: end))
      let plan = origin.flatMap {
        runner.plan(for: Finding(rule, control, runs: found.runs, origin: $0))
      }
      twin.alarms.append(
        SoundTwin.Alarm(invariant: name, plan: plan ?? found.smallestPlan, seed: seed))
    }
  }
}

extension Budget {
  /// What one search of `power` may use, from one of several starts.
  static func ofPower(_ scenario: Scenario, start: UInt64) -> Budget {
    var budget = Budget(faults: 3)
    let first = start << 40
    budget.seeds = first..<first + UInt64(scenario.seeds)
    budget.isOpenEnded = true
    return budget
  }
}

import ChaosStore
import Invariants

/// Makes sure of a run before anything is said about it: runs it again in every way there is.
struct Recheck {
  /// Asked about unexpected violations only, which are few.
  var second: SecondProcess?
  /// Where it is requested nothing is wrong for all that is known.
  var cancellation = Cancellation.never

  /// What is wrong with a run that broke these rules; empty where it comes out the same each time.
  ///
  /// A run that differs is a bug of the system or of the harness, and a rule of the store that it
  /// breaks is one of the harness.
  func problems(of simulation: Simulation, _ origin: Origin, breaking rules: [Int]) -> [String] {
    if cancellation.isRequested { return [] }
    let scenario = simulation.scenario
    let run = Observation(origin, in: simulation)
    let again = Observation(origin, in: Simulation(scenario, cancellation: cancellation))
    if run.isInterrupted || again.isInterrupted { return [] }
    if let difference = run.difference(from: again, of: scenario) {
      return ["\(origin) came out differently when it was run again: \(difference)" + Self.hint]
    }
    let unbroken = unbroken(scenario, origin, rules, run.outcome)
    guard unbroken.isEmpty, let record = run.record else { return unbroken }
    return secondProblem(record, scenario, origin, rules)
      + record.ruleBreaks.map { "bug of this harness: \($0)" }
  }

  /// What is not to be believed of all that a campaign ran: something left the simulation, or a run
  /// came out differently when it was run a second time.
  func problems(of scenario: Scenario, _ findings: Findings) -> [String] {
    if let origin = findings.unfit {
      return problems(of: scenario, origin, noted: findings.problems)
    }
    guard let origin = findings.differing else { return [] }
    let again = Repetition(of: scenario, origin, cancellation: cancellation)
    return [(again.text ?? again.onceDifferent) + Self.hint]
  }

  /// What was noted in a run, with what comes of running it again.
  func problems(of scenario: Scenario, _ origin: Origin, noted: [Problem]) -> [String] {
    guard !noted.isEmpty else { return [] }
    let again = Repetition(of: scenario, origin, noted: noted, cancellation: cancellation)
    return again.text.map { [$0 + (again.isNondeterministic ? Self.hint : "")] } ?? []
  }

  private func unbroken(
    _ scenario: Scenario, _ origin: Origin, _ rules: [Int], _ outcome: Outcome
  ) -> [String] {
    rules.filter { outcome.broken >> UInt64($0) & 1 == 0 }.map { rule in
      "\(origin) broke \(scenario.invariants[rule].name) in the campaign, and does not when "
        + "it is run again alone" + Self.hint
    }
  }

  private func secondProblem(
    _ record: Record, _ scenario: Scenario, _ origin: Origin, _ rules: [Int]
  ) -> [String] {
    let isRed = rules.contains { scenario.standing(of: scenario.invariants[$0]) == .unexpected }
    guard isRed, let second, let line = second.hash(of: scenario, origin) else { return [] }
    let hash = TraceListing.text(hash: record.outcome.trace)
    guard line != TraceCommand.hashLine(scenario, seed: origin.seed, hash: hash) else { return [] }
    let listing = TraceListing(record, of: scenario)
    let lines = second.listing(listing.title, of: scenario, origin)
    let place = lines.flatMap { Divergence(listing, $0) }?.description ?? "\(hash) and '\(line)'"
    return ["\(origin) came out differently in a second process: \(place)" + Self.hint]
  }

  private static let hint = "; 'verify-determinism' compares more runs and says what to look at"
}

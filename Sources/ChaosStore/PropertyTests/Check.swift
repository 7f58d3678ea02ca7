import Foundation
import Invariants

/// One check: what it runs, and what it makes of it.
struct Check {
  private let scenario: Scenario
  private let strategy: any Strategy
  private let seeds: Range<UInt64>?
  private let environment: CheckEnvironment
  private let place: TestPlace
  private let saves: Bool

  init(
    _ scenario: Scenario, strategy: any Strategy = Portfolio(), seeds: Range<UInt64>? = nil,
    environment: CheckEnvironment = CheckEnvironment(), place: TestPlace, saves: Bool = false
  ) {
    self.scenario = scenario
    self.strategy = strategy
    self.seeds = seeds
    self.environment = environment
    self.place = place
    self.saves = saves || environment.saves
  }

  /// The plans that are kept, then the campaign; or the one run that the environment asks for.
  func run() throws -> Findings {
    try scenario.refuseNonsense()
    if let seeds, seeds.isEmpty || !SeedText.canBeRun(seeds) {
      throw PropertyError.usage(
        "seeds: \(seeds) \(seeds.isEmpty ? "is empty" : "is more than can be run")")
    }
    if let single = environment.single { return try run(single) }
    try replayKept()
    return try campaign()
  }

  // MARK: - Many runs

  private func campaign() throws -> Findings {
    let own = seeds ?? 0..<UInt64(scenario.seeds)
    let chosen = environment.seeds ?? own
    let runner = ConfirmingRunner(scenario)
    let first = try runner.run(Origin(seed: chosen.lowerBound))
    // Others would be cut off as well, and that takes long.
    if first.outcome.isCutOff, !first.broken.contains(where: isRed) { throw cutOff(first.origin) }
    let findings = strategy.search(scenario, budget(chosen))
    if let impossibility = findings.impossibility(in: scenario) {
      throw PropertyError.noVerdict("the strategy '\(strategy.name)' returned \(impossibility)")
    }
    try runner.refuse(findings)
    let broken = findings.brokenByCause(in: scenario).filter(isRed)
    if let rule = broken.first {
      let others = broken.dropFirst().map { text(of: $0, in: findings) }
      throw try failure(
        of: runner.failure(findings.rules[rule], breaking: rule),
        found: text(of: rule, in: findings), others: others)
    }
    if let origin = findings.cutOff { throw cutOff(origin) }
    let isSpent = findings.isInterrupted && findings.randomRuns < own.count
    if !isSpent, chosen.lowerBound <= own.lowerBound, chosen.upperBound >= own.upperBound {
      try requireMeaning(findings)
    } else if findings.runs >= 100 {
      try require(findings) { $0.isPlain }
    }
    if isSpent, findings.randomRuns == 0, findings.proof != nil {
      throw PropertyError.noVerdict(
        "\(scenario.name): the budget was spent after \(findings.runs.of("run")), before every plan "
          + "was run: give it a longer \(CheckEnvironment.Variable.budget.rawValue) or fewer faults"
      )
    }
    return findings
  }

  private func budget(_ seeds: Range<UInt64>) -> Budget {
    var budget = Budget(seeds: seeds, jobs: ProcessInfo.processInfo.activeProcessorCount)
    if let time = environment.budget {
      let end = ContinuousClock.now + time
      budget.isOpenEnded = true
      budget.goesOn = { _ in ContinuousClock.now < end }
    }
    return budget
  }

  /// A whole campaign shows what it was to show.
  private func requireMeaning(_ findings: Findings) throws {
    let unseen = scenario.expects.filter { name in
      !findings.rules.indices.contains {
        findings.rules[$0].runs > 0 && scenario.invariants[$0].goes(by: name)
      }
    }
    if !unseen.isEmpty {
      throw failure(
        .missing(unseen),
        "\(unseen.joined(separator: ", ")) was to break in \(findings.runs.of("run")), and never did"
      )
    }
    try require(findings) { _ in true }
  }

  /// Each of these goals was reached.
  private func require(_ findings: Findings, goals isMeant: (Goal) -> Bool) throws {
    let unreached = zip(scenario.goals, findings.reached)
      .filter { goal, times in times == 0 && isMeant(goal) }.map(\.0.text)
    if findings.runs == 0 || !unreached.isEmpty {
      let goals = unreached.map { "'\($0)'" }.joined(separator: ", ")
      throw failure(
        .vacuous(unreached),
        findings.runs == 0
          ? "nothing was run, so nothing is shown"
          : "no run of \(findings.runs.grouped) reached \(goals), so they have shown nothing")
    }
  }

  /// How often an invariant broke, and first where.
  private func text(of rule: Int, in findings: Findings) -> String {
    let first =
      findings.rules[rule].firstSeed.map { ", first under seed \(SeedText.text($0))" } ?? ""
    return "\(name(of: rule)) broke in \(findings.rules[rule].runs.grouped) of "
      + findings.runs.of("run") + first
  }

  // MARK: - One run

  private func run(_ single: CheckEnvironment.Single) throws -> Findings {
    let runner = ConfirmingRunner(scenario)
    let run = try runner.run(single.origin)
    let plan = single.origin.plan
    let variables = [
      single.origin.seed.map { "\(CheckEnvironment.Variable.seed.rawValue)=\(SeedText.text($0))" },
      single.plan.map { "\(CheckEnvironment.Variable.plan.rawValue)=\($0.forShell)" },
    ].compactMap { $0 }.joined(separator: " ")
    let broken = run.broken.filter(isRed)
    if let rule = broken.first {
      throw try failure(
        of: runner.failure(run, breaking: rule),
        found: "\(name(of: rule)) broke under \(variables)",
        others: broken.dropFirst().map { "\(name(of: $0)) broke as well" })
    }
    if run.outcome.isCutOff { throw cutOff(single.origin) }
    // Other checks of the process are asked to run this plan as well; passing would say that they did.
    if let first = run.unmatched.first {
      let count = plan.decisions.count
      throw PropertyError.noVerdict(
        "\(scenario.name): "
          + (run.unmatched.count == count
            ? "nothing that \(CheckEnvironment.Variable.plan.rawValue) names was ever asked here"
            : "'\(first)' of \(CheckEnvironment.Variable.plan.rawValue) was never asked here, and what is "
              + "left of the plan breaks nothing")
          + ": if it belongs to another test, choose that with --filter; else the system, or a rule, has changed"
      )
    }
    var findings = Findings(scenario)
    findings.add(run.origin, run.outcome, of: runner.simulation)
    return findings
  }

  // MARK: - What is kept

  private func replayKept() throws {
    for entry in try KeptPlans(place: place).entries(for: scenario) {
      let file = entry.file
      let replay = Replay(file, among: [scenario])
      guard replay.standing != .stale else {
        throw PropertyError(
          kind: .stale,
          message: "\(entry.path): \(replay.doubts.joined(separator: "; "))\n"
            + "  Its plan is: \(file.plan.isEmpty ? "nothing" : file.plan.description)\n"
            + "  Delete the file; if the failure is still there, "
            + "\(CheckEnvironment.Variable.save.rawValue)=1 keeps it anew.")
      }
      let broken = scenario.invariants.indices.filter { rule in
        replay.broken.contains(scenario.invariants[rule].name) && isRed(rule)
      }
      guard let rule = broken.first(where: { replay.expects($0, of: scenario) }) ?? broken.first
      else { continue }
      let runner = ConfirmingRunner(scenario)
      let run = try runner.run(file.origin)
      let verb = replay.expects(rule, of: scenario) ? "still breaks" : "breaks"
      throw try failure(
        of: runner.failure(run, breaking: rule),
        found: "\(name(of: rule)) \(verb) under the plan kept in \(entry.path)",
        others: [], kept: entry.path)
    }
  }

  // MARK: - Failures

  private func isRed(_ rule: Int) -> Bool {
    !(scenario.expects + scenario.allows).contains { scenario.invariants[rule].goes(by: $0) }
  }

  private func name(of rule: Int) -> String {
    "\(scenario.invariants[rule].name) (\(scenario.invariants[rule].code))"
  }

  private func failure(_ kind: PropertyFailure.Kind, _ text: String) -> PropertyFailure {
    PropertyFailure(
      kind: kind, scenario: scenario.name, description: "\(scenario.name): \(text) (\(place.text))")
  }

  private func cutOff(_ origin: Origin) -> PropertyFailure {
    let telling = FailureText(scenario, place)
    var failure = failure(
      .cutOff,
      "a run was cut off after \(scenario.setup.eventLimit.of("event")): the system may do the same "
        + "for ever")
    failure.seed = origin.seed
    failure.plan = origin.seed == nil ? origin.plan : nil
    failure.description += "\n\n" + telling.paste(origin)
    return failure
  }

  private func failure(
    of confirmed: ConfirmedFailure, found: String, others: [String], kept: String? = nil
  ) throws -> PropertyFailure {
    var file = kept
    var note: String?
    if kept == nil, saves {
      do {
        file = try KeptPlans(place: place).save(confirmed.planFile(of: scenario))
      } catch {
        note = "The plan could not be kept in \(place.folder): \(error)"
      }
    }
    let text = FailureText(scenario, place)
    return PropertyFailure(
      kind: .violation(scenario.invariants[confirmed.rule].name), scenario: scenario.name,
      seed: confirmed.seed, plan: confirmed.reduction?.plan,
      certificate: confirmed.reduction?.certificate,
      timeline: (confirmed.reduction?.record ?? confirmed.run.record)?.timeline, file: file,
      description: text.text(
        of: confirmed, found: found, others: others,
        closing: note ?? text.keeping(file, isNew: kept == nil)))
  }
}

extension Replay {
  /// Whether this rule is the one the file says breaks.
  fileprivate func expects(_ rule: Int, of scenario: Scenario) -> Bool {
    guard case .violates(let name) = file.expectation else { return false }
    return scenario.invariants[rule].goes(by: name)
  }
}

import Foundation
import Invariants

/// One check: what it runs, and what it makes of it.
struct Check {
  /// The worlds that share the seeds; they differ in nothing but their set-up and their names.
  private let worlds: [Scenario]
  private let strategy: any Strategy
  private let seeds: Range<UInt64>?
  private let environment: CheckEnvironment
  private let place: TestPlace
  private let saves: Bool
  private let cancellation: Cancellation
  /// Whether a line to paste has to say which world is meant.
  private let namesWorld: Bool

  init(
    _ scenario: Scenario, strategy: any Strategy = Portfolio(), seeds: Range<UInt64>? = nil,
    environment: CheckEnvironment = CheckEnvironment(), place: TestPlace, saves: Bool = false,
    cancellation: Cancellation = .never
  ) {
    self.init(
      worlds: [scenario], strategy: strategy, seeds: seeds, environment: environment, place: place,
      saves: saves, cancellation: cancellation, namesWorld: false)
  }

  /// Of the default worlds of a system: all, or the one that the environment asks for.
  init(
    defaultWorlds: [Scenario], strategy: any Strategy, seeds: Range<UInt64>?,
    environment: CheckEnvironment, place: TestPlace, saves: Bool,
    cancellation: Cancellation = .never
  ) {
    let wanted = zip(DefaultWorld.allCases, defaultWorlds)
      .filter { environment.world == nil || environment.world == $0.0 }.map(\.1)
    self.init(
      worlds: wanted, strategy: strategy, seeds: seeds, environment: environment, place: place,
      saves: saves, cancellation: cancellation, namesWorld: true)
  }

  private init(
    worlds: [Scenario], strategy: any Strategy, seeds: Range<UInt64>?,
    environment: CheckEnvironment, place: TestPlace, saves: Bool, cancellation: Cancellation,
    namesWorld: Bool
  ) {
    self.worlds = worlds
    self.strategy = strategy
    self.seeds = seeds
    self.environment = environment
    self.place = place
    self.saves = saves || environment.saves
    self.cancellation = cancellation
    self.namesWorld = namesWorld
  }

  /// The plans that are kept, then the campaign; or the one run that the environment asks for.
  func run() throws -> Findings {
    for world in worlds { try world.refuseNonsense() }
    if let seeds, seeds.isEmpty || !SeedText.canBeRun(seeds) {
      throw PropertyError.usage(
        "seeds: \(seeds) \(seeds.isEmpty ? "is empty" : "is more than can be run")")
    }
    if let single = environment.single { return try run(single) }
    for world in worlds { try replayKept(world) }
    return try campaign()
  }

  /// What most is said of: all worlds have the same rules, goals and name but for its end.
  private var scenario: Scenario { worlds[0] }

  // MARK: - Many runs

  private func campaign() throws -> Findings {
    let own = seeds ?? 0..<UInt64(scenario.seeds)
    let chosen = environment.seeds ?? own
    if let doubt = QuietPurchase.doubt(of: worlds) {
      throw PropertyError.noVerdict("\(scenario.name): " + doubt.joined(separator: "\n  "))
    }
    let runners = worlds.map { ConfirmingRunner($0, cancellation) }
    for (world, runner) in zip(worlds, runners) {
      let first = try runner.run(Origin(seed: chosen.lowerBound))
      // Others would be cut off as well, and that takes long.
      if first.outcome.isCutOff, !first.broken.contains(where: { isRed($0, world) }) {
        throw cutOff(first.origin, world)
      }
    }
    let end = environment.budget.map { ContinuousClock.now + $0 }
    let all = try WorldsSearch(worlds, strategy) { isRed($1, $0) }
      .findings(budget(chosen, until: end), until: end)
    for (found, runner) in zip(all, runners) { try runner.refuse(found) }
    var unjudged = Unjudged()
    for (found, world) in zip(all, worlds) {
      unjudged.add(
        found, of: world, expecting: namesWorld && Self.isUsual(world.setup.mix) ? Fault.common : []
      )
    }
    if let told = try Causes(worlds, all, runners, isRed).told() {
      throw try failure(of: told, unjudged: unjudged.sentences)
    }
    for (index, found) in all.enumerated() {
      if let origin = found.cutOff { throw cutOff(origin, worlds[index]) }
    }
    var findings = all[0]
    for other in all.dropFirst() { findings.add(other) }
    try judge(findings, own: own, chosen: chosen)
    let head = "\(scenario.name): holds in \(findings.runs.of("run")) (\(place.text))"
    let lines = unjudged.sentences.flatMap { $0.wrapped(to: 98) }.map { "  " + $0 }
    // One write to the stream of Swift Testing, which keeps the order of the two.
    let text = ([head] + lines).joined(separator: "\n")
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    return findings
  }

  /// True if the mix has every fault of a check that names none.
  private static func isUsual(_ mix: FaultMix) -> Bool {
    Fault.byDefault.allSatisfy { $0.needsWholeStore || mix.entries[$0] != nil }
  }

  /// Whether what was run, and broke nothing, shows anything.
  private func judge(_ findings: Findings, own: Range<UInt64>, chosen: Range<UInt64>) throws {
    if findings.isInterrupted, cancellation.isRequested {
      throw PropertyError.noVerdict(
        "\(scenario.name): the test was cancelled after \(findings.runs.of("run")), before all were made"
      )
    }
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
  }

  private func budget(_ seeds: Range<UInt64>, until end: ContinuousClock.Instant?) -> Budget {
    var budget = Budget(seeds: seeds, jobs: ProcessInfo.processInfo.activeProcessorCount)
    budget.cancellation = cancellation
    if let end {
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
          : "no run of \(findings.runs.grouped) reached \(goals), so they have shown nothing"
            + Self.told(scenario.remarks(), of: "the run without faults"))
    }
  }

  /// What was noticed in the run without faults, under what it is to explain.
  private static func told(_ remarks: [String], of run: String) -> String {
    if remarks.isEmpty { return "" }
    return "\n  In \(run):\n" + remarks.map { "    \($0)" }.joined(separator: "\n")
  }

  // MARK: - One run

  private func run(_ single: CheckEnvironment.Single) throws -> Findings {
    let variables = [
      single.origin.seed.map { "\(CheckEnvironment.Variable.seed.rawValue)=\(SeedText.text($0))" },
      single.plan.map { "\(CheckEnvironment.Variable.plan.rawValue)=\($0.forShell)" },
    ].compactMap { $0 }.joined(separator: " ")
    var findings = Findings(scenario)
    var doubt: PropertyError?
    var isMeant = false
    for world in worlds {
      let runner = ConfirmingRunner(world, cancellation)
      let run = try runner.run(single.origin)
      if let told = try Causes.told(run, in: world, runner, under: variables, isRed) {
        throw try failure(of: told)
      }
      if run.outcome.isCutOff { throw cutOff(single.origin, world) }
      findings.add(run.origin, run.outcome, of: runner.simulation)
      if run.unmatched.isEmpty {
        isMeant = true
      } else if doubt == nil {
        doubt = unmatched(run, world)
      }
    }
    // Other checks of the process are asked to run this plan as well; passing would say that they did.
    if !isMeant, let doubt { throw doubt }
    return findings
  }

  private func unmatched(_ run: Observation, _ world: Scenario) -> PropertyError {
    let first = run.unmatched[0]
    return PropertyError.noVerdict(
      "\(world.name): "
        + (run.unmatched.count == run.origin.plan.decisions.count
          ? "nothing that \(CheckEnvironment.Variable.plan.rawValue) names was ever asked here"
          : "'\(first)' of \(CheckEnvironment.Variable.plan.rawValue) was never asked here, and what is "
            + "left of the plan breaks nothing")
        + ": if it belongs to another test, choose that with --filter; else the system, or a rule, has changed"
    )
  }

  // MARK: - What is kept

  private func replayKept(_ scenario: Scenario) throws {
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
        replay.broken.contains(scenario.invariants[rule].name) && isRed(rule, scenario)
      }
      guard let rule = broken.first(where: { replay.expects($0, of: scenario) }) ?? broken.first
      else { continue }
      let runner = ConfirmingRunner(scenario, cancellation)
      let run = try runner.run(file.origin)
      let verb = replay.expects(rule, of: scenario) ? "still breaks" : "breaks"
      let found =
        "\(scenario.invariants[rule].title) \(verb) under the plan kept in \(entry.path)"
      throw try failure(
        of: ToldFailure(
          world: scenario, failure: runner.failure(run, breaking: rule), found: found, others: []),
        kept: entry.path)
    }
  }

  // MARK: - Failures

  private func isRed(_ rule: Int, _ world: Scenario) -> Bool {
    !(world.expects + world.allows).contains { world.invariants[rule].goes(by: $0) }
  }

  private func failure(_ kind: PropertyFailure.Kind, _ text: String) -> PropertyFailure {
    PropertyFailure(
      kind: kind, scenario: scenario.name, description: "\(scenario.name): \(text) (\(place.text))")
  }

  private func text(in world: Scenario) -> FailureText {
    let name = DefaultWorld.allCases.last { world.name.hasSuffix($0.suffix) } ?? .twoPhones
    return FailureText(world, place, world: namesWorld ? name.rawValue : nil)
  }

  private func cutOff(_ origin: Origin, _ world: Scenario) -> PropertyFailure {
    PropertyFailure(
      kind: .cutOff, scenario: world.name, seed: origin.seed,
      plan: origin.seed == nil ? origin.plan : nil,
      description: "\(world.name): a run was cut off after \(world.setup.eventLimit.of("event")): "
        + "the system may do the same for ever, or so long a history needs a higher eventLimit "
        + "(\(place.text))"
        + Self.told(world.remarks(of: origin), of: "that run") + "\n\n"
        + text(in: world).paste(origin))
  }

  private func failure(
    of told: ToldFailure, unjudged: [String] = [], kept: String? = nil
  ) throws -> PropertyFailure {
    let (scenario, confirmed) = (told.world, told.failure)
    var file = kept
    var note: String?
    if kept == nil, saves {
      do {
        file = try KeptPlans(place: place).save(confirmed.planFile(of: scenario))
      } catch {
        note = "The plan could not be kept in \(place.folder): \(error)"
      }
    }
    let text = text(in: scenario)
    return PropertyFailure(
      kind: .violation(scenario.invariants[confirmed.rule].name), scenario: scenario.name,
      seed: confirmed.seed, plan: confirmed.reduction?.plan,
      certificate: confirmed.reduction?.certificate,
      timeline: (confirmed.reduction?.record ?? confirmed.run.record)?.timeline, file: file,
      description: text.text(
        of: confirmed, found: told.found, others: told.others, unjudged: unjudged,
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

import Invariants

/// What a search came to.
public struct Findings: Sendable, Equatable {
  /// How many failing seeds are kept of each invariant, the lowest ones.
  package static let mostFailingKept = 64

  /// How many runs were made.
  public var runs = 0
  /// How many events they had together.
  public var events = 0
  /// How many milliseconds of virtual time they covered.
  public var simulatedMillis: Int64 = 0
  /// How many of the runs were drawn by a seed.
  public var randomRuns = 0
  /// What was found of each invariant, in the scenario's order.
  public var rules: [RuleFindings]
  /// For each goal of the scenario: how many runs reached it.
  public var reached: [Int]
  /// How many purchases of hosted apps nobody can attribute to a tap; see ``Simulation/unattributed``.
  public var unattributed = 0
  /// What the backend has used together in one step, so that no other request could come between; see
  /// ``Simulation/stepsAsOne``.
  public var stepsAsOne: TableUses = []
  /// In how many runs it did.
  public var runsAsOne = 0
  /// True if the code under test read a clock, or may have done so unseen: then what depends on durations was
  /// not searched by plans.
  public var readsClock = false
  /// How often each fault struck at each step.
  public var coverage = Coverage()
  /// The first run that was cut off at the event limit: the lowest seed, else the first plan.
  public var cutOff: Origin?
  /// The first run that is unfit for a verdict, see ``Problem``: the lowest seed, else the first plan.
  public var unfit: Origin?
  /// What was noted in that run.
  public var problems: [Problem] = []
  /// The first of the runs that were made twice and came out differently.
  public var differing: Origin?
  /// What was run of all small plans; nil if that was not tried.
  public var proof: Proof?
  /// The hash of the history of the highest seed.
  public var trace: UInt64 = 0
  /// The highest seed that was run, which ``trace`` belongs to.
  package var highest: UInt64 = 0
  /// Whether the budget ended it before everything was run.
  public var isInterrupted = false
  /// What the strategy did not do, as the runs are too large for it to be done unasked: a sentence each.
  public var leftOut: [String] = []

  /// How many plans there are of each size, from the quiet run on, and which were run.
  public struct Proof: Sendable, Equatable {
    /// Why a plan can be left out: it comes to the same as another.
    package static let reason =
      "as another plan comes to the same: the app dies between the same two effects, or what a "
      + "message overtakes has nothing in common with it"

    /// How many plans of each size were run.
    public var plans: [Int] = []
    /// How many plans of each size were left out, since they come to the same as another.
    public var skipped: [Int] = []
    /// The plans that were run, in order, where they were to be listed.
    package var ran: [Plan] = []
    /// The size up to which every plan was run or skipped; -1 for none.
    public var size = -1
    /// The most faults that a plan had.
    public var mostFaults = 0
    /// The most moves that a plan had: messages that arrive later within their usual time.
    public var mostMoves = 0
    /// Up to how many decisions a plan had faults that delay a message once for each order of events.
    public var mostLates = 0
    /// Up to how many decisions a plan with a fault that strikes only at a launch had one for it: the app
    /// closed and opened again.
    public var mostRelaunches = 0
    /// The most uses that a plan had, beside its faults and moves: what people do of their own accord.
    public var mostUses = 0

    /// What the plans of up to so many decisions were, in words.
    package func covered(upTo size: Int) -> String {
      var kinds =
        "every plan of up to \(size.of(mostMoves > 0 || mostUses > 0 ? "decision" : "fault"))"
      if mostMoves > 0 { kinds += ", with one delay moved at a time" }
      if mostMoves > 0, mostFaults < mostMoves { kinds += " and at most \(mostFaults.of("fault"))" }
      if mostUses > 0 { kinds += ", and at most \(mostUses.of("use")) such as closing the app" }
      return kinds
    }

    /// What no such plan covers, a few words each.
    package func leavesOut(upTo size: Int, readsClock: Bool) -> [String] {
      var gaps: [String] = []
      gaps.append(
        mostMoves > 0
          ? "orders that need two delays together" : "messages that take longer than usual")
      if mostFaults > 0, mostLates < size {
        gaps.append(
          mostLates == 0
            ? "other late messages than two that stand for all"
            : "in plans of over \(mostLates.of("decision")), other late messages than two that stand for all"
        )
      }
      if mostUses == 0 {
        let relaunches = min(mostRelaunches, size)
        gaps.append(
          "people who close and open the app"
            + (relaunches > 0 && mostFaults > 0
              ? ", but for one launch that a fault needs in plans of up to \(relaunches.of("decision"))"
              : ""))
      }
      if readsClock { gaps.append("durations, since the code read the clock") }
      return gaps
    }

    /// Whether that is as far as was asked.
    public var isWhole = false

    /// Nothing run yet.
    package static let none = Proof()
  }

  /// Nothing yet, of a scenario.
  public init(_ scenario: Scenario) {
    rules = Array(repeating: RuleFindings(), count: scenario.invariants.count)
    reached = Array(repeating: 0, count: scenario.goals.count)
  }

  /// A bit for each invariant that broke, by position.
  public var broken: UInt64 {
    rules.indices.reduce(0) { rules[$1].runs > 0 ? $0 | 1 << UInt64($1) : $0 }
  }

  /// Whether a run was cut off at the event limit.
  public var isCutOff: Bool { cutOff != nil }

  /// Whether every plan up to this size was run and none broke anything: a proof for such plans.
  public var holdsUpTo: Int? {
    guard let proof, proof.size >= 0, broken == 0, !isCutOff, unfit == nil else { return nil }
    return proof.size
  }

  /// What seeds without a violation rule out: the failure rate is below one in so many runs.
  ///
  /// With 95 % confidence; nil where no seed was run, or one broke the rule, given by its position.
  /// (1 - 1/n)^runs = 0.05, so n is about runs / 3.
  public func boundOneIn(_ rule: Int) -> Int? {
    guard randomRuns > 0, rules[rule].firstSeed == nil else { return nil }
    // ln 20 = 2.9957…, and n = 1 / (1 - exp(-ln 20 / runs)) is runs / ln 20 + 1/2, rounded down.
    return (randomRuns * 10_000 + 14_978) / 29_957
  }
}

extension Findings {
  /// Why this cannot be what a search of the scenario came to; nil where it can.
  ///
  /// A strategy may be somebody's own, and what it did not run must not pass.
  package func impossibility(in scenario: Scenario) -> String? {
    func of(_ what: String, _ found: Int, _ expected: String) -> String {
      "findings that cannot be those of a search of \(scenario.name): "
        + "\(what): found \(found), expected \(expected)"
    }
    if rules.count != scenario.invariants.count {
      return of("rules", rules.count, "\(scenario.invariants.count), one for each invariant")
    }
    if reached.count != scenario.goals.count {
      return of("reached", reached.count, "\(scenario.goals.count), one for each goal")
    }
    let counts = [
      ("runs", runs), ("events", events), ("randomRuns", randomRuns),
      ("simulatedMillis", Int(simulatedMillis)),
    ]
    for (name, count) in counts where count < 0 { return of(name, count, "0 or more") }
    for rule in rules where !(0...runs).contains(rule.runs) {
      return of("runs of a rule", rule.runs, "no more than the \(runs.of("run")) there were")
    }
    for count in reached where !(0...runs).contains(count) {
      return of("runs that reached a goal", count, "no more than the \(runs.of("run")) there were")
    }
    return nil
  }

  /// The positions of the rules that broke, the likely cause first: what takes the fewest decisions, then
  /// the gravest. Sums that do not agree and waits that are too long come last.
  public func brokenByCause(in scenario: Scenario) -> [Int] {
    rules.indices.filter { rules[$0].runs > 0 }
      .map { rule in
        let order = CauseOrder(
          scenario.invariants[rule], at: rule, size: rules[rule].smallestPlan?.size,
          runs: rules[rule].runs)
        return (order, rule)
      }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }
}

/// What a search found of one invariant.
public struct RuleFindings: Sendable, Equatable {
  /// How many runs broke it.
  public var runs = 0
  /// How many runs gave it nothing to judge; of those it says nothing.
  public var idle = 0
  /// The lowest seed that broke it.
  public var firstSeed: UInt64?
  /// A plan that broke it, of the smallest that were run.
  public var smallestPlan: Plan?
  /// The lowest seeds that broke it, in order; no more than 64 of them.
  public var failingSeeds: [UInt64] = []

  /// Nothing yet.
  public init() {}

  /// A run that broke it: of a seed, which is shorter to write, else of a plan.
  public var origin: Origin? {
    firstSeed.map { Origin(seed: $0) } ?? smallestPlan.map { Origin(plan: $0) }
  }

  fileprivate mutating func add(failing seed: UInt64) {
    let isFull = failingSeeds.count == Findings.mostFailingKept
    if isFull, let last = failingSeeds.last, seed > last { return }
    if isFull { failingSeeds.removeLast() }
    failingSeeds.insert(seed, at: failingSeeds.firstIndex { $0 > seed } ?? failingSeeds.count)
  }

  fileprivate mutating func add(_ other: RuleFindings) {
    runs += other.runs
    idle += other.idle
    if let seed = other.firstSeed { firstSeed = min(firstSeed ?? .max, seed) }
    if other.smallestPlan?.size ?? .max < smallestPlan?.size ?? .max {
      smallestPlan = other.smallestPlan
    }
    guard !other.failingSeeds.isEmpty else { return }
    let seeds = (failingSeeds + other.failingSeeds).sorted()
    failingSeeds = Array(seeds.prefix(Findings.mostFailingKept))
  }
}

// MARK: - Adding up

extension Findings {
  /// Counts the run that a simulation has just made.
  ///
  /// Whatever the order in which runs of seeds are added, the findings are the same; of plans that
  /// break the same the first one is kept, so small ones are to be added first.
  public mutating func add(_ origin: Origin, _ outcome: Outcome, of simulation: Simulation) {
    runs += 1
    events += outcome.events
    simulatedMillis = simulatedMillis.adding(outcome.endMillis)
    if let seed = origin.seed {
      randomRuns += 1
      if randomRuns == 1 || seed >= highest {
        highest = seed
        trace = outcome.trace
      }
    }
    if outcome.hasProblems, let first = Origin.first(unfit, origin), first != unfit {
      unfit = first
      problems = simulation.problems
    }
    if simulation.readsClock { readsClock = true }
    unattributed += simulation.unattributed
    stepsAsOne.formUnion(simulation.stepsAsOne)
    if !simulation.stepsAsOne.isEmpty { runsAsOne += 1 }
    simulation.addReached(to: &reached)
    // What a run that was cut off would have come to cannot be said.
    if outcome.isCutOff {
      // Its problem says why.
      if !outcome.isAbandoned { cutOff = .first(cutOff, origin) }
      return
    }
    var idle = outcome.idle
    while idle != 0 {
      rules[idle.trailingZeroBitCount].idle += 1
      idle &= idle - 1
    }
    var rest = outcome.broken
    while rest != 0 {
      let rule = rest.trailingZeroBitCount
      rules[rule].runs += 1
      if let seed = origin.seed {
        rules[rule].firstSeed = min(rules[rule].firstSeed ?? .max, seed)
        rules[rule].add(failing: seed)
      } else if origin.plan.size < rules[rule].smallestPlan?.size ?? .max {
        rules[rule].smallestPlan = origin.plan
      }
      rest &= rest - 1
    }
  }

  /// Adds how often each fault struck at each step in all runs of a simulation, after the last of them.
  ///
  /// A search that never does so reports that nothing struck.
  public mutating func addCoverage(of simulation: Simulation) {
    simulation.addStrikes(to: &coverage)
  }

  /// That some purchases were not judged as somebody's wish, in a sentence; nil where all were.
  package var unattributedText: String? {
    unattributed == 0
      ? nil
      : "of \(unattributed.of("purchase")) nobody can tell for which of several taps the app made it, "
        + "so no rule about one wish has judged it"
  }

  /// Notes that a run came out differently when it was made a second time.
  public mutating func addDiffering(_ origin: Origin) { differing = .first(differing, origin) }

  /// Notes what was not done, in a sentence.
  public mutating func leaveOut(_ text: String) {
    if !leftOut.contains(text) { leftOut.append(text) }
  }

  /// Adds what another part of the same search found: sums, minima, and the highest seed's hash.
  public mutating func add(_ other: Findings) {
    runs += other.runs
    events += other.events
    simulatedMillis = simulatedMillis.adding(other.simulatedMillis)
    for rule in rules.indices { rules[rule].add(other.rules[rule]) }
    for goal in reached.indices { reached[goal] += other.reached[goal] }
    readsClock = readsClock || other.readsClock
    unattributed += other.unattributed
    stepsAsOne.formUnion(other.stepsAsOne)
    runsAsOne += other.runsAsOne
    coverage.add(other.coverage)
    cutOff = .first(cutOff, other.cutOff)
    if let first = Origin.first(unfit, other.unfit), first != unfit {
      unfit = first
      problems = other.problems
    }
    differing = .first(differing, other.differing)
    if other.randomRuns > 0, other.highest >= highest || randomRuns == 0 {
      highest = other.highest
      trace = other.trace
    }
    randomRuns += other.randomRuns
    proof = other.proof ?? proof
    isInterrupted = isInterrupted || other.isInterrupted
    for text in other.leftOut { leaveOut(text) }
  }
}

extension Int64 {
  /// The sum, or the most there can be: years of virtual time in each of many runs come to more than that.
  package func adding(_ other: Int64) -> Int64 {
    let sum = addingReportingOverflow(other)
    return sum.overflow ? .max : sum.partialValue
  }
}

extension Origin {
  /// Of two runs the one to tell of: the lower seed, a seed rather than a plan, else the first plan.
  fileprivate static func first(_ one: Origin?, _ other: Origin?) -> Origin? {
    guard let one else { return other }
    guard let other else { return one }
    guard let seed = other.seed else { return one }
    return seed < one.seed ?? .max || one.seed == nil ? other : one
  }
}

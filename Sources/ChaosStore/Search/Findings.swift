/// What a search came to.
public struct Findings: Sendable, Equatable {
  /// How many failing seeds are kept of each invariant, the lowest ones.
  public static let mostFailingKept = 64

  public var runs = 0
  public var events = 0
  public var simulatedMillis: Int64 = 0
  /// How many of the runs were drawn by a seed.
  public var randomRuns = 0
  /// For each invariant of the scenario: how many runs broke it.
  public var breaks: [Int]
  /// The lowest seed that broke each, and a smallest plan of those that were run.
  public var firstSeeds: [UInt64?]
  public var smallest: [Plan?]
  /// Some of the seeds that broke each, in order.
  public var failing: [[UInt64]]
  /// For each goal of the scenario: how many runs reached it.
  public var reached: [Int]
  /// How often each fault struck at each step.
  public var coverage = Coverage()
  /// The first seed that was cut off at the event limit, or the first plan.
  public var cutOffSeed: UInt64?
  public var cutOffPlan: Plan?
  /// The first seed whose run is unfit for a verdict, or the first plan: see ``Problem``.
  public var leakingSeed: UInt64?
  public var leakingPlan: Plan?
  /// What was noted in the run of that seed, else of that plan.
  public var problems: [Problem] = []
  /// The first seed, or plan, of those that were run twice that came out differently.
  public var partingSeed: UInt64?
  public var partingPlan: Plan?
  /// What was run of all small plans; nil if that was not tried.
  public var proof: Proof?
  /// The hash of the history of the highest seed.
  public var trace: UInt64 = 0
  private var highest: UInt64 = 0
  /// Whether the budget ended it before everything was run.
  public var isInterrupted = false

  /// How many plans there are of each size, from the quiet run on, and which were run.
  public struct Proof: Sendable, Equatable {
    /// Why a plan can be left out: it comes to the same as another.
    public static let reason =
      "the app dies between the same two effects as in another plan, so nothing differs after it"

    public var plans: [Int] = []
    public var skipped: [Int] = []
    /// The size up to which every plan was run or skipped; -1 for none.
    public var size = -1
    /// Whether that is as far as was asked.
    public var isWhole = false
  }

  init(_ scenario: Scenario) {
    let rules = scenario.invariants.count
    breaks = Array(repeating: 0, count: rules)
    firstSeeds = Array(repeating: nil, count: rules)
    smallest = Array(repeating: nil, count: rules)
    failing = Array(repeating: [], count: rules)
    reached = Array(repeating: 0, count: scenario.goals.count)
  }

  /// A bit for each invariant that broke.
  public var broken: UInt64 {
    breaks.indices.reduce(0) { breaks[$1] > 0 ? $0 | 1 << UInt64($1) : $0 }
  }

  public var isCutOff: Bool { cutOffSeed != nil || cutOffPlan != nil }

  /// Whether every plan up to this size was run and none broke anything: a proof for such plans.
  public var holdsUpTo: Int? {
    guard let proof, proof.size >= 0, broken == 0, !isCutOff else { return nil }
    return proof.size
  }

  /// After so many runs without a violation: the failure rate is below this one in so many,
  /// with 95 % confidence; nil after none. (1 - 1/n)^runs = 0.05, so n is about runs / 3.
  public func boundOneIn(_ rule: Int) -> Int? {
    guard randomRuns > 0, firstSeeds[rule] == nil else { return nil }
    // ln 20 = 2.9957…, and n = 1 / (1 - exp(-ln 20 / runs)) is runs / ln 20 + 1/2, rounded down.
    return (randomRuns * 10_000 + 14_978) / 29_957
  }

  mutating func add(
    seed: UInt64, _ outcome: Outcome, problems noted: @autoclosure () -> [Problem] = []
  ) {
    add(outcome)
    randomRuns += 1
    highest = seed
    trace = outcome.trace
    if outcome.hasProblems, seed < leakingSeed ?? .max {
      leakingSeed = seed
      problems = noted()
    }
    // What a run that was cut off would have come to cannot be said.
    if outcome.isCutOff {
      cutOffSeed = min(cutOffSeed ?? .max, seed)
      return
    }
    each(outcome.broken) { rule in
      breaks[rule] += 1
      firstSeeds[rule] = min(firstSeeds[rule] ?? .max, seed)
      if failing[rule].count < Self.mostFailingKept { failing[rule].append(seed) }
    }
  }

  mutating func add(
    plan: Plan, _ outcome: Outcome, problems noted: @autoclosure () -> [Problem] = []
  ) {
    add(outcome)
    if outcome.hasProblems, leakingPlan == nil {
      leakingPlan = plan
      if leakingSeed == nil { problems = noted() }
    }
    if outcome.isCutOff {
      cutOffPlan = cutOffPlan ?? plan
      return
    }
    each(outcome.broken) { rule in
      breaks[rule] += 1
      if smallest[rule] == nil { smallest[rule] = plan }
    }
  }

  private mutating func add(_ outcome: Outcome) {
    runs += 1
    events += outcome.events
    simulatedMillis += outcome.endMillis
  }

  private func each(_ bits: UInt64, _ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Counts the goals that the last run reached.
  mutating func add(_ goals: [Goal], of simulation: Simulation) {
    for (index, goal) in goals.enumerated() where simulation.reached(goal) { reached[index] += 1 }
  }

  /// Sums, minima and the highest seed's hash: the order in which seeds are added is nothing.
  /// Of plans those of the first are kept.
  mutating func add(_ other: Findings) {
    runs += other.runs
    events += other.events
    simulatedMillis += other.simulatedMillis
    randomRuns += other.randomRuns
    for rule in breaks.indices {
      breaks[rule] += other.breaks[rule]
      if let seed = other.firstSeeds[rule] {
        firstSeeds[rule] = min(firstSeeds[rule] ?? .max, seed)
      }
      smallest[rule] = smallest[rule] ?? other.smallest[rule]
      if !other.failing[rule].isEmpty {
        let seeds = (failing[rule] + other.failing[rule]).sorted()
        failing[rule] = Array(seeds.prefix(Self.mostFailingKept))
      }
    }
    for goal in reached.indices { reached[goal] += other.reached[goal] }
    coverage.add(other.coverage)
    if let seed = other.cutOffSeed { cutOffSeed = min(cutOffSeed ?? .max, seed) }
    cutOffPlan = cutOffPlan ?? other.cutOffPlan
    if let seed = other.leakingSeed {
      if seed < leakingSeed ?? .max { problems = other.problems }
      leakingSeed = min(leakingSeed ?? .max, seed)
    } else if leakingSeed == nil, leakingPlan == nil {
      problems = other.problems
    }
    leakingPlan = leakingPlan ?? other.leakingPlan
    if let seed = other.partingSeed { partingSeed = min(partingSeed ?? .max, seed) }
    partingPlan = partingPlan ?? other.partingPlan
    if other.randomRuns > 0, other.highest >= highest {
      highest = other.highest
      trace = other.trace
    }
    proof = other.proof ?? proof
    isInterrupted = isInterrupted || other.isInterrupted
  }
}

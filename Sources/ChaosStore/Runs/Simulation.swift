import Invariants

/// One scenario, ready to be run any number of times; not to be shared between threads.
///
///     let simulation = Simulation(scenario)
///     let outcome = simulation.run(seed: 0x2a)
///     let record = simulation.record(seed: 0x2a)
///     print(Story(record, of: scenario).text)
///
/// A run writes nothing down and is fast; a record is the same run, told.
public final class Simulation {
  /// What is run.
  public let scenario: Scenario
  private let engine: RunEngine
  /// How much was asked and handled when a run was last listed.
  private var listed = (askings: 0, events: 0)
  private lazy var footprints = Footprints(scenario, engine.backendMemory)

  /// Builds the world of a scenario, which each run uses again.
  ///
  /// For scenarios that are known to be valid, as those of a file are: ends the process with the text of
  /// the ``ScenarioError`` where the engine could not hold this one.
  public convenience init(_ scenario: Scenario) {
    do { try scenario.validateForEngine() } catch {
      fatalError("the scenario '\(scenario.name)' cannot be run: \(error)")
    }
    self.init(checked: scenario)
  }

  /// Builds the world of a scenario that may make no sense, and throws where that is so.
  public convenience init(validating scenario: Scenario) throws(ScenarioError) {
    try scenario.validate()
    self.init(checked: scenario)
  }

  private init(checked scenario: Scenario) {
    self.scenario = scenario
    engine = scenario.system.makeEngine(scenario.setup, scenario.invariants)
  }

  /// One whose runs can be ended: such a run is `isInterrupted`, and says nothing.
  package convenience init(_ scenario: Scenario, cancellation: Cancellation) {
    self.init(scenario)
    engine.cancellation = cancellation
  }

  /// Whether its runs are to end.
  package var cancellation: Cancellation { engine.cancellation }

  /// Runs one seed and returns what it came to.
  public func run(seed: UInt64) -> Outcome { engine.run(seed, nil, nil) }

  /// Follows a plan without a seed, and writes nothing down.
  public func run(plan: Plan) -> Outcome {
    let script = Script(plan: plan, followsSeed: false)
    script.keepsNotes = false
    return engine.run(0, script, nil)
  }

  /// Runs what a seed, a plan or both identify, and writes nothing down.
  public func run(_ origin: Origin) -> Outcome { follow(origin).outcome }

  /// Follows a plan without a seed, and writes down no more than what was asked, or of that what was asked
  /// about delays alone, and what was handled; of nothing but what was asked where orders are not needed.
  func list(_ plan: Plan, delaysAlone: Bool = false, hasOrders: Bool = true) -> Listing {
    let script = Script(
      plan: plan, followsSeed: false, keepsAskings: true, keepsDelaysAlone: delaysAlone)
    script.keepsNotes = false
    // Listings of one scenario are much alike.
    script.reserve(askings: listed.askings, events: listed.events)
    let outcome = engine.run(0, script, hasOrders ? footprints : nil)
    listed = (script.askings.count, script.handled.count)
    guard hasOrders else {
      return Listing(
        plan: plan, outcome: outcome, askings: script.askings, events: [], footprints: [], course: 0
      )
    }
    script.endEvent()
    let (found, course) = footprints.finish(script.touched)
    return Listing(
      plan: plan, outcome: outcome, askings: script.askings, events: script.handled,
      ties: script.ties, footprints: found, course: course)
  }

  /// Runs an origin, and writes down no more than what its plan named in vain.
  func follow(_ origin: Origin) -> (outcome: Outcome, unmatched: [Decision]) {
    if let seed = origin.seed, origin.plan.isEmpty { return (run(seed: seed), []) }
    let script = Script(plan: origin.plan, followsSeed: origin.seed != nil)
    let outcome = run(origin, script, nil)
    return (outcome, script.unmatched)
  }

  /// Runs an origin with its script, and tells an observer all that happens.
  func run(_ origin: Origin, _ script: Script, _ observer: (any WorldObserver)?) -> Outcome {
    engine.run(origin.seed ?? 0, script, observer)
  }

  /// The first break of each invariant in the last run.
  public var violations: [Violation] { engine.violations }

  /// Of which subscriptions of the last run the use did not follow the payments.
  var accessGaps: [AccessGap] { engine.accessGaps }

  /// What makes the last run unfit for a verdict.
  public var problems: [Problem] { engine.problems }

  /// How many purchases a hosted app asked for in the last run of which nobody can tell for which tap.
  ///
  /// It is known where what asks for it was begun by the tap: through tasks, actors, queues and
  /// continuations, or as the only wish for the product on the phone. It is not where a loop works off
  /// what several taps have put into a stream. Rules about one wish do not judge such a purchase.
  public var unattributed: Int { engine.unattributed }

  /// What the backend did in the last run in steps of more than one use of the ledger or of its tables,
  /// the later of which enter something.
  ///
  /// Between two such uses a real server lets other requests come; a handler of a simulated one runs to its
  /// end, unless it says ``Server/pause(_:about:)``. Empty for hosted backends, which wait at each use, and
  /// for those that have one ``Server/commit(_:to:)`` or ``Server/transaction(_:)`` for each purchase.
  public var stepsAsOne: TableUses { engine.stepsAsOne }

  /// True if the code under test has read a clock in any run so far. What depends on how long something
  /// takes, and not on what comes first, is then not searched.
  package var readsClock: Bool { engine.readsClock() }

  /// Whether the last run reached this goal.
  func reached(_ goal: Goal) -> Bool { goal.isReached(engine.happened, engine.struck) }

  /// Counts each of the scenario's goals that the last run reached.
  func addReached(to counts: inout [Int]) {
    let (happened, struck) = (engine.happened, engine.struck)
    for index in scenario.goals.indices where scenario.goals[index].isReached(happened, struck) {
      counts[index] += 1
    }
  }

  /// Adds how often each fault struck at each step in all runs so far.
  func addStrikes(to coverage: inout Coverage) { coverage.add(engine.struckEver) }
}

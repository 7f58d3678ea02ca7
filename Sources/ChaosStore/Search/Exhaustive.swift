import Dispatch
import Invariants
import Synchronization

/// Runs every plan with up to so many decisions, small ones first, so what is found first is smallest.
///
/// A decision is a fault that the scenario's mix allows, or a move: a message that arrives later within
/// its usual time, by the least milliseconds for each order of events to which that leads, see `Orders`:
/// the first is found in the run of the plan without the move, and each further one in the run of the one
/// before it; or a use, which no mix need allow: see ``Fault/isUse``. Other questions stay
/// quiet.
///
/// A plan is extended by decisions that its own run asks after its last one, and by moves asked before
/// it to orders that were not there without it; so each plan is run once. Of plans that come to the
/// same only one is run: see `CrashPoint`.
///
/// A fault that strikes only at a launch gets one, without which it would need a crash: with it a person
/// closes the app once and opens it again, which is no decision that counts.
public struct Exhaustive: Strategy {
  /// `exhaustive`.
  public let name = "exhaustive"
  /// What it does, in a sentence.
  public let about =
    "runs every plan of up to --faults decisions (2), messages that overtake others among them, "
    + "small ones first"

  /// Every plan is run, whatever the seeds are.
  public let dependsOnSeeds = false
  /// Plans that were not run might break something.
  public let isProof = true

  private let faults: Int
  private let moves: Int?
  private let lates: Int
  private let relaunches: Int
  private let uses: Int
  private let skipsSame: Bool
  /// After about so many events no larger plan is run, and it is said.
  private let mostEvents: Int

  /// Plans of up to so many faults and so many moves, and together of no more than the larger of the
  /// two, and of up to so many uses beside them, unless the budget says other numbers. As many moves as
  /// faults, where none are given. In plans of up to `lates` decisions a fault that delays a message is
  /// taken once for each order of events to which it leads, see ``Budget/lates``; and in plans of up to
  /// `relaunches` decisions a fault that strikes only at a launch gets one, see ``Budget/relaunches``.
  public init(
    faults: Int = 2, moves: Int? = nil, lates: Int = 1, relaunches: Int = 2, uses: Int = 0
  ) {
    self.init(
      faults: faults, moves: moves, lates: lates, relaunches: relaunches, uses: uses,
      skipsSame: true)
  }

  init(
    faults: Int = 2, moves: Int? = nil, lates: Int = 1, relaunches: Int = 2, uses: Int = 0,
    skipsSame: Bool = true, mostEvents: Int = .max
  ) {
    self.faults = faults
    self.moves = moves
    self.lates = lates
    self.relaunches = relaunches
    self.uses = uses
    self.skipsSame = skipsSame
    self.mostEvents = mostEvents
  }

  /// Runs the plans, smallest first; ``Findings/proof`` says how far it came.
  public func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let mostFaults = max(0, budget.faults ?? faults)
    let most = PlanBounds(
      faults: mostFaults, moves: max(0, budget.moves ?? moves ?? mostFaults),
      lates: max(0, budget.lates ?? lates), relaunches: max(0, budget.relaunches ?? relaunches),
      uses: max(0, budget.uses ?? uses))
    let mostDecisions = min(most.shared + most.uses, budget.decisions ?? .max)
    var findings = Findings(scenario)
    var proof = Findings.Proof(most)
    var parents: [Plan] = []
    for size in 0...mostDecisions {
      // What so large a run asks would fill the memory.
      if size > 0, mostEvents != .max, findings.events > SecondOpinion.mostEvents {
        findings.leaveOut(Self.leftOut)
        return findings
      }
      var level = ExhaustiveLevel(
        scenario, budget, parents, size: size, most: most, isLast: size == mostDecisions)
      level.skipsSame = skipsSame
      level.mostEvents = mostEvents == .max ? .max : mostEvents - findings.events
      let result = level.run(before: findings)
      findings.add(result.findings)
      proof.ran += result.ran
      proof.plans.append(result.findings.runs)
      proof.skipped.append(result.skipped)
      findings.proof = proof
      if findings.isInterrupted || budget.isReached(findings.broken) { return findings }
      if result.untried > 0 {
        findings.leaveOut(
          "\(result.untried.grouped) of at least \((result.findings.runs + result.untried).of("plan")) "
            + "of \(size.of("decision")) were not run, as those before took "
            + "\((result.findings.events + result.listed).grouped) events; \(Self.hint)")
        return findings
      }
      proof.size = size
      parents = result.plans
    }
    proof.isWhole = true
    findings.proof = proof
    return findings
  }

  /// What is said where no plan is run unasked.
  static let leftOut =
    "no plan of 1 decision was run, as a run has more than \(SecondOpinion.mostEvents.grouped) "
    + "events; \(hint)"
  private static let hint = "'explore exhaustive --faults 1' runs them"
}

/// How many decisions of each kind a plan may have.
struct PlanBounds: Sendable {
  var faults: Int
  var moves: Int
  /// In plans of up to so many decisions a fault delays a message by each order to which that leads.
  var lates: Int
  /// In plans of up to so many decisions a fault that strikes only at a launch gets one; where uses are
  /// allowed they bring the launches.
  var relaunches: Int
  var uses: Int
  /// Whether nothing may follow but a fault that strikes only at a launch, for which there is one.
  var isForLaunch = false

  static let none = PlanBounds(faults: 0, moves: 0, lates: 0, relaunches: 0, uses: 0)

  /// Faults and moves share what the larger of their bounds allows.
  var shared: Int { max(faults, moves) }

  /// How many decisions of each kind a plan may have more; `lates` and `relaunches` are none or one.
  func left(_ plan: Plan) -> PlanBounds {
    let size = uses > 0 ? plan.decisions.count : plan.decisions.count { !$0.isUse }
    var left = self
    var shared = shared
    for decision in plan.decisions {
      if decision.isUse {
        left.uses -= 1
        continue
      }
      shared -= 1
      if decision.fault == nil {
        left.moves -= 1
      } else {
        left.faults -= 1
        if case .millis = decision.answer, size >= lates { return .none }
      }
    }
    let isRelaunched = uses == 0 && plan.decisions.contains(where: \.isUse)
    let isUnused = isRelaunched && hasUnusedLaunch(plan)
    if isRelaunched { shared = min(shared, relaunches - size) }
    left.faults = min(left.faults, shared)
    left.moves = min(left.moves, isUnused ? shared - 1 : shared)
    left.lates = size < lates && !isRelaunched ? min(left.faults, 1) : 0
    left.isForLaunch = isUnused && shared == 1
    left.relaunches =
      uses == 0 && !isRelaunched && size < relaunches ? max(0, min(left.faults, 1)) : 0
    return left
  }

  /// Whether the app is opened again in a plan for a fault that it does not have yet.
  func hasUnusedLaunch(_ plan: Plan) -> Bool {
    guard uses == 0, let launch = plan.decisions.firstIndex(where: \.isUse) else { return false }
    return !plan.decisions[launch...].contains { $0.question.strikesAtLaunch }
  }

  /// Whether a plan may have no decision more.
  var isNone: Bool { faults <= 0 && moves <= 0 && uses <= 0 }
}

extension Findings.Proof {
  fileprivate init(_ most: PlanBounds) {
    mostFaults = most.faults
    mostMoves = most.moves
    mostLates = most.lates
    mostRelaunches = most.relaunches
    mostUses = most.uses
  }
}

/// The plans of one size.
struct ExhaustiveLevel {
  struct Result: Sendable {
    var findings: Findings
    var skipped = 0
    /// How many events there were in runs that only looked for what could be moved.
    var listed = 0
    /// How many plans were left out, as there had been enough events.
    var untried = 0
    /// The plans that are to be extended, in order; empty for the last size.
    var plans: [Plan] = []
    /// The plans that were run, in order, if they are to be listed.
    var ran: [Plan] = []
  }

  private static let chunk = 4

  private let scenario: Scenario
  private let budget: Budget
  private let parents: [Plan]
  private let size: Int
  private let most: PlanBounds
  private let isLast: Bool
  var skipsSame = true
  var mostEvents = Int.max

  init(
    _ scenario: Scenario, _ budget: Budget, _ parents: [Plan], size: Int, most: PlanBounds,
    isLast: Bool
  ) {
    self.scenario = scenario
    self.budget = budget
    self.parents = parents
    self.size = size
    self.most = most
    self.isLast = isLast
  }

  func run(before: Findings) -> Result {
    guard size > 0 else {
      let simulation = Simulation(scenario, cancellation: budget.cancellation)
      var findings = Findings(scenario)
      let outcome = simulation.run(plan: Plan())
      if outcome.isInterrupted {
        findings.isInterrupted = true
        return Result(findings: findings)
      }
      findings.add(.quiet, outcome, of: simulation)
      if outcome.events > SecondOpinion.mostEvents {
        findings.leaveOut(SecondOpinion.leftOut)
      } else if SecondOpinion(scenario, budget.cancellation).differs(from: outcome, .quiet) {
        findings.addDiffering(.quiet)
      }
      return Result(findings: findings, plans: [Plan()], ran: budget.listsPlans ? [Plan()] : [])
    }
    let runsBefore = before.runs
    let seen = Atomic<UInt64>(before.broken)
    let next = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    let sum = Mutex(Sum(Result(findings: Findings(scenario))))
    let chunks = (parents.count + Self.chunk - 1) / Self.chunk
    let work: @Sendable (Int) -> Void = { _ in
      var worker = ExhaustiveWorker(
        scenario, budget.cancellation, most, keepsPlans: !isLast, skipsSame: skipsSame)
      // Where events are bounded there is one worker, so that what is left out does not depend on how many.
      var spent = 0
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { break }
        var batch = Batch(index: index, findings: Findings(scenario))
        worker.mostEvents = mostEvents == .max ? .max : mostEvents - spent
        for parent in parents[index * Self.chunk..<min(parents.count, (index + 1) * Self.chunk)]
        where !budget.isReached(batch.findings.broken) && !batch.findings.isInterrupted {
          worker.extend(parent, &batch, budget) { runs in
            budget.goesOn(runsBefore + done.load(ordering: .relaxed) + runs)
          }
        }
        spent += batch.findings.events + batch.listed
        let n = done.wrappingAdd(batch.findings.runs, ordering: .relaxed).newValue
        let broken = seen.bitwiseOr(batch.findings.broken, ordering: .relaxed).newValue
        let isReached = budget.isReached(broken)
        if !isReached, !budget.goesOn(runsBefore + n), index + 1 < chunks {
          batch.findings.isInterrupted = true
        }
        let isOver = isReached || batch.findings.isInterrupted
        sum.withLock { $0.add(batch) }
        if isOver { break }
      }
      sum.withLock { $0.coverage.append(worker.coverage) }
    }
    let workers = mostEvents == .max ? max(1, min(budget.jobs, chunks)) : 1
    if workers == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers, execute: work)
    }
    return sum.withLock { $0.whole() }
  }

  /// What came of all parents, added up in their order, whoever ran them.
  private struct Sum: Sendable {
    private var result: Result
    /// The first batch that has not come.
    private var next = 0
    /// What came of parents behind that.
    private var waiting: [Int: Batch] = [:]
    var coverage: [Findings] = []

    init(_ result: Result) { self.result = result }

    mutating func add(_ batch: Batch) {
      waiting[batch.index] = batch
      while let batch = waiting.removeValue(forKey: next) {
        take(batch)
        next += 1
      }
    }

    /// Together with what came of parents behind some that were not run.
    mutating func whole() -> Result {
      for (_, batch) in waiting.sorted(by: { $0.key < $1.key }) { take(batch) }
      for findings in coverage { result.findings.add(findings) }
      return result
    }

    private mutating func take(_ batch: Batch) {
      result.findings.add(batch.findings)
      result.skipped += batch.skipped
      result.untried += batch.untried
      result.listed += batch.listed
      result.plans += batch.plans
      result.ran += batch.ran
    }
  }

  /// What came of a few parents.
  struct Batch: Sendable {
    var index: Int
    var findings: Findings
    /// How many events there were in runs that only looked for what could be moved.
    var listed = 0
    var skipped = 0
    var untried = 0
    var plans: [Plan] = []
    var ran: [Plan] = []
  }
}

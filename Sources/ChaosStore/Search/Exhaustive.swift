import Dispatch
import Invariants
import Synchronization

/// Runs every plan with up to so many decisions, small ones first, so what is found first is smallest.
///
/// A decision is a fault that the scenario's mix allows, or a move: a message that arrives later within
/// its usual time, by the least milliseconds for each order of events to which that leads in the run it
/// is moved in, see `Orders`; or a use, which no mix need allow: see ``Fault/isUse``. Other questions stay
/// quiet.
///
/// A plan is extended by decisions that its own run asks after its last one, and by moves asked before
/// it to orders that were not there without it; so each plan is run once. Of plans that come to the
/// same only one is run: see `CrashPoint`.
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
  private let uses: Int
  private let skipsSame: Bool
  /// After about so many events no larger plan is run, and it is said.
  private let mostEvents: Int

  /// Plans of up to so many faults and so many moves, and together of no more than the larger of the
  /// two, and of up to so many uses beside them, unless the budget says other numbers. As many moves as
  /// faults, where none are given.
  public init(faults: Int = 2, moves: Int? = nil, uses: Int = 0) {
    self.init(faults: faults, moves: moves, uses: uses, skipsSame: true)
  }

  init(
    faults: Int = 2, moves: Int? = nil, uses: Int = 0, skipsSame: Bool = true,
    mostEvents: Int = .max
  ) {
    self.faults = faults
    self.moves = moves
    self.uses = uses
    self.skipsSame = skipsSame
    self.mostEvents = mostEvents
  }

  /// Runs the plans, smallest first; ``Findings/proof`` says how far it came.
  public func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let mostFaults = max(0, budget.faults ?? faults)
    let mostMoves = max(0, budget.moves ?? moves ?? mostFaults)
    let mostUses = max(0, budget.uses ?? uses)
    let most = min(max(mostFaults, mostMoves) + mostUses, budget.decisions ?? .max)
    var findings = Findings(scenario)
    var proof = Findings.Proof()
    proof.mostFaults = mostFaults
    proof.mostMoves = mostMoves
    proof.mostUses = mostUses
    var parents: [Plan] = []
    for size in 0...most {
      // What so large a run asks would fill the memory.
      if size > 0, mostEvents != .max, findings.events > SecondOpinion.mostEvents {
        findings.leaveOut(Self.leftOut)
        return findings
      }
      var level = ExhaustiveLevel(scenario, budget, parents, size: size, isLast: size == most)
      level.skipsSame = skipsSame
      level.mostFaults = mostFaults
      level.mostMoves = mostMoves
      level.mostUses = mostUses
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
          "\(result.untried.grouped) of \((result.findings.runs + result.untried).of("plan")) of "
            + "\(size.of("decision")) were not run, as those before took "
            + "\(result.findings.events.grouped) events; \(Self.hint)")
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

/// The plans of one size.
struct ExhaustiveLevel {
  struct Result {
    var findings: Findings
    var skipped = 0
    /// How many plans were left out, as there had been enough events.
    var untried = 0
    /// The plans that are to be extended, in order; empty for the last size.
    var plans: [Plan] = []
    /// The plans that were run, in order, if they are to be listed.
    var ran: [Plan] = []
  }

  private static let chunk = 8

  private let scenario: Scenario
  private let budget: Budget
  private let parents: [Plan]
  private let size: Int
  private let isLast: Bool
  var skipsSame = true
  var mostEvents = Int.max
  var mostFaults = Int.max
  var mostMoves = Int.max
  var mostUses = Int.max

  init(_ scenario: Scenario, _ budget: Budget, _ parents: [Plan], size: Int, isLast: Bool) {
    self.scenario = scenario
    self.budget = budget
    self.parents = parents
    self.size = size
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
    let batches = Mutex<[Batch]>([])
    let chunks = (parents.count + Self.chunk - 1) / Self.chunk
    let work: @Sendable (Int) -> Void = { _ in
      var worker = ExhaustiveWorker(
        scenario, budget.cancellation, keepsPlans: !isLast, skipsSame: skipsSame)
      worker.mostEvents = mostEvents
      worker.mostFaults = mostFaults
      worker.mostMoves = mostMoves
      worker.mostUses = mostUses
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { break }
        var batch = Batch(index: index, findings: Findings(scenario))
        for parent in parents[index * Self.chunk..<min(parents.count, (index + 1) * Self.chunk)]
        where !budget.isReached(batch.findings.broken) && !batch.findings.isInterrupted {
          worker.extend(parent, &batch, budget) { runs in
            budget.goesOn(runsBefore + done.load(ordering: .relaxed) + runs)
          }
        }
        let n = done.wrappingAdd(batch.findings.runs, ordering: .relaxed).newValue
        let broken = seen.bitwiseOr(batch.findings.broken, ordering: .relaxed).newValue
        let isReached = budget.isReached(broken)
        if !isReached, !budget.goesOn(runsBefore + n), index + 1 < chunks {
          batch.findings.isInterrupted = true
        }
        batches.withLock { $0.append(batch) }
        if isReached || batch.findings.isInterrupted { break }
      }
      batches.withLock { $0.append(Batch(index: .max, findings: worker.coverage)) }
    }
    let workers = max(1, min(budget.jobs, chunks))
    if workers == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers, execute: work)
    }
    var result = Result(findings: Findings(scenario))
    for batch in batches.withLock({ $0 }).sorted(by: { $0.index < $1.index }) {
      result.findings.add(batch.findings)
      result.skipped += batch.skipped
      result.untried += batch.untried
      result.plans += batch.plans
      result.ran += batch.ran
    }
    return result
  }

  /// What came of a few parents; added up in their order, whoever ran them.
  struct Batch: Sendable {
    var index: Int
    var findings: Findings
    var skipped = 0
    var untried = 0
    var plans: [Plan] = []
    var ran: [Plan] = []
  }
}

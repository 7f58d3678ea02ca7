import Dispatch
import Synchronization

/// Runs seeds, one after the other; what a seed comes to is decided by nothing else.
public struct RandomSearch: Strategy {
  /// `random`.
  public let name = "random"
  /// What it does, in a sentence.
  public let about =
    "runs seeds; in a mix named as a whole each seed has its own subset of faults and rates (swarm)"

  private static let chunk: UInt64 = 256
  /// Every so many seeds one is run a second time, by a simulation of its own, to see whether anything but
  /// the seed decides a run: the first seed, and every 1,024th from there.
  static let seedsPerPair: UInt64 = 1024

  /// So often it is asked whether to end, which must cost nothing where runs are short.
  private static let seedsBetween: UInt64 = 8

  /// The seed from which those are counted that are run twice; nil for the first one.
  private let start: UInt64?

  /// Has nothing to set: the budget or the scenario says which seeds.
  public init() { start = nil }

  /// For some of the seeds of a larger search, which begins with this one: those that it runs twice are run
  /// twice, wherever it is divided.
  package init(partOfSearchFrom start: UInt64) { self.start = start }

  /// Runs the seeds of the budget, or as many as the scenario says.
  public func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let asked = budget.seeds ?? 0..<UInt64(scenario.seeds)
    let seeds = budget.isOpenEnded ? asked.lowerBound..<max(asked.upperBound, 1 << 62) : asked
    let start = start ?? seeds.lowerBound
    let nextChunk = Atomic<UInt64>(0)
    let done = Atomic<Int>(0)
    let seen = Atomic<UInt64>(0)
    let total = Mutex(Findings(scenario))
    let chunks = (UInt64(seeds.count) + Self.chunk - 1) / Self.chunk
    let workers = max(1, min(budget.jobs, Int(clamping: chunks)))
    let until = budget.until
    let work: @Sendable (Int) -> Void = { _ in
      let simulation = Simulation(scenario, cancellation: budget.cancellation)
      let second = SecondOpinion(scenario, budget.cancellation)
      var findings = Findings(scenario)
      search: while true {
        let index = nextChunk.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { break }
        let first = seeds.lowerBound + index * Self.chunk
        let last = first + min(Self.chunk, seeds.upperBound - first)
        for seed in first..<last {
          if (seed - first) % Self.seedsBetween == 0, budget.cancellation.isRequested {
            findings.isInterrupted = true
            break search
          }
          let outcome = simulation.run(seed: seed)
          if outcome.isInterrupted {
            findings.isInterrupted = true
            break search
          }
          let origin = Origin(seed: seed)
          if (seed - start) % Self.seedsPerPair == 0 {
            if outcome.events > SecondOpinion.mostEvents {
              findings.leaveOut(SecondOpinion.leftOut)
            } else if second.differs(from: outcome, origin) {
              findings.addDiffering(origin)
            }
          }
          findings.add(origin, outcome, of: simulation)
          if outcome.broken & until != 0, !outcome.isCutOff,
            budget.isReached(seen.bitwiseOr(outcome.broken, ordering: .relaxed).newValue)
          {
            break search
          }
        }
        let n = done.wrappingAdd(Int(last - first), ordering: .relaxed).newValue
        if budget.isReached(seen.load(ordering: .relaxed)) { break }
        if !budget.goesOn(n), index + 1 < chunks {
          findings.isInterrupted = true
          break
        }
      }
      simulation.addStrikes(to: &findings.coverage)
      total.withLock { $0.add(findings) }
    }
    if workers == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers, execute: work)
    }
    return total.withLock { $0 }
  }
}

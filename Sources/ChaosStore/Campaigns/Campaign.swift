import Dispatch
import Invariants
import Synchronization

/// Many runs of one scenario.
public struct Campaign: Sendable {
  public var scenario: Scenario
  public var seeds: Range<UInt64>
  /// How many threads run seeds; the result does not depend on it.
  public var jobs: Int

  public init(_ scenario: Scenario, seeds: Range<UInt64>? = nil, jobs: Int = 1) {
    self.scenario = scenario
    self.seeds = seeds ?? 0..<UInt64(scenario.seeds)
    self.jobs = max(1, jobs)
  }

  /// What the runs came to.
  public struct Result: Sendable, Equatable {
    public var runs = 0
    public var events = 0
    public var simulatedMillis: Int64 = 0
    /// For each invariant of the scenario: how many runs broke it, and the first seed that did.
    public var breaks: [Int]
    public var firstSeeds: [UInt64]
    /// For each fault by raw value: how often it struck.
    public var strikes = [Int](repeating: 0, count: Fault.allCases.count)
    /// The first seed that was cut off at the event limit.
    public var cutOff: UInt64?
    /// The hash of the history of the highest seed.
    public var trace: UInt64 = 0
    private var highest: UInt64 = 0
    /// Whether it was stopped before all seeds were run.
    public var isInterrupted = false

    init(invariants: Int) {
      breaks = Array(repeating: 0, count: invariants)
      firstSeeds = Array(repeating: .max, count: invariants)
    }

    mutating func add(_ seed: UInt64, _ outcome: Outcome) {
      runs += 1
      events += outcome.events
      simulatedMillis += outcome.endMillis
      highest = seed
      trace = outcome.trace
      // What a run that was cut off would have come to cannot be said.
      if outcome.isCutOff {
        cutOff = min(cutOff ?? .max, seed)
        return
      }
      var rest = outcome.broken
      while rest != 0 {
        let rule = rest.trailingZeroBitCount
        rest &= rest - 1
        breaks[rule] += 1
        firstSeeds[rule] = min(firstSeeds[rule], seed)
      }
    }

    /// Sums, minima and the highest seed's hash: the order in which parts are added is nothing.
    mutating func add(_ other: Result) {
      runs += other.runs
      events += other.events
      simulatedMillis += other.simulatedMillis
      for rule in breaks.indices {
        breaks[rule] += other.breaks[rule]
        firstSeeds[rule] = min(firstSeeds[rule], other.firstSeeds[rule])
      }
      for fault in strikes.indices { strikes[fault] += other.strikes[fault] }
      if let seed = other.cutOff { cutOff = min(cutOff ?? .max, seed) }
      if other.runs > 0, other.highest >= highest {
        highest = other.highest
        trace = other.trace
      }
      isInterrupted = isInterrupted || other.isInterrupted
    }
  }

  private static let chunk: UInt64 = 256

  /// Runs all seeds. `progress` is told how many are done, from any thread; when it returns false
  /// the campaign ends with what it has.
  public func run(progress: @escaping @Sendable (Int) -> Bool = { _ in true }) -> Result {
    let nextChunk = Atomic<UInt64>(0)
    let done = Atomic<Int>(0)
    let total = Mutex(Result(invariants: scenario.invariants.count))
    let chunks = (UInt64(seeds.count) + Self.chunk - 1) / Self.chunk
    let workers = max(1, min(jobs, Int(clamping: chunks)))
    let work: @Sendable (Int) -> Void = { _ in
      let simulation = Simulation(scenario)
      var result = Result(invariants: scenario.invariants.count)
      while true {
        let index = nextChunk.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { break }
        let first = seeds.lowerBound + index * Self.chunk
        let last = first + min(Self.chunk, seeds.upperBound - first)
        for seed in first..<last {
          result.add(seed, simulation.run(seed: seed))
        }
        let n = done.wrappingAdd(Int(last - first), ordering: .relaxed).newValue
        if !progress(n) {
          result.isInterrupted = true
          break
        }
      }
      simulation.addStrikes(to: &result.strikes)
      total.withLock { $0.add(result) }
    }
    if workers == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers, execute: work)
    }
    return total.withLock { $0 }
  }
}

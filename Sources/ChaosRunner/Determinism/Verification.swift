import ChaosStore
import Synchronization

/// The same seeds again: in this process, in a second one, and on several threads.
struct Verification {
  /// A way of running again that must make no difference.
  enum Way: String, CaseIterable {
    case again, process, threads
  }

  /// A run that came out differently.
  struct Deviation {
    var scenario: Scenario
    var seed: UInt64
    var way: Way
    var difference: Difference
  }

  let scenarios: [Scenario]
  let patterns: [String]
  let seeds: Range<UInt64>
  let jobs: Int
  let second: SecondProcess?
  let cancellation: Cancellation

  /// The first seed of each scenario whose runs differ, for each way.
  private(set) var deviations: [Deviation] = []
  /// How many runs of each way were compared.
  private(set) var runs: [Way: Int] = [:]
  /// How many pairs of runs were compared event by event.
  private(set) var pairs = 0
  /// Why the second process was not compared, or not with all.
  private(set) var secondFailure: String?
  private(set) var isInterrupted = false

  /// Seeds are taken in slices of so many runs, so that as many hashes are in memory at once.
  private static let mostRunsAtOnce = 200_000
  /// How often a difference between threads is looked for on record.
  private static let rounds = 20

  init(
    scenarios: [Scenario], patterns: [String], seeds: Range<UInt64>, jobs: Int,
    second: SecondProcess?, cancellation: Cancellation = .never
  ) {
    self.cancellation = cancellation
    self.scenarios = scenarios
    self.patterns = patterns
    self.seeds = seeds
    self.jobs = jobs
    self.second = second
    if second == nil { secondFailure = "there is no second process here" }
  }

  /// Whether all was compared, and all was equal.
  var isFine: Bool { deviations.isEmpty && secondFailure == nil && !isInterrupted }

  /// `progress` is told the position of the scenario, how many runs there were, and what comes next.
  mutating func run(progress: (Int, Int, Way) -> Void) {
    compare(progress)
    isInterrupted = cancellation.isRequested
    deviations = scenarios.flatMap { scenario in
      Way.allCases.flatMap { way in
        deviations.filter { $0.way == way && $0.scenario.name == scenario.name }
      }
    }
  }

  private mutating func compare(_ progress: (Int, Int, Way) -> Void) {
    let step = UInt64(max(1, Self.mostRunsAtOnce / scenarios.count))
    var first = seeds.lowerBound
    while first < seeds.upperBound {
      let slice = first..<(first + min(step, seeds.upperBound - first))
      var hashes: [[UInt64]] = []
      for (index, scenario) in scenarios.enumerated() {
        progress(index, runs.values.reduce(0, +), .again)
        hashes.append(compareAgain(scenario, slice))
        if cancellation.isRequested { return }
        progress(index, runs.values.reduce(0, +), .threads)
        compareThreads(scenario, slice, hashes[index])
        if cancellation.isRequested { return }
      }
      progress(scenarios.count - 1, runs.values.reduce(0, +), .process)
      compareProcess(slice, hashes)
      if cancellation.isRequested { return }
      first = slice.upperBound
    }
  }

  // MARK: - In this process

  /// Runs each seed by two simulations, plain and recorded, and returns the plain hashes.
  private mutating func compareAgain(
    _ scenario: Scenario, _ seeds: Range<UInt64>
  ) -> [UInt64] {
    let one = Simulation(scenario, cancellation: cancellation)
    let other = Simulation(scenario, cancellation: cancellation)
    var hashes: [UInt64] = []
    hashes.reserveCapacity(seeds.count)
    for seed in seeds {
      let first = Observation(Origin(seed: seed), in: one)
      let second = Observation(Origin(seed: seed), in: other)
      if first.isInterrupted || second.isInterrupted || cancellation.isRequested { break }
      hashes.append(first.outcome.trace)
      runs[.again, default: 0] += 2
      if first.record != nil { pairs += 1 }
      guard !isKnownToDiffer(scenario, .again),
        let difference = first.difference(from: second, of: scenario)
      else { continue }
      note(difference, scenario, seed, .again)
    }
    return hashes
  }

  // MARK: - On threads

  private mutating func compareThreads(
    _ scenario: Scenario, _ seeds: Range<UInt64>, _ hashes: [UInt64]
  ) {
    let others = hashesOnThreads(scenario, seeds)
    if cancellation.isRequested { return }
    runs[.threads, default: 0] += seeds.count
    guard !isKnownToDiffer(scenario, .threads),
      let index = hashes.indices.first(where: { hashes[$0] != others[$0] })
    else { return }
    let seed = seeds.lowerBound + UInt64(index)
    let difference = Difference(
      divergence: divergenceOnThreads(scenario, seed),
      note: "the trace hash \(TraceListing.text(hash: hashes[index])) on one thread, and "
        + "\(TraceListing.text(hash: others[index])) on \(jobs)")
    note(difference, scenario, seed, .threads)
  }

  /// The trace hash of each seed; the threads take the seeds one by one.
  private func hashesOnThreads(_ scenario: Scenario, _ seeds: Range<UInt64>) -> [UInt64] {
    let next = Atomic<Int>(0)
    let hashes = Mutex([UInt64](repeating: 0, count: seeds.count))
    let cancellation = cancellation
    atOnce(jobs) { _ in
      let simulation = Simulation(scenario, cancellation: cancellation)
      while !cancellation.isRequested {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < seeds.count else { break }
        let trace = simulation.run(seed: seeds.lowerBound + UInt64(index)).trace
        hashes.withLock { $0[index] = trace }
      }
    }
    return hashes.withLock { $0 }
  }

  /// Records a seed alone, then on all threads at once until one of them differs.
  private func divergenceOnThreads(_ scenario: Scenario, _ seed: UInt64) -> Divergence? {
    let simulation = Simulation(scenario)
    guard simulation.run(seed: seed).events <= ScenarioRunner.mostEventsRecorded else { return nil }
    let alone = TraceListing(simulation.record(seed: seed), of: scenario)
    let found = Mutex<Divergence?>(nil)
    for _ in 0..<Self.rounds where !cancellation.isRequested {
      atOnce(jobs) { _ in
        let record = Simulation(scenario).record(seed: seed)
        let lines = TraceListing(record, of: scenario).lines.map(\.text)
        guard let divergence = Divergence(alone, lines) else { return }
        found.withLock { $0 = $0 ?? divergence }
      }
      if let divergence = found.withLock({ $0 }) { return divergence }
    }
    return nil
  }

  // MARK: - In a second process

  private mutating func compareProcess(_ seeds: Range<UInt64>, _ hashes: [[UInt64]]) {
    guard secondFailure == nil, let second else { return }
    let answer = second.hashes(of: patterns, seeds: seeds)
    // It may have been told to end as well.
    if cancellation.isRequested { return }
    guard let lines = answer else {
      secondFailure = "it could not be started, or it failed"
      return
    }
    guard lines.count == scenarios.count * seeds.count else {
      secondFailure =
        "it printed \(lines.count.of("line")) for \((scenarios.count * seeds.count).of("run"))"
      return
    }
    for (index, line) in lines.enumerated() {
      let scenario = scenarios[index / seeds.count]
      let seed = seeds.lowerBound + UInt64(index % seeds.count)
      let own = TraceListing.text(hash: hashes[index / seeds.count][index % seeds.count])
      let start = TraceCommand.hashLine(scenario, seed: seed, hash: "")
      guard line.hasPrefix(start) else {
        secondFailure = "it printed '\(line)' where '\(start)' was to be"
        return
      }
      runs[.process, default: 0] += 1
      guard line.dropFirst(start.count) != own, !isKnownToDiffer(scenario, .process) else {
        continue
      }
      let difference = Difference(
        divergence: divergence(from: second, scenario, seed),
        note: "the trace hash \(own) here, and \(line.dropFirst(start.count)) there")
      note(difference, scenario, seed, .process)
    }
  }

  private func divergence(from second: SecondProcess, _ scenario: Scenario, _ seed: UInt64)
    -> Divergence?
  {
    let simulation = Simulation(scenario)
    guard simulation.run(seed: seed).events <= ScenarioRunner.mostEventsRecorded else { return nil }
    let listing = TraceListing(simulation.record(seed: seed), of: scenario)
    return second.listing(listing.title, of: scenario, Origin(seed: seed))
      .flatMap { Divergence(listing, $0) }
  }

  // MARK: -

  private func isKnownToDiffer(_ scenario: Scenario, _ way: Way) -> Bool {
    deviations.contains { $0.scenario.name == scenario.name && $0.way == way }
  }

  private mutating func note(
    _ difference: Difference, _ scenario: Scenario, _ seed: UInt64, _ way: Way
  ) {
    deviations.append(
      Deviation(scenario: scenario, seed: seed, way: way, difference: difference))
  }
}

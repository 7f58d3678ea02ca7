import ChaosStore
import Foundation

/// Runs one part of a campaign, and writes down what it comes to as it goes.
///
/// Nothing is made small and nothing judged: whoever puts the parts together does that once.
struct ShardRun {
  private let runner: CampaignRunner
  private let scenarios: [Scenario]
  private let division: CampaignDivision
  private let options: ShardOptions
  private let console: Console
  private let progress: Progress
  private var file: ShardFile
  private var written = ContinuousClock.now

  init(
    _ options: ShardOptions, of runner: CampaignRunner, _ source: ScenarioSource,
    on console: Console
  ) throws(Failure) {
    self.runner = runner
    self.options = options
    self.console = console
    progress = Progress(console, isQuiet: runner.isQuiet)
    scenarios = try source.selection(runner.selection.patterns)
    division = try CampaignDivision(runner, source, scenarios, count: options.shard.count)
    file = ShardFile(options.shard, division.key)
    guard let before = try ShardFile.at(options.path, console) else { return }
    try division.require(before.header, path: options.path)
    guard before.header.shard == options.shard.number else {
      throw .noVerdict(
        "\(options.path): found shard \(before.header.shard), expected \(options.shard), or no file"
      )
    }
    file = before
  }

  /// Runs what is not yet run; throws where it was told to end before that.
  mutating func run() throws(Failure) -> ShardFile {
    if file.header.isWhole { return file }
    let shares = division.partition.shares(of: options.shard)
    var parts: [SearchedPart] = []
    for entry in file.body.scenarios {
      // Entries are in the order of the scenarios, of which some have no share.
      parts.append(try division.part(entry, of: shares, path: options.path))
    }
    let places = shares.indices.filter { !shares[$0].isNothing }
    guard parts.count <= places.count, zip(places, parts).allSatisfy({ $0 == $1.place }) else {
      throw .noVerdict(
        "\(options.path): scenarios: found others than those of \(options.shard), expected these")
    }
    for (index, place) in places.enumerated() {
      progress.begin(index + 1, of: places.count, scenarios[place].name, runsBefore: runs)
      if index == parts.count { parts.append(SearchedPart(place, from: shares[place].seeds)) }
      if index == file.body.scenarios.count {
        file.body.scenarios.append(parts[index].entry(of: scenarios[place]))
        file.header.seconds.append(0)
      }
      try search(&parts[index], shares[place], index)
    }
    progress.clear()
    file.header.isWhole = true
    try write()
    return file
  }

  private var runs: Int {
    file.body.scenarios.reduce(0) { $0 + ($1.plans?.runs ?? 0) + ($1.seeds?.runs ?? 0) }
  }

  private mutating func search(
    _ part: inout SearchedPart, _ share: Partition.Share, _ index: Int
  ) throws(Failure) {
    let scenario = scenarios[part.place]
    let start = division.partition.seeds[part.place].lowerBound
    if share.hasPlans, part.plans == nil {
      // Plans alone: there are no seeds in this share of the search.
      let found = try search(scenario, Strategies.usual, start..<start, index)
      part.plans = found
      try note(part, index)
    }
    var slice = Slice(scenario, every: options.interval)
    while part.next < share.seeds.upperBound {
      let end = part.next + min(slice.seeds, share.seeds.upperBound - part.next)
      let begin = ContinuousClock.now
      let found = try search(
        scenario, RandomSearch(partOfSearchFrom: start), part.next..<end, index)
      slice.took((ContinuousClock.now - begin).inSeconds)
      var seeds = part.seeds ?? Findings(scenario)
      seeds.add(found)
      part.seeds = seeds
      part.next = end
      try note(part, index)
    }
    file.body.scenarios[index] = part.entry(of: scenario)
  }

  private mutating func search(
    _ scenario: Scenario, _ strategy: any Strategy, _ seeds: Range<UInt64>, _ index: Int
  ) throws(Failure) -> Findings {
    let begin = ContinuousClock.now
    var budget = runner.budget(
      Cancellation(console, progress), isOpenEnded: false, progress)
    budget.seeds = seeds
    let found = strategy.search(scenario, budget)
    guard !found.isInterrupted else {
      progress.clear()
      // What the last pieces of this scenario came to is there already; what was under way is run again.
      try write()
      throw .noVerdict(
        "interrupted after \(runs.of("run"))\(options.isPart ? " of \(options.shard)" : ""); the same command "
          + "goes on from \(options.path)")
    }
    file.header.seconds[index] += (ContinuousClock.now - begin).inSeconds
    return found
  }

  /// Takes up what was just found, and writes it all from time to time.
  private mutating func note(_ part: SearchedPart, _ index: Int) throws(Failure) {
    let isDue = (ContinuousClock.now - written).inSeconds >= options.interval
    file.body.scenarios[index] = part.entry(of: scenarios[part.place])
    if isDue { try write() }
  }

  private mutating func write() throws(Failure) {
    do { try console.write(file.text(), options.path) } catch {
      throw .noVerdict("'\(options.path)' cannot be written: \(error.localizedDescription)")
    }
    written = .now
  }
}

/// How many seeds are run at once: about as many as two seconds take, so that little is lost when it ends.
private struct Slice {
  private(set) var seeds: UInt64
  private let target: Double

  init(_ scenario: Scenario, every interval: Double) {
    seeds = scenario.system.isCostly ? 16 : 4096
    target = min(2, interval / 2)
  }

  mutating func took(_ seconds: Double) {
    if seconds < target / 2, seeds < 1 << 40 { seeds *= 2 }
    if seconds > target * 2, seeds > 16 { seeds /= 2 }
  }
}

/// What was run of one scenario in one part, while it is being run or put together.
struct SearchedPart {
  /// Its place among the scenarios of the campaign.
  let place: Int
  var plans: Findings?
  let from: UInt64
  var next: UInt64
  var seeds: Findings?

  init(_ place: Int, from seeds: Range<UInt64>) {
    self.place = place
    from = seeds.lowerBound
    next = seeds.lowerBound
  }

  func entry(of scenario: Scenario) -> ShardFile.Entry {
    ShardFile.Entry(
      name: scenario.name, plans: plans.map(FindingsRecord.init), from: from, to: next,
      seeds: seeds.map(FindingsRecord.init))
  }
}

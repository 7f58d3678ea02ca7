import ChaosStore

/// What the parts of a campaign came to together: what the whole would have come to.
struct ShardSum {
  private let division: CampaignDivision
  private let scenarios: [Scenario]
  private var plans: [Findings?]
  private var seeds: [Findings]
  private var seconds: [Double]
  /// By the number of the shard: the file it came from, and the checksum of what it says.
  private var seen: [Int: (path: String, checksum: String)] = [:]

  init(_ division: CampaignDivision, _ scenarios: [Scenario]) {
    self.division = division
    self.scenarios = scenarios
    plans = scenarios.map { _ in nil }
    seeds = scenarios.map { Findings($0) }
    seconds = scenarios.map { _ in 0 }
  }

  /// Adds a part; one that is there already, with the same results, is counted once.
  mutating func add(_ file: ShardFile, path: String) throws(Failure) {
    try division.require(file.header, path: path)
    let shard = try Shard(file.header.shard, of: file.header.of, path)
    if let before = seen[shard.number] {
      guard before.checksum == file.header.checksum else {
        throw .noVerdict(
          "\(path): found other results of \(shard) than in \(before.path), expected the same: a run is decided "
            + "by its seed, so they come from other programs, or one of the machines is not to be trusted"
        )
      }
      return
    }
    guard file.header.isWhole else {
      throw .noVerdict(
        "\(path): found a part of \(shard), which was ended early, expected all of it: the command that wrote it "
          + "goes on from there")
    }
    seen[shard.number] = (path, file.header.checksum)
    let shares = division.partition.shares(of: shard)
    var rest = shares.indices.filter { !shares[$0].isNothing }[...]
    for (entry, seconds) in zip(file.body.scenarios, file.header.seconds) {
      let part = try division.part(entry, of: shares, path: path)
      guard rest.popFirst() == part.place, part.next == shares[part.place].seeds.upperBound,
        (part.plans != nil) == shares[part.place].hasPlans
      else {
        throw .noVerdict(
          "\(path): '\(entry.name)': found less than \(shard) has of it, expected all, in order")
      }
      if let found = part.plans { plans[part.place] = found }
      if let found = part.seeds { seeds[part.place].add(found) }
      self.seconds[part.place] += seconds
    }
    guard rest.isEmpty else {
      throw .noVerdict(
        "\(path): scenarios: found \(file.body.scenarios.count), expected "
          + "\(file.body.scenarios.count + rest.count): all that \(shard) has a part of")
    }
  }

  /// By the name of each scenario what a search of it comes to; throws where a part is missing.
  func searched() throws(Failure) -> [String: SearchedBefore] {
    let count = division.partition.count
    let missing = (1...count).filter { seen[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.prefix(20).map(String.init).joined(separator: ", ")
      let more = missing.count > 20 ? " and \(missing.count - 20) more" : ""
      throw .noVerdict(
        "found \(seen.count) of \(count.of("shard")), expected all: \(names)\(more) missing")
    }
    var searched: [String: SearchedBefore] = [:]
    for (place, scenario) in scenarios.enumerated() {
      // As one search has it: plans first, which are told of first.
      var findings = Findings(scenario)
      if let plans = plans[place] { findings.add(plans) }
      findings.add(seeds[place])
      searched[scenario.name] = SearchedBefore(findings: findings, seconds: seconds[place])
    }
    return searched
  }
}

/// What a search came to that was made before this one, or elsewhere.
struct SearchedBefore {
  var findings: Findings
  var seconds: Double
}

extension CampaignRunner {
  /// Runs the part that was asked for; nil where that is all there is to do, else what goes on to a report.
  func afterSearch(
    _ options: ShardOptions?, _ source: ScenarioSource, on console: Console
  ) throws(Failure) -> CampaignRunner? {
    guard let options else { return self }
    var run = try ShardRun(options, of: self, source, on: console)
    try options.touchStatusFile(on: console)
    let file = try run.run()
    guard !options.isPart else {
      let entries = file.body.scenarios
      let runs = entries.reduce(0) { $0 + ($1.plans?.runs ?? 0) + ($1.seeds?.runs ?? 0) }
      if !isQuiet {
        console.out(
          "\(options.shard): \(runs.of("run")) of \(entries.count.of("scenario")) in \(options.path)\n"
        )
      }
      return nil
    }
    let scenarios = try source.selection(selection.patterns)
    var sum = ShardSum(try CampaignDivision(self, source, scenarios, count: 1), scenarios)
    try sum.add(file, path: options.path)
    var runner = self
    runner.searched = try sum.searched()
    return runner
  }
}

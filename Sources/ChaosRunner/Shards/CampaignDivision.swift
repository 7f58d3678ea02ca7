import ChaosStore

/// How a campaign is divided into parts, and what a part of it must look like.
struct CampaignDivision {
  let key: CampaignKey
  let partition: Partition
  private let scenarios: [Scenario]
  private let places: [String: Int]

  /// Refuses what cannot be divided.
  init(
    _ runner: CampaignRunner, _ source: ScenarioSource, _ scenarios: [Scenario], count: Int
  ) throws(Failure) {
    let strategy = runner.strategy ?? Strategies.usual
    guard strategy is Portfolio || strategy is RandomSearch else {
      throw .usage(
        "the strategy '\(strategy.name)' cannot be divided or gone on with: expected "
          + "'\(Portfolio().name)' or '\(RandomSearch().name)', which run seeds")
    }
    if let worlds = source.groups(of: scenarios).first(where: { $0.count > 1 }) {
      throw .usage(
        "\(worlds[0].name) cannot be divided or gone on with: what is run in a default world depends on what "
          + "was found in others; expected scenarios from a file, which 'explain \(worlds[0].name) --as-file' begins"
      )
    }
    var places: [String: Int] = [:]
    for (place, scenario) in scenarios.enumerated() {
      guard places.updateValue(place, forKey: scenario.name) == nil else {
        throw .usage("found two scenarios called '\(scenario.name)', expected a name for each")
      }
    }
    self.scenarios = scenarios
    self.places = places
    key = CampaignKey(runner, source, scenarios)
    let chosen: [Range<UInt64>] =
      if case .range(let seeds) = runner.runs {
        scenarios.map { _ in seeds }
      } else {
        scenarios.map { 0..<UInt64($0.seeds) }
      }
    partition = Partition(seeds: chosen, hasPlans: strategy is Portfolio, count: count)
  }

  /// Refuses a part of another campaign.
  func require(_ header: ShardFile.Header, path: String) throws(Failure) {
    guard header.of == partition.count else {
      throw .noVerdict(
        "\(path): of: found one of \(header.of.of("shard")), expected one of \(partition.count)")
    }
    guard header.campaign == key.hash else {
      throw .noVerdict(
        "\(path): campaign: found \(header.campaign), expected \(key.hash): it was run with other scenarios, "
          + "or other options that decide what is run")
    }
  }

  /// What an entry of a part says, where it is what that part runs.
  func part(_ entry: ShardFile.Entry, of shares: [Partition.Share], path: String) throws(Failure)
    -> SearchedPart
  {
    let name = "\(path): '\(entry.name)'"
    guard let place = places[entry.name] else {
      throw .noVerdict("\(name): found a scenario of this name, expected one of this campaign")
    }
    let share = shares[place]
    guard entry.from == share.seeds.lowerBound, entry.to <= share.seeds.upperBound,
      entry.from <= entry.to, entry.plans == nil || share.hasPlans,
      entry.seeds != nil || entry.from == entry.to
    else {
      throw .noVerdict(
        "\(name): found seeds \(entry.from)..<\(entry.to)\(entry.plans == nil ? "" : " and plans"), "
          + "expected \(share.seeds)\(share.hasPlans ? " and plans" : "")")
    }
    var part = SearchedPart(place, from: share.seeds)
    part.next = entry.to
    do throws(FindingsRecord.Impossible) {
      part.plans = try entry.plans?.findings(of: scenarios[place], seeds: 0..<0)
      part.seeds = try entry.seeds?.findings(of: scenarios[place], seeds: entry.from..<entry.to)
    } catch {
      throw .noVerdict(
        "\(name): \(error.place): found \(error.found), expected \(error.expected)")
    }
    return part
  }
}

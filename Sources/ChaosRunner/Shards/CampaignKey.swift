import ChaosStore
import Invariants

/// What makes two shards parts of one campaign: the scenarios, and what was asked for.
struct CampaignKey: Equatable {
  /// What was asked for, as far as it decides what is run.
  struct Asked: Codable, Equatable {
    /// `run`, or `explore` with the name of a strategy.
    var strategy: String?
    /// The patterns of `--scenario`.
    var scenarios: [String]
    /// As `--seeds` takes them; nil where each scenario says.
    var seeds: String?
    var faults: Int?
    var moves: Int?
    var lates: Int?
    var relaunches: Int?
    var uses: Int?
    var listsPlans: Bool
  }

  var asked: Asked
  var hash: String

  init(_ runner: CampaignRunner, _ source: ScenarioSource, _ scenarios: [Scenario]) {
    var asked = Asked(
      strategy: runner.strategy?.name, scenarios: runner.selection.patterns, faults: runner.faults,
      moves: runner.moves, lates: runner.lates, relaunches: runner.relaunches, uses: runner.uses,
      listsPlans: runner.listsPlans)
    if case .range(let seeds) = runner.runs {
      asked.seeds = "\(seeds.lowerBound)..<\(seeds.upperBound)"
    }
    self.asked = asked
    // The text of the file says all of them; the names say which were chosen, and the systems that it may name.
    var parts = [Runner.version, "\(Model.version)", "\(asked)", source.text]
    parts += source.storeKitFiles.map(\.text)
    for scenario in scenarios {
      let rules = scenario.invariants.map(\.name).joined(separator: ",")
      parts.append("\(scenario.name) \(scenario.system.typeName) \(scenario.seeds) \(rules)")
    }
    hash = TraceListing.text(hash: Hashing.name(parts.joined(separator: "\n")))
  }
}

extension CampaignRunner {
  /// How many decisions of a kind a search may be asked to have in its plans.
  static let limits = 0...8

  /// The campaign that a shard's file says it is a part of.
  init(
    _ asked: CampaignKey.Asked, file: String?, in environment: RunnerEnvironment, path: String
  ) throws(Failure) {
    selection = ScenarioOptions(patterns: asked.scenarios, file: file)
    do {
      runs = try asked.seeds.map { .range(try SeedText.range($0)) } ?? .scenarios
    } catch {
      throw .noVerdict("\(path): asked.seeds: \(error)")
    }
    if let name = asked.strategy {
      guard let strategy = environment.strategies.first(where: { $0.name == name }) else {
        throw .noVerdict(
          "\(path): asked.strategy: found '\(name)', expected "
            + environment.strategies.map(\.name).joined(separator: " or "))
      }
      self.strategy = strategy
    }
    let limits = [
      ("faults", asked.faults), ("moves", asked.moves), ("lates", asked.lates),
      ("relaunches", asked.relaunches), ("uses", asked.uses),
    ]
    for case (let key, let number?) in limits where !Self.limits.contains(number) {
      throw .noVerdict(
        "\(path): asked.\(key): found \(number), expected \(Self.limits.lowerBound) to "
          + "\(Self.limits.upperBound)")
    }
    faults = asked.faults
    moves = asked.moves
    lates = asked.lates
    relaunches = asked.relaunches
    uses = asked.uses
    listsPlans = asked.listsPlans
    jobs = 1
    provesSmallest = false
    needsPlans = false
    isQuiet = false
  }
}

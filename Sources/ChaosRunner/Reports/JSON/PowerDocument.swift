import ChaosStore

/// What `power --format json` prints, and `power --baseline` reads.
struct PowerDocument: Codable {
  var version: String
  var mutants: [Mutant]
  /// Nil in what was printed before there were any.
  var twins: [Twin]?
  var missed: [String]
  var worse: [String]

  init(_ result: PowerResult) {
    version = Runner.version
    mutants = result.rows.map(Mutant.init)
    twins = result.twins.map(Twin.init)
    missed = result.missed
    worse = result.worse
  }

  struct Mutant: Codable {
    var name: String
    var about: String
    var invariant: String
    var coinciding: Int
    var strategies: [Strategy]

    init(_ row: PowerResult.Row) {
      name = row.target.name
      about = row.target.about
      invariant = row.target.invariant
      coinciding = row.target.coinciding
      strategies = row.trials.map(Strategy.init)
    }
  }

  struct Twin: Codable {
    var name: String
    var runs: Int
    var alarms: [Alarm]

    init(_ twin: SoundTwin) {
      name = twin.name
      runs = twin.runs
      alarms = twin.alarms.map(Alarm.init)
    }
  }

  struct Alarm: Codable {
    var invariant: String
    /// Neither is there where it broke without a decision.
    var plan: String?
    var seed: String?

    init(_ alarm: SoundTwin.Alarm) {
      invariant = alarm.invariant
      plan = alarm.plan.flatMap { $0.decisions.isEmpty ? nil : $0.description }
      seed = alarm.seed.map(SeedText.text)
    }
  }

  struct Strategy: Codable {
    var name: String
    var starts: Int
    var found: Int
    var medianRuns: Int
    var medianMillis: Double
    var size: Int?
    var plan: String?

    init(_ trial: PowerTrial) {
      name = trial.strategy
      starts = trial.starts.count
      found = trial.found
      medianRuns = trial.medianRuns
      medianMillis = (trial.medianMillis * 1000).rounded() / 1000
      size = trial.size
      plan = trial.starts.compactMap(\.plan).first?.description
    }
  }
}

import ChaosStore
import Invariants

/// What `run` and `explore` print with `--format json`: one object.
struct CampaignDocument: Encodable {
  var version = Runner.version
  var verdict: String
  var runs: Int
  var events: Int
  var seconds: Double
  var isInterrupted: Bool?
  /// Left out where nothing is kept.
  var regressions: RegressionsDocument?
  var scenarios: [Scenario]

  init(_ campaign: CampaignResult) {
    verdict = campaign.verdict.rawValue
    runs = campaign.runs
    events = campaign.events
    seconds = (campaign.seconds * 1000).rounded() / 1000
    isInterrupted = campaign.isInterrupted ? true : nil
    regressions = campaign.regressions.isEmpty ? nil : RegressionsDocument(campaign.regressions)
    scenarios = campaign.scenarios.map { Scenario($0, campaign) }
  }

  enum CodingKeys: String, CodingKey {
    case version, verdict, runs, events, seconds, regressions, scenarios
    case isInterrupted = "interrupted"
  }

  struct Scenario: Encodable {
    var name: String
    var system: String
    var backend: String
    var variant: String
    var runs: Int
    var events: Int
    var simulatedMillis: Int64
    var expected: [String]
    var allowed: [String]
    var verdict: String
    var violations: [Violation]
    var search: Search?
    var neverStruck: [String]
    /// Why there is no verdict; left out where there is one.
    var doubts: [String]?
    /// Why nothing happened, or a run never ended; left out where the app says nothing of it.
    var remarks: [String]?
    /// What there was no time for, and what runs are too large for; left out where there is nothing.
    var cutShort: [String]?
    var leftOut: [String]?
    /// Purchases of hosted apps that belong to no tap that anybody can name; left out where there is none.
    var unattributed: Int?
    /// What the backend used together in one step, and in how many runs; left out where there is nothing.
    var stepsAsOne: StepsAsOne?
    /// What the plan named and the run never asked; left out where there is nothing.
    var unmatched: [Decision]?
    var traceHash: String?

    init(_ result: ScenarioResult, _ campaign: CampaignResult) {
      name = result.scenario.name
      system = result.scenario.system.entry.name
      backend = Matrix.Row(result.scenario).backendName
      variant = result.scenario.variant
      runs = result.runs
      events = result.events
      simulatedMillis = result.simulatedMillis
      expected = result.scenario.expects
      allowed = result.scenario.allows
      verdict = result.verdict.rawValue
      violations = result.findings.map { Violation($0, result, campaign) }
      search = result.search.map { Search(result, $0) }
      neverStruck = result.neverStruck.map(\.name)
      doubts = result.doubts.isEmpty ? nil : result.doubts
      let remarks = result.remarks
      self.remarks = remarks.isEmpty ? nil : remarks
      cutShort = result.cutShort.isEmpty ? nil : result.cutShort
      leftOut = result.search.flatMap { $0.leftOut.isEmpty ? nil : $0.leftOut }
      unattributed = result.search.flatMap { $0.unattributed == 0 ? nil : $0.unattributed }
      stepsAsOne = result.search.flatMap { $0.stepsAsOne.isEmpty ? nil : StepsAsOne($0) }
      unmatched = result.unmatched.isEmpty ? nil : result.unmatched.map(Decision.init)
      traceHash = result.trace.map(TraceListing.text(hash:))
    }
  }

  struct StepsAsOne: Encodable {
    var uses: [String]
    var runs: Int

    init(_ findings: Findings) {
      uses = findings.stepsAsOne.names
      runs = findings.runsAsOne
    }
  }

  struct Violation: Encodable {
    var invariant: String
    var standing: String
    var runs: Int
    var firstSeed: String?
    var plan: [Decision]
    /// The invariant of which it is a consequence; left out where it is a cause of its own.
    var follows: String?
    /// The default world of the same system that breaks it too and tells it; left out where it is told here.
    var sameAs: String?
    /// The small plans that its failures come down to; left out where nobody looked.
    var clusters: [Cluster]?
    /// Why it may not be as small as can be; left out where it is, or nobody looked.
    var notMadeSmaller: String?
    /// How many of the failing seeds were made small, of how many that are known; left out where all were.
    var lookedAt: Int?
    var reproduce: String

    init(_ finding: Finding, _ result: ScenarioResult, _ campaign: CampaignResult) {
      invariant = finding.invariant.name
      runs = finding.runs
      firstSeed = finding.origin.seed.map(SeedText.text)
      standing = finding.standing.rawValue
      plan = (finding.plan ?? finding.origin.plan).decisions
        .map(Decision.init)
      follows = finding.follows
      sameAs = finding.sameAs
      clusters = finding.clusters.isEmpty ? nil : finding.clusters.map(Cluster.init)
      notMadeSmaller = finding.cutShort?.rawValue
      lookedAt =
        finding.lookedAt > 0 && finding.lookedAt < finding.failing.count ? finding.lookedAt : nil
      reproduce = campaign.commandToReproduce(finding, in: result)
    }
  }

  struct Cluster: Encodable {
    var plan: [Decision]
    /// How many decisions it has, and how many of the failing seeds came down to it.
    var size: Int
    var seeds: Int
    var firstSeed: String?
    var isMinimal: Bool
    /// After so many runs nothing smaller was looked for; left out where making it small came to its end.
    var mostRuns: Int?
    /// What a search of all smaller plans said; left out where it was not asked for.
    var smaller: String?
    var smallerPlansRun: Int?
    /// How often it was run where real processes are at work in it, how many of these runs were the same as the first, and
    /// how many broke the invariant; left out where a simulation answers for that.
    var repeats: Int?
    var repeatsTheSame: Int?
    var repeatsBreaking: Int?

    init(_ cluster: ChaosRunner.Cluster) {
      plan = cluster.plan.decisions.map(Decision.init)
      size = cluster.plan.size
      seeds = cluster.seeds
      firstSeed = cluster.firstSeed.map(SeedText.text)
      isMinimal = cluster.certificate.isMinimal
      mostRuns = cluster.certificate.mostRuns
      repeats = cluster.repeats?.runs
      repeatsTheSame = cluster.repeats?.same
      repeatsBreaking = cluster.repeats?.breaking
      switch cluster.certificate.smaller {
      case .noneBreaks(let plans):
        smaller = "none"
        smallerPlansRun = plans
      case .found(let plan, _): smaller = plan.description
      case .unknown: smaller = "unknown"
      case nil: break
      }
    }
  }

  /// What a search ran; left out for a single run.
  struct Search: Encodable {
    var randomRuns: Int
    var seconds: Double
    var shrinkSeconds: Double
    /// For each size from 0: how many plans were run, and how many skipped as the same as another.
    var plans: [Int]?
    var skippedPlans: [Int]?
    /// The plans that were run, smallest first, where they were asked for.
    var ranPlans: [String]?
    /// Up to this many decisions every plan was run.
    var provenSize: Int?
    /// So many faults, so many moves and so many uses a plan could have; up to `mostLates` decisions a
    /// late message was tried in each order, and up to `mostRelaunches` a fault at a launch got one.
    var mostFaults: Int?
    var mostMoves: Int?
    var mostLates: Int?
    var mostRelaunches: Int?
    var mostUses: Int?
    /// Whether the code under test read a clock, so that what depends on durations was not searched.
    var readsClock: Bool?
    var goals: [String: Int]
    /// How many runs gave each invariant something to judge.
    var judged: [String: Int]
    /// How often each fault struck at each step, where it did.
    var coverage: [String: [String: Int]]

    init(_ result: ScenarioResult, _ findings: Findings) {
      randomRuns = findings.randomRuns
      seconds = (result.searchSeconds * 1e6).rounded() / 1e6
      shrinkSeconds = (result.shrinkSeconds * 1e6).rounded() / 1e6
      plans = findings.proof?.plans
      skippedPlans = findings.proof?.skipped
      let ran = findings.proof?.ran ?? []
      ranPlans = ran.isEmpty ? nil : ran.map(\.description)
      provenSize = findings.proof.map(\.size)
      mostFaults = findings.proof.map(\.mostFaults)
      mostMoves = findings.proof.map(\.mostMoves)
      mostLates = findings.proof.map(\.mostLates)
      mostRelaunches = findings.proof.map(\.mostRelaunches)
      mostUses = findings.proof.map(\.mostUses)
      readsClock = findings.proof.map { _ in findings.readsClock }
      goals = Dictionary(
        zip(result.scenario.goals.map(\.text), findings.reached), uniquingKeysWith: { $0 + $1 })
      judged = Dictionary(
        zip(result.scenario.invariants.map(\.name), findings.rules.map { findings.runs - $0.idle }),
        uniquingKeysWith: { $0 + $1 })
      coverage = [:]
      for fault in result.scenario.setup.mix.faults {
        for step in Step.allCases where findings.coverage[fault, step] > 0 {
          coverage[fault.name, default: [:]][step.name] = findings.coverage[fault, step]
        }
      }
    }
  }

  struct Decision: Encodable {
    var decision: ChaosStore.Decision

    init(_ decision: ChaosStore.Decision) { self.decision = decision }

    enum CodingKeys: String, CodingKey {
      case question, subject, occurrence, answer
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(decision.question.name, forKey: .question)
      try container.encode(decision.subject.name, forKey: .subject)
      try container.encode(decision.occurrence, forKey: .occurrence)
      switch decision.answer {
      case .strike: break
      case .value(let value): try container.encode(value, forKey: .answer)
      case .millis(let millis): try container.encode("\(millis)ms", forKey: .answer)
      case .overtaken: try container.encode("overtaken", forKey: .answer)
      case .late: try container.encode("late", forKey: .answer)
      }
    }
  }
}

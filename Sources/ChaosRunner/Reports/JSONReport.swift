import ChaosStore
import Foundation
import Invariants

/// What `run --format json` prints: one object.
struct JSONReport {
  let text: String

  init(_ session: Session) { text = Self.encoded(Document(session)) }

  static func encoded(_ document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document), let text = String(data: data, encoding: .utf8)
    else { fatalError("bug: a report that cannot be written as JSON") }
    return text
  }

  struct Document: Encodable {
    var version = Runner.version
    var verdict: String
    var runs: Int
    var events: Int
    var seconds: Double
    var isInterrupted: Bool?
    /// Left out where nothing is kept.
    var regressions: RegressionsPart?
    var scenarios: [ScenarioPart]

    init(_ session: Session) {
      verdict = session.verdict.rawValue
      runs = session.runs
      events = session.events
      seconds = (session.seconds * 1000).rounded() / 1000
      isInterrupted = session.isInterrupted ? true : nil
      regressions = session.regressions.isEmpty ? nil : RegressionsPart(session.regressions)
      scenarios = session.trials.map { ScenarioPart($0, session.paste) }
    }

    enum CodingKeys: String, CodingKey {
      case version, verdict, runs, events, seconds, regressions, scenarios
      case isInterrupted = "interrupted"
    }
  }

  struct ScenarioPart: Encodable {
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
    var violations: [ViolationPart]
    var search: SearchPart?
    var neverStruck: [String]
    /// Why there is no verdict; left out where there is one.
    var doubts: [String]?
    /// What there was no time for, and what runs are too large for; left out where there is nothing.
    var cutShort: [String]?
    var leftOut: [String]?
    /// What the plan named and the run never asked; left out where there is nothing.
    var unmatched: [DecisionPart]?
    var traceHash: String?

    init(_ trial: Trial, _ paste: PasteLine) {
      name = trial.scenario.name
      system = trial.scenario.system.entry.name
      backend = trial.scenario.setup.backend.rawValue
      variant = trial.scenario.variant
      runs = trial.runs
      events = trial.events
      simulatedMillis = trial.simulatedMillis
      expected = trial.scenario.expects
      allowed = trial.scenario.allows
      verdict = trial.verdict.rawValue
      violations = trial.findings.map { ViolationPart($0, trial.scenario, paste) }
      search = trial.search.map { SearchPart(trial, $0) }
      neverStruck = trial.neverStruck.map(\.name)
      doubts = trial.doubts.isEmpty ? nil : trial.doubts
      cutShort = trial.cutShort.isEmpty ? nil : trial.cutShort
      leftOut = trial.search.flatMap { $0.leftOut.isEmpty ? nil : $0.leftOut }
      unmatched = trial.unmatched.isEmpty ? nil : trial.unmatched.map(DecisionPart.init)
      traceHash = trial.trace.map(TraceListing.text(hash:))
    }
  }

  struct ViolationPart: Encodable {
    var invariant: String
    var standing: String
    var runs: Int
    var firstSeed: String?
    var plan: [DecisionPart]
    /// The small plans that its failures come down to; left out where nobody looked.
    var clusters: [ClusterPart]?
    var reproduce: String

    init(_ finding: Finding, _ scenario: Scenario, _ paste: PasteLine) {
      invariant = finding.invariant.name
      runs = finding.runs
      firstSeed = finding.origin.seed.map(SeedText.text)
      standing = "\(finding.standing)"
      plan = (finding.plan ?? finding.origin.plan).decisions
        .map(DecisionPart.init)
      clusters = finding.clusters.isEmpty ? nil : finding.clusters.map(ClusterPart.init)
      reproduce = paste.run(scenario, finding)
    }
  }

  struct ClusterPart: Encodable {
    var plan: [DecisionPart]
    /// How many decisions it has, and how many of the failing seeds came down to it.
    var size: Int
    var seeds: Int
    var firstSeed: String?
    var isMinimal: Bool
    /// What a search of all smaller plans said; left out where it was not asked for.
    var smaller: String?
    var smallerPlansRun: Int?

    init(_ cluster: Cluster) {
      plan = cluster.plan.decisions.map(DecisionPart.init)
      size = cluster.plan.size
      seeds = cluster.seeds
      firstSeed = cluster.firstSeed.map(SeedText.text)
      isMinimal = cluster.certificate.isMinimal
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
  struct SearchPart: Encodable {
    var randomRuns: Int
    var seconds: Double
    var shrinkSeconds: Double
    /// For each size from 0: how many plans were run, and how many skipped as the same as another.
    var plans: [Int]?
    var skippedPlans: [Int]?
    /// Up to this many decisions every plan was run.
    var provenSize: Int?
    var goals: [String: Int]
    /// How often each fault struck at each step, where it did.
    var coverage: [String: [String: Int]]

    init(_ trial: Trial, _ findings: Findings) {
      randomRuns = findings.randomRuns
      seconds = (trial.searchSeconds * 1e6).rounded() / 1e6
      shrinkSeconds = (trial.shrinkSeconds * 1e6).rounded() / 1e6
      plans = findings.proof?.plans
      skippedPlans = findings.proof?.skipped
      provenSize = findings.proof.map(\.size)
      goals = Dictionary(
        zip(trial.scenario.goals.map(\.text), findings.reached), uniquingKeysWith: { $0 + $1 })
      coverage = [:]
      for fault in trial.scenario.setup.mix.faults {
        for step in Step.allCases where findings.coverage[fault, step] > 0 {
          coverage[fault.name, default: [:]][step.name] = findings.coverage[fault, step]
        }
      }
    }
  }

  struct DecisionPart: Encodable {
    var decision: Decision

    init(_ decision: Decision) { self.decision = decision }

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

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

  /// The hash of a history, as text.
  static func hash(_ trace: UInt64) -> String {
    "0x" + String(trace, radix: 16).zeroPadded(to: 16)
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
    var neverStruck: [String]
    /// Why there is no verdict; left out where there is one.
    var doubts: [String]?
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
      neverStruck = trial.neverStruck.map(\.name)
      doubts = trial.doubts.isEmpty ? nil : trial.doubts
      unmatched = trial.unmatched.isEmpty ? nil : trial.unmatched.map(DecisionPart.init)
      traceHash = trial.trace.map(JSONReport.hash)
    }
  }

  struct ViolationPart: Encodable {
    var invariant: String
    var runs: Int
    var firstSeed: String?
    var plan: [DecisionPart]
    var reproduce: String

    init(_ finding: Finding, _ scenario: Scenario, _ paste: PasteLine) {
      invariant = finding.invariant.name
      runs = finding.runs
      firstSeed = finding.seed.map(SeedText.text)
      plan = (Examiner(scenario).plan(for: finding) ?? finding.given).decisions
        .map(DecisionPart.init)
      reproduce = paste.run(scenario, finding)
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

extension String {
  fileprivate func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}

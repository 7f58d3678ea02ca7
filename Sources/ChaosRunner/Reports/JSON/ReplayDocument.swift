import ChaosStore

/// A plan file that was run again, for machines.
struct ReplayDocument: Encodable {
  var file: String
  var scenario: String?
  /// `same-history`, `other-history`, `different`, `stale`, or `unreadable`.
  var standing: String
  var expected: Expectation?
  var violations: [String]?
  var decisions: Int?
  var matched: Int?
  var unmatched: [CampaignDocument.Decision]?
  var traceHash: String?
  var recordedTraceHash: String?
  /// Why nothing can be said; left out where something can.
  var doubts: [String]?

  init(_ regression: Regression) {
    file = regression.path
    standing = regression.standing?.rawValue ?? "unreadable"
    doubts = regression.doubts.isEmpty ? nil : regression.doubts
    guard let replay = regression.replay else { return }
    scenario = replay.file.scenario
    expected = Expectation(replay.file.expectation)
    decisions = replay.file.plan.decisions.count
    recordedTraceHash = TraceListing.text(hash: replay.file.trace)
    guard let outcome = replay.outcome else { return }
    violations = replay.broken
    matched = replay.matched
    unmatched =
      replay.unmatched.isEmpty ? nil : replay.unmatched.map(CampaignDocument.Decision.init)
    traceHash = TraceListing.text(hash: outcome.trace)
  }

  /// As in a plan file: `"holds"`, or an object.
  struct Expectation: Encodable {
    private let expectation: PlanFile.Expectation

    init(_ expectation: PlanFile.Expectation) { self.expectation = expectation }

    func encode(to encoder: any Encoder) throws {
      switch expectation {
      case .holds:
        var container = encoder.singleValueContainer()
        try container.encode("holds")
      case .violates(let name):
        var container = encoder.singleValueContainer()
        try container.encode(["violates": name])
      }
    }
  }
}

/// All kept plan files, for machines.
struct RegressionsDocument: Encodable {
  var replayed: Int
  var stillFail: Int
  var hold: Int
  var notAsRecorded: Int
  var noLongerMatch: Int
  var byOtherHistory: Int
  var files: [ReplayDocument]

  init(_ regressions: Regressions) {
    replayed = regressions.all.count
    stillFail = regressions.stillFail
    hold = regressions.hold
    notAsRecorded = regressions.different.count
    noLongerMatch = regressions.noLongerMatch.count
    byOtherHistory = regressions.byOtherHistory.count
    files = regressions.all.map(ReplayDocument.init)
  }
}

/// What `replay --format json` prints.
struct ReplayedDocument: Encodable {
  var version = Runner.version
  var replay: ReplayDocument

  init(_ result: ReplayResult) { replay = ReplayDocument(result.regression) }
}

/// What `regress --format json` prints.
struct RegressedDocument: Encodable {
  var version = Runner.version
  var verdict: String
  var regressions: RegressionsDocument

  init(_ result: RegressionsResult) {
    verdict = result.regressions.verdict.rawValue
    regressions = RegressionsDocument(result.regressions)
  }
}

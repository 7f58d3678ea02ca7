import ChaosStore
import Invariants

/// What `audit --format json` prints; `Docs/schemas/audit.schema.json` says what is in it.
struct AuditDocument: Encodable {
  var version = Runner.version
  var verdict: String
  var files: [String]
  var lines: Int
  var facts: Int
  var charges: Int
  /// Purchases that began before the log.
  var beganBefore: Int
  var withinMillis: Int64
  var windowMillis: Int64
  var skewMillis: Int64
  var firstMillis: Int64?
  var lastMillis: Int64?
  /// Charges without a credit that still have time.
  var stillOpen: Int
  /// How many facts there are of each kind that there is.
  var kinds: [String: Int] = [:]
  var rules: [Rule]
  var findings: [Finding]
  var sums: [Sum]
  var histories: [History]
  var damaged: Lines
  var late: Lines

  struct Rule: Encodable {
    var name: String
    var code: String
    var impact: String
    /// How often it broke; left out where it was not judged.
    var findings: Int?
    /// Why it was not judged; left out where it was.
    var notJudged: String?
  }

  struct Finding: Encodable {
    var rule: String
    var impact: String
    var atMillis: Int64
    var history: String?
    var transaction: String?
    var intent: String?
    var account: String?
    var product: String?
    var quantity: Int?
    /// Left out where it is production.
    var environment: String?
    var evidence: [Evidence]
    var furtherLines: Int
  }

  struct Evidence: Encodable {
    var file: String
    var line: Int
    /// Left out of what is known from before the purchase was closed.
    var atMillis: Int64?
    var says: String
    var breaks: Bool
  }

  struct Sum: Encodable {
    var product: String
    var environment: String
    var charged: Int64
    var returned: Int64
    var credited: Int64
    var takenBack: Int64
    var stillOpen: Int64
    var difference: Int64
  }

  struct History: Encodable {
    var name: String
    var file: String
    var line: Int
    var facts: Int
    var hasEnd: Bool
    var broken: [String]
  }

  struct Lines: Encodable {
    var count: Int
    var first: [Line]
  }

  struct Line: Encodable {
    var file: String
    var line: Int
    var found: String
    var expected: String
  }

  init(_ result: AuditResult) {
    func file(_ place: LogPlace) -> String { result.files[place.file] }
    func shown(_ lines: [DamagedLine]) -> [Line] {
      lines.map {
        Line(
          file: file($0.place), line: $0.place.line, found: $0.damage.found,
          expected: $0.damage.expected)
      }
    }
    switch result.exitCode {
    case .asExpected: verdict = "clean"
    case .red: verdict = "broken"
    default: verdict = "no-verdict"
    }
    files = result.files
    lines = result.lines
    facts = result.facts
    charges = result.charges
    beganBefore = result.older
    withinMillis = result.terms.within
    windowMillis = result.terms.window
    skewMillis = result.terms.skew
    firstMillis = result.first
    lastMillis = result.last
    stillOpen = result.open
    for kind in Fact.Kind.allCases where result.kinds[Int(kind.rawValue)] > 0 {
      kinds["\(kind)"] = result.kinds[Int(kind.rawValue)]
    }
    rules = AuditRules.all.enumerated().map { index, rule in
      let gap = result.gap(index)
      return Rule(
        name: rule.invariant.name, code: rule.invariant.code,
        impact: rule.invariant.impact.rawValue, findings: gap == nil ? result.counts[index] : nil,
        notJudged: gap)
    }
    let words = AuditWords(result)
    findings = result.broken.flatMap { rule in
      words.findings(of: rule).map { finding in
        let invariant = AuditRules.all[rule].invariant
        return Finding(
          rule: invariant.name, impact: invariant.impact.rawValue, atMillis: finding.at,
          history: finding.history, transaction: finding.transaction, intent: finding.intent,
          account: finding.account, product: finding.product,
          quantity: finding.quantity == 0 ? nil : Int(finding.quantity),
          environment: finding.environment == .production ? nil : "\(finding.environment)",
          evidence: finding.evidence.map {
            Evidence(
              file: file($0.place), line: $0.place.line, atMillis: $0.at < 0 ? nil : $0.at,
              says: $0.text, breaks: $0.isBreak)
          }, furtherLines: finding.more)
      }
    }
    sums = result.sums.map {
      Sum(
        product: $0.product, environment: "\($0.environment)", charged: $0.charged,
        returned: $0.returned, credited: $0.credited, takenBack: $0.takenBack, stillOpen: $0.open,
        difference: $0.difference)
    }
    histories = result.histories.map {
      History(
        name: $0.name, file: file($0.place), line: $0.place.line, facts: $0.facts,
        hasEnd: $0.hasEnd, broken: $0.broken)
    }
    damaged = Lines(count: result.damaged, first: shown(result.damagedLines))
    late = Lines(count: result.late, first: shown(result.lateLines))
  }
}

import Invariants

/// Where a fact stands: which file, and which line of it.
struct LogPlace: BitwiseCopyable, Comparable {
  private var packed: UInt64

  init(file: Int, line: Int) { packed = UInt64(file) << 44 | UInt64(line) & (1 << 44 - 1) }

  /// No place that is known.
  static let unknown = LogPlace(file: 0, line: 0)

  init(packed: UInt64) { self.packed = packed }

  var file: Int { Int(packed >> 44) }
  /// From 1; 0 where it is not known.
  var line: Int { Int(packed & (1 << 44 - 1)) }
  var bits: UInt64 { packed }

  static func < (a: LogPlace, b: LogPlace) -> Bool { a.packed < b.packed }
}

/// A rule that one purchase of the log breaks, or a history that is whole.
struct AuditFinding {
  /// A line that belongs to it.
  struct Evidence {
    var place: LogPlace
    var at: Int64
    /// What it says, such as `credited user1`.
    var text: String
    /// Whether it is the fact that broke the rule.
    var isBreak = false
  }

  /// The position of the rule in ``AuditRules/all``.
  var rule: Int
  var at: Int64
  /// The history that it belongs to, where that is whole.
  var history: String?
  var transaction: String?
  var intent: String?
  var account: String?
  var product: String?
  var quantity: UInt32 = 0
  var environment = Environment.production
  /// The first lines of the purchase, and those that matter most.
  var evidence: [Evidence]
  /// How many further lines there are.
  var more = 0
}

/// What was paid for and what was handed out of one product.
struct AuditSum {
  var product: String
  var environment: Environment
  var charged: Int64 = 0
  /// Voided by the store, or refunded as a whole.
  var returned: Int64 = 0
  var credited: Int64 = 0
  /// Taken back by the ledger and not given again.
  var takenBack: Int64 = 0
  /// Charged and not credited, and there is time yet.
  var open: Int64 = 0
  /// Units paid for that nobody got; negative: units handed out that nobody paid for.
  var difference: Int64 = 0
}

/// A line that says nothing, or cannot be true.
struct DamagedLine {
  var place: LogPlace
  var damage: LineDamage
}

/// A history that the log has from its beginning to its end, as `--format jsonl` writes it.
struct AuditedHistory {
  var name: String
  var place: LogPlace
  var facts = 0
  /// Whether its end is in the log: without it nothing is said about what was left open.
  var hasEnd = false
  /// The names of the rules that it broke, in the order in which they broke.
  var broken: [String] = []
}

/// What a log came to.
struct AuditResult {
  /// So many lines are shown of what is damaged, and of what came too late.
  static let mostShown = 10

  var files: [String] = []
  var terms = AuditTerms()
  var lines = 0
  var facts = 0
  /// How many facts there were of each kind.
  var kinds = [Int](repeating: 0, count: Fact.Kind.allCases.count)
  var damaged = 0
  var damagedLines: [DamagedLine] = []
  /// Facts that came later than the window allows, and were left out.
  var late = 0
  var lateLines: [DamagedLine] = []
  /// Facts about how apps ran, of which a log of production needs none.
  var unused = 0
  var histories: [AuditedHistory] = []
  var findings: [AuditFinding] = []
  /// How often each rule broke, by position in ``AuditRules/all``.
  var counts = [Int](repeating: 0, count: AuditRules.all.count)
  /// Whether any purchase was judged by itself.
  var judgesPurchases = false
  /// One bit for each rule that some history gave something to judge.
  var judgedWhole: UInt64 = 0
  /// One bit for each kind of fact outside of histories that are whole.
  var happened: UInt64 = 0
  /// The same for those that name an account, and those that name a product.
  var namesAccount: UInt64 = 0
  var namesProduct: UInt64 = 0
  /// Whether any of them is of another number of units than one.
  var hasQuantities = false
  var sums: [AuditSum] = []
  /// How many charges and renewals there were outside of histories that are whole.
  var charges = 0
  /// How many purchases began before the log, and were judged as far as that goes.
  var older = 0
  /// The moment of the first fact about purchases.
  var begins = Int64.max
  /// Charges without a credit that still have time.
  var open = 0
  /// The moments of the first and the last fact; nil where there is none.
  var first: Int64?
  var last: Int64?
  /// Why some file was not read to its end.
  var failures: [String] = []

  /// Why a rule was not judged; nil where it was.
  func gap(_ rule: Int) -> String? {
    if judgedWhole & 1 << UInt64(rule) != 0 { return nil }
    guard judgesPurchases else { return "no history gave it anything to judge" }
    return AuditRules.gap(AuditRules.all[rule], self)
  }

  /// The rules that were judged and broke, by their cost.
  var broken: [Int] {
    AuditRules.all.indices.filter { counts[$0] > 0 && gap($0) == nil }.sorted {
      let (a, b) = (AuditRules.all[$0].invariant.impact, AuditRules.all[$1].invariant.impact)
      return a == b ? $0 < $1 : a < b
    }
  }

  var isJudged: Bool { AuditRules.all.indices.contains { gap($0) == nil } }

  /// What the process ends with.
  var exitCode: ExitCode {
    if !broken.isEmpty { return .red }
    // What was left out may have been a loss.
    return isJudged && failures.isEmpty && late == 0 ? .asExpected : .noVerdict
  }

  mutating func note(_ damage: LineDamage, at place: LogPlace) {
    damaged += 1
    if damagedLines.count < Self.mostShown {
      damagedLines.append(DamagedLine(place: place, damage: damage))
    }
  }

  mutating func keep(_ finding: AuditFinding) {
    counts[finding.rule] += 1
    if counts[finding.rule] <= terms.most { findings.append(finding) }
  }
}

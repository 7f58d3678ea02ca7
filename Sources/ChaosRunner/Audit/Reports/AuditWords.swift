import ChaosStore
import Invariants

/// What an audit came to, in the words that its text and its page share.
struct AuditWords {
  private let result: AuditResult

  init(_ result: AuditResult) { self.result = result }

  /// How much was read.
  var range: String {
    var text = "\(result.facts.of("fact")) in \(result.files.count.of("file"))"
    if result.judgesPurchases { text += ", \(result.charges.of("charge"))" }
    if let first = result.first, let last = result.last {
      text += ", \(moment(first)) to \(moment(last))"
    }
    if result.judgesPurchases {
      text +=
        "; a delivery has \(span(result.terms.within)), and a fact may come "
        + "\(span(result.terms.window)) late"
    }
    return text + "."
  }

  var verdict: (text: String, isRed: Bool) {
    let broken = result.broken
    var left: [String] = []
    if result.late > 0 { left.append("\(result.late.of("fact")) that came too late") }
    if result.damaged > 0 { left.append("\(result.damaged.of("damaged line"))") }
    let out = left.isEmpty ? "" : " Left out: \(left.joined(separator: ", ")); see the end."
    if broken.isEmpty {
      return !result.isJudged
        ? ("There is nothing in the log to judge." + out, true)
        : result.late > 0
          ? ("No verdict: nothing that was judged is broken, but not all was." + out, true)
          : ("Nothing that was judged is broken." + out, false)
    }
    let findings = broken.reduce(0) { $0 + result.counts[$1] }
    return ("\(broken.count.of("rule")) broken, \(findings.of("finding")).\(out)", true)
  }

  func count(_ rule: Int) -> String {
    let invariant = AuditRules.all[rule].invariant
    return switch invariant.code {
    case "I11": result.counts[rule].of("sum")
    default: result.counts[rule].of("finding")
    }
  }

  /// What is kept of a rule, by time.
  func findings(of rule: Int) -> [AuditFinding] {
    result.findings.enumerated().filter { $0.element.rule == rule }
      .sorted { a, b in
        let (one, other) = (start(a.element), start(b.element))
        return one == other ? a.offset < b.offset : one < other
      }
      .map(\.element)
  }

  private func start(_ finding: AuditFinding) -> Int64 {
    finding.evidence.first { $0.at >= 0 }?.at ?? finding.at
  }

  /// Whom and what it is about, in a line.
  func title(_ finding: AuditFinding) -> String {
    var parts: [String] = []
    if let history = finding.history { parts.append(history) }
    if let transaction = finding.transaction {
      parts.append("transaction " + transaction)
    } else if let intent = finding.intent {
      parts.append("intent " + intent)
    }
    if let account = finding.account { parts.append("account " + account) }
    if let product = finding.product {
      let name = Self.name(product, finding.environment)
      parts.append(finding.quantity > 1 ? "\(finding.quantity) \(name)" : name)
    }
    if AuditRules.all[finding.rule].invariant.code == "I11", finding.history == nil {
      let difference =
        result.sums.first {
          $0.product == finding.product && $0.environment == finding.environment
        }?.difference ?? 0
      parts.append(
        difference > 0
          ? "\(difference.of("unit")) paid for and not handed out"
          : "\((-difference).of("unit")) handed out and not paid for")
    }
    return parts.isEmpty ? "a credit that names no transaction" : parts.joined(separator: ", ")
  }

  private static func name(_ product: String, _ environment: Environment) -> String {
    environment == .sandbox ? product + " (sandbox)" : product
  }

  func place(_ place: LogPlace) -> String {
    let file = place.file < result.files.count ? result.files[place.file] : "?"
    return "\(file):\(place.line)"
  }

  func moment(_ millis: Int64, _ finding: AuditFinding? = nil) -> String {
    if millis < 0 { return "before" }
    // What is that early is no date: a history counts from its beginning.
    if finding?.history != nil || millis < 31_536_000_000 {
      let rest = String(millis % 1000)
      return "\(millis / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
    }
    return ISOTime.text(millis)
  }

  private func span(_ millis: Int64) -> String {
    for (unit, name) in [(3_600_000, "h"), (60_000, "min"), (1000, "s")] as [(Int64, String)]
    where millis % unit == 0 {
      return "\(millis / unit) \(name)"
    }
    return "\(millis) ms"
  }

  func outcome(_ history: AuditedHistory) -> String {
    var text = history.facts.of("fact") + ", "
    text +=
      history.broken.isEmpty ? "breaks nothing" : "breaks " + history.broken.joined(separator: ", ")
    if !history.hasEnd {
      text += "; its end is not in the log, so nothing is said about what was left open"
    }
    return text
  }

  static let sumTitles = [
    "product", "charged", "returned", "credited", "taken back", "still open", "difference",
  ]

  /// A row for each product, where charges and credits were told at all.
  var sums: [(cells: [String], isRed: Bool)] {
    guard let rule = AuditRules.all.firstIndex(where: { $0.invariant.code == "I11" }) else {
      return []
    }
    let isJudged = result.gap(rule) == nil && !result.sums.isEmpty
    return result.sums.map { sum in
      let name = Self.name(sum.product, sum.environment)
      let cells = [
        name, sum.charged.grouped, sum.returned.grouped, sum.credited.grouped,
        sum.takenBack.grouped, sum.open.grouped, isJudged ? sum.difference.grouped : "not judged",
      ]
      return (cells, isJudged && sum.difference != 0)
    }
  }

  var judged: [String] {
    AuditRules.all.indices.filter { result.gap($0) == nil }
      .map { AuditRules.all[$0].invariant.title }
  }

  /// Why rules were not judged, with those of each reason.
  var gaps: [(reason: String, rules: [String])] {
    var gaps: [(reason: String, rules: [String])] = []
    for rule in AuditRules.all.indices {
      guard let reason = result.gap(rule) else { continue }
      let title = AuditRules.all[rule].invariant.title
      if let place = gaps.firstIndex(where: { $0.reason == reason }) {
        gaps[place].rules.append(title)
      } else {
        gaps.append((reason, [title]))
      }
    }
    return gaps
  }

  /// What began before the log, and what was not needed of it.
  var notes: [String] {
    var notes: [String] = []
    if result.older > 0 {
      notes.append(
        "\(result.older.of("purchase")) began before the log, by what it says of them: of these only a second credit is judged; "
          + "--whole says that nothing was charged before.")
    }
    if let unused { notes.append(unused) }
    return notes
  }

  private var unused: String? {
    guard result.unused > 0 else { return nil }
    return "\(result.unused.of("fact")) about how apps ran and who was logged in were not needed: "
      + "purchases of a log are judged by the clock."
  }
}

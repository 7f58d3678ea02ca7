import ChaosStore
import Foundation

/// `audit`: the same rules over what happened in production.
struct AuditCommand: Command {
  static let name = "audit"
  static let summary = "judge what happened in production by the same rules"
  static let discussion = """
    Reads logs of facts, a JSON object a line, merges them by time, and says who paid and got nothing, \
    who got it twice, what was finished too early, and which sums do not agree, each with its lines. \
    A rule that the log cannot speak about is not judged, and that is said. Lines that are damaged are \
    counted and shown. Docs/AUDIT.md has the form.
    """
  static let format = Option("format", "NAME", "how it is written: text, json or html (text)")
  static let within = Option(
    "within", "TIME", "how long a delivery may take before it counts as lost (24h)")
  static let window = Option(
    "window", "TIME",
    "how much later a fact may come in its file than one that happened after it (1h)")
  static let skew = Option(
    "skew", "TIME",
    "by how much what a charge or a refund has caused may be told earlier than that (2s), as clocks "
      + "are apart; 0 for nothing")
  static let whole = Option(
    "whole", "nothing was charged before the log begins, so a credit without a charge is wrong")
  static let subscription = Option(
    "subscription", "NAME[=LEVEL]", isRepeatable: true,
    "a product that is a subscription, and its level in its group; repeatable")
  static let transfer = Option(
    "transfer-on-restore", "a restore by another account moves the ownership to that account")
  static let most = Option(
    "most", "N", "so many findings of a rule are kept, 1 to 1000000 (1000); all are counted")
  static let options = [
    within, window, skew, whole, subscription, transfer, most, format,
    Option("details", "every finding that is kept, and every rule"),
  ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "nothing that was judged is broken"),
    ExitCodeMeaning(.red, "something is"),
    ExitCodeMeaning(
      .noVerdict,
      "no verdict: a file cannot be read, there is nothing in it to judge, or facts came too late and "
        + "nothing else is broken"),
  ]
  static let examples = [
    Example("audit store.jsonl ledger.jsonl --within 72h", "two logs, judged as one"),
    Example("audit - --format json", "what comes from standard input, for machines"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "FILE...", isRequired: true,
        about: "logs of facts; - is standard input")
    ]
  }

  /// How a result can be written.
  private enum Format: String, CaseIterable { case text, json, html }

  private let paths: [String]
  private let terms: AuditTerms
  private let format: Format
  private let hasDetails: Bool

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    paths = words.operands
    guard !paths.isEmpty else { throw .usage("'audit' needs a file of facts, or - ") }
    var seen = Set<String>()
    for path in paths where !seen.insert(path).inserted {
      throw .usage("'\(path)' is given twice, and every fact in it would count twice")
    }
    guard paths.count <= 512 else {
      throw .usage("\(paths.count) files, expected at most 512; join some of them")
    }
    let name = words.first("format") ?? "text"
    guard let format = Format(rawValue: name) else {
      throw .usage("--format: '\(name)' is unknown: expected text, json or html")
    }
    self.format = format
    hasDetails = words.has("details")
    var terms = AuditTerms()
    if let time = try words.value(of: "within", TimeText.duration) { terms.within = time.inMillis }
    if let time = try words.value(of: "window", TimeText.duration) { terms.window = time.inMillis }
    if words.first("skew") == "0" {
      terms.skew = 0
    } else if let time = try words.value(of: "skew", TimeText.duration) {
      terms.skew = time.inMillis
    }
    terms.isWhole = words.has("whole")
    terms.transfersOnRestore = words.has("transfer-on-restore")
    if let most = try words.number(of: "most", in: 1...1_000_000, called: "findings") {
      terms.most = most
    }
    for text in words.values["subscription"] ?? [] {
      let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let level = sides.count == 2 ? Int(sides[1]) : 1
      guard let level, 1...100 ~= level, !sides[0].isEmpty else {
        throw .usage(
          "--subscription: found '\(text)', expected a product, or NAME=LEVEL from 1 to 100")
      }
      terms.subscriptions.append((String(sides[0]), level))
    }
    self.terms = terms
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let result = try Audit(paths, terms).judged(isInterrupted: console.isInterrupted)
    switch format {
    case .text:
      console.out(
        AuditText(
          result, width: console.width, style: Style(isOn: console.hasColor),
          hasDetails: hasDetails
        ).text)
    case .json: console.out(json: JSONReporter.text(AuditDocument(result)) + "\n")
    case .html: console.out(verbatim: AuditPage(result).text)
    }
    for failure in result.failures { console.err("\(environment.program): \(failure)\n") }
    if !result.isJudged {
      console.err("\(environment.program): there is nothing in the log to judge\n")
    }
    return result.exitCode
  }
}

extension Duration {
  /// Whole milliseconds.
  var inMillis: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

import ChaosStore
import Foundation

/// Which scenarios of which file.
struct ScenarioOptions {
  static let file = Option(
    "scenarios", "FILE",
    "read this file instead of ./scenarios.json, which itself stands for the "
      + "built-in scenarios where there is none")
  static let options = [
    Option(
      "scenario", "NAME", isRepeatable: true,
      "only scenarios of this name; repeatable, * and ? match"),
    file,
  ]

  var patterns: [String]
  var file: String?

  init(patterns: [String], file: String?) {
    self.patterns = patterns
    self.file = file
  }

  init(_ words: Words) {
    patterns = words.values["scenario"] ?? []
    file = words.first("scenarios")
  }
}

/// Which runs of a scenario.
enum RunSelection: Sendable {
  /// As many as each scenario says.
  case scenarios
  case range(Range<UInt64>)
  /// One run: of a seed, of a plan, or of a plan over a seed.
  case one(Origin)

  static let seeds = Option(
    "seeds", "N|A..<B", "so many seeds from 0, or these; otherwise what each scenario says")
  static let options = [
    Option(
      "seed", "S",
      "one run: decimal, 0x hex, or the 40 hex digits of a commit (folded to 64 bits)"),
    Option(
      "plan", "TEXT",
      "one run: decisions that override the seed, or stand alone, such as "
        + "'drop verify.reply tx1 #1'; text, or JSON beginning with ["),
    seeds,
  ]
  static let contradictions = [
    Contradiction("seed", "seeds", "one seed or many, not both"),
    Contradiction("plan", "seeds", "a plan is one run; give it one --seed or none"),
  ]

  init(_ words: Words) throws(Failure) {
    let plan = try words.value(of: "plan") { (text) throws(PlanError) in
      try Plan(textOrJSON: text)
    }
    if let seed = try words.value(of: "seed", SeedText.seed) {
      self = .one(Origin(seed: seed, plan: plan ?? Plan()))
    } else if let plan {
      self = .one(Origin(plan: plan))
    } else if let seeds = try words.value(of: "seeds", SeedText.range) {
      self = .range(seeds)
    } else {
      self = .scenarios
    }
  }
}

/// How many threads run; what they find is the same for any number.
enum Jobs {
  static let option = Option(
    "jobs", "N", "threads, 1 to 1024 (all cores); the results are the same for any number")

  static func count(_ words: Words) throws(Failure) -> Int {
    try words.number(of: "jobs", in: 1...1024, called: "threads")
      ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }
}

/// How long to search.
enum TimeBudget {
  static let option = Option(
    "budget", "TIME",
    "how long to search in all, such as 500ms, 30s or 5m; goes on with larger plans and more seeds")

  /// In seconds; nil where nothing is said.
  static func seconds(_ words: Words) throws(Failure) -> Double? {
    try words.value(of: "budget", TimeText.duration)?.inSeconds
  }
}

/// In which format a report is written, and how much of it.
struct OutputOptions {
  static let format = Option("format", "NAME", "how the report is written (text); see FORMATS")
  static let details = Option(
    "details",
    "all there is: the table, each scenario and invariant, faults that never struck, whole timelines"
  )
  static let quiet = Option("quiet", "only the verdict, and what is red")
  static let report = Option(
    "report", "DIR",
    "also write a page to look at into this folder, index.html, and the same for tools")
  static let withoutTimes = Option(
    "without-times", "write 0 for how long things took, so that equal results are equal texts")
  static let contradictions = [Contradiction("details", "quiet", "more or less, not both")]

  /// Where files are to be written beside the report; nil where nobody asked for them.
  let folder: ReportFolder?
  /// Whether each finding is to come with a small plan.
  var needsPlans: Bool { reporter.needsPlans || folder != nil }
  /// Writes the report.
  let reporter: any Reporter
  private(set) var isQuiet: Bool
  private let hasNoTimes: Bool
  private var report = ReportOptions()

  /// Refuses a format that cannot write this kind of report.
  init(_ words: Words, in environment: RunnerEnvironment) throws(Failure) {
    let reporters = environment.reporters
    let names = reporters.map(\.name)
    let name = words.first("format") ?? names.first ?? "text"
    guard let chosen = reporters.first(where: { $0.name == name }) else {
      let hint = suggestion(for: name, among: names)
      throw .usage(
        "--format: '\(name)' is unknown"
          + (hint.isEmpty ? ": expected \(names.joined(separator: " or "))" : hint))
    }
    guard chosen.canWrite(for: words.command) else {
      let others = reporters.filter { $0.canWrite(for: words.command) }.map(\.name)
      throw .usage(
        "--format: '\(name)' cannot write what '\(words.command.name)' finds: expected "
          + others.joined(separator: " or "))
    }
    reporter = chosen
    folder = try words.first("report").map(ReportFolder.init)
    isQuiet = words.has("quiet")
    hasNoTimes = words.has("without-times")
    report.isQuiet = isQuiet
    report.hasDetails = words.has("details")
    report.showsCoverage = words.has("coverage")
  }

  /// Writes what a command found to standard output, and then the files where they were asked for.
  func write(_ result: CommandResult, to console: Console) throws(Failure) {
    print(result, to: console)
    try writeFiles(result, to: console)
  }

  /// Writes it to standard output.
  func print(_ result: CommandResult, to console: Console) {
    var options = report
    options.width = console.width
    options.hasColor = console.hasColor
    let escaping = reporter.escaping
    reporter.write(withoutTimes(result), options) { text in
      console.out(verbatim: escaping.written(text, hasColor: console.hasColor))
    }
  }

  /// Writes the files beside it, where they were asked for.
  func writeFiles(_ result: CommandResult, to console: Console) throws(Failure) {
    try folder?.write(withoutTimes(result), report, isQuiet: isQuiet, to: console)
  }

  private func withoutTimes(_ result: CommandResult) -> CommandResult {
    guard hasNoTimes, case .campaign(var campaign) = result else { return result }
    campaign.forgetTimes()
    return .campaign(campaign)
  }
}

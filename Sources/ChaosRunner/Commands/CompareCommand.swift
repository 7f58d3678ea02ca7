/// `compare`: what is different between two results.
struct CompareCommand: Command {
  static let name = "compare"
  static let summary =
    "say what is new, resolved and still there between two results, and what power was lost"
  static let discussion = """
    Reads two files that 'run' or 'explore' wrote with --format json, or results.json of --report, the \
    earlier one first. Says what breaks unexpectedly that did not, what does so no more, and what still \
    does; and what the later result shows no more: scenarios that are gone, fewer runs, goals that no run \
    reaches, faults that never strike, invariants with nothing to judge, expected violations that do not come.
    """
  static let options = [
    Option("format", "NAME", "how the report is written: text, or json for machines (text)"),
    Option("quiet", "only the verdict, and what is red"),
  ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "nothing is worse"),
    ExitCodeMeaning(.red, "something breaks that did not, or power was lost"),
    ExitCodeMeaning(.noVerdict, "a file cannot be read, or is no result"),
  ]
  static let examples = [
    Example("compare before/results.json after/results.json", "what a change has changed")
  ]
  private static let formats = ["text", "json"]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(name: "A", isRequired: true, about: "the earlier result"),
      Operand(name: "B", isRequired: true, about: "the later one"),
    ]
  }

  private let before: String
  private let after: String
  private let isJSON: Bool
  private let isQuiet: Bool

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 2)
    guard words.operands.count == 2 else {
      throw .usage("'compare' needs two results, the earlier one first")
    }
    let format = words.first("format") ?? Self.formats[0]
    guard Self.formats.contains(format) else {
      throw .usage(
        "--format: '\(format)' cannot write what 'compare' finds: expected "
          + Self.formats.joined(separator: " or "))
    }
    (before, after) = (words.operands[0], words.operands[1])
    isJSON = format == "json"
    isQuiet = words.has("quiet")
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let comparison = Comparison(
      try ResultsFile(before, on: console), try ResultsFile(after, on: console))
    if isJSON {
      console.out(json: JSONReporter.text(ComparisonDocument(comparison)) + "\n")
    } else {
      let text = ComparisonText(
        comparison: comparison, width: console.width, style: Style(isOn: console.hasColor))
      console.out(isQuiet ? text.quietText : text.text)
    }
    return comparison.isNoWorse ? .asExpected : .red
  }
}

import ChaosStore

/// A format in which reports are written: what `--format` chooses among.
///
/// One file, and a line where the program begins:
///
///     struct CSVReporter: Reporter {
///       let name = "csv"
///       let summary = "a line for each broken invariant"
///       let kinds: Set<CommandResult.Kind> = [.campaign]
///
///       func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void) {
///         guard case .campaign(let campaign) = result else { return }
///         for result in campaign.scenarios {
///           for finding in result.findings {
///             output("\(result.scenario.name),\(finding.invariant.code),\(finding.runs)\n")
///           }
///         }
///       }
///     }
///
///     Runner.main(reporters: Reporters.builtIn + [CSVReporter()])
///
/// Exit codes and what goes to standard error are the command's; a reporter only writes.
public protocol Reporter: Sendable {
  /// What `--format` calls it.
  var name: String { get }
  /// What it writes, in half a sentence, for the help.
  var summary: String { get }
  /// The reports it can write; all by default. A command refuses another one before it begins.
  var kinds: Set<CommandResult.Kind> { get }
  /// How control characters in names and texts are kept from the terminal; `.terminal` by default.
  var escaping: ReportEscaping { get }
  /// Whether each finding is to come with a small plan, which takes time; false by default.
  ///
  /// Without it those that a story is told of have one.
  var needsPlans: Bool { get }
  /// Writes a report to standard output, in one piece or in several, the last one with a line end.
  func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
}

extension Reporter {
  /// All there are.
  public var kinds: Set<CommandResult.Kind> { Set(CommandResult.Kind.allCases) }
  /// As text for people.
  public var escaping: ReportEscaping { .terminal }
  /// Only those that a story is told of have a plan.
  public var needsPlans: Bool { false }
}

extension Reporter {
  /// Whether it can write what a command finds.
  func canWrite(for command: any Command.Type) -> Bool {
    command.kind.map(kinds.contains) ?? false
  }
}

/// How control characters that names and texts may have are written.
public enum ReportEscaping: Sendable {
  /// As a person can read them, such as `\u{1B}`.
  case terminal
  /// As JSON strings have them.
  case json
  /// As they are: the reporter has seen to it.
  case verbatim
}

extension ReportEscaping {
  /// A text as it is written where control characters are kept from the terminal in this way.
  func written(_ text: String, hasColor: Bool = false) -> String {
    switch self {
    case .terminal: text.escapedForTerminal(hasColor: hasColor)
    case .json: text.escapedAsJSON
    case .verbatim: text
    }
  }
}

/// A format that has something to say of campaigns and single runs alone, each failure with what it comes down to.
public protocol CampaignReporter: Reporter {
  /// Writes what came of it.
  func write(_ campaign: CampaignResult, to output: (String) -> Void)
}

extension CampaignReporter {
  /// Campaigns, and single runs.
  public var kinds: Set<CommandResult.Kind> { [.campaign] }
  /// Each failure names what it comes down to.
  public var needsPlans: Bool { true }

  /// Writes the report.
  public func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
  {
    guard case .campaign(let campaign) = result else { return }
    write(campaign, to: output)
  }
}

/// The formats that come with ChaosRunner.
public enum Reporters {
  /// For people, which is the default, and for machines.
  public static let builtIn: [any Reporter] = [
    TextReporter(), JSONReporter(), JUnitReporter(), GitHubReporter(), SummaryReporter(),
    SARIFReporter(), MermaidReporter(), JSONLReporter(),
  ]
}

/// How much of a report is wanted, and what the terminal can show.
public struct ReportOptions: Sendable {
  /// Columns of text.
  public var width = 100
  /// Whether the terminal shows colours.
  public var hasColor = false
  /// `--quiet`: only the verdict and what is red.
  public var isQuiet = false
  /// `--details`: nothing is left out.
  public var hasDetails = false
  /// `--coverage`: which fault struck at which step of a purchase.
  public var showsCoverage = false

  /// What a command without any of these options has, on a terminal of 100 columns.
  public init() {}

  var style: Style { Style(isOn: hasColor) }
}

import ChaosStore

/// `--format text`: for people, at a terminal.
public struct TextReporter: Reporter {
  /// What `--format` calls it.
  public let name = "text"
  /// What it writes.
  public let summary = "words and a table for people"

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes lines that are no wider than the terminal, where names let them.
  public func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
  {
    switch result {
    case .campaign(let campaign): output(CampaignText(campaign, options).text)
    case .replay(let replay): output(ReplayText(replay, options).text)
    case .regressions(let kept): output(RegressionsText(kept, options).text)
    case .power(let power): output(PowerText(power, options).text)
    case .determinism(let compared):
      output(
        VerificationReport(compared.verification, paste: compared.paste)
          .text(width: options.width, style: options.style))
    case .trace(let trace): TraceText(trace, options).write(to: output)
    }
  }
}

/// What `trace` prints for people and for `diff`, as it comes.
struct TraceText {
  /// Lines are handed on in pieces of about so many bytes.
  private static let piece = 1 << 16

  private let result: TraceResult
  private let options: ReportOptions

  init(_ result: TraceResult, _ options: ReportOptions) {
    self.result = result
    self.options = options
  }

  func write(to output: (String) -> Void) {
    var text = ""
    var isFirst = true
    result.eachRun { run in
      if let listing = run.listing, !options.isQuiet {
        text += (isFirst ? "" : "\n") + listing.text
      } else {
        let hash = TraceListing.text(hash: run.hash)
        text += TraceCommand.hashLine(run.scenario, seed: run.origin.seed, hash: hash) + "\n"
      }
      isFirst = false
      guard text.utf8.count > Self.piece else { return }
      output(text)
      text = ""
    }
    if !text.isEmpty { output(text) }
  }
}

import ChaosStore

/// What is different between two results, in words.
struct ComparisonText {
  let comparison: Comparison
  let width: Int
  let style: Style

  var text: String {
    [
      findings("New: these broke, and did not before", comparison.new, .red, showsLines: true),
      findings("Still there", comparison.still, .yellow, showsLines: false),
      findings("Resolved: these broke before", comparison.resolved, .green, showsLines: false),
      losses, added, [verdict],
    ].asParagraphs
  }

  /// The verdict, and what is red.
  var quietText: String {
    [
      findings("New: these broke, and did not before", comparison.new, .red, showsLines: true),
      losses, [verdict],
    ].asParagraphs
  }

  private func findings(
    _ title: String, _ findings: [Comparison.Finding], _ color: Style.Color, showsLines: Bool
  ) -> [String] {
    guard !findings.isEmpty else { return [] }
    var lines = [style(title, color)]
    for finding in findings {
      lines.append("  \(finding.scenario): \(finding.invariant)")
      if showsLines, let line = finding.reproduce { lines.append("    " + line) }
    }
    return lines
  }

  private var losses: [String] {
    guard !comparison.lost.isEmpty else { return [] }
    var lines = [style("Lost power: what the later result does not show any more", .red)]
    for loss in comparison.lost {
      lines += String.hanging("  \(loss.scenario): ", loss.words, width: width)
    }
    return lines
  }

  private var added: [String] {
    guard !comparison.added.isEmpty else { return [] }
    return String.hanging(
      "Scenarios that are new: ", comparison.added.joined(separator: ", "), width: width)
  }

  private var verdict: String {
    let counts = [
      (comparison.new.count, "new"), (comparison.still.count, "still there"),
      (comparison.resolved.count, "resolved"),
    ].map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    let power =
      comparison.lost.isEmpty
      ? "no power lost" : "power lost in \(comparison.lost.count.of("place"))"
    return style(
      "\(comparison.isNoWorse ? "No worse" : "Worse"): findings: \(counts); \(power)",
      comparison.isNoWorse ? .green : .redBold)
  }
}

extension Comparison.Loss {
  /// What was lost, in words.
  var words: String {
    let name = name ?? ""
    let before = before ?? ""
    let after = after ?? ""
    return switch kind {
    case .scenarioGone: "it is not there any more"
    case .verdictGone: "its verdict was \(before), and is \(after)"
    case .fewerRuns: "it had \(before) runs, and has \(after)"
    case .smallerProof: "every plan of \(before) decisions was run; now that is so up to \(after)"
    case .goalNotReached: "no run reaches '\(name)' any more; \(before) did"
    case .faultNeverStruck: "\(name) never strikes any more; it struck \(before) times"
    case .invariantIdle: "\(name) has nothing to judge any more; it had in \(before) runs"
    case .violationNotSeen:
      "\(name) is to break, or may; it broke in \(before) runs, and does not any more"
    }
  }
}

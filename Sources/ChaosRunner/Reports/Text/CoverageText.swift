import ChaosStore

/// Which fault struck at which step of a purchase, how often, and where it could and did not.
struct CoverageText {
  private let counts: StrikeCounts
  private let style: Style

  init(_ results: [ScenarioResult], _ style: Style) {
    counts = StrikeCounts(results)
    self.style = style
  }

  var lines: [String] {
    let faults = counts.faults
    let columns = counts.steps
    let head = 2 + (faults.map { $0.code.count + 1 + $0.name.count }.max() ?? 0)
    let widths = columns.map { step in
      2 + max(step.name.count, faults.map { cell($0, step).count }.max() ?? 0)
    }
    var lines = [style("How often each fault struck, by step of a purchase", .bold)]
    lines.append(
      String(repeating: " ", count: head)
        + zip(columns, widths).map { $0.name.leftPadded(to: $1) }.joined())
    for fault in faults {
      lines.append(
        "\(fault.code) \(fault.name)".padded(to: head)
          + zip(columns, widths).map { cell(fault, $0).leftPadded(to: $1) }.joined())
    }
    let empty = faults.filter { !$0.needsHostedApp }.flatMap { fault in
      counts.steps(of: fault).filter { counts[fault, $0] == 0 }
        .map { "\(fault.name) at \($0.name)" }
    }
    lines.append("")
    lines +=
      empty.isEmpty
      ? ["Every fault struck at every step where a scenario lets it."]
      : [style("Allowed and never struck", .bold)] + empty.map { "  " + $0 }
    return lines.map(\.trimmingEnd)
  }

  /// Empty where no scenario lets it strike.
  private func cell(_ fault: Fault, _ step: Step) -> String {
    counts[fault, step].map(\.grouped) ?? ""
  }
}

import ChaosStore

/// Which fault struck at which step of a purchase, how often, and where it could and did not.
struct CoverageText {
  private let results: [ScenarioResult]
  private let style: Style
  private var total = Coverage()

  init(_ results: [ScenarioResult], _ style: Style) {
    self.results = results
    self.style = style
    for result in results { if let search = result.search { total.add(search.coverage) } }
  }

  var lines: [String] {
    let faults = Fault.allCases.filter { !steps(of: $0).isEmpty }
    let columns = Step.allCases.filter { step in faults.contains { steps(of: $0).contains(step) } }
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
      steps(of: fault).filter { total[fault, $0] == 0 }.map { "\(fault.name) at \($0.name)" }
    }
    lines.append("")
    lines +=
      empty.isEmpty
      ? ["Every fault struck at every step where a scenario lets it."]
      : [style("Allowed and never struck", .bold)] + empty.map { "  " + $0 }
    return lines.map(\.trimmingEnd)
  }

  /// The steps at which some scenario lets it strike.
  private func steps(of fault: Fault) -> [Step] {
    let all = results.flatMap { $0.scenario.setup.mix.steps(of: fault) }
    return Step.allCases.filter(all.contains)
  }

  /// Empty where no scenario lets it strike.
  private func cell(_ fault: Fault, _ step: Step) -> String {
    steps(of: fault).contains(step) ? total[fault, step].grouped : ""
  }
}

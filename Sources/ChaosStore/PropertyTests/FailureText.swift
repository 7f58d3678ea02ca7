import Invariants

/// A failure in words, as the last thing a person reads of a test.
struct FailureText {
  private let scenario: Scenario
  private let place: TestPlace

  init(_ scenario: Scenario, _ place: TestPlace) {
    self.scenario = scenario
    self.place = place
  }

  func text(of exhibit: Exhibit, found: String, others: [String], closing: String) -> String {
    let rule = scenario.invariants[exhibit.rule]
    let head =
      ["\(scenario.name): \(found) (\(place.text))"]
      + (rule.summary.wrapped(to: 98) + others.map { "also: \($0)" }).indented
    let blocks: [String?] = [
      head.joined(separator: "\n"), decisions(exhibit), story(exhibit), paste(exhibit), closing,
    ]
    return blocks.compactMap { $0 }.joined(separator: "\n\n")
  }

  /// Lines for a shell that run something again.
  func paste(seed: UInt64?, plan: Plan) -> String {
    "To see it again, paste\n  " + line(seed: seed, plan: plan)
  }

  /// What became of the plan, or how to keep it.
  func keeping(_ file: String?, isNew: Bool) -> String {
    guard let file else {
      return "\(Steering.Variable.save.rawValue)=1 keeps the plan beside the test, where every run "
        + "replays it first."
    }
    return isNew
      ? "Kept in \(file), which every run replays first." : "Delete \(file) to go on without it."
  }

  // MARK: -

  private func decisions(_ exhibit: Exhibit) -> String? {
    guard let (plan, certificate) = exhibit.reduction.map({ ($0.plan, $0.certificate) }) else {
      return nil
    }
    let column = 2 + (certificate.entries.map(\.decision.description.count).max() ?? 0)
    let needed = certificate.entries.map { entry in
      entry.decision.description.padded(to: column) + entry.remark
    }
    let head =
      plan.size == 0 ? "It takes no fault at all" : "It takes \(plan.size.of("decision"))"
    return ([head] + (needed + [plan.leftOut].compactMap { $0 }).indented)
      .joined(separator: "\n")
  }

  private func story(_ exhibit: Exhibit) -> String? {
    guard let record = exhibit.reduction?.record ?? exhibit.run.record else {
      return "The run has \(exhibit.run.outcome.events.of("event")), too many to be told."
    }
    return Story(record, of: scenario).lines.map(\.text).joined(separator: "\n")
  }

  private func paste(_ exhibit: Exhibit) -> String {
    guard let plan = exhibit.reduction?.plan else {
      return paste(seed: exhibit.run.seed, plan: exhibit.run.plan)
    }
    let text = paste(seed: nil, plan: plan)
    guard let seed = exhibit.seed else { return text }
    return text + "\nor, for all that happens under seed \(SeedText.text(seed))\n  "
      + line(seed: seed, plan: exhibit.run.seed == nil ? Plan() : exhibit.run.plan)
  }

  private func line(seed: UInt64?, plan: Plan) -> String {
    var variables: [String] = []
    if let seed { variables.append("\(Steering.Variable.seed.rawValue)=\(SeedText.text(seed))") }
    if seed == nil || !plan.isEmpty {
      variables.append("\(Steering.Variable.plan.rawValue)=\(plan.forShell)")
    }
    return place.command(variables.joined(separator: " "))
  }
}

extension Plan {
  /// As a variable's value; the empty plan is written as JSON, since an empty variable is none.
  var forShell: String { isEmpty ? "'[]'" : description.shellQuoted }
}

extension [String] {
  fileprivate var indented: [String] { map { "  " + $0 } }
}

import Invariants

/// A failure in words, as the last thing a person reads of a test.
struct FailureText {
  private let scenario: Scenario
  private let place: TestPlace
  /// Which of the default worlds it is; nil for a scenario of somebody's own.
  private let world: String?

  init(_ scenario: Scenario, _ place: TestPlace, world: String? = nil) {
    self.scenario = scenario
    self.place = place
    self.world = world
  }

  /// `unjudged` says of what the check says nothing.
  func text(
    of failure: ConfirmedFailure, found: String, others: [String], unjudged: [String],
    closing: String
  ) -> String {
    let rule = scenario.invariants[failure.rule]
    let head =
      ["\(scenario.name): \(found) (\(place.text))"]
      + (rule.summary.wrapped(to: 98) + others + unjudged.flatMap { $0.wrapped(to: 98) }).indented
    let blocks: [String?] = [
      head.joined(separator: "\n"), decisions(failure), cutShort(failure), story(failure),
      paste(failure), closing,
    ]
    return blocks.compactMap { $0 }.joined(separator: "\n\n")
  }

  /// Lines for a shell that run something again.
  func paste(_ origin: Origin) -> String {
    "To see it again, paste\n  " + line(origin)
  }

  /// What became of the plan, or how to keep it.
  func keeping(_ file: String?, isNew: Bool) -> String {
    guard let file else {
      return
        "\(CheckEnvironment.Variable.save.rawValue)=1 keeps the plan beside the test, where every run "
        + "replays it first."
    }
    return isNew
      ? "Kept in \(file), which every run replays first." : "Delete \(file) to go on without it."
  }

  // MARK: -

  private func decisions(_ failure: ConfirmedFailure) -> String? {
    guard let (plan, certificate) = failure.reduction.map({ ($0.plan, $0.certificate) }) else {
      return nil
    }
    let column = 2 + (certificate.entries.map(\.decision.description.count).max() ?? 0)
    let needed = certificate.entries.map { entry in
      entry.decision.description.padded(to: column) + entry.remark
    }
    let spent = certificate.mostRuns.map {
      "it was made smaller for \($0.grouped) runs, and no longer"
    }
    return
      (["It takes \(plan.cost)"] + (needed + [plan.leftOut, spent].compactMap { $0 }).indented)
      .joined(separator: "\n")
  }

  private func cutShort(_ failure: ConfirmedFailure) -> String? {
    guard failure.isCutShort else { return nil }
    return "It was not made smaller, because the test was cancelled."
  }

  private func story(_ failure: ConfirmedFailure) -> String? {
    guard let record = failure.reduction?.record ?? failure.run.record else {
      return "The run has \(failure.run.outcome.events.of("event")), too many to be told."
    }
    return Story(record, of: scenario).lines.map(\.text).joined(separator: "\n")
  }

  private func paste(_ failure: ConfirmedFailure) -> String {
    guard let plan = failure.reduction?.plan else {
      return paste(failure.run.origin)
    }
    let text = paste(Origin(plan: plan))
    guard let seed = failure.seed else { return text }
    return text + "\nor, for all that happens under seed \(SeedText.text(seed))\n  "
      + line(
        Origin(seed: seed, plan: failure.run.origin.seed == nil ? Plan() : failure.run.origin.plan))
  }

  private func line(_ origin: Origin) -> String {
    var variables: [String] = []
    if let world { variables.append("\(CheckEnvironment.Variable.world.rawValue)=\(world)") }
    if let seed = origin.seed {
      variables.append("\(CheckEnvironment.Variable.seed.rawValue)=\(SeedText.text(seed))")
    }
    if origin.seed == nil || !origin.plan.isEmpty {
      variables.append("\(CheckEnvironment.Variable.plan.rawValue)=\(origin.plan.forShell)")
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

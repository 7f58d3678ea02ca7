import ChaosStore
import Invariants

/// Follows what is new: a plan is extended where its run had a history that no run had before.
///
/// It begins with the quiet run. A history is known by the kinds of facts in it, in their order; of
/// two plans that come to the same facts only the first is extended.
struct NoveltySearch: Strategy {
  let name = "novelty"
  let about = "extends the plans whose histories are new, for as many runs as there are seeds"

  func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let most = budget.seeds?.count ?? scenario.seeds
    let simulation = Simulation(scenario)
    var findings = Findings(scenario)
    var histories: Set<[Fact.Kind]> = []
    var tried: Set<Set<Decision>> = []
    // Small plans first, so that the first plan that breaks a rule is the smallest known.
    var waiting = [Plan()]
    var next = 0
    while next < waiting.count, findings.runs < most, !budget.isReached(findings.broken) {
      guard budget.goesOn(findings.runs) else {
        findings.isInterrupted = true
        break
      }
      let plan = waiting[next]
      next += 1
      let record = simulation.record(Origin(plan: plan), listsQuestions: true)
      findings.add(record.origin, record.outcome, of: simulation)
      guard histories.insert(record.facts.map(\.kind)).inserted else { continue }
      for decision in decisions(in: record, of: scenario)
      where tried.insert(Set(plan.decisions + [decision])).inserted {
        waiting.append(Plan(plan.decisions + [decision]))
      }
    }
    findings.addCoverage(of: simulation)
    return findings
  }

  /// Every way in which a run that was recorded could have been answered otherwise.
  private func decisions(in record: Record, of scenario: Scenario) -> [Decision] {
    record.questions.filter { $0.at.millis < scenario.setup.healMillis }.flatMap { asking in
      answers(to: asking.question, in: scenario.setup.mix).map { answer in
        Decision(asking.question, asking.subject, asking.occurrence, answer)
      }
    }
  }

  /// What the mix allows, apart from the quiet answer.
  private func answers(to question: Question, in mix: FaultMix) -> [Decision.Answer] {
    let answers: [Decision.Answer] =
      switch question.shape {
      case .strike: [.strike]
      case .choice(_, let values): values.map { .value($0) }
      case .delay: [.overtaken, .late]
      case .omission: []
      }
    return answers.filter { answer in
      guard let fault = question.fault(behind: answer) else { return false }
      return mix.entries[fault] != nil
    }
  }
}

import ChaosRunner
import ChaosStore
import Foundation

// In code: a campaign that is searched by the strategy of this package.
let text = try String(contentsOfFile: "scenarios.json", encoding: .utf8)
let scenario = try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems)[0]
let findings = Campaign(scenario, strategy: NoveltySearch()).run()
for (invariant, found) in zip(scenario.invariants, findings.rules) where found.runs > 0 {
  let plan = found.smallestPlan.map { " under the plan '\($0)'" } ?? ""
  print("\(invariant.name) broke in \(found.runs) of \(findings.runs) runs, first\(plan)")
}
guard findings.rules.contains(where: { $0.smallestPlan?.size == 1 }) else {
  print("the strategy found nothing that one decision breaks")
  exit(1)
}

// At the terminal: 'explore novelty' looks by it as well, and exits 0 where it finds what is expected.
Runner.main(strategies: [NoveltySearch()] + Strategies.all)

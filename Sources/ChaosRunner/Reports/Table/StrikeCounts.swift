import ChaosStore

/// How often each fault struck at each step of a purchase in all scenarios.
struct StrikeCounts {
  /// The faults that some scenario lets strike.
  let faults: [Fault]
  /// The steps at which some scenario lets some fault strike.
  let steps: [Step]
  private var allowed: [Fault: [Step]] = [:]
  private var total = Coverage()

  init(_ results: [ScenarioResult]) {
    for fault in Fault.allCases {
      let all = Set(results.flatMap { $0.scenario.setup.mix.steps(of: fault) })
      if !all.isEmpty { allowed[fault] = Step.allCases.filter(all.contains) }
    }
    for result in results { if let search = result.search { total.add(search.coverage) } }
    let allowed = allowed
    faults = Fault.allCases.filter { allowed[$0] != nil }
    steps = Step.allCases.filter { step in allowed.values.contains { $0.contains(step) } }
  }

  /// The steps at which some scenario lets it strike.
  func steps(of fault: Fault) -> [Step] { allowed[fault] ?? [] }

  /// Nil where no scenario lets it strike.
  subscript(fault: Fault, step: Step) -> Int? {
    steps(of: fault).contains(step) ? total[fault, step] : nil
  }
}

import ChaosStore

extension ScenarioSource {
  /// Adds a world for each variant and backend of the systems of somebody's own that no scenario
  /// names, before the others: who has written a system wants to see it run.
  mutating func addDefaultWorlds(for systems: [AnySystem]) throws(Failure) {
    let builtIn = BuiltIn.systems.map(\.typeName)
    let named = scenarios.map(\.system.entry.name)
    var worlds: [Scenario] = []
    for system in systems
    where !builtIn.contains(system.typeName) && !named.contains(system.entry.name) {
      for variant in system.variants {
        for backend in system.entry.backends {
          worlds += try Self.defaultWorlds(system, variant, backend)
        }
      }
    }
    defaultWorlds = worlds.map(\.name)
    scenarios = worlds + scenarios
  }

  /// The default worlds of one system that stand together are one group; any other scenario is by itself.
  func groups(of scenarios: [Scenario]) -> [[Scenario]] {
    var groups: [[Scenario]] = []
    for scenario in scenarios {
      if let last = groups.last?.last,
        [last, scenario].allSatisfy({ defaultWorlds.contains($0.name) }),
        last.system.typeName == scenario.system.typeName, last.variant == scenario.variant,
        last.setup.backend == scenario.setup.backend
      {
        groups[groups.count - 1].append(scenario)
      } else {
        groups.append([scenario])
      }
    }
    return groups
  }

  /// They share the seeds of one scenario.
  private static func defaultWorlds(
    _ system: AnySystem, _ variant: String, _ backend: BackendKind
  ) throws(Failure) -> [Scenario] {
    do {
      var scenarios = try PropertyTest.scenarios(for: system, variant: variant, backend: backend)
      for (index, summary) in PropertyTest.worldSummaries.enumerated() {
        scenarios[index].about =
          "A world made up for a system that no scenario names: \(summary)."
        scenarios[index].topic = "mixed"
        scenarios[index].seeds /= scenarios.count
      }
      return scenarios
    } catch {
      throw .noVerdict(error.message)
    }
  }

  /// What somebody who reads of these scenarios should know: what their `.storekit` files have that is not
  /// simulated, and that worlds were made up, with how to write others.
  func notes(on scenarios: [Scenario], program: String) -> [String] {
    unsimulated(program) + madeUp(scenarios, program)
  }

  private func unsimulated(_ program: String) -> [String] {
    storeKitFiles.compactMap { path, text in
      guard let file = try? StoreKitFile(json: text), !file.remarks.isEmpty else { return nil }
      let count = file.remarks.count.of("thing")
      return "\(path) has \(count) not simulated: \(program) check \(path.shellQuoted)"
    }
  }

  private func madeUp(_ scenarios: [Scenario], _ program: String) -> [String] {
    let made = scenarios.filter { defaultWorlds.contains($0.name) }
    guard let first = made.first else { return [] }
    var systems: [String] = []
    for scenario in made where !systems.contains(scenario.system.entry.name) {
      systems.append(scenario.system.entry.name)
    }
    let (verb, pronoun) = systems.count == 1 ? ("is", "it") : ("are", "them")
    let paste = PasteLine(program: program, source: self)
    let worlds = PropertyTest.worldSummaries.count
    return [
      "\(systems.joined(separator: ", ")) \(verb) in no scenario of \(path ?? "the built-in ones"). "
        + "ChaosStore runs \(pronoun) in \(worlds) default worlds, with every fault and every "
        + "invariant. To write your own scenarios, start from the file that this prints:\n  "
        + paste.explain(first.name.shellQuoted)
        + " --as-file"
    ]
  }
}

import ChaosStore
import Invariants

@testable import ChaosRunner

/// Plan files that several tests stand on.
enum Kept {
  static let lost = "drop verify.request tx1 #1"

  /// A file of a scenario of the bench, as it would be saved.
  static func file(
    _ scenario: String = "hasty-lost", _ plan: String = lost,
    expecting: PlanFile.Expectation = .violates("no-charge-without-delivery")
  ) throws -> PlanFile {
    try PlanFile(
      recording: Bench.usual.first { $0.name == scenario }!, Origin(plan: Plan(parsing: plan)),
      expecting: expecting)
  }

  static func text(_ change: (inout PlanFile) -> Void = { _ in }) throws -> String {
    var file = try file()
    change(&file)
    return file.json
  }

  /// A bench with these files in its regressions folder.
  static func bench(_ files: [String: String]) -> Bench {
    var bench = Bench()
    for (name, text) in files { bench.files["regressions/" + name] = text }
    return bench
  }

  /// The bench's scenarios with another app behind the name of the hasty shop.
  static func scenarios(of system: AnySystem) -> [Scenario] {
    Bench.usual.map { scenario in
      guard scenario.system.entry.name == "hasty-shop" else { return scenario }
      var scenario = scenario
      scenario.system = system
      return scenario
    }
  }
}

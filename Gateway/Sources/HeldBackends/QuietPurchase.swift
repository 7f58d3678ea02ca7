import ChaosStore
import Foundation
import Invariants

#if canImport(Glibc)
  import Glibc
#endif

/// One purchase before any search, with no fault and the least delays.
///
/// A backend that brings no goods then cannot work here, and is not accused of losing money.
struct QuietPurchase {
  let file: BackendFile
  let scenario: Scenario

  /// The purchase in the world of the scenarios that are to be searched; nil where they cannot be read, which whoever
  /// searches them says.
  init?(
    _ file: BackendFile, _ system: AnySystem, scenarios: String?, patterns: [String],
    builtIn: String
  ) {
    let folder = scenarios.map { URL(filePath: $0).deletingLastPathComponent() }
    let text = scenarios.map { try? String(contentsOfFile: $0, encoding: .utf8) } ?? builtIn
    guard let text,
      let all = try? ScenarioFile.scenarios(
        fromJSON: text, systems: [system],
        contents: { path in
          try String(contentsOf: URL(filePath: path, relativeTo: folder), encoding: .utf8)
        })
    else { return nil }
    let chosen = all.first { scenario in
      patterns.isEmpty || patterns.contains { fnmatch($0, scenario.name, 0) == 0 }
    }
    guard var scenario = chosen, let device = scenario.setup.devices.first else { return nil }
    let product = scenario.setup.products.firstIndex(where: \.isConsumable) ?? 0
    scenario.setup.steps = [
      Setup.Step(
        atMillis: 1000, .buy(product: product, quantity: 1, account: device.account))
    ]
    scenario.setup.arrivals = nil
    scenario.setup.sittings = nil
    scenario.setup.mix = FaultMix()
    scenario.setup.healMillis = 60_000
    scenario.setup.horizonMillis = 600_000
    scenario.goals = []
    self.file = file
    self.scenario = scenario
  }

  /// What is to be said where it brings no goods; nil where it does.
  ///
  /// - Parameter output: The last lines that the backend has printed.
  func complaint(_ output: () -> String) -> String? {
    guard let simulation = try? Simulation(validating: scenario) else { return nil }
    let record = simulation.record(seed: nil)
    if let problem = record.problems.first {
      return
        "No verdict: nothing can be said of a purchase with no fault, so nothing was searched: "
        + problem.text
    }
    guard !record.outcome.isCutOff,
      !record.facts.contains(where: { $0.kind == .credited || $0.kind == .granted })
    else { return nil }
    let done = record.timeline.entries
      .filter { [.app, .backend, .apple].contains($0.participant) }
      .prefix(12).map { "  \($0.participant.rawValue): \($0.text)" }
    let printed = output().split(separator: "\n").map { "  \($0)" }
    return """
      No verdict: a purchase with no fault brought no goods, so nothing was searched.
      What happened:
      \(done.joined(separator: "\n"))
      Common causes:
        - Root certificate: the verifier trusts Apple's root alone. Give it {root} (DER) or {rootPEM}.
        - Clock: the backend compares dates with this machine's clock, and a run has a time of its own. Set \
      "clock": "virtual".
        - Bundle id: the verifier expects another app than \(file.bundle ?? "com.example.app"). Set "bundle".
        - Product: the backend does not sell \(product). Set "products".
        - Database: the connection insists on TLS. Use {databaseURL}, without sslmode=require.
        - File: "report", "answers" or "credits" do not fit this backend.
      The backend's last lines:
      \(printed.isEmpty ? "  (it has printed nothing)" : printed.joined(separator: "\n"))
      """
  }

  private var product: String {
    guard case .buy(let product, _, _)? = scenario.setup.steps.first?.action else { return "" }
    return scenario.setup.products[product].name
  }
}

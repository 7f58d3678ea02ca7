import ChaosStore
import Invariants

/// `check`: whether a scenario file is in order.
struct CheckCommand {
  private let world: Surroundings
  private let console: Console

  init(_ world: Surroundings, _ console: Console) {
    self.world = world
    self.console = console
  }

  func text(_ path: String?) throws(Failure) -> String {
    let source = try ScenarioSource(file: path, console: console, world: world)
    let count = source.scenarios.count
    guard count > 0 else { throw .noVerdict("\(place(source)): there is no scenario in it") }
    let systems = Set(source.scenarios.map(\.system.entry.name)).count
    return "\(place(source)): \(count.of("scenario")) of \(systems.of("system")), all in order\n"
  }

  private func place(_ source: ScenarioSource) -> String {
    source.path ?? "the built-in scenarios (there is no ./\(ScenarioSource.usualFile))"
  }
}

import ChaosRunner
import ChaosStore
import PlantedApps

/// `hosted-planted power` searches the hosted apps and backends with a planted defect, and their sound
/// twins, each in the default world in which fewer runs show it than in the others.
@main
enum Main {
  static func main() throws {
    Runner.main(targets: try PlantedPair.all.map(Target.init))
  }
}

extension Target {
  fileprivate init(_ pair: PlantedPair) throws {
    func scenario(_ system: AnySystem, _ name: String) throws -> Scenario {
      var scenario = try PropertyTest.scenario(for: system, in: pair.world)
      scenario.name = name
      return scenario
    }
    self.init(
      name: pair.code, about: pair.name, invariant: pair.breaks, coinciding: 1,
      scenario: try scenario(pair.planted, pair.code),
      control: try scenario(pair.sound, "\(pair.code), sound"))
  }
}

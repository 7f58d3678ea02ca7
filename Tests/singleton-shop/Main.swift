import ChaosStore
import ChaosStoreKit
import Foundation
import Invariants
import SingletonShop

/// Runs the apps of this package's tests; by itself it runs one seed of the system it is given.
@main
enum Main {
  static func main() throws {
    HostedProgram.serve(
      PipedSingleton.self, PipedClassic.self, Trapping.self, Stumbling.self, Dying.self,
      Noisy.self, Hanging.self)
    switch CommandLine.arguments.dropFirst().first {
    case "noisy": try run(Noisy.self)
    case "hanging": try run(Hanging.self)
    case "missing": try run(Missing.self)
    case "unserved": try run(Unserved.self)
    case "speed": try measure()
    default: exit(64)
    }
  }

  private static func run<System: PurchaseSystem>(_ system: System.Type) throws {
    print(Simulation(try PropertyTest.scenario(for: system)).run(seed: 1))
  }

  /// How much slower runs are over pipes, for the documents.
  private static func measure() throws {
    let piped = Simulation(try PropertyTest.scenario(for: PipedSingleton.self))
    let fresh = Simulation(try PropertyTest.scenario(for: Fresh.self))
    let launches = (0..<50).reduce(0) { count, seed in
      count + fresh.record(seed: UInt64(seed)).facts.filter { $0.kind == .launched }.count
    }
    let clock = ContinuousClock()
    let slow = clock.measure { for seed in 0..<UInt64(50) { _ = piped.run(seed: seed) } }
    let fast = clock.measure { for seed in 0..<UInt64(50) { _ = fresh.run(seed: seed) } }
    print("50 runs with \(launches) launches: over pipes \(slow), in one process \(fast)")
  }
}

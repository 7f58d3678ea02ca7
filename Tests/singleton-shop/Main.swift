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

  /// How long runs take over pipes and without, for the documents.
  private static func measure() throws {
    try measure(PipedSingleton.self, 100)
    try measure(Fresh.self, 1000)
    try measure(Idle.self, 300)
  }

  private static func measure<System: PurchaseSystem>(_ system: System.Type, _ runs: UInt64) throws
  {
    let simulation = Simulation(try PropertyTest.scenario(for: system))
    var launches = 0
    for seed in 0..<runs {
      launches += simulation.record(seed: seed).facts.count { $0.kind == .launched }
    }
    let took = ContinuousClock().measure {
      for seed in 0..<runs { _ = simulation.run(seed: seed) }
    }
    let perSecond = { (count: Int) in Int(Double(count) / (took / .seconds(1))) }
    print(
      "\(System.entry.name): \(perSecond(Int(runs))) runs/s, \(perSecond(launches)) launches/s")
  }
}

/// Does nothing, in a process of its own for every launch.
enum Idle: PipedSystem {
  typealias Hosted = IdleApp
  typealias Backend = HostedBackend<ShopBackend>
  static let entry = SystemEntry(name: "idle", summary: "An app for tests.")
}

final class IdleApp: SimulatedApp {
  init(device: SimulatedDevice) {}
  func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Names a program that knows nothing of it, with an app that nobody finds by its type.
private enum Unserved: PipedSystem {
  typealias Hosted = HiddenApp
  typealias Backend = HostedBackend<ShopBackend>
  static let entry = SystemEntry(name: "unserved", summary: "An app for tests.")
}

private final class HiddenApp: SimulatedApp {
  init(device: SimulatedDevice) {}
  func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

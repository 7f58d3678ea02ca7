import ChaosHost
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
    case "tidying": try run(Tidying.self)
    case "speed": try measure()
    case "leaving":
      try leave(CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 10_000)
    case "compare":
      try compare(CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1000)
    default: exit(64)
    }
  }

  private static func run<System: PurchaseSystem>(_ system: System.Type) throws {
    print(Simulation(try PropertyTest.scenario(for: system)).run(seed: 1))
  }

  /// Whether launches in processes of their own have the traces of launches in this one, for seeds from 1.
  private static func compare(_ seeds: UInt64) throws {
    try compare(PropertyTest.scenario(for: Fresh.self), FoundSingleton.self, seeds)
    try compare(Systems.takingTurns(FreshClassic.self), FoundClassic.self, seeds)
  }

  private static func compare<System: PurchaseSystem>(
    _ scenario: Scenario, _ other: System.Type, _ seeds: UInt64
  ) throws {
    var otherScenario = scenario
    otherScenario.system = AnySystem(other)
    let (here, there) = (Simulation(scenario), Simulation(otherScenario))
    let different = (1...seeds).filter { here.run(seed: $0) != there.run(seed: $0) }
    print("\(System.entry.name): \(different.count) of \(seeds) differ \(different.prefix(5))")
    if !different.isEmpty { exit(1) }
  }

  /// How much memory an app takes up that leaves tasks waiting, in this process and in its own.
  private static func leave(_ runs: UInt64) throws {
    let simulation = Simulation(try onePurchase(Leaving.self))
    for part in UInt64(0)..<10 {
      for seed in runs / 10 * part..<runs / 10 * (part + 1) { _ = simulation.run(seed: seed) }
      print("after \(runs / 10 * (part + 1)) runs: \(LinuxCalls.residentBytes >> 20) MB")
    }
  }

  /// How long runs take in processes of their own and in this one, for the documents.
  private static func measure() throws {
    try measure(FoundSingleton.self, 3000, try onePurchase(FoundSingleton.self))
    try measure(Fresh.self, 3000, try onePurchase(Fresh.self))
    try measure(PipedSingleton.self, 100)
    try measure(FoundSingleton.self, 1000)
    try measure(Fresh.self, 1000)
    try measure(Idle.self, 300)
  }

  /// One purchase under every fault, and a launch after the faults.
  private static func onePurchase<System: PurchaseSystem>(_ system: System.Type) throws -> Scenario
  {
    var scenario = try PropertyTest.scenario(for: system)
    scenario.name = "one-purchase"
    scenario.setup.accounts = 1
    scenario.setup.devices = [Setup.Device()]
    scenario.setup.steps = [
      Setup.Step(atMillis: 1000, device: 0, .buy(product: 0, quantity: 1, account: 0))
    ]
    scenario.setup.horizonMillis = 270_000
    scenario.setup.reopenEveryMillis = 150_000
    return scenario
  }

  private static func measure<System: PurchaseSystem>(_ system: System.Type, _ runs: UInt64) throws
  {
    try measure(system, runs, try PropertyTest.scenario(for: system))
  }

  private static func measure<System: PurchaseSystem>(
    _: System.Type, _ runs: UInt64, _ scenario: Scenario
  ) throws {
    let simulation = Simulation(scenario)
    var launches = 0
    for seed in 0..<runs {
      launches += simulation.record(seed: seed).facts.count { $0.kind == .launched }
    }
    let took = ContinuousClock().measure {
      for seed in 0..<runs { _ = simulation.run(seed: seed) }
    }
    let perSecond = { (count: Int) in Int(Double(count) / (took / .seconds(1))) }
    let each = Double(launches * 10 / Int(runs)) / 10
    print(
      "\(System.entry.name), \(scenario.name): \(perSecond(Int(runs))) runs/s of \(each) launches, "
        + "\(perSecond(launches)) launches/s")
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

import ChaosStore
import Invariants
import Testing

/// Scenarios that several tests stand on.
enum Stage {
  static func system(_ name: String) throws -> AnySystem {
    try #require(BuiltIn.systems.first { $0.entry.name == name })
  }

  /// Three purchases, two users, two devices; every fault unless others are given.
  static func mixed(
    _ system: String, variant: String? = nil, backend: BackendKind = .naive,
    faults: [Fault] = Fault.allCases
  ) throws -> Scenario {
    var setup = Setup()
    setup.accounts = 2
    setup.storeAccounts = 2
    setup.devices = [.init(storeAccount: 0, account: 0), .init(storeAccount: 0, account: 1)]
    setup.products = [.init("coins"), .init("gems"), .init("map", isConsumable: false)]
    setup.steps = [
      .init(atMillis: 1000, device: 0, .buy(product: 0, quantity: 1, account: 0)),
      .init(atMillis: 4000, device: 1, .buy(product: 1, quantity: 2, account: 1)),
      .init(atMillis: 12_000, device: 0, .buy(product: 2, quantity: 1, account: 0)),
    ]
    setup.horizonMillis = 270_000
    setup.mix = FaultMix(faults)
    setup.backend = backend
    return Scenario(
      name: "mixed", system: try Self.system(system), variant: variant, setup: setup)
  }

  /// One purchase on one phone, no faults.
  static func one(
    _ system: String, variant: String? = nil, backend: BackendKind = .naive,
    _ change: (inout Setup) -> Void = { _ in }
  ) throws -> Scenario {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 270_000
    setup.backend = backend
    change(&setup)
    return Scenario(name: "one", system: try Self.system(system), variant: variant, setup: setup)
  }
}

extension Record {
  /// How often a kind of fact happened.
  func count(_ kind: Fact.Kind) -> Int { facts.filter { $0.kind == kind }.count }
}

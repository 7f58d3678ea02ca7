import ChaosStore
import Invariants
import Testing

/// Scenarios that several tests stand on.
enum Stage {
  static func system(_ name: String) throws -> AnySystem {
    try #require(BuiltIn.systems.first { $0.entry.name == name })
  }

  /// The names of all systems but the one whose many variants are one design with a planted defect each.
  static let designs = BuiltIn.systems.map(\.entry.name).filter { $0 != "exactly-once-mutant" }

  /// Three purchases, two users, two devices; every fault unless others are given, but those that are named alone.
  static func mixed(
    _ system: String, variant: String? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.common
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
    let tested = try Self.system(system)
    setup.backend = try backend ?? usualBackend(of: tested)
    return Scenario(name: "mixed", system: tested, variant: variant, setup: setup)
  }

  /// One purchase on one phone, no faults.
  static func one(
    _ system: String, variant: String? = nil, backend: BackendKind? = nil,
    _ change: (inout Setup) -> Void = { _ in }
  ) throws -> Scenario {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 270_000
    let tested = try Self.system(system)
    setup.backend = try backend ?? usualBackend(of: tested)
    change(&setup)
    return Scenario(name: "one", system: tested, variant: variant, setup: setup)
  }

  /// A subscription by the month under every fault, and an app that is opened once a week.
  static func subscription(
    variant: String? = nil, isLeftOpen: Bool = false
  ) throws -> Scenario {
    try one("exactly-once", variant: variant) {
      $0.products = [.init("pro", .autoRenewable(.init(Period(1, .month), graceDays: 16)))]
      $0.reopenEveryMillis = nil
      if !isLeftOpen { $0.sittings = .init(everyMillis: 7 * 86_400_000, forMillis: 300_000) }
      $0.healMillis = 62 * 86_400_000
      $0.horizonMillis = 100 * 86_400_000
      $0.mix = FaultMix(Fault.allCases)
    }
  }

  /// The naive one, where the system has it.
  private static func usualBackend(of system: AnySystem) throws -> BackendKind {
    let backends = system.entry.backends
    return backends.contains(.naive) ? .naive : try #require(backends.first)
  }
}

extension Record {
  /// How often a kind of fact happened.
  func count(_ kind: Fact.Kind) -> Int { facts.filter { $0.kind == kind }.count }
}

import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

protocol Fake: PurchaseSystem {}
enum A: PurchaseSystem {
  typealias Client = HastyShop.App
  typealias Server = HastyShop.Shop
  static let entry = SystemEntry(
    name: "observer-on-demand",
    summary: "StoreKit 1, observer around each purchase, finish on the server's 200",
    variants: ["published", "order-map"])
}
enum B: PurchaseSystem {
  typealias Client = HastyShop.App
  typealias Server = HastyShop.Shop
  static let entry = SystemEntry(
    name: "observe-at-launch",
    summary: "StoreKit 1, observer at launch, finish after delivery or when verification fails")
}
enum C: PurchaseSystem {
  typealias Client = HastyShop.App
  typealias Server = HastyShop.Shop
  static let entry = SystemEntry(name: "receipt-store", summary: "b")
}
enum D: PurchaseSystem {
  typealias Client = HastyShop.App
  typealias Server = HastyShop.Shop
  static let entry = SystemEntry(name: "storekit2-order-token", summary: "b")
}
enum E: PurchaseSystem {
  typealias Client = CheckoutBenchmark.App
  typealias Server = CheckoutBenchmark.Shop
  static let entry = SystemEntry(name: "exactly-once", summary: "b")
}

@Test func `A first look`() {
  var all: [Scenario] = []
  let systems = [
    AnySystem(A.self), AnySystem(B.self), AnySystem(C.self), AnySystem(D.self), AnySystem(E.self),
  ]
  for s in systems {
    for b in BackendKind.allCases {
      if s.entry.name == "exactly-once", b == .naive { continue }
      for f in Fault.allCases
      where f.rawValue % 2 == 0 || f == .appCrash || f == .responseLost || f == .duplicateCallback {
        let seeds = f == .serverError ? 400 : 40
        all.append(
          Scenario(
            name: "\(s.entry.name)-\(b.rawValue)-\(f.name)", system: s, setup: Bench.setup(b, [f]),
            allows: f == .recordLost ? [] : Catalogue.invariants.map(\.name), seeds: seeds,
            topic: f.code))
      }
      var m = Scenario(
        name: "\(s.entry.name)-\(b.rawValue)-mixed", system: s,
        setup: Bench.setup(b, Fault.allCases),
        allows: Catalogue.invariants.map(\.name), seeds: 40, topic: "mixed")
      all.append(m)
      if s.entry.variants.count > 1 {
        m.variant = "order-map"
        m.name += "-v"
        all.append(m)
      }
    }
  }
  var bench = Bench()
  bench.scenarios = all
  let o = bench.run("--seeds", "40")
  print(o.out, o.err, o.code)
  bench.scenarios = all.filter { $0.topic == "mixed" }
  print(bench.run("--seed", "3", "--scenario", "receipt-store-naive-mixed").out)
}

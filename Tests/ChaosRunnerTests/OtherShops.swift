import ChaosStore
import Foundation
import Invariants
import Synchronization

/// Starts a timer whenever one fires, a millisecond later.
enum RestlessShop: PurchaseSystem {
  typealias Backend = HastyShop.Shop
  static let entry = SystemEntry(name: "restless-shop", summary: "Never comes to rest.")

  struct App: PurchaseApp {
    init(_ launch: Launch) {}
    mutating func launched(_ phone: Phone) { phone.startTimer(after: 1) }
    mutating func tapped(_ tap: Tap, _ phone: Phone) {}
    mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      phone.startTimer(after: 1)
    }
  }
}

/// Stands for somebody's app of which the test package loads no products.
enum DeafShop: PurchaseSystem {
  typealias Backend = HastyShop.Shop
  static let entry = SystemEntry(name: "deaf-shop", summary: "Hears no tap.")

  struct App: PurchaseApp, HostsApp {
    init(_ launch: Launch) {}
    mutating func launched(_ phone: Phone) {}
    mutating func tapped(_ tap: Tap, _ phone: Phone) {}
  }
}

/// Remembers earlier runs, as no system may: when all is done, no two runs do the same.
enum FickleShop: PurchaseSystem {
  typealias Backend = HastyShop.Shop
  static let entry = SystemEntry(name: "fickle-shop", summary: "Never does the same thing twice.")
  private static let launches = Atomic<Int>(0)

  /// One purchase, opened twice, and late reports, so that something is decided.
  static let scenario = Scenario(
    name: "fickle", system: AnySystem(FickleShop.self), setup: Bench.setup(.naive, [.slowServer]),
    invariants: Bench.rules, allows: Bench.rules.map(\.name), seeds: 3)

  struct App: PurchaseApp {
    private var shop: HastyShop.App

    init(_ launch: Launch) { shop = HastyShop.App(launch) }

    mutating func launched(_ phone: Phone) {
      let count = FickleShop.launches.wrappingAdd(1, ordering: .relaxed).newValue
      phone.startTimer(after: 200_000 + Int64(count))
      shop.launched(phone)
    }

    mutating func tapped(_ tap: Tap, _ phone: Phone) { shop.tapped(tap, phone) }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      shop.updated(transaction, phone)
    }
  }
}

/// Shares a counter between all shops, which tells only while two of them are open at once.
enum CrowdedShop: PurchaseSystem {
  typealias Backend = HastyShop.Shop
  static let entry = SystemEntry(name: "crowded-shop", summary: "Counts the customers of others.")
  private static let customers = Atomic<Int>(0)

  static let scenario = Scenario(
    name: "crowded", system: AnySystem(CrowdedShop.self), setup: Bench.setup(.naive, []),
    invariants: Bench.rules, allows: Bench.rules.map(\.name), seeds: 3)

  struct App: PurchaseApp {
    private var shop: HastyShop.App

    init(_ launch: Launch) { shop = HastyShop.App(launch) }

    mutating func launched(_ phone: Phone) { shop.launched(phone) }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { shop.tapped(tap, phone) }

    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      CrowdedShop.customers.wrappingAdd(1, ordering: .relaxed)
      usleep(2000)
      let count = CrowdedShop.customers.load(ordering: .relaxed)
      CrowdedShop.customers.wrappingSubtract(1, ordering: .relaxed)
      if count > 1 { phone.startTimer(after: 1) }
      shop.updated(transaction, phone)
    }
  }
}

/// The hasty shop after somebody mended it: it finishes on the backend's answer.
enum MendedShop: PurchaseSystem {
  typealias Variant = HastyShop.Variant
  typealias Backend = HastyShop.Shop
  static let entry = HastyShop.entry

  struct App: PurchaseApp {
    init(_ launch: Launch) {}

    mutating func launched(_ phone: Phone) { phone.observe() }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }

    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      guard transaction.state != .failed else { return }
      phone.send(
        Report(
          session: phone.account, transaction: transaction.id,
          evidence: phone.evidence(for: transaction.id)),
        about: transaction.id)
    }

    mutating func replied(_ reply: Reply, _ phone: Phone) {
      guard reply.isDelivered else { return }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
  }
}

/// The hasty shop with a timer that does nothing: the same mistakes in another history.
enum TickingShop: PurchaseSystem {
  typealias Variant = HastyShop.Variant
  typealias Backend = HastyShop.Shop
  static let entry = HastyShop.entry

  struct App: PurchaseApp {
    private var shop: HastyShop.App

    init(_ launch: Launch) { shop = HastyShop.App(launch) }

    mutating func launched(_ phone: Phone) {
      phone.startTimer(after: 10)
      shop.launched(phone)
    }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { shop.tapped(tap, phone) }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      shop.updated(transaction, phone)
    }
  }
}

/// Says that something left the simulation; in the one variant nothing comes of it, in the other all.
enum LeakyShop: PurchaseSystem {
  typealias Backend = HastyShop.Shop
  static let entry = SystemEntry(
    name: "leaky-shop", summary: "Lets threads in.")

  enum Variant: String, CaseIterable { case harmless, harmful, once, misuse }

  private static let taps = Atomic<Int>(0)
  private static let tapsOnce = Atomic<Int>(0)

  static func scenario(_ variant: String) -> Scenario {
    Scenario(
      name: "leaky", system: AnySystem(LeakyShop.self), variant: variant,
      setup: Bench.setup(.naive, []), invariants: Bench.rules, allows: Bench.rules.map(\.name),
      seeds: 3)
  }

  struct App: PurchaseApp {
    private let variant: Variant

    init(_ launch: Launch) { variant = launch.variant(of: LeakyShop.self) }

    mutating func launched(_ phone: Phone) {}
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {}
    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      let count = LeakyShop.taps.wrappingAdd(1, ordering: .relaxed).newValue
      switch variant {
      case .misuse: phone.note(problem: "an exception")
      case .once:
        let isFirst = LeakyShop.tapsOnce.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        if isFirst { phone.note(leak: "a thread came in") }
      case .harmless, .harmful: phone.note(leak: "a thread came in")
      }
      phone.startTimer(after: variant == .harmful ? Int64(count) : 1)
    }
  }
}

import ChaosHost
import ChaosStore
import Foundation
import Invariants
import Synchronization
import Testing

@testable import StoreKit

/// Keeps coins as an app does that knows nothing of the simulation.
private enum Purse {
  nonisolated(unsafe) static let defaults = UserDefaults.standard
  // Of this program run only: whatever became real once would be found again.
  static let key = "coins.\(getpid())"
  static let launches = "launches.\(getpid())"
}

/// Counts its taps where UserDefaults keeps them, and says what it finds at each launch.
private final class PurseApp: SimulatedApp {
  nonisolated static let log = Mutex<[String]>([])
  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    Purse.defaults.register(defaults: [Purse.launches: "new"])
    let coins = UserDefaults.standard.integer(forKey: Purse.key)
    let launches = Purse.defaults.string(forKey: Purse.launches) ?? "?"
    Self.log.withLock {
      $0.append("phone\(device.number).\(device.launches): \(coins) coins, \(launches)")
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    Purse.defaults.set(Purse.defaults.integer(forKey: Purse.key) + 1, forKey: Purse.key)
    UserDefaults.standard.set("known", forKey: Purse.launches)
    return .failure
  }
}

private enum PurseShop: HostedSystem {
  typealias App = HostedApp<PurseApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "purse-shop", summary: "Keeps coins in UserDefaults.")
}

/// Uses the platform as an app would that was not made for the simulation.
private final class CarelessApp: SimulatedApp {
  private let path: String

  init(device: SimulatedDevice) {
    path = "/tmp/chaos-careless-\(ProcessInfo.processInfo.processIdentifier)"
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    try? Data([1]).write(to: URL(fileURLWithPath: path))
    try? FileManager.default.removeItem(atPath: path)
    return .failure
  }
}

private enum CarelessShop: HostedSystem {
  typealias App = HostedApp<CarelessApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "careless-shop", summary: "Writes real files.")
}

/// An app of one purchase and nothing else, whose device's storage is all that is looked at.
private final class KeeperApp: SimulatedApp {
  nonisolated(unsafe) static var test: ((SimulatedDevice) -> Void)?
  init(device: SimulatedDevice) { Self.test?(device) }
  func buy(_ productID: String) async -> PurchaseMessage { .failure }
}

private enum KeeperShop: HostedSystem {
  typealias App = HostedApp<KeeperApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "keeper-shop", summary: "Looks at its storage.")
}

@Suite("What an app keeps in UserDefaults", .serialized)
struct UserDefaultsTests {
  private func scenario<System: HostedSystem>(_: System.Type, devices: Int = 1) -> Scenario {
    var setup = Setup()
    setup.retaps = 0
    setup.reopenEveryMillis = nil
    setup.devices = Array(repeating: .init(), count: devices)
    setup.steps = [
      .init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: 0)),
      .init(atMillis: 20_000, .quit), .init(atMillis: 21_000, .open),
    ]
    setup.healMillis = 25_000
    setup.horizonMillis = 40_000
    return Scenario(name: "defaults", system: AnySystem(System.self), setup: setup)
  }

  private func launches(_ plan: String, devices: Int = 1) throws -> [String] {
    PurseApp.log.withLock { $0 = [] }
    let record = Simulation(scenario(PurseShop.self, devices: devices))
      .record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [])
    #expect(record.problems == [])
    return PurseApp.log.withLock { $0 }
  }

  @Test(
    "What an app keeps in UserDefaults is there at the next launch on that device, and on no other")
  func kept() throws {
    #expect(
      try launches("", devices: 2) == [
        "phone1.1: 0 coins, new", "phone2.1: 0 coins, new", "phone1.2: 1 coins, known",
      ])
    #expect(UserDefaults.standard.object(forKey: Purse.key) == nil)
    #expect(UserDefaults.standard.object(forKey: Purse.launches) == nil)
  }

  @Test("What an app keeps in UserDefaults is lost if it dies before that has reached the disk")
  func crash() throws {
    let found = try launches("crash app after save phone1 #1")
    #expect(found.prefix(2) == ["phone1.1: 0 coins, new", "phone1.2: 0 coins, new"])
  }

  @Test("Where the disk loses a write of UserDefaults, only that is lost")
  func lostWrite() throws {
    let found = try launches("lose storage.write phone1 #2")
    #expect(found == ["phone1.1: 0 coins, new", "phone1.2: 1 coins, new"])
  }

  @Test("UserDefaults and device.defaults find what was set by way of the other, as what it was")
  func sameStore() {
    var found: [String] = []
    KeeperApp.test = { device in
      MainActor.assumeIsolated {
        let defaults = UserDefaults.standard
        guard device.launches == 1 else { return }
        device.defaults.set(3, forKey: "number")
        device.defaults.set("words", forKey: "text")
        device.defaults.set(true, forKey: "flag")
        device.defaults.set(Data([0xFF, 1]), forKey: "bytes")
        device.defaults.set(["a", "b"], forKey: "list")
        found.append("\(defaults.integer(forKey: "number")) \(defaults.double(forKey: "number"))")
        found.append(defaults.string(forKey: "text") ?? "-")
        found.append("\(defaults.bool(forKey: "flag"))")
        found.append("\(defaults.data(forKey: "bytes").map(Array.init) ?? [])")
        found.append("\(defaults.stringArray(forKey: "list") ?? [])")
        defaults.set(4, forKey: "number")
        defaults.set("more", forKey: "text")
        defaults.set(false, forKey: "flag")
        defaults.set(Data([7]), forKey: "bytes")
        defaults.set(["c"], forKey: "list")
        found.append("\(device.defaults.integer(forKey: "number"))")
        found.append(device.defaults.string(forKey: "text") ?? "-")
        found.append("\(device.defaults.bool(forKey: "flag"))")
        found.append("\(device.defaults.data(forKey: "bytes").map(Array.init) ?? [])")
        found.append("\(device.defaults.stringArray(forKey: "list") ?? [])")
        found.append("\(device.defaults.keys)")
        found.append("\(device.defaults.data(forKey: "text") == nil)")
      }
    }
    _ = Simulation(scenario(KeeperShop.self)).record(seed: nil)
    KeeperApp.test = nil
    #expect(
      found == [
        "3 3.0", "words", "true", "[255, 1]", #"["a", "b"]"#,
        "4", "more", "false", "[7]", #"["c"]"#,
        #"["bytes", "flag", "list", "number", "text"]"#, "true",
      ])
  }

  @Test(
    "UserDefaults keep any property list, in suites too, with what was registered")
  func propertyLists() {
    var found: [String] = []
    KeeperApp.test = { device in
      let suite = UserDefaults(suiteName: "group.shop")
      if device.launches == 1 {
        suite?.set(
          ["prices": [1, 2.5], "name": "x", "at": Date(timeIntervalSince1970: 9)], forKey: "shop")
        suite?.set(1.5, forKey: "half")
        suite?.set(URL(fileURLWithPath: "/a/b"), forKey: "place")
        suite?.set(1, forKey: "gone")
        suite?.removeObject(forKey: "gone")
        UserDefaults.standard.set(1, forKey: "standard")
        UserDefaults.standard.register(defaults: ["half": 7, "lives": 3])
        found.append(
          "\(suite?.integer(forKey: "lives") ?? 0) \(suite?.double(forKey: "half") ?? 0)")
        return
      }
      let shop = suite?.dictionary(forKey: "shop")
      found.append("\(shop?["prices"] as? [Double] ?? []) \(shop?["name"] as? String ?? "-")")
      found.append("\((shop?["at"] as? Date)?.timeIntervalSince1970 ?? 0)")
      found.append(
        "\(suite?.double(forKey: "half") ?? 0) \(suite?.url(forKey: "place")?.path ?? "-")")
      found.append(
        "\(suite?.integer(forKey: "lives") ?? 0) \(suite?.object(forKey: "gone") == nil)")
      found.append(
        "\(UserDefaults.standard.persistentDomain(forName: "group.shop")?.keys.sorted() ?? [])")
      UserDefaults.standard.removePersistentDomain(forName: "group.shop")
      found.append(
        "\(suite?.object(forKey: "half") == nil) \(UserDefaults.standard.integer(forKey: "standard"))"
      )
    }
    let record = Simulation(scenario(KeeperShop.self)).record(seed: nil)
    KeeperApp.test = nil
    #expect(record.problems == [])
    #expect(
      found == [
        "3 1.5", "[1.0, 2.5] x", "9.0", "1.5 /a/b", "0 true", #"["half", "place", "shop"]"#,
        "true 1",
      ])
  }

  @Test("A suite has no part in one whose name begins like its own")
  func suitesAlike() {
    var found: [String] = []
    KeeperApp.test = { device in
      guard device.launches == 1 else { return }
      UserDefaults(suiteName: "shop2")?.set(1, forKey: "coins")
      found.append("\(UserDefaults(suiteName: "shop")?.object(forKey: "2coins") == nil)")
      for name in ["shop", "shop2"] {
        let domain = UserDefaults.standard.persistentDomain(forName: name) ?? [:]
        found.append("\(name) \(domain.keys.sorted())")
      }
    }
    let record = Simulation(scenario(KeeperShop.self)).record(seed: nil)
    KeeperApp.test = nil
    #expect(record.problems == [])
    #expect(found == ["true", "shop []", #"shop2 ["coins"]"#])
  }

  @Test("A stored dictionary has the same bytes whatever its order is, and comes back as it was")
  func bytes() throws {
    let keys = (0..<100).map { "key\($0)" }
    let one = Dictionary(uniqueKeysWithValues: keys.map { ($0, [$0: 1.5] as [String: Any]) })
    var other = one
    for key in keys.shuffled() {
      other[key] = nil
      other[key] = [key: 1.5]
    }
    let stored = try #require(StoredValue(one))
    #expect(stored.encoded == StoredValue(other)?.encoded)
    #expect(StoredValue(encoded: stored.encoded) == stored)
    let all: [Any] = [
      "", Data(), Data([0xFF]), true, -1, Int.max, 0.1, Date(timeIntervalSinceReferenceDate: 0.5),
      [Any](), [String: Any](),
    ]
    for value in all {
      let stored = try #require(StoredValue(value))
      #expect(StoredValue(encoded: stored.encoded) == stored)
      #expect(StoredValue(stored.object) == stored)
    }
    #expect(StoredValue(Data([1, 2]))?.encoded == Data([1, 2]))
    #expect(StoredValue(ChaosHost.Host.self) == nil)
  }
}

@Suite("What an app does with real files")
struct RealFileTests {
  @Test("An app that uses real files has no verdict, and is told what to use")
  func careless() throws {
    var setup = Setup()
    setup.retaps = 0
    setup.steps = [.init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 40_000
    let scenario = Scenario(
      name: "careless", system: AnySystem(CarelessShop.self), setup: setup)
    let record = Simulation(scenario).record(seed: nil)
    #expect(record.outcome.hasProblems)
    #expect(record.problems.count == 2)
    #expect(
      record.problems.allSatisfy {
        $0.text.hasPrefix("not simulated: phone1, process 1: ")
          && $0.text.hasSuffix(": use device.files")
      })
    #expect(record.problems.first?.text.contains("writing the file /") == true)
    #expect(record.problems.last?.text.contains("removing /") == true)
  }

  @Test("What an app does for real is named in every run of a simulation, not in the first alone")
  func everyRun() {
    var setup = Setup()
    setup.retaps = 0
    setup.steps = [.init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 40_000
    let simulation = Simulation(
      Scenario(name: "careless", system: AnySystem(CarelessShop.self), setup: setup))
    let problems = (1...3).map { _ in simulation.record(seed: nil).problems.map(\.text) }
    #expect(problems[0].count == 2)
    #expect(problems[1] == problems[0])
    #expect(problems[2] == problems[0])
  }
}

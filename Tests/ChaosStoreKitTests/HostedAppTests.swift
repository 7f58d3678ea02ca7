import ChaosStore
import Foundation
import Invariants
import Synchronization
import Testing

@testable import StoreKit

/// Does what a test says, and notes what comes of it.
private final class ToldApp: SimulatedApp {
  typealias Launch = @MainActor @Sendable (SimulatedDevice) -> Void
  typealias Tap = @MainActor @Sendable (SimulatedDevice, String) async -> PurchaseMessage

  nonisolated static let launch = Mutex<Launch?>(nil)
  nonisolated static let tap = Mutex<Tap?>(nil)
  nonisolated static let log = Mutex<[String]>([])

  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    Self.launch.withLock { $0 }?(device)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    await Self.tap.withLock { $0 }?(device, productID) ?? .nothing
  }
}

private func note(_ text: String) { ToldApp.log.withLock { $0.append(text) } }

/// Says what it was sent, and is too slow for whoever asks it to be.
private final class EchoBackend: SimulatedBackend {
  private var received = 0

  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    received += 1
    print("received", received)
    if request.body == Data("count".utf8) {
      return BackendResponse(.refused, body: Data("\(received)".utf8))
    }
    if request.body == Data("wait".utf8) {
      let waits = ["first", "second", "third"].map { name in
        Task {
          await services.databaseRoundTrip()
          note(name)
        }
      }
      for wait in waits { await wait.value }
    }
    if request.body == Data("slow".utf8) { try? await Task.sleep(for: .seconds(9_999)) }
    let words = [
      "account \(request.account.index)", "transaction \(!request.transaction.isNone)",
      "product \(request.product.index)", "token \(request.token.accountNumber ?? 99)",
      "probe \(request.isProbe)", "receipt \(request.isReceipt)",
      String(decoding: request.body, as: UTF8.self),
    ]
    return BackendResponse(.refused, body: Data(words.joined(separator: ", ").utf8))
  }
}

private enum ToldShop: HostedSystem {
  typealias App = HostedApp<ToldApp>
  typealias Backend = HostedBackend<EchoBackend>
  static let entry = SystemEntry(name: "told-shop", summary: "Does what a test says.")
}

@Suite("What a hosted app finds on its device", .serialized)
struct HostedAppTests {
  /// One person taps the first of two products, and half a minute later the app is closed.
  private func run(
    account: Int = 0, launch: ToldApp.Launch? = nil, tap: ToldApp.Tap? = nil
  ) -> (record: Record, log: [String]) {
    ToldApp.launch.withLock { $0 = launch }
    ToldApp.tap.withLock { $0 = tap }
    ToldApp.log.withLock { $0 = [] }
    var setup = Setup()
    setup.accounts = 2
    setup.products = [.init("coins"), .init("map", isConsumable: false)]
    setup.devices = [.init(account: account)]
    setup.retaps = 0
    setup.reopenEveryMillis = nil
    setup.steps = [
      .init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: account)),
      .init(atMillis: 30_000, .quit),
    ]
    setup.healMillis = 50_000
    setup.horizonMillis = 60_000
    let record = Simulation(Scenario(name: "told", system: AnySystem(ToldShop.self), setup: setup))
      .record(seed: nil)
    return (record, ToldApp.log.withLock { $0 })
  }

  @Test("What buy returns is what the person is told, and nothing is not told")
  func messages() {
    func told(_ message: PurchaseMessage) -> [Fact.Message] {
      run(tap: { _, _ in message }).record.facts.filter { $0.kind == .told }.map(\.message)
    }
    #expect(told(.success) == [.success])
    #expect(told(.pending) == [.pending])
    #expect(told(.failure) == [.failure])
    #expect(told(.nothing) == [])
  }

  @Test(
    "What an app and its backend print is kept by device, launch and process, and is no history")
  func printing() {
    let quiet = run(tap: { device, _ in
      _ = try? await device.backend.send(BackendRequest())
      return .pending
    }).record
    let record = run(
      launch: { _ in print("launched\nand ready") },
      tap: { device, productID in
        print("tapped", productID, terminator: "")
        _ = try? await device.backend.send(BackendRequest())
        return .pending
      }
    ).record
    let lines = record.printed.map { "\($0.place): \($0.text)" }
    #expect(
      lines == [
        "phone1, launch 1: launched", "phone1, launch 1: and ready", "server1: received 1",
        "phone1, launch 1: tapped coins",
      ])
    #expect(record.printed.map(\.at.millis).first == 0)
    #expect(record.outcome.trace == quiet.outcome.trace)
    #expect(record.problems == [])
  }

  @Test("A person is shown something only about a product that they tapped")
  func showing() {
    let record = run(tap: { device, productID in
      device.show(.pending, about: "map")
      device.show(.pending, about: "nothing")
      device.show(.failure, about: productID)
      return .nothing
    }).record
    #expect(record.facts.filter { $0.kind == .told }.map(\.message) == [.failure])
    #expect(record.problems == [])
  }

  @Test("A device says which it is, how often the app was started on it, and who is logged in")
  func device() {
    let log = run(
      account: 1,
      launch: { device in
        note("\(device.number).\(device.launches) \(device.account.name)")
        note("\(device.account.token == SimulatedUUID.of(AccountID(index: 1)))")
      }
    ).log
    #expect(log == ["1.1 user2", "true"])
  }

  @Test("Products are there before anybody taps, a moment after they are asked for")
  func products() {
    let log = run(launch: { _ in
      Task {
        let start = ContinuousClock.now
        for product in try await Product.products(for: ["map", "coins", "gems"]) {
          note("\(product.id) \(product.displayName) \(product.price) \(product.type)")
          note(product.description)
        }
        note("\(start.duration(to: .now))")
      }
    }).log
    #expect(
      log == [
        "coins coins 0.99 Consumable", "simulated coins", "map map 1.99 Non-Consumable",
        "simulated map", "0.05 seconds",
      ])
  }

  @Test(
    "A purchase that nobody tapped for fails; there is no order for it, and one for what was tapped"
  )
  func untapped() {
    let (record, log) = run(tap: { device, productID in
      note("\(device.newOrder(for: "map") == nil) \(device.newOrder(for: "nothing") == nil)")
      let order = device.newOrder(for: productID)
      note("\(SimulatedUUID.token(order).orderNumber != nil)")
      note("\(order == device.newOrder(for: productID))")
      do {
        let product = try await Product.products(for: ["map"])[0]
        _ = try await product.purchase()
        note("bought")
      } catch StoreKitError.networkError {
        note("network error")
      } catch {
        note("\(error)")
      }
      return .failure
    })
    #expect(log == ["true true", "true", "true", "network error"])
    #expect(record.facts.filter { $0.kind == .charged }.isEmpty)
  }

  @Test("A request for which no answer comes is given up after the link's timeout")
  func timeout() {
    let log = run(tap: { device, _ in
      note("\(device.backend.timeout)")
      device.backend.timeout = 5
      let start = ContinuousClock.now
      do {
        _ = try await device.backend.send(BackendRequest(body: Data("slow".utf8)))
        note("an answer")
      } catch {
        note("\(error) after \(start.duration(to: .now))")
      }
      return .failure
    }).log
    #expect(log == ["60.0", "timedOut after 5.0 seconds"])
  }

  @Test("A backend is sent what the request names, and its answer comes back")
  func echo() {
    let log = run(
      account: 1,
      tap: { device, _ in
        var request = BackendRequest(productID: "map", body: Data("first".utf8))
        request.token = SimulatedUUID.of(AccountID(index: 0))
        request.isProbe = true
        let first = try? await device.backend.send(request)
        note("\(first?.status ?? 0) \(String(decoding: first?.body ?? Data(), as: UTF8.self))")
        var other = BackendRequest(productID: "nothing")
        other.username = "anna"
        let second = try? await device.backend.send(other)
        note(String(decoding: second?.body ?? Data(), as: UTF8.self))
        return .failure
      }
    ).log
    #expect(log.count == 2)
    #expect(
      log.first
        == "\(BackendResponse(.refused).status) account 1, transaction false, product 1, token 0, "
        + "probe true, receipt false, first")
    #expect(log.last?.hasPrefix("account 1, transaction false, product ") == true)
    #expect(log.last?.hasSuffix("token 99, probe false, receipt false, ") == true)
    #expect(log.last?.contains("product 1,") == false)
  }

  @Test("Round trips to the database that one request waits for at once end in their order")
  func roundTrips() {
    let log = run(tap: { device, _ in
      _ = try? await device.backend.send(BackendRequest(body: Data("wait".utf8)))
      return .failure
    }).log
    #expect(log == ["first", "second", "third"])
  }

  @Test("A sleep of a part of a millisecond ends with the millisecond")
  func shortSleeps() {
    let run = run(tap: { _, _ in
      for nanoseconds: UInt64 in [1, 500_000, 1_000_000, 1_000_001] {
        let start = ContinuousClock.now
        try? await Task.sleep(nanoseconds: nanoseconds)
        note("\(start.duration(to: .now).formatted(.units(allowed: [.milliseconds])))")
      }
      return .failure
    })
    #expect(run.record.problems == [])
    #expect(!run.record.outcome.isCutOff)
    #expect(run.log == ["1 ms", "1 ms", "1 ms", "2 ms"])
  }

  @Test("What a backend keeps in memory is there for the next request")
  func backendMemory() {
    let log = run(tap: { device, _ in
      for _ in 1...3 {
        let response = try? await device.backend.send(BackendRequest(body: Data("count".utf8)))
        note(String(decoding: response?.body ?? Data(), as: UTF8.self))
      }
      return .failure
    }).log
    #expect(log == ["1", "2", "3"])
  }

  @Test("What StoreKit or UserDefaults would raise an exception for leaves a run without a verdict")
  func exceptions() {
    let record = run(launch: { _ in
      SKPaymentQueue.default().add(SKPayment())
      UserDefaults.standard.register(defaults: ["odd": NSObject()])
    }).record
    #expect(record.outcome.hasProblems)
    let texts = record.problems.map(\.text)
    #expect(texts.count == 2)
    #expect(texts.contains { $0.hasPrefix("UserDefaults raises an exception: odd is registered") })
    #expect(texts.contains { $0.hasPrefix("StoreKit raises an exception: SKPaymentQueue.add: ") })
  }

  @Test("An app that makes a connection by itself is told to use the device's backend")
  func connection() {
    #if os(Linux)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let record = run(launch: { _ in close(socket(AF_INET, stream, 0)) }).record
    #expect(
      record.problems.map(\.text) == [
        "not simulated: phone1, process 1: a network connection escaped to the platform"
          + ": use device.backend"
      ])
  }

  @Test("device.defaults reads what was set as UserDefaults would")
  func conversions() {
    let log = run(launch: { device in
      let defaults = device.defaults
      @MainActor func show(_ key: String) {
        let (number, bool) = (defaults.integer(forKey: key), defaults.bool(forKey: key))
        let list = defaults.stringArray(forKey: key)
        note("\(key) \(number) \(bool) \(defaults.string(forKey: key) ?? "-") \(list ?? ["-"])")
      }
      defaults.set(7, forKey: "seven")
      defaults.set(0, forKey: "zero")
      defaults.set(true, forKey: "truth")
      defaults.set("YES", forKey: "yes")
      defaults.set("12 apples", forKey: "apples")
      defaults.set(["a"], forKey: "list")
      UserDefaults.standard.set(2.9, forKey: "number")
      UserDefaults.standard.set(-2.9, forKey: "minus")
      UserDefaults.standard.set(0.0, forKey: "nought")
      UserDefaults.standard.set(1e300, forKey: "huge")
      UserDefaults.standard.set(["a", 1] as [Any], forKey: "mixed")
      for key in [
        "seven", "zero", "truth", "yes", "apples", "list", "number", "minus", "nought", "huge",
        "mixed", "missing",
      ] {
        show(key)
      }
    }).log
    #expect(
      log == [
        #"seven 7 true 7 ["-"]"#, #"zero 0 false 0 ["-"]"#, #"truth 1 true - ["-"]"#,
        #"yes 0 true YES ["-"]"#, #"apples 12 true 12 apples ["-"]"#, #"list 0 false - ["a"]"#,
        #"number 2 true - ["-"]"#, #"minus -2 true - ["-"]"#, #"nought 0 false - ["-"]"#,
        #"huge 0 true - ["-"]"#, #"mixed 0 false - ["-"]"#, #"missing 0 false - ["-"]"#,
      ])
  }

  @Test("Files and defaults are kept apart, and what is removed is gone")
  func removing() {
    let log = run(launch: { device in
      device.files.write(Data("file".utf8), to: "name")
      device.defaults.set(Data("data".utf8), forKey: "name")
      note("\(device.defaults.keys) \(device.files.contents("name")?.count ?? 0)")
      device.defaults.set(nil, forKey: "name")
      note("\(device.defaults.keys) \(device.files.contents("name")?.count ?? 0)")
      device.defaults.set("text", forKey: "name")
      device.files.remove("name")
      note("\(device.defaults.keys) \(device.files.contents("name")?.count ?? 0)")
      device.defaults.removeObject(forKey: "name")
      note("\(device.defaults.keys) \(device.defaults.string(forKey: "name") ?? "-")")
    }).log
    #expect(log == [#"["name"] 4"#, "[] 4", #"["name"] 0"#, "[] -"])
  }

  @Test("What is registered is among the keys of the standard defaults, and of no suite")
  func registered() {
    let log = run(launch: { _ in
      UserDefaults.standard.register(defaults: ["lives": 3])
      UserDefaults.standard.set(1, forKey: "coins")
      UserDefaults(suiteName: "group.shop")?.set(2, forKey: "gems")
      let all = UserDefaults.standard.dictionaryRepresentation()
      note("\(all["lives"] as? Int ?? 0) \(all["coins"] as? Int ?? 0) \(all["gems"] == nil)")
      let suite = UserDefaults(suiteName: "group.shop")
      note("\(UserDefaults.standard.persistentDomain(forName: "group.shop")?.keys.sorted() ?? [])")
      note("\(suite?.integer(forKey: "coins") ?? 9) \(suite?.integer(forKey: "lives") ?? 9)")
    }).log
    #expect(log == ["3 1 true", #"["gems"]"#, "0 3"])
  }
}

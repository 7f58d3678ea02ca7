import ChaosStore
import Foundation
import Invariants
import Testing

@testable import StoreKit

@Suite("Why nothing happened in a run of a hosted app")
struct NothingHappenedTests {
  private static func remarks<App: SimulatedApp>(
    _ app: App.Type, _ plan: String = ""
  ) throws -> [String] {
    var scenario = try PropertyTest.scenario(for: Shop<App>.self, faults: [])
    scenario.setup.steps = Array(scenario.setup.steps.prefix(1))
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [])
    return record.remarks
  }

  @Test("An app that asks for products that the world does not sell is told what it sells")
  func products() throws {
    let told =
      "asked for 'com.example.coins', which this world does not sell: it sells 'coins', 'map'"
    let buy = "phone1 was to buy 'coins', and buy answered .failure"
    for remarks in [try Self.remarks(OtherIDs.self), try Self.remarks(OtherClassicIDs.self)] {
      #expect(remarks.contains { $0.hasPrefix("phone1 " + told) }, "\(remarks)")
    }
    #expect(try Self.remarks(OtherIDs.self).contains { $0.hasPrefix(buy) })
  }

  @Test(
    "A request that nobody keeps is answered, unless a fault has it lost: then it is named, and so is a buy that does not return"
  )
  func requests() throws {
    #expect(!(try Self.remarks(Forgetful.self)).contains { $0.contains("before it was answered") })
    let remarks = try Self.remarks(Forgetful.self, "lose store.request phone1 #1")
    for remark in [
      "phone1 let go of an SKProductsRequest before it was answered: keep it until then",
      "phone1 was to buy 'coins', and buy had not answered when the app ended",
    ] { #expect(remarks.contains { $0.hasPrefix(remark) }, "\(remarks)") }
  }

  @Test("A payment on a queue without an observer, and one for what nobody tapped, are named")
  func payments() throws {
    let remarks = try Self.remarks(Unobserved.self)
    #expect(
      remarks.contains(
        "phone1 added a payment to a queue that has no observer: nobody hears what comes of it (2 times)"
      ))
    #expect(
      remarks.contains("phone1 asked to pay for 'map', which nobody had tapped: nothing came of it")
    )
  }

  /// What a property test says of a system before it runs a campaign.
  private func doubt<System: PurchaseSystem>(
    _ system: System.Type, _ change: (inout Scenario) -> Void = { _ in }
  ) throws -> String {
    var scenario = try PropertyTest.scenario(for: system)
    change(&scenario)
    let error = try #require(
      #expect(throws: PropertyError.self) { try PropertyTest.check(scenario) })
    #expect(error.kind == .noVerdict)
    return error.message
  }

  @Test("A quiet run in which nobody is charged ends a check at once, with the likely cause")
  func noCharge() throws {
    let other = try doubt(Shop<OtherIDs>.self)
    #expect(
      other.hasPrefix("OtherIDs/naive: a quiet run, with no fault at all, shows no purchase."))
    #expect(other.contains("\n  Seen: A person taps 'coins', 'map'. Nobody is charged.\n"))
    #expect(other.contains("the app asks for products that the scenario does not sell."))
    #expect(other.contains("\n  In that run: phone1 asked for 'com.example"))
    let empty = try doubt(Shop<NeverAsks>.self)
    #expect(
      empty.contains(
        "the app has no products. It never calls Product.products(for:) and never starts an "
          + "SKProductsRequest."))
    #expect(try doubt(Shop<NeverPays>.self).contains("the tap does not reach purchase."))
    let unpaid = try doubt(Shop<PaysForOther>.self) {
      $0.setup.steps = Array($0.setup.steps.prefix(1))
    }
    #expect(
      unpaid.contains("the app asks to pay for another product than the one that was tapped."))
  }

  @Test("A quiet run that shows no goods says what the app has changed and what is watched")
  func noGoods() throws {
    let wrong = try doubt(Shop<WrongKey>.self)
    #expect(wrong.hasPrefix("WrongKey/naive: a quiet run, with no fault at all, shows no goods."))
    #expect(
      wrong.contains(
        "Seen: The app buys 'coins', 'map'. The app finishes the transaction. No goods"))
    #expect(wrong.contains("Likely cause: the test package does not see your goods."))
    #expect(
      wrong.contains(
        "phone1 was given 'coins' and handed nothing out: it changed the key 'wallet', and watched is the key 'coins'"
      ))
    let silent = try doubt(Shop<Sells>.self)
    #expect(silent.contains("The app never finishes the transaction."))
    #expect(silent.contains("it changed nothing that it keeps, and nothing is watched"))
    #expect(
      try doubt(Unsent.self).contains("Likely cause: no request reaches the backend."))
  }

  @Test("A queue without an observer is the likely cause, as nothing comes back")
  func unobserved() throws {
    let told = try doubt(Shop<Unobserved>.self) {
      $0.setup.steps = Array($0.setup.steps.prefix(1))
    }
    #expect(told.contains("Likely cause: no observer is on the queue"), "\(told)")
  }

  @Test("Where goods are seen, or where none are to be seen, a check runs its campaign")
  func goods() throws {
    #expect(try PropertyTest.check(Shop<Delivers>.self, faults: [], seeds: 0..<10).runs >= 10)
    // Who expects a break knows what is missing.
    var scenario = try PropertyTest.scenario(for: Shop<Sells>.self, faults: [])
    scenario.allows = Catalogue.invariants.map(\.name)
    #expect(try PropertyTest.check(scenario, seeds: 0..<10).runs >= 10)
    // Nobody buys anything.
    scenario = try PropertyTest.scenario(for: Shop<OtherIDs>.self, faults: [])
    scenario.goals = []
    #expect(try PropertyTest.check(scenario, seeds: 0..<10).runs >= 10)
  }

  private final class NeverAsks: SimulatedApp {
    private var products: [Product] = []
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = products.first(where: { $0.id == productID }) else { return .failure }
      return (try? await product.purchase()) == nil ? .failure : .success
    }
  }

  private final class NeverPays: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      _ = try? await Product.products(for: [productID])
      return .failure
    }
  }

  private final class WrongKey: SimulatedApp {
    init(device: SimulatedDevice) {
      device.watchBalance(forKey: "coins", amounts: ["coins": 100])
    }
    func buy(_ productID: String) async -> PurchaseMessage {
      guard
        case .success(let result) = try? await Product.products(for: [productID]).first?
          .purchase()
      else { return .failure }
      UserDefaults.standard.set(100, forKey: "wallet")
      await result.unsafePayloadValue.finish()
      return .success
    }
  }

  private final class Delivers: SimulatedApp {
    private let device: SimulatedDevice
    init(device: SimulatedDevice) { self.device = device }
    func buy(_ productID: String) async -> PurchaseMessage {
      guard
        case .success(let result) = try? await Product.products(for: [productID]).first?
          .purchase()
      else { return .failure }
      device.delivered(result.unsafePayloadValue.id)
      device.defaults.synchronize()
      await result.unsafePayloadValue.finish()
      return .success
    }
  }

  private enum Unsent: HostedSystem {
    typealias App = HostedApp<Sells>
    typealias Backend = HostedBackend<Refuses>
    static let entry = SystemEntry(
      name: "unsent", summary: "For tests.", backends: [.idempotent])
  }

  private final class Refuses: SimulatedBackend {
    init(_ kind: BackendKind) {}
    func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
      BackendResponse(.refused)
    }
  }

  @Test("A run that was cut off is told with what the app did in it")
  func cutOff() throws {
    var scenario = try PropertyTest.scenario(for: Shop<OtherIDs>.self, faults: [])
    scenario.setup.eventLimit = 12
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try PropertyTest.check(scenario, seeds: 0..<10) })
    #expect(failure.kind == .cutOff)
    #expect(failure.description.contains("In that run:\n    phone1 asked for 'com.example"))
    let told = scenario.remarks(of: Origin(seed: failure.seed))
    #expect(told.contains { $0.hasPrefix("phone1 asked for 'com.example.coins'") }, "\(told)")
  }

  @Test("Where the system says what it sells, the app finds it")
  func ownProducts() throws {
    let scenario = try PropertyTest.scenario(for: Catalogued.self, faults: [])
    let record = Simulation(scenario).record(seed: nil)
    #expect(record.facts.contains { $0.kind == .charged })
    #expect(!record.remarks.contains { $0.contains("does not sell") })
  }

  private enum Catalogued: HostedSystem {
    typealias App = HostedApp<OtherIDs>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "catalogued", summary: "For tests.",
      products: [.init("com.example.coins"), .init("coins")])
  }

  private enum Shop<App: SimulatedApp>: HostedSystem {
    typealias App = HostedApp<App>
    typealias Backend = NoBackend
    static var entry: SystemEntry { SystemEntry(name: "\(App.self)", summary: "For tests.") }
  }

  private final class OtherIDs: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: ["com.example.coins"]).first,
        (try? await product.purchase()) != nil
      else { return .failure }
      return .success
    }
  }

  private final class Sells: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      _ = try? await Product.products(for: [productID]).first?.purchase()
      return .pending
    }
  }

  private final class OtherClassicIDs: NSObject, SimulatedApp, SKProductsRequestDelegate {
    private var request: SKProductsRequest?
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      request = SKProductsRequest(productIdentifiers: ["com.example.\(productID)"])
      request?.delegate = self
      request?.start()
      return .pending
    }
    nonisolated func productsRequest(
      _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {}
  }

  private final class Forgetful: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      SKProductsRequest(productIdentifiers: [productID]).start()
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return .success
    }
  }

  private final class PaysForOther: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      SKPaymentQueue.default().add(SKMutablePayment("map"))
      return .pending
    }
  }

  private final class Unobserved: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage {
      for id in [productID, "map"] {
        SKPaymentQueue.default().add(SKMutablePayment(id))
      }
      return .pending
    }
  }
}

extension SKMutablePayment {
  fileprivate convenience init(_ id: String) {
    self.init()
    productIdentifier = id
  }
}

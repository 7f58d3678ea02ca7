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

  @Test(
    "A property test that shows nothing says so with the reason, and an app that sells says nothing"
  )
  func check() throws {
    let scenario = try PropertyTest.scenario(for: Shop<OtherIDs>.self, faults: [])
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try PropertyTest.check(scenario, seeds: 0..<10) })
    #expect(failure.kind == .vacuous(["charged"]))
    #expect(
      failure.description.contains("In the run without faults:\n    phone1 asked for 'com.example"))
    #expect(
      try Self.remarks(Sells.self) == ["phone1 was to buy 'coins', and buy answered .pending"])
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

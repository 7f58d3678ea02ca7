import Foundation
import Invariants
import Testing

@testable import ChaosStore
@testable import StoreKit

/// A shop on the phone alone that knows every outcome of StoreKit 2, and says what it gets.
@MainActor
private class Careful: SimulatedApp {
  private let device: SimulatedDevice
  private var granted: Set<UInt64> {
    get { Set((UserDefaults.standard.array(forKey: "granted") as? [Int] ?? []).map(UInt64.init)) }
    set { UserDefaults.standard.set(newValue.map(Int.init).sorted(), forKey: "granted") }
  }

  required init(device: SimulatedDevice) {
    self.device = device
    Task {
      for await result in Transaction.updates { await handle(result, "update") }
    }
    Task {
      for await result in Transaction.unfinished { await handle(result, "unfinished") }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    do {
      guard let product = try await Product.products(for: [productID]).first else {
        return .failure
      }
      switch try await product.purchase() {
      case .success(let result):
        await handle(result, "result")
        if case .unverified = result { return .pending }
        return .success
      case .pending:
        print("pending")
        pending(productID)
        return .pending
      case .userCancelled:
        print("cancelled")
        return .nothing
      @unknown default: return .pending
      }
    } catch StoreKitError.networkError {
      print("StoreKitError.networkError")
      return .pending
    } catch {
      print("\(type(of: error)).\("\(error)".prefix { $0 != "(" })")
      return .failure
    }
  }

  func pending(_ productID: String) {}

  func handle(_ result: VerificationResult<Transaction>, _ way: String) async {
    switch result {
    case .verified(let transaction):
      print("\(way): verified")
      await grant(transaction)
    case .unverified(let transaction, let error):
      print("\(way): unverified, \(error)")
      await unverified(transaction)
    }
  }

  func unverified(_ transaction: Transaction) async {}

  final func grant(_ transaction: Transaction) async {
    guard granted.insert(transaction.id).inserted else { return await transaction.finish() }
    device.delivered(transaction.id)
    UserDefaults.standard.synchronize()
    await transaction.finish()
    device.show(.success, aboutTransaction: transaction.id)
  }
}

/// Unlocks at once what a parent has yet to agree to.
private final class Hasty: Careful {
  required init(device: SimulatedDevice) {
    device.watchBalance(forKey: "coins", amounts: ["coins": 1])
    super.init(device: device)
  }

  override func pending(_ productID: String) {
    UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "coins") + 1, forKey: "coins")
  }
}

/// Asks for no second payment while the first is under way.
private final class Guarded: Careful {
  private var isBuying = false

  override func buy(_ productID: String) async -> PurchaseMessage {
    guard !isBuying else { return .nothing }
    isBuying = true
    defer { isBuying = false }
    return await super.buy(productID)
  }
}

/// Needs longer to deliver than anybody waits.
private final class Slow: Careful {
  override func handle(_ result: VerificationResult<Transaction>, _ way: String) async {
    try? await Task.sleep(for: .seconds(45))
    await super.handle(result, way)
  }
}

/// Takes an unverified transaction for a purchase.
private final class Trusting: Careful {
  override func unverified(_ transaction: Transaction) async { await grant(transaction) }
}

/// Throws away what it cannot verify.
private final class Rash: Careful {
  override func unverified(_ transaction: Transaction) async { await transaction.finish() }
}

/// Says what StoreKit 1 calls back.
@MainActor
private final class Classic: NSObject, SimulatedApp, SKProductsRequestDelegate {
  private final class Observer: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    var device: SimulatedDevice?

    func paymentQueue(
      _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
      for transaction in transactions { MainActor.assumeIsolated { handle(transaction, queue) } }
    }

    @MainActor
    private func handle(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
      let code = (transaction.error as? SKError)?.code
      print(
        "\(transaction.transactionState), identifier \(transaction.transactionIdentifier ?? "nil")"
          .replacing(/2000\d+/, with: "there") + (code.map { ", \($0)" } ?? ""))
      switch transaction.transactionState {
      case .purchased, .restored:
        device?.delivered(transaction)
        UserDefaults.standard.synchronize()
        queue.finishTransaction(transaction)
        device?.show(.success, about: transaction)
      case .failed:
        queue.finishTransaction(transaction)
        if code != .paymentCancelled { device?.show(.failure, about: transaction) }
      case .purchasing, .deferred: break
      }
    }
  }

  private let observer = Observer()
  private var requests: [SKProductsRequest] = []

  init(device: SimulatedDevice) {
    super.init()
    observer.device = device
    SKPaymentQueue.default().add(observer)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    let request = SKProductsRequest(productIdentifiers: [productID])
    request.delegate = self
    requests.append(request)
    request.start()
    return .nothing
  }

  nonisolated func productsRequest(
    _ request: SKProductsRequest, didReceive response: SKProductsResponse
  ) {
    guard let product = response.products.first else { return }
    SKPaymentQueue.default().add(SKPayment(product: product))
  }
}

private enum Shop<App: SimulatedApp>: HostedSystem {
  typealias App = HostedApp<App>
  typealias Backend = NoBackend
  static var entry: SystemEntry { SystemEntry(name: "outcomes", summary: "Sells coins.") }
}

@Suite("Every outcome that StoreKit has for a payment")
struct OutcomeTests {
  private func scenario<App: SimulatedApp>(
    _ app: App.Type, faults: String = "{}", heal: String = "100s"
  ) throws -> Scenario {
    let text = """
      {"version": 1, "scenarios": [{"name": "coins", "system": "outcomes",
        "products": [{"name": "coins"}],
        "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}],
        "heal": "\(heal)", "horizon": "300s", "faults": \(faults)}]}
      """
    return try #require(
      ScenarioFile.scenarios(fromJSON: text, systems: [AnySystem(Shop<App>.self)]).first)
  }

  private func record<App: SimulatedApp>(
    _ app: App.Type, _ plan: String, heal: String = "100s"
  ) throws -> (said: [String], broken: [String], charges: Int) {
    let scenario = try scenario(app, heal: heal)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [], "\(plan)")
    #expect(record.problems.isEmpty, "\(record.problems)")
    let codes = record.violations.map { scenario.invariants[$0.rule].code }.sorted()
    return (record.printed.map(\.text), codes, record.facts.count { $0.kind == .charged })
  }

  private func broken(_ scenario: Scenario, seeds: Range<UInt64>) -> Set<String> {
    let simulation = Simulation(scenario)
    return seeds.reduce(into: []) { all, seed in
      _ = simulation.run(seed: seed)
      for violation in simulation.violations {
        all.insert(scenario.invariants[violation.rule].code)
      }
    }
  }

  private static let all =
    #"{"ask-to-buy": "1/2", "unverified": "1/4", "payment-refused": "1/4", "app-crash": "1/20", "#
    + #""duplicate-callback": "1/4", "reopen": "1/8"}"#

  static let errors: [(PaymentError, classic: String, said: String)] = [
    (.clientInvalid, "clientInvalid", "PurchaseError.purchaseNotAllowed"),
    (.cancelled, "paymentCancelled", "cancelled"),
    (.invalid, "paymentInvalid", "PurchaseError.productUnavailable"),
    (.notAllowed, "paymentNotAllowed", "PurchaseError.purchaseNotAllowed"),
    (.notAvailable, "storeProductNotAvailable", "StoreKitError.notAvailableInStorefront"),
    (.cloudDenied, "cloudServicePermissionDenied", "StoreKitError.notEntitled"),
    (
      .cloudConnectionFailed, "cloudServiceNetworkConnectionFailed", "StoreKitError.networkError"
    ),
    (.cloudRevoked, "cloudServiceRevoked", "StoreKitError.systemError"),
    (.privacyNotAcknowledged, "privacyAcknowledgementRequired", "StoreKitError.unknown"),
    (.unauthorizedRequestData, "unauthorizedRequestData", "StoreKitError.notEntitled"),
    (.invalidOffer, "invalidOfferIdentifier", "PurchaseError.invalidOfferIdentifier"),
    (.invalidOfferSignature, "invalidSignature", "PurchaseError.invalidOfferSignature"),
    (.missingOfferParameters, "missingOfferParams", "PurchaseError.missingOfferParameters"),
    (.invalidOfferPrice, "invalidOfferPrice", "PurchaseError.invalidOfferPrice"),
    (.ineligibleForOffer, "ineligibleForOffer", "PurchaseError.ineligibleForOffer"),
    (.unsupportedPlatform, "unsupportedPlatform", "StoreKitError.unsupported"),
  ]

  @Test("A payment that is refused ends with StoreKit's error, in both generations, and no charge")
  func refused() throws {
    #expect(Self.errors.map(\.0) == PaymentError.allCases)
    for (error, classic, said) in Self.errors {
      let plan = "refuse store.payment tx1 #1 = \(error.rawValue)"
      let modern = try record(Careful.self, plan)
      #expect(modern.said.first == said)
      let old = try record(Classic.self, plan)
      #expect(
        old.said.prefix(2) == ["purchasing, identifier nil", "failed, identifier nil, \(classic)"])
      // Who cancels does not try again, and who is told that it failed does.
      let charges = error == .cancelled ? 0 : error == .cloudConnectionFailed ? 0 : 1
      #expect(modern.charges == charges, "\(error)")
      #expect(old.charges == (error == .cancelled ? 0 : 1), "\(error)")
      #expect(modern.broken == [])
      #expect(old.broken == [])
    }
  }

  @Test("Somebody else agrees: the app is told 'pending', and the transaction comes by itself")
  func approved() throws {
    let modern = try record(Careful.self, "defer store.payment tx1 #1")
    #expect(modern.said == ["pending", "update: verified"])
    #expect(modern.broken == [])
    let old = try record(Classic.self, "defer store.payment tx1 #1")
    #expect(
      old.said == [
        "purchasing, identifier nil", "deferred, identifier nil", "purchased, identifier there",
      ])
    #expect(old.broken == [])
  }

  @Test("Somebody else does not agree: StoreKit 2 tells nobody, StoreKit 1 that it was cancelled")
  func declined() throws {
    let plan = "defer store.payment tx1 #1, decline store.approval tx1 #1"
    let modern = try record(Careful.self, plan)
    #expect(modern.said == ["pending"])
    #expect(modern.broken == [])
    let old = try record(Classic.self, plan)
    #expect(old.said.last == "failed, identifier nil, paymentCancelled")
    #expect(old.broken == [])
    #expect(modern.charges + old.charges == 0)
  }

  @Test("Who is asked may agree when the app is closed: what was charged comes at the next launch")
  func approvedLater() throws {
    let plan =
      "defer store.payment tx1 #1, delay store.approval tx1 #1 = 60000, reopen app tx1 #1, "
      + "delay person.quit tx1 #1 = 5000"
    let modern = try record(Careful.self, plan)
    #expect(modern.said.contains("pending"))
    #expect(modern.said.last?.hasSuffix(": verified") == true)
    #expect(modern.charges == 1)
    #expect(modern.broken == [])
  }

  @Test("What is unlocked while it is pending is free goods, and a second time when it is paid")
  func unlockedWhilePending() throws {
    let paid = try record(Hasty.self, "defer store.payment tx1 #1")
    #expect(Set(paid.broken).isSuperset(of: ["I02", "I05", "I22"]))
    let declined = try record(
      Hasty.self, "defer store.payment tx1 #1, decline store.approval tx1 #1")
    #expect(Set(declined.broken).isSuperset(of: ["I05", "I22"]))
    #expect(try record(Hasty.self, "").broken == [])
  }

  @Test("A transaction that the device cannot verify is verified at the next launch")
  func unverified() throws {
    let errors = [
      "revokedCertificate", "invalidCertificateChain", "invalidDeviceVerification",
      "invalidEncoding", "invalidSignature", "missingRequiredProperties",
    ]
    for (index, error) in errors.enumerated() {
      let plan = "doubt store.transaction tx1 #1 = \(index + 1)"
      let modern = try record(Careful.self, plan)
      #expect(modern.said.first == "result: unverified, \(error)")
      #expect(modern.said.last?.hasSuffix(": verified") == true)
      #expect(modern.broken == [])
      #expect(Set(try record(Rash.self, plan).broken).isSuperset(of: ["I01", "I03"]))
    }
  }

  @Test("A transaction is unverified only if a later launch can verify it")
  func doubtNeedsLaunch() throws {
    func asks(_ change: (inout Setup) -> Void) throws -> Bool {
      var scenario = try scenario(Careful.self, heal: "100s")
      scenario.setup.mix = FaultMix()
      change(&scenario.setup)
      let record = try Simulation(scenario).record(
        seed: nil, plan: Plan(parsing: ""), listsQuestions: true)
      return record.questions.contains { $0.question == .doubtTransaction }
    }
    #expect(try asks { $0.reopenEveryMillis = 60_000 })
    #expect(try !asks { $0.reopenEveryMillis = nil })
  }

  @Test("What the person's own device has made up is unverified for good, and was never charged")
  func forged() throws {
    let plan = "forge store.payment tx1 #1"
    let modern = try record(Careful.self, plan)
    #expect(modern.said == ["result: unverified, invalidSignature"])
    #expect(modern.charges == 0)
    #expect(modern.broken == [])
    #expect(try record(Trusting.self, plan).broken.contains("I05"))
  }

  @Test(
    "A second tap brings a second payment sheet, which people cancel unless they confirm it too")
  func secondSheet() throws {
    // The first sheet is still there when the second comes.
    let twice = "repeat person.tap tx1 #1, delay store.charge tx1 #1 = 500"
    let cancelled = try record(Careful.self, twice)
    #expect(cancelled.said.contains("cancelled"))
    #expect(cancelled.charges == 1)
    #expect(cancelled.broken == [])
    let confirmed = try record(
      Careful.self, "\(twice), confirm person.payment tx1/2 #1")
    #expect(confirmed.charges == 2)
    #expect(confirmed.broken == ["I13"])
    // Of the first sheet nothing came, which is no word about the second.
    let once = try record(
      Careful.self,
      "\(twice), confirm person.payment tx1/2 #1, refuse store.payment tx1 #1 = 3")
    #expect(once.charges == 1)
    #expect(once.broken == [])
    // Nor is there a word to wait for after the second is cancelled, where the first was answered.
    let later =
      "repeat person.tap tx1 #1, delay person.tap tx1 #1 = 500, defer store.payment tx1 #1, "
      + "delay store.approval tx1 #1 = 60000"
    let patient = try record(Slow.self, later, heal: "20s")
    #expect(patient.said.contains("cancelled") && patient.charges == 1)
    #expect(patient.broken == [])
    // Who knows that the first is pending takes no second sheet for the same.
    let taps = #"{"double-tap": "9/10", "ask-to-buy": "9/10"}"#
    #expect(broken(try scenario(Guarded.self, faults: taps), seeds: 0..<200) == [])
  }

  @Test("An app that knows every outcome is not blamed, whatever strikes")
  func sound() throws {
    let found = broken(try scenario(Careful.self, faults: Self.all), seeds: 0..<600)
    #expect(found == [])
    #expect(
      broken(try scenario(Trusting.self, faults: Self.all), seeds: 0..<300).contains("I05"))
  }

  @Test("A design's own app is told of none of it, and its scenarios mean what they did")
  func designs() throws {
    #expect(Fault.allCases.filter(\.isOutcome).map(\.code) == ["F15", "F22", "F24"])
    var scenario = try PropertyTest.scenario(for: ExactlyOnce.self)
    #expect(scenario.setup.mix.faults.contains(.askToBuy))
    let model = Model(of: scenario)
    for fault in Fault.allCases where fault.isOutcome { scenario.setup.mix.entries[fault] = nil }
    #expect(Model(of: scenario) == model)
  }
}

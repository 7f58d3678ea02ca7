import Invariants
import TestSupport
import Testing

@testable import ChaosStore

@Suite("A world that takes what it sells from a .storekit file")
struct StoreKitWorldTests {
  private static let systems = BuiltIn.systems + [AnySystem(ToldShop.self)]

  private func scenario(
    _ keys: String, settings: String = "", steps: String = ScenarioText.buyCoins
  ) throws -> Scenario {
    let text = #"""
      {"version": 1, "worlds": {"shop": {"storekit": "Shop.storekit", "steps": \#(steps)}},
       "scenarios": [{"name": "s", "world": "shop", \#(keys)}]}
      """#
    return try #require(
      ScenarioFile.scenarios(fromJSON: text, systems: Self.systems) {
        $0 == "Shop.storekit" ? StoreKitSample.file(settings: settings) : nil
      }.first)
  }

  private func refusal(
    _ keys: String, worlds: String = "", _ contents: ((String) throws -> String?)?
  ) -> String? {
    let text = ScenarioText.file(keys, worlds: worlds)
    do {
      _ = try ScenarioFile.scenarios(
        fromJSON: text, systems: ScenarioText.systems, contents: contents)
      return nil
    } catch { return "\(error)" }
  }

  @Test("sells all of it, and is written as a world that needs no file")
  func products() throws {
    let scenario = try scenario(
      #""system": "exactly-once", "backend": "idempotent""#,
      settings: #""_billingGracePeriodEnabled": true, "_billingIssuesEnabled": true"#)
    #expect(scenario.setup.products.map(\.name) == ["coins", "map", "tea.pot", "tea.cup"])
    #expect(
      scenario.setup.products.map(\.kindName) == [
        "consumable", "non-consumable", "auto-renewable", "auto-renewable",
      ])
    #expect(scenario.setup.products.map { $0.renewal?.level } == [nil, nil, 1, 2])
    #expect(scenario.setup.products.map { $0.renewal?.graceDays } == [nil, nil, 16, 6])
    let again = try #require(
      ScenarioFile.scenarios(fromJSON: scenario.json, systems: Self.systems).first)
    #expect(again.setup == scenario.setup && again.json == scenario.json)
  }

  // MARK: - Switches

  struct Switched: Sendable, CustomTestStringConvertible {
    var setting: String
    var question: Question
    var system = #""system": "exactly-once", "backend": "idempotent""#
    var steps = ScenarioText.buyCoins
    var more = ""

    var testDescription: String { setting }
  }

  private static func error(_ name: String) -> String {
    #""_storeKitErrors": [{"current": null, "enabled": true, "name": "\#(name)"}]"#
  }

  private static let told = #""system": "told-shop", "backend": "idempotent""#

  static let switches: [Switched] = [
    Switched(setting: #""_failTransactionsEnabled": true"#, question: .declinePayment),
    Switched(setting: #""_billingIssuesEnabled": true"#, question: .interruptPayment),
    Switched(setting: #""_askToBuyEnabled": true"#, question: .deferPayment, system: told),
    Switched(
      setting: #""_renewalBillingIssuesEnabled": true"#, question: .failRenewal,
      steps: #"[{"at": "1s", "buy": "tea.pot"}]"#,
      more: #", "heal": "70d", "horizon": "80d", "reopenEvery": "7d""#),
    Switched(
      setting: error("Load Products"), question: .failProducts,
      system: #""system": "observer-on-demand", "backend": "naive""#),
    Switched(setting: error("Purchase"), question: .declinePayment),
    Switched(setting: error("Verification"), question: .doubtTransaction, system: told),
  ]

  private func decisions(_ one: Switched, setting: String) throws -> [Decision] {
    let scenario = try scenario(one.system + one.more, settings: setting, steps: one.steps)
    return Simulation(scenario).record(seed: 1).faults.decisions
  }

  @Test(
    "meets the fault that a switch of the file is, and only where it is on", arguments: switches)
  func strikes(_ one: Switched) throws {
    let on = try decisions(one, setting: one.setting)
    #expect(!on.isEmpty && on.allSatisfy { $0.question == one.question })
    let off = one.setting.replacing(": true", with: ": false")
    #expect(try decisions(one, setting: off) == [])
  }

  @Test("has what its file switches on beside a mix, and a fault that is named before both")
  func mixes() throws {
    let system = #""system": "exactly-once", "backend": "idempotent""#
    let setting = #""_failTransactionsEnabled": true"#
    func entry(_ faults: String) throws -> FaultMix.Entry? {
      try scenario(system + #", "faults": \#(faults)"#, settings: setting)
        .setup.mix.entries[.failureFirst]
    }
    let always = FaultMix.Entry(chance: try #require(Ratio(1, 1)), sites: [.declinePayment])
    #expect(try entry("{}") == always)
    #expect(try entry(#"{"response-lost": "1/2"}"#) == always)
    #expect(try entry(#"{"mix": "all"}"#) == always)
    #expect(try entry(#"{"failure-first": "1/3"}"#)?.chance == Ratio(1, 3))
    #expect(try entry(#"{"mix": "all", "F03": 0}"#) == nil)
  }

  // MARK: - Refusals

  @Test("is refused where it has products as well, of its own or of a world that it extends")
  func both() {
    let contents: (String) throws -> String? = { _ in StoreKitSample.file() }
    #expect(
      refusal(#""storekit": "Shop.storekit", "products": [{"name": "coins"}]"#, contents)
        == "scenarios[0].storekit: found 'Shop.storekit', expected it only where there are no products"
    )
    #expect(
      refusal(
        #""world": "w", "products": [{"name": "coins"}]"#,
        worlds: #""w": {"storekit": "Shop.storekit"}"#, contents)
        == "worlds.w.storekit: found 'Shop.storekit', expected it only where there are no products (in scenarios[0])"
    )
  }

  @Test("is refused with the file's own place where something is wrong in the file")
  func wrongFile() {
    let key = #""storekit": "a/Shop.storekit""#
    let path = "the path of a .storekit file, from this file's folder on"
    #expect(
      refusal(#""storekit": 5"#) { _ in nil } == "scenarios[0].storekit: found 5, expected \(path)")
    #expect(
      refusal(key) { _ in nil }
        == "scenarios[0].storekit: found 'a/Shop.storekit', which is not there, expected \(path)")
    struct Torn: Error, CustomStringConvertible { var description = "the disk is torn" }
    #expect(
      refusal(key) { _ in throw Torn() }
        == "scenarios[0].storekit: found 'a/Shop.storekit', which cannot be read: the disk is torn, expected \(path)"
    )
    #expect(
      refusal(key, nil)
        == "scenarios[0].storekit: found 'a/Shop.storekit', expected products in its place, as no file can be read from here"
    )
    #expect(
      refusal(key) { _ in "{\n \"version\": 4,}" }
        == "a/Shop.storekit: line 2, column 15: found '}', expected a key in quotation marks")
    #expect(
      refusal(key) { _ in "[]" }
        == "a/Shop.storekit: found a list, expected an object, as Xcode writes it")
    #expect(
      refusal(key) { _ in StoreKitSample.file().replacing("P1W", with: "weekly") }
        == "a/Shop.storekit: subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod: found 'weekly', expected how long a payment lasts, such as P1W, P1M or P1Y"
    )
    #expect(
      refusal(key) { _ in #"{"version": {"major": 4}, "products": []}"# }
        == "a/Shop.storekit: products: found nothing that is simulated, expected at least one product here or in subscriptionGroups"
    )
  }

  @Test("reads a file once, however many worlds and scenarios name it")
  func once() throws {
    let text = #"""
      {"version": 1, "worlds": {"a": {"storekit": "S"}, "b": {"extends": "a", "retaps": 2}},
       "topics": {"t": {"world": "b", "heal": "50s", "steps": [{"at": 0, "buy": "coins"}]}},
       "scenarios": [{"name": "s", "topic": "t", "retaps": 0, "system": "two-variants"}]}
      """#
    var read = 0
    let scenarios = try ScenarioFile.scenarios(fromJSON: text, systems: ScenarioText.systems) { _ in
      read += 1
      return StoreKitSample.file()
    }
    #expect(scenarios[0].setup.products.count == 4 && read == 1)
  }
}

/// The corrected design under a name of its own, told of every outcome that StoreKit has, as hosted apps are.
private enum ToldShop: PurchaseSystem {
  static let entry = SystemEntry(
    name: "told-shop", summary: "For these tests.", backends: [.idempotent])

  struct App: PurchaseApp {
    static let takesAnyOutcome = true
    private var sound: ExactlyOnce.App

    init(_ launch: Launch) { sound = ExactlyOnce.App(launch) }

    mutating func launched(_ phone: Phone) { sound.launched(phone) }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { sound.tapped(tap, phone) }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      sound.updated(transaction, phone)
    }
    mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
      sound.purchaseEnded(result, for: tap, phone)
    }
    mutating func replied(_ reply: Reply, _ phone: Phone) { sound.replied(reply, phone) }
    mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone) {
      sound.timerFired(tag, about: transaction, phone)
    }
  }

  typealias Backend = ExactlyOnce.Backend
}

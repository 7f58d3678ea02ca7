import Foundation
import Testing

@testable import ChaosStore

/// Orders that exhaustive search once left out, found by reading what each event depends on.
@Suite("Orders that were left out")
struct MissedOrderTests {
  /// A scenario, bounds, and a plan that is the only one to lead to its order.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var system: String
    var world: String
    var faults = "{}"
    var bounds: (faults: Int, moves: Int, uses: Int) = (0, 1, 0)
    var plan: String
  }

  static let cases = [
    Case(
      testDescription: "An app is back from the background before or after what comes for it",
      system: #""system": "receipt-store", "backend": "naive""#,
      world: #"""
        "products": [{"name": "coins"}, {"name": "gems"}],
        "steps": [{"at": "1000ms", "device": "phone1", "buy": "coins"},
          {"at": "1003ms", "device": "phone1", "buy": "gems"}],
        "delays": {"delay store.charge": "1002..1002", "delay store.callback": 1,
          "delay person.quit": "0..100", "delay app.foreground": 1000}
        """#,
      bounds: (0, 1, 1),
      plan: "background app tx2 #1, delay person.quit tx2 #1 = 2ms"),
    Case(
      testDescription: "A listener that is taken away by a reply gets the rest of an array",
      system: #""system": "observer-on-demand", "backend": "idempotent""#,
      world: #"""
        "products": [{"name": "coins"}, {"name": "gems"}],
        "steps": [{"at": "1000ms", "device": "phone1", "buy": "coins"},
          {"at": "1060ms", "device": "phone1", "buy": "gems"}]
        """#,
      plan: "delay verify.reply tx1 #1 = 30ms"),
    Case(
      testDescription: "What follows from a message comes in one millisecond with something else",
      system: #""system": "observe-at-launch", "backend": "idempotent""#,
      world: #"""
        "products": [{"name": "coins"}, {"name": "gems"}, {"name": "keys"}],
        "steps": [{"at": "1000ms", "device": "phone1", "buy": "coins"},
          {"at": "1150ms", "device": "phone1", "buy": "gems"},
          {"at": "1151ms", "device": "phone1", "buy": "keys"}],
        "delays": {"delay verify.reply": 10, "delay verifier.answer": 20,
          "delay store.charge": 50, "delay store.callback": 1}
        """#,
      plan: "delay verify.request tx1 #1 = 119ms"),
    Case(
      testDescription: "A purchase from outside stands for one of the same phone",
      system: #""system": "checkout-benchmark", "backend": "idempotent""#,
      world: #"""
        "products": [{"name": "coins"}], "within": "15s",
        "steps": [{"at": "1000ms", "device": "phone1", "buy": "coins"},
          {"at": "1000ms", "device": "phone1", "buyOutside": "coins"}],
        "delays": {"delay store.charge": "50..53", "delay store.callback": "1..1"}
        """#,
      plan: "delay store.charge tx1 #1 = 52ms"),
    Case(
      testDescription: "What another phone is handed is in the first one's queue no longer",
      system: #""system": "exactly-once", "variant": "storekit1", "backend": "idempotent""#,
      world: #"""
        "products": [{"name": "coins"}],
        "devices": [{"storeAccount": "apple1"}, {"storeAccount": "apple1"}],
        "steps": [{"at": "500ms", "device": "phone2", "do": "quit"},
          {"at": "1000ms", "device": "phone1", "buy": "coins"},
          {"at": "30995ms", "device": "phone2", "do": "open"}],
        "delays": {"delay verifier.answer": "60s..60s"}
        """#,
      plan: "delay store.callback tx1 #2 = 5ms"),
    Case(
      testDescription: "What a purchase returns is marked as handed over after it is called back",
      system: #""system": "storekit2-order-token", "backend": "idempotent""#,
      world: #"""
        "products": [{"name": "coins"}],
        "steps": [{"at": "1000ms", "device": "phone1", "buy": "coins"}]
        """#,
      faults: #"""
        {"buy-while-unfinished": {"chance": 1},
          "app-crash": {"chance": 1, "at": ["crash app on callback", "crash app before finish"]}}
        """#,
      bounds: (2, 0, 0),
      plan: "repeat person.purchase tx1 #1, crash app before finish tx1/a1 #1"),
  ]

  @Test("Its plan is run", arguments: cases)
  func isRun(_ missed: Case) throws {
    let horizon = missed.world.contains("within") ? "110s" : "130s"
    let text = #"""
      {"version": 1, "worlds": {"w": {"heal": "15s", "horizon": "\#(horizon)", "reopenEvery": "never",
        \#(missed.world)}},
       "scenarios": [{"name": "missed", \#(missed.system), "world": "w",
         "faults": \#(missed.faults), "allow": "*"}]}
      """#
    let scenario = try #require(
      try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems).first)
    var budget = Budget(faults: missed.bounds.faults)
    (budget.moves, budget.uses) = (missed.bounds.moves, missed.bounds.uses)
    budget.listsPlans = true
    let proof = try #require(Exhaustive().search(scenario, budget).proof)
    #expect(proof.ran.map(\.description).contains(missed.plan))
    let plan = try Plan(parsing: missed.plan)
    #expect(Simulation(scenario).follow(Origin(plan: plan)).unmatched == [])
  }
}

import ChaosStore
import Invariants
import Testing

@Suite("A scenario with one number changed")
struct ScenarioMutationTests {
  /// A number of a scenario, by where it stands.
  struct Number: Sendable, CustomTestStringConvertible {
    var name: String
    var set: @Sendable (inout Scenario, Int) -> Void
    var testDescription: String { name }

    init(_ name: String, _ set: @escaping @Sendable (inout Setup, Int) -> Void) {
      self.name = name
      self.set = { set(&$0.setup, $1) }
    }

    init(ofScenario name: String, _ set: @escaping @Sendable (inout Scenario, Int) -> Void) {
      self.name = name
      self.set = set
    }
  }

  /// Nothing, the neighbours of each limit and count, and what fits no table.
  private static let values =
    Array(-1...3) + [
      7, 8, 9, 10, 11, 64, 100, 101, 2000, 2001, 20_000, 30_001, 60_000, 60_001, 1_000_000,
      1_000_001,
      86_400_001, 1 << 26, 1 << 26 + 1, 137_438_953_471, 137_438_953_472, 1_000_000_000_000,
      1_000_000_000_001, 1 << 38, .max, .min,
    ]

  @Test(
    "is refused, or runs; and a file that says the same is refused and taken likewise",
    arguments: Self.numbers)
  func eitherRefusedOrRun(_ number: Number) throws {
    var taken = 0
    for value in Self.values {
      var scenario = try ScenarioValidationTests.valid()
      number.set(&scenario, value)
      // Neither may trap, whatever stands there.
      let text = scenario.json
      _ = Model(of: scenario)
      let isTaken: Bool
      do {
        let simulation = try Simulation(validating: scenario)
        isTaken = true
        taken += 1
        _ = simulation.run(seed: 7)
      } catch { isTaken = false }
      let isRead = ScenarioText.refusal(text) == nil
      if isRead != isTaken, number.name != "variant" {
        Issue.record(
          "\(value): \(isTaken ? "taken" : "refused") in Swift, \(ScenarioText.refusal(text) ?? "read")"
        )
      }
    }
    #expect(taken > 0)
    #expect(taken < Self.values.count)
  }

  static let numbers: [Number] =
    [
      Number("accounts") { $0.accounts = $1 },
      Number("storeAccounts") { $0.storeAccounts = $1 },
      Number("heal") { $0.healMillis = Int64($1) },
      Number("horizon") { $0.horizonMillis = Int64($1) },
      Number("reopenEvery") { $0.reopenEveryMillis = Int64($1) },
      Number("within") { $0.withinMillis = Int64($1) },
      Number("retaps") { $0.retaps = UInt32(clamping: $1 &- 1) },
      Number("eventLimit") { $0.eventLimit = $1 },
      Number("variant") { $0.variant = $1 },
      Number("arrivals.count") {
        $0.steps = []
        $0.arrivals = .init(count: $1, overMillis: 5)
      },
      Number("arrivals.over") {
        $0.steps = []
        $0.arrivals = .init(count: 3, overMillis: Int64($1))
      },
      Number("most") { $0.mix.entries[.appCrash]?.most = UInt32(clamping: $1) &- 1 },
      Number("delay from 0") { $0.mix.delays[.delayCharge] = 0...max(0, Int64($1)) },
      Number("delay to a day") {
        $0.mix.delays[.delayCharge] = min(Int64($1), 86_400_000)...86_400_000
      },
      Number(ofScenario: "seeds") { $0.seeds = $1 },
    ]
    + (0..<3).flatMap { device in
      [
        Number("devices[\(device)].storeAccount") { $0.devices[device].storeAccount = $1 },
        Number("devices[\(device)].account") { $0.devices[device].account = $1 },
      ]
    }
    + (0..<5).flatMap { step in
      [
        Number("steps[\(step)].at") { $0.steps[step].atMillis = Int64($1) },
        Number("steps[\(step)].device") { $0.steps[step].device = $1 },
      ]
    }
    + [
      Number("buy.product") {
        $0.steps[0].action = .buy(product: $1, quantity: 1, account: 0)
      },
      Number("buy.quantity") {
        $0.steps[0].action = .buy(product: 0, quantity: UInt32(clamping: $1), account: 0)
      },
      Number("buy.account") {
        $0.steps[0].action = .buy(product: 0, quantity: 1, account: $1)
      },
      Number("buyOutside.product") {
        $0.steps[1].action = .buyOutside(product: $1, quantity: 1, account: 0)
      },
      Number("buyOutside.account") {
        $0.steps[1].action = .buyOutside(product: 0, quantity: 1, account: $1)
      },
      Number("logIn.account") { $0.steps[2].action = .logIn(account: $1) },
    ]
}

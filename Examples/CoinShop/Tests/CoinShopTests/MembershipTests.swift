import ChaosStore
import CoinShopSimulation
import Foundation
import Invariants
import Testing

@Suite struct `A membership` {
  private static let day: Int64 = 86_400_000

  private func scenario(_ name: String = "member-shop") throws -> Scenario {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "scenarios.json")
    let systems = [
      AnySystem(CoinShop2.self), AnySystem(CoinShop1.self), AnySystem(HastyCoinShop.self),
      AnySystem(MemberShop.self), AnySystem(TrustingMemberShop.self),
    ]
    let all = try ScenarioFile.scenarios(
      fromJSON: String(contentsOf: file, encoding: .utf8), systems: systems)
    return try #require(all.first { $0.name == name })
  }

  /// Until which day each entry of the backend lets somebody in, in order.
  private func days(_ plan: String) throws -> [Int64] {
    let scenario = try scenario()
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.problems.isEmpty)
    #expect(record.broken(in: scenario) == [])
    var days: [Int64] = []
    for fact in record.facts where fact.kind == .granted {
      let day = Int64(fact.amount) * 1000 / Self.day
      if days.last != day { days.append(day) }
    }
    return days
  }

  @Test func `is paid for month by month`() throws {
    #expect(try days("") == [30, 61, 92, 121])
  }

  @Test func `is over where somebody turns its renewal off`() throws {
    #expect(try days("cancel person.renewal tx1 #1") == [30])
  }

  @Test func `goes on for its grace where it cannot be paid for`() throws {
    let plan = "fail store.renewal tx1 #1, abandon store.renewal tx1 #1"
    #expect(try days(plan) == [30, 46])
  }

  @Test func `ends with its refund, whether Apple can tell the backend or not`() throws {
    let plan = "refund store.charge tx1 #1, delay store.refund tx1 #1 = 864000000ms"
    #expect(try days(plan) == [30, 10])
    let lost = (2...7).map { "drop store.notification tx1 #\($0)" }.joined(separator: ", ")
    #expect(try days(plan + ", " + lost) == [30, 10])
  }

  @Test func `is back after its refund where old news is believed`() throws {
    let plan = "refund store.charge tx1 #1, drop store.notification tx1 #1"
    let scenario = try scenario("trusting-member-shop")
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.broken(in: scenario).contains("news-in-order"))
  }
}

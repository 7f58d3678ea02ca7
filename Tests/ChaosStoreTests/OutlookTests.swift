import Foundation
import Invariants
import Testing

@testable import ChaosStore

@Suite struct OutlookTests {
  private static func scenario(_ name: String) throws -> Scenario {
    try #require(try ScenarioText.ofThePackage().first { $0.name == name })
  }

  /// A run that breaks a rule, and which one.
  private static func broken(_ name: String, _ rule: String) throws -> (Simulation, Record, Int) {
    let scenario = try scenario(name)
    let simulation = Simulation(scenario)
    let position = try #require(scenario.invariants.firstIndex { $0.name == rule })
    let seed = try #require(
      (0..<2000).first { simulation.run(seed: $0).broken & 1 << UInt64(position) != 0 })
    return (simulation, simulation.record(seed: seed), position)
  }

  @Test(arguments: ["receipt-store/naive/crash-before-finish", "white-black-tables/naive/mixed"])
  func `At the beginning an outlook is what so many seeds come to, at the end what the run came to`(
    _ name: String
  ) throws {
    let (simulation, record, rule) = try Self.broken(name, "no-double-credit")
    let outlook = simulation.outlook(of: record, breaking: rule, runs: 40)
    #expect(outlook.broken.count == record.outcome.events + 1)
    let seeds = (0..<40).count { simulation.run(seed: $0).broken & 1 << UInt64(rule) != 0 }
    #expect(outlook.broken.first == seeds)
    #expect(outlook.broken.last == 40)
    #expect(outlook.broken.allSatisfy { (0...40).contains($0) })
  }

  @Test func `Where it became unavoidable, and not before, all other seeds break it`() throws {
    let (simulation, record, rule) = try Self.broken(
      "receipt-store/naive/crash-before-finish", "no-double-credit")
    let outlook = simulation.outlook(of: record, breaking: rule, runs: 40)
    let event = try #require(outlook.unavoidableFrom)
    #expect(event > 0)
    #expect(outlook.broken[event - 1] < 40)
    #expect(outlook.broken[event...].allSatisfy { $0 == 40 })
    // It is no later than the fact that broke it.
    let fact = try #require(record.violations.first { $0.rule == rule })
    let entry = try #require(record.timeline.entries.first { $0.position == fact.position })
    #expect(event <= entry.event)
  }

  @Test func `Of a long run some events are looked at, and the ends always`() throws {
    let (simulation, record, rule) = try Self.broken(
      "receipt-store/naive/crash-before-finish", "no-double-credit")
    let whole = simulation.outlook(of: record, breaking: rule, runs: 8)
    let sparse = simulation.outlook(of: record, breaking: rule, runs: 8, mostEvents: 3)
    #expect(sparse.broken.count == whole.broken.count)
    #expect(sparse.broken.first == whole.broken.first)
    #expect(sparse.broken.last == whole.broken.last)
  }

  @Test func `An outlook leaves nothing behind in the simulation`() throws {
    let (simulation, record, rule) = try Self.broken(
      "receipt-store/naive/crash-before-finish", "no-double-credit")
    _ = simulation.outlook(of: record, breaking: rule, runs: 3)
    #expect(simulation.record(record.origin).outcome.trace == record.outcome.trace)
  }
}

@Suite struct DurableStateTests {
  private static func state(_ facts: [Fact]) -> DurableState.Purchase {
    var state = DurableState(names: ["tx1"])
    for fact in facts { state.take(fact) }
    return state.purchases[0]
  }

  private static func fact(_ kind: Fact.Kind, _ amount: UInt32 = 0) -> Fact {
    var fact = Fact(kind, at: .start)
    fact.transaction = TransactionID(0)
    fact.amount = amount
    return fact
  }

  @Test func `What the store, the ledger and the phone have written down is told of each purchase`()
  {
    let bought = Self.state([Self.fact(.charged), Self.fact(.saved), Self.fact(.credited)])
    #expect(
      [bought.money, bought.queue, bought.goods, bought.phone] == [
        "charged", "unfinished", "credited", "record",
      ])
    let twice = Self.state([
      Self.fact(.charged), Self.fact(.credited), Self.fact(.credited), Self.fact(.finished),
      Self.fact(.saved), Self.fact(.erased),
    ])
    #expect(
      [twice.money, twice.queue, twice.goods, twice.phone] == [
        "charged", "finished", "credited 2 times", "",
      ])
    let back = Self.state([
      Self.fact(.charged), Self.fact(.credited), Self.fact(.refunded, 1000),
      Self.fact(.reversed, 1000),
    ])
    #expect([back.money, back.goods] == ["given back", "credited, taken back"])
    #expect(
      Self.state([Self.fact(.charged), Self.fact(.refunded, 250)]).money
        == "charged, 25 % given back")
    #expect(Self.state([Self.fact(.deferred)]).money == "pending")
    #expect(Self.state([Self.fact(.restored)]).money == "no charge")
    #expect(Self.state([]).money == "")
  }

  @Test func `Only what is durable changes it, and facts about nothing that is known do not`() {
    var state = DurableState(names: ["tx1"])
    let (delivered, charged) = (state.take(Self.fact(.delivered)), state.take(Self.fact(.charged)))
    #expect(!delivered && charged)
    var unknown = Self.fact(.credited)
    unknown.transaction = TransactionID(7)
    let other = state.take(unknown)
    unknown.transaction = .none
    let none = state.take(unknown)
    #expect(!other && !none)
  }
}

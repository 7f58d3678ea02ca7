import ChaosStore
import Invariants
import Testing

@Suite("A system of somebody else's")
struct OwnSystemTests {
  private func scenario(_ faults: [Fault]) -> Scenario {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 270_000
    setup.mix = FaultMix(faults)
    return Scenario(name: "own", system: AnySystem(ForgetfulShop.self), setup: setup)
  }

  @Test("A system of somebody else's holds every invariant when nothing goes wrong")
  func quiet() {
    let scenario = scenario([])
    let record = Simulation(scenario).record(seed: nil)
    #expect(record.broken(in: scenario) == [])
    #expect(record.count(.credited) == 1)
  }

  @Test("A system that credits twice is caught by a seed, and by the plan that the seed amounts to")
  func caught() throws {
    let scenario = scenario([.responseLost, .duplicateCallback])
    let campaign = Campaign(scenario, seeds: 0..<500).run()
    let rule = try #require(scenario.invariants.firstIndex { $0.name == "no-double-credit" })
    #expect(campaign.rules[rule].runs > 0)
    let record = Simulation(scenario).record(seed: campaign.rules[rule].firstSeed)
    #expect(record.broken(in: scenario).contains("no-double-credit"))
    let replayed = Simulation(scenario).record(seed: nil, plan: record.faults)
    #expect(replayed.broken(in: scenario).contains("no-double-credit"))
  }

  @Test("A system of somebody else's may use its ports with things that do not exist without harm")
  func carelessUse() {
    enum Careless: PurchaseSystem {
      static let entry = SystemEntry(name: "careless", summary: "Uses what is not there.")

      struct App: PurchaseApp {
        init(_ launch: Launch) {}
        mutating func launched(_ phone: Phone) {
          phone.finish(.none)
          phone.tell(.success, about: TransactionID(77))
          phone.add(.none)
          phone.purchase(.none)
          phone.loadProducts(for: .none)
          _ = phone.evidence(for: TransactionID(5))
          phone.save(StoredRecord(transaction: .none), key: 1)
          phone.erase(key: 9)
          phone.startTimer(after: 10, about: TransactionID(9))
          phone.startTimer(after: -5)
          phone.startTimer(after: .max)
          phone.send(
            Report(
              session: .none, transaction: TransactionID(3),
              evidence: phone.evidence(for: .none)),
            about: TransactionID(12))
        }
        mutating func tapped(_ tap: Tap, _ phone: Phone) {}
      }

      struct Backend: PurchaseBackend {
        init(_ launch: Launch) {}
        mutating func received(_ report: Report, _ server: Server) {
          let nothing = server.purchase(TransactionID(44))
          server.credit(nothing, to: .none)
          server.commit(nothing, to: .none)
          server.record(nothing)
          server.attribute(nothing, to: .none)
          server.verify(.transaction)
          server.verify(.productionReceipt)
          server.pause(1, about: nothing)
        }
        mutating func resumed(
          at step: UInt8, about transaction: TransactionID, for report: Report,
          _ server: Server
        ) { server.drop() }
        mutating func verified(
          _ answer: VerifierAnswer, for report: Report, _ server: Server
        ) {
          server.reply(.refused)
          server.reply(.delivered)
          server.drop()
        }
      }
    }
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.mix = FaultMix(Fault.allCases)
    let scenario = Scenario(name: "careless", system: AnySystem(Careless.self), setup: setup)
    let simulation = Simulation(scenario)
    for seed in 0..<UInt64(200) { #expect(!simulation.run(seed: seed).isCutOff) }
  }

  @Test("A system that never comes to rest is cut off at the event limit, without a verdict")
  func livelock() {
    enum Restless: PurchaseSystem {
      static let entry = SystemEntry(name: "restless", summary: "Sets a timer for now, for ever.")

      struct App: PurchaseApp {
        init(_ launch: Launch) {}
        mutating func launched(_ phone: Phone) { phone.startTimer(after: 0) }
        mutating func tapped(_ tap: Tap, _ phone: Phone) {}
        mutating func timerFired(
          _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
        ) { phone.startTimer(after: 0) }
      }

      struct Backend: PurchaseBackend {
        init(_ launch: Launch) {}
        mutating func received(_ report: Report, _ server: Server) { server.drop() }
        mutating func verified(
          _ answer: VerifierAnswer, for report: Report, _ server: Server
        ) {}
      }
    }
    var setup = Setup()
    setup.eventLimit = 5000
    let scenario = Scenario(name: "restless", system: AnySystem(Restless.self), setup: setup)
    let result = Campaign(scenario, seeds: 3..<5).run()
    #expect(result.cutOff?.seed == 3)
    #expect(result.runs == 2)
  }
}

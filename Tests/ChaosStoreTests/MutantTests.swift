import ChaosStore
import Invariants
import TestSupport
import Testing

@Suite("A planted defect")
struct MutantTests {
  /// A proof of weeks takes too long for a test; `power` shows that their defects are found.
  private static let needingSeveral = Defect.allCases.filter {
    $0.entry.coinciding > 1 && !$0.entry.world.goesOnForWeeks
  }
  private static let needingOne = Defect.allCases.filter { $0.entry.coinciding == 1 }

  private func rule(_ mutant: Mutant) throws -> Int {
    let breaks = mutant.defect.entry.breaks
    return try #require(mutant.scenario.invariants.firstIndex { $0.name == breaks })
  }

  @Test(
    "A planted defect breaks its invariant under a plan of as many decisions as it is said to need",
    arguments: Defect.allCases)
  func breaks(_ defect: Defect) throws {
    let mutant = Mutant(defect)
    let entry = defect.entry
    let plan = try Plan(parsing: entry.plan)
    let record = Simulation(mutant.scenario).record(seed: nil, plan: plan)
    #expect(record.broken(in: mutant.scenario).contains(entry.breaks))
    #expect(plan.size == entry.coinciding)
    #expect(record.unmatched == [])
    #expect(record.ruleBreaks == [])
  }

  @Test(
    "Without its planted defect the same plan breaks nothing of what the defect does",
    arguments: Defect.allCases)
  func isTheCause(_ defect: Defect) throws {
    let mutant = Mutant(defect)
    let record = Simulation(mutant.control).record(
      seed: nil, plan: try Plan(parsing: defect.entry.plan))
    #expect(!record.broken(in: mutant.control).contains(defect.entry.breaks))
  }

  @Test(
    "A planted defect that needs several decisions holds under every single one, a launch among them",
    arguments: needingSeveral)
  func needsSeveral(_ defect: Defect) throws {
    let mutant = Mutant(defect)
    let findings = Exhaustive(faults: 1, relaunches: 0).search(mutant.scenario, Budget())
    #expect(findings.rules[try rule(mutant)].smallestPlan == nil)
    #expect(findings.proof?.isWhole == true)
    #expect(findings.runs > 50)
  }

  @Test("A planted defect that needs one decision is found by trying each", arguments: needingOne)
  func needsOne(_ defect: Defect) throws {
    let mutant = Mutant(defect)
    var budget = Budget()
    budget.until = 1 << UInt64(try rule(mutant))
    let findings = Exhaustive(faults: 1).search(mutant.scenario, budget)
    #expect(findings.rules[try rule(mutant)].smallestPlan?.size == 1)
  }

  @Test("The mutant system without a defect does what exactly-once does, event by event")
  func noDrift() throws {
    for form in [ExactlyOnce.Variant.storeKit2, .storeKit1] {
      let reference = try Stage.mixed(
        "exactly-once", variant: form.rawValue, backend: .idempotent)
      let sound = Simulation(
        Scenario(
          name: "sound", system: AnySystem(MutantShop.self), variant: form.rawValue,
          setup: reference.setup))
      let simulation = Simulation(reference)
      let drifted = (0..<UInt64(150)).first { sound.run(seed: $0) != simulation.run(seed: $0) }
      #expect(drifted == nil, "\(form)")
    }
    for world in [MutantWorld.refunds, .sandboxRefunds, .subscriber, .family, .prices] {
      let reference = Simulation(
        Scenario(name: "reference", system: try Stage.system("exactly-once"), setup: world.setup))
      let sound = Simulation(
        Scenario(name: "sound", system: AnySystem(MutantShop.self), setup: world.setup))
      let drifted = (0..<UInt64(100)).first { sound.run(seed: $0) != reference.run(seed: $0) }
      #expect(drifted == nil, "\(world)")
    }
  }

  @Test(
    "A planted defect is looked for where the sound design breaks nothing of what is looked for")
  func control() throws {
    // `power` runs each of them as often as its planted defects.
    let seeds: UInt64 = whereOptimised(300, otherwise: 60)
    var seen: [String] = []
    for mutant in MutantBank.mutants where !seen.contains(mutant.control.name) {
      let control = mutant.control
      seen.append(control.name)
      let looked = MutantBank.mutants.filter { $0.control.name == control.name }
        .map(\.defect.entry.breaks)
      var broken = Campaign(control, seeds: 0..<seeds).run().broken
      if !mutant.defect.entry.world.goesOnForWeeks {
        broken |= Exhaustive(faults: 1).search(control, Budget()).broken
      }
      let names = control.invariants.indices.filter { broken >> UInt64($0) & 1 == 1 }
        .map { control.invariants[$0].name }
      #expect(names.filter(looked.contains) == [], "\(control.name)")
      if mutant.defect.entry.world.closesApps { #expect(names == [], "\(control.name)") }
    }
    #expect(seen.count == 24)
  }

  @Test("Each planted defect has an entry of its own, with an invariant that exists")
  func entries() throws {
    let entries = Defect.allCases.map(\.entry)
    #expect(entries.count >= 100)
    #expect(Set(entries.map(\.name)).count == entries.count)
    for (defect, entry) in zip(Defect.allCases, entries) {
      #expect(Defect(named: entry.name) == defect)
      #expect(entry.summary.hasSuffix("."))
      #expect(Catalogue.invariant(named: entry.breaks)?.name == entry.breaks)
      #expect((0...3).contains(entry.coinciding))
      #expect(entry.name.split(separator: "-").joined() == "\(defect)".lowercased())
    }
    #expect(Self.needingSeveral.count >= 10)
    #expect(entries.contains { $0.coinciding == 3 })
    #expect(Defect(named: "no-kye") == nil)
  }

  @Test(
    "Planted defects are variants of one system that scenarios can name, and expect to be found")
  func scenarios() {
    #expect(BuiltIn.systems.last?.variants == MutantShop.variantNames)
    for mutant in MutantBank.mutants {
      #expect(mutant.scenario.expects == [mutant.defect.entry.breaks])
      #expect(mutant.scenario.invariants.allSatisfy { mutant.scenario.permits($0.name) })
      let isOutside = mutant.defect.entry.world == .outside
      #expect(
        mutant.scenario.setup.mix.faults.filter { !$0.isNamedAlone }
          == Fault.allCases.filter {
            !$0.isNamedAlone && (mutant.scenario.setup.isWholeStore || !$0.needsWholeStore)
          }
          .filter { !isOutside || $0 != .foreignReceipt })
    }
  }
}

extension MutantWorld {
  /// Whether it goes on for weeks, with all that becomes of purchases.
  fileprivate var goesOnForWeeks: Bool { setup.isWholeStore }
  /// Whether apps are closed and opened again, so that what one life missed the next makes good.
  fileprivate var closesApps: Bool { setup.reopenEveryMillis != nil }
}

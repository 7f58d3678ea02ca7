import Invariants
import Testing

@testable import ChaosStore

@Suite("Each fault")
struct FaultStrikeTests {
  /// A scenario with sites for the fault.
  private func scenario(for fault: Fault) throws -> Scenario {
    switch fault {
    case .lateObserver:
      try Stage.mixed("observe-at-launch", variant: "late-observer")
    case .handlerTwice: try Stage.mixed("observe-at-launch")
    case .clockWrong:
      try #require(
        ScenarioText.ofThePackage().first {
          $0.name == "exactly-once-mutant/expired-by-clock/clock-wrong"
        })
    case .recordLost, .backupRestored, .reinstall: try Stage.mixed("receipt-store")
    case .dedupePruned: try Stage.mixed("observer-on-demand", variant: "cached")
    case .localVerificationSpoofed: try Stage.mixed("receipt-store", variant: "client-verifies")
    case .foreignReceipt, .receiptMissing, .receiptStale, .receiptRewritten, .productsFail,
      .visitAgain:
      try Stage.mixed("observer-on-demand")
    case _ where fault.needsSubscription: try Stage.subscription()
    case .refundProrated:
      try #require(
        ScenarioText.ofThePackage().first { $0.name == "exactly-once/storekit2/refund-prorated" })
    case .familyLeft:
      try #require(
        ScenarioText.ofThePackage().first { $0.name == "exactly-once/storekit2/family-shared" })
    case .refundUnannounced: try Stage.subscription(isLeftOpen: true)
    case .jobRepeated, .staleRead: try Stage.mixed("job-queue")
    case .historyShortened:
      Scenario(
        name: "history", system: AnySystem(HistoryShop.self),
        setup: try Stage.mixed("exactly-once").setup)
    case .commandLost: try Stage.subscription(variant: "server-finish")
    case _ where fault.needsWholeStore: try Stage.subscription()
    case .tokenHidden: try Stage.mixed("white-black-tables")
    default: try Stage.mixed("exactly-once", variant: "storekit1")
    }
  }

  @Test(
    "Each fault strikes in some run, and the run without its strikes has another history",
    arguments: Fault.allCases.filter { !$0.needsHostedApp })
  func strikesAndChangesTheHistory(_ fault: Fault) throws {
    var scenario = try scenario(for: fault)
    if fault.isNamedAlone {
      scenario.setup.mix.entries.merge(FaultMix([fault]).entries) { $1 }
    }
    let simulation = Simulation(scenario)
    let strikes = try #require(Goal(parsing: fault.name))
    for seed in 0..<UInt64(4000) {
      // To write a run down takes many times as long as to run it.
      _ = simulation.run(seed: seed)
      guard simulation.reached(strikes) else { continue }
      let struck = simulation.record(seed: seed)
      let own = struck.full.decisions.filter {
        $0.question.fault(behind: $0.answer) == fault
      }
      guard !own.isEmpty else { continue }
      let others = struck.full.decisions.filter { !own.contains($0) }
      let without = simulation.record(seed: nil, plan: Plan(others))
      if without.facts != struck.facts { return }
    }
    Issue.record("\(fault.name) changed nothing in 4000 runs")
  }

  @Test("Each fault has an entry with a code, a name, words and evidence of its own")
  func entriesAreComplete() {
    let entries = Fault.allCases.map(\.entry)
    #expect(Set(entries.map(\.code)).count == entries.count)
    #expect(Set(entries.map(\.name)).count == entries.count)
    for entry in entries {
      #expect(!entry.short.isEmpty && !entry.about.isEmpty && !entry.evidence.isEmpty)
      #expect(entry.oneIn > 1)
    }
    for fault in Fault.allCases { #expect(!fault.questions.isEmpty, "\(fault.name)") }
  }

  @Test("Each fault is found by its name and by its code")
  func names() {
    for fault in Fault.allCases {
      #expect(Fault(named: fault.name) == fault)
      #expect(Fault(named: fault.code) == fault)
    }
    #expect(Fault(named: "response-lots") == nil)
  }

  @Test("Each fault strikes no more often than its limit says, and not at all at chance zero")
  func limits() throws {
    var scenario = try Stage.mixed("exactly-once", faults: [])
    scenario.setup.mix.entries[.responseLost] = .init(
      chance: try #require(Ratio(1, 1)), most: 2)
    scenario.setup.mix.entries[.appCrash] = .init(chance: try #require(Ratio(0, 1)))
    let record = Simulation(scenario).record(seed: 1)
    #expect(record.faults.decisions.count == 2)
    #expect(record.faults.decisions.allSatisfy { $0.question == .dropReply })
  }

  @Test("No fault strikes after the heal of its scenario")
  func nothingStrikesAfterTheHeal() throws {
    for seed in 0..<UInt64(60) {
      let record = Simulation(try Stage.mixed("exactly-once")).record(seed: seed)
      for entry in record.timeline.entries where entry.participant == .fault {
        #expect(entry.at.millis < 60_000)
      }
    }
  }
}

import ChaosStore
import Testing

@Suite("The model a kept result belongs to")
struct ModelTests {
  private func model(
    followsSeed: Bool = true, _ change: (inout Scenario) throws -> Void = { _ in }
  ) throws -> Model {
    var scenario = try Stage.mixed("exactly-once", backend: .naive, faults: [.requestLost])
    try change(&scenario)
    return Model(of: scenario, followsSeed: followsSeed)
  }

  @Test("Scenarios that run the same have one model, whatever is said and judged of them")
  func same() throws {
    let other = try model { scenario in
      scenario.name = "other"
      scenario.about = "Another text."
      scenario.topic = "F40"
      scenario.seeds = 5
      scenario.invariants = []
      scenario.allows = ["conservation"]
    }
    #expect(try model() == other)
  }

  @Test(
    "Scenarios that differ in anything that decides a run have different models",
    arguments: [
      { $0.accounts = 3 }, { $0.steps[0].atMillis = 999 }, { $0.healMillis = 59_999 },
      { $0.backend = .idempotent }, { $0.variant = 1 }, { $0.retaps = 2 }, { $0.withinMillis = 9 },
      { $0.devices.swapAt(0, 1) }, { $0.products[0].name = "pearls" },
      { $0.mix.delays[.delayReply] = 3...4 }, { $0.mix.entries[.requestLost]?.most = 3 },
      { $0.reopenEveryMillis = nil }, { $0.transfersOnRestore = true }, { $0.eventLimit = 7 },
    ] as [@Sendable (inout Setup) -> Void])
  func different(change: @Sendable (inout Setup) -> Void) throws {
    #expect(try model { change(&$0.setup) } != model())
  }

  @Test("The model of a plan alone leaves out chances and limits, which bind seeds only")
  func planAlone() throws {
    let change: (inout Scenario) -> Void = { scenario in
      scenario.setup.mix.entries[.requestLost] = .init(chance: Ratio(1, 3)!, most: 1)
      scenario.setup.mix.entries[.appCrash] = .init(chance: Ratio(1, 2)!)
    }
    #expect(try model(followsSeed: false, change) == model(followsSeed: false))
    #expect(try model(change) != model())
    // An attacker asks questions of its own, in a run without a seed too.
    let attacked = try model(followsSeed: false) { scenario in
      scenario.setup.mix.entries[.forgedReceipt] = .init(chance: Ratio(1, 3)!)
    }
    #expect(try attacked != model(followsSeed: false))
  }

  @Test("A model is written and read as one word")
  func text() throws {
    let model = try model()
    #expect(Model(parsing: model.description) == model)
    #expect(model.description.hasPrefix("\(Model.version)-"))
    for text in [
      "", "1", "1-", "1-12", "-0123456789abcdef", "0-0123456789abcdef", "x-0123456789abcdef",
    ] {
      #expect(Model(parsing: text) == nil, "\(text)")
    }
    #expect(Model(parsing: "1-0123456789ABCDEF") == nil)
    #expect(Model(parsing: "01-0123456789abcdef") == nil)
    #expect(Model(parsing: "1-0123456789abcdef-2") == nil)
  }

  @Test("Models do not change by themselves: files that people keep name them")
  func pinned() throws {
    let texts = try [model().description, model(followsSeed: false).description]
    #expect(texts == ["7-cc08a519e9517214", "7-c1ce885917934c0c"])
  }
}

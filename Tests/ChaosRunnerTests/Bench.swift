import ChaosStore
import Invariants
import Synchronization

@testable import ChaosRunner

/// Runs the program the way a person does, without a process around it.
struct Bench {
  struct Output {
    var code: Int32
    var out: String
    var err: String
  }

  var scenarios = Bench.usual
  var files = ["scenarios.json": "the bench's own"]
  var width = 100
  var hasColor = false
  var isInterrupted: @Sendable () -> Bool = { false }
  var secondProcess: (([String]) -> String?)?

  func run(_ arguments: String...) -> Output { run(arguments) }

  func run(_ arguments: [String]) -> Output {
    let out = Mutex("")
    let err = Mutex("")
    let files = files
    let scenarios = scenarios
    let console = Console(
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } },
      width: width, hasColor: hasColor, isInterrupted: isInterrupted, read: { files[$0] })
    let world = Surroundings(
      systems: Self.systems, builtIn: "built in",
      parse: { (text, _) throws(ScenarioFileError) in
        guard text != "broken" else {
          throw ScenarioFileError(
            keyPath: "scenarios[0].sistem", found: "'sistem'", expected: "'system'")
        }
        return scenarios
      },
      secondProcess: secondProcess)
    let code = Runner.run(arguments: arguments, console: console, world: world)
    return Output(code: code, out: out.withLock { $0 }, err: err.withLock { $0 })
  }

  static let systems = [AnySystem(HastyShop.self), AnySystem(CheckoutBenchmark.self)]

  /// Two backends of the bad design and a good one, under two faults and under all.
  static let usual: [Scenario] = [
    hasty("hasty-lost", .naive, [.requestLost], "F40", expects: [.lost, .early], allows: [.books]),
    hasty(
      "hasty-replay", .naive, [.replayFinished], "F11", expects: [.twice, .early],
      allows: [.books]),
    hasty(
      "hasty-lost-idempotent", .idempotent, [.requestLost], "F40", expects: [.lost, .early],
      allows: [.books]),
    hasty(
      "hasty-replay-idempotent", .idempotent, [.replayFinished], "F11", expects: [.early]),
    sound("sound-lost", [.requestLost], "F40"), sound("sound-replay", [.replayFinished], "F11"),
  ]

  enum Rule: String {
    case lost = "no-charge-without-delivery"
    case twice = "no-double-credit"
    case early = "finish-only-after-credit"
    case books = "conservation"
    case queue = "queue-drains"
  }

  static func hasty(
    _ name: String, _ backend: BackendKind, _ faults: [Fault], _ topic: String,
    expects: [Rule] = [], allows: [Rule] = [], seeds: Int = 40
  ) -> Scenario {
    Scenario(
      name: name, about: "a hasty shop", system: systems[0], setup: setup(backend, faults),
      invariants: rules, expects: expects.map(\.rawValue), allows: allows.map(\.rawValue),
      seeds: seeds, topic: topic)
  }

  static func sound(
    _ name: String, _ faults: [Fault], _ topic: String, seeds: Int = 40
  ) -> Scenario {
    Scenario(
      name: name, system: systems[1], setup: setup(.idempotent, faults), invariants: rules,
      seeds: seeds, topic: topic)
  }

  static let rules = [Rule.lost, .twice, .early, .queue, .books].compactMap {
    Catalogue.invariant(named: $0.rawValue)
  }

  static func setup(_ backend: BackendKind, _ faults: [Fault]) -> Setup {
    var setup = Setup()
    setup.steps = [.init(atMillis: 100, .buy(product: 0, quantity: 1, account: 0))]
    setup.backend = backend
    // Opened again while faults still strike, so that a replay has a launch to come at.
    setup.steps += [
      .init(atMillis: 20_000, .quit), .init(atMillis: 30_000, .open),
    ]
    setup.horizonMillis = 300_000
    for fault in faults { setup.mix.entries[fault] = .init(chance: Ratio(1, 2)!, most: 2) }
    return setup
  }
}

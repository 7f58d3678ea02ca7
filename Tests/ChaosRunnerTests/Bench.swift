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
    /// The files there are afterwards.
    var files: [String: String]

    /// What was printed, wherever its lines ended.
    var onOneLine: String {
      out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  var scenarios = Bench.usual
  var files = ["scenarios.json": "the bench's own"]
  var targets: [Target] = []
  /// Those of the scenarios and what is built in: no other is run in a default world.
  var systems: [AnySystem] {
    get {
      chosenSystems
        ?? Self.systems.filter { system in
          scenarios.contains { $0.system.typeName == system.typeName }
            || BuiltIn.systems.contains { $0.typeName == system.typeName }
        }
    }
    set { chosenSystems = newValue }
  }
  private var chosenSystems: [AnySystem]?
  var reporters: [any Reporter] = Reporters.builtIn
  var width = 100
  var hasColor = false
  var isReadOnly = false
  /// Whether all lines of progress are shown.
  var showsProgress = false
  var isInterrupted: @Sendable () -> Bool = { false }
  var secondProcess: (([String]) -> String?)?
  /// Variables of the process.
  var variables: [String: String] = [:]
  /// Told of every text that is written.
  var onWrite: @Sendable (_ path: String, _ text: String) -> Void = { _, _ in }

  func run(_ arguments: String...) -> Output { run(arguments) }

  func run(_ arguments: [String]) -> Output {
    let isReadOnly = isReadOnly
    let onWrite = onWrite
    let out = Mutex("")
    let err = Mutex("")
    let store = Mutex(files)
    let scenarios = scenarios
    let targets = targets
    var console = Console(
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } },
      width: width, hasColor: hasColor, showsProgress: showsProgress, isInterrupted: isInterrupted,
      read: { path in store.withLock { $0[path] } },
      list: { folder in
        let names = store.withLock { files in
          files.keys.filter { $0.hasPrefix(folder + "/") }.map { $0.dropFirst(folder.count + 1) }
        }
        // The order of a real folder is anybody's guess.
        return names.isEmpty ? nil : names.sorted(by: >).map(String.init)
      },
      write: { text, path in
        guard !isReadOnly else { throw Failure.noVerdict("this bench is read-only") }
        store.withLock { $0[path] = text }
        onWrite(path, text)
      })
    console.progressInterval = .zero
    var environment = RunnerEnvironment(
      systems: systems, reporters: reporters, targets: targets, builtIn: "built in",
      parse: { (text, _, _) throws(ScenarioError) in
        guard text != "broken" else {
          throw ScenarioError(
            keyPath: "scenarios[0].sistem", found: "'sistem'", expected: "'system'")
        }
        return scenarios
      },
      secondProcess: secondProcess)
    environment.variables = variables
    let code = Runner.run(arguments: arguments, in: environment, on: console)
    return Output(
      code: code, out: out.withLock { $0 }, err: err.withLock { $0 }, files: store.withLock { $0 })
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

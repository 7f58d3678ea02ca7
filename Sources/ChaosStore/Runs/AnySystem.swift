import Invariants

/// A system whose types are forgotten, so that systems can stand in one list.
public struct AnySystem: Sendable {
  /// What a list shows of it.
  public let entry: SystemEntry
  /// The names of its variants, as scenarios use them; the first is the usual one.
  public let variants: [String]
  /// The system itself, for whoever puts another backend in the place of its own.
  public let type: any PurchaseSystem.Type
  /// The type with its module, such as `ChaosStore.ExactlyOnce`.
  package let typeName: String
  /// Whether faults that need a hosted app can strike it.
  let takesAnyOutcome: Bool
  let hasBackend: Bool
  package let isCostly: Bool
  /// Whether its app is ordinary code of somebody's, which a test package has to plug in.
  let hostsApp: Bool
  let makeEngine: @Sendable (Setup, [any Invariant]) -> RunEngine

  /// Makes a system ready for a list: `AnySystem(MyShop.self)`.
  @inline(__always)
  public init<System: PurchaseSystem>(_ system: System.Type) {
    entry = System.entry
    type = System.self
    variants = System.variantNames
    typeName = String(reflecting: System.self)
    takesAnyOutcome = System.App.takesAnyOutcome
    hasBackend = System.Backend.isThere
    isCostly = System.Backend.isCostly
    hostsApp = System.App.self is any HostsApp.Type
    makeEngine = { setup, rules in
      let engine = Engine<System>(setup: setup, rules: rules)
      return RunEngine(
        run: { engine.run(seed: $0, script: $1, observer: $2) }, handle: engine.handle,
        backendMemory: engine.backendMemory, readsClock: { engine.readsClock })
    }
  }
}

/// An app that passes everything on to ordinary code of somebody's.
package protocol HostsApp {}

/// An engine whose system is forgotten; its `run` is compiled for that system alone.
struct RunEngine: WorldUser {
  let run: (UInt64, Script?, (any WorldObserver)?) -> Outcome
  /// Lives as long as `run` does.
  let handle: WorldHandle
  let backendMemory: BackendMemory
  /// True if the code under test has read a clock so far.
  let readsClock: () -> Bool

  /// Whether a run is to end before its end.
  var cancellation: Cancellation {
    get { world.cancellation }
    nonmutating set { world.cancellation = newValue }
  }
  /// How often each fault struck at each step in all runs so far.
  var struckEver: Coverage.Cells { world.decisions.struckEver }
  /// How often each fault struck in the last run, by raw value.
  var struck: UnsafePointer<UInt32> { UnsafePointer(world.decisions.struck) }
  /// What makes the last run unfit for a verdict.
  var problems: [Problem] { world.problems }
  /// How many purchases of the last run belong to no tap that anybody can name.
  var unattributed: Int { world.unattributed }
  /// What the backend used together in one step of the last run.
  var stepsAsOne: TableUses { world.stepsAsOne }
  /// A bit for each kind of fact that happened in the last run.
  var happened: UInt64 { world.judge.happened }
  /// The first break of each invariant in the last run.
  var violations: [Violation] { world.judge.violations }
  /// Of which subscriptions of the last run the use did not follow the payments.
  var accessGaps: [AccessGap] {
    world.judge.books.subscriptions.indices.compactMap {
      AccessGap(world.judge.books.subscriptions[$0], patience: world.judge.books.bearable)
    }
  }
}

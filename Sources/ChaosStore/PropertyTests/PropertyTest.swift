import Foundation

/// Campaigns as tests: one call runs a system through whatever can go wrong, and throws where it
/// loses money.
///
///     @Test func everyPurchaseArrivesOnce() throws {
///       try PropertyTest.check(MyShop.self)
///     }
///
/// It throws a ``PropertyFailure`` where something broke, and a ``PropertyError`` where nothing can
/// be said. It records nothing, so Swift Testing and XCTest serve alike.
///
/// The environment directs every check of a process: `CHAOS_SEED=0x2a` runs one seed,
/// `CHAOS_PLAN='drop verify.reply tx1 #1'` one plan, `CHAOS_SEEDS=20000` or `2000..<4000` these
/// seeds; `CHAOS_BUDGET=5m` goes on until the time is over; `CHAOS_SAVE=1` keeps plans that fail;
/// `CHAOS_WORLD=left-open` runs one of the default worlds.
///
/// A test that is cancelled, as by `.timeLimit(.minutes(5))`, ends with what is known by then: what broke is
/// thrown with the smallest plan so far, and where nothing broke there is no verdict.
public enum PropertyTest {
  /// What becomes of a plan that fails.
  public enum Saving: Sendable {
    /// It is told, and kept only if `CHAOS_SAVE=1` says so.
    case never
    /// It is kept in a folder beside the test's source file, and replayed first from then on.
    case besideTest
  }

  /// Runs a system in the default worlds; see ``scenarios(for:variant:backend:faults:)``.
  ///
  /// They share the seeds: each has its plans of one decision and a tenth of them, and the rest goes to
  /// the worlds in which nothing broke, or else to those with the gravest break. Throws a ``PropertyFailure`` where it breaks an invariant, and a ``PropertyError`` where nothing
  /// can be said; returns what was run. `saving` says whether a plan that fails is kept.
  @discardableResult
  public static func check<System: PurchaseSystem>(
    _ system: System.Type, variant: System.Variant? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.byDefault, strategy: any Strategy = Portfolio(),
    seeds: Range<UInt64>? = nil, saving: Saving = .never, filePath: String = #filePath,
    fileID: String = #fileID, function: String = #function, line: Int = #line
  ) throws -> Findings {
    let place = TestPlace(filePath: filePath, fileID: fileID, function: function, line: line)
    let environment = try CheckEnvironment(ProcessInfo.processInfo.environment)
    let worlds = try scenarios(for: system, variant: variant, backend: backend, faults: faults)
    return try Cancellation.ofTask { cancellation in
      try Check(
        defaultWorlds: worlds, strategy: strategy, seeds: seeds, environment: environment,
        place: place, saves: saving == .besideTest, cancellation: cancellation
      ).run()
    }
  }

  /// Runs a scenario, as many seeds as it says unless others are given, and returns what was run.
  ///
  /// Fails where an invariant breaks that the scenario neither expects nor allows. A whole campaign
  /// also fails where an expected violation never came, or where no run reached a goal. Failures are
  /// a ``PropertyFailure``; a ``PropertyError`` says why there is no verdict. The parameters from
  /// `filePath` on say where the test stands, and are left to their defaults.
  @discardableResult
  public static func check(
    _ scenario: Scenario, strategy: any Strategy = Portfolio(), seeds: Range<UInt64>? = nil,
    saving: Saving = .never, filePath: String = #filePath, fileID: String = #fileID,
    function: String = #function, line: Int = #line
  ) throws -> Findings {
    let place = TestPlace(filePath: filePath, fileID: fileID, function: function, line: line)
    let environment = try CheckEnvironment(ProcessInfo.processInfo.environment)
    return try Cancellation.ofTask { cancellation in
      try Check(
        scenario, strategy: strategy, seeds: seeds, environment: environment, place: place,
        saves: saving == .besideTest, cancellation: cancellation
      ).run()
    }
  }

  /// Two customers with a phone each, who share an Apple account; one buys coins, the other a map.
  ///
  /// Any of ``Fault/byDefault`` may strike, and all invariants are judged. Where nothing else is asked for it
  /// is the system's first variant, with its first backend. It is the first of ``scenarios(for:variant:backend:faults:)``.
  public static func scenario<System: PurchaseSystem>(
    for system: System.Type, variant: System.Variant? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.byDefault
  ) throws(PropertyError) -> Scenario {
    try scenario(
      for: AnySystem(system), variant: variant?.rawValue, backend: backend, faults: faults,
      in: .twoPhones)
  }

  /// The worlds that a system is put into where nobody says in which: two phones of one Apple account,
  /// one phone alone, a product that is bought several times, a phone on which another user logs in
  /// before and in the middle of a purchase, and an app that nobody closes.
  ///
  /// Each is a scenario as ``scenario(for:variant:backend:faults:)`` has it, named after its world.
  public static func scenarios<System: PurchaseSystem>(
    for system: System.Type, variant: System.Variant? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.byDefault
  ) throws(PropertyError) -> [Scenario] {
    try scenarios(
      for: AnySystem(system), variant: variant?.rawValue, backend: backend, faults: faults)
  }

  /// The same for a system whose type is forgotten.
  package static func scenarios(
    for system: AnySystem, variant: String? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.byDefault
  ) throws(PropertyError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for world in DefaultWorld.allCases {
      scenarios.append(
        try scenario(for: system, variant: variant, backend: backend, faults: faults, in: world))
    }
    return scenarios
  }

  /// What the default worlds are, in the order of the scenarios.
  package static var worldSummaries: [String] { DefaultWorld.allCases.map(\.summary) }

  /// One of them.
  package static func scenario(
    for system: AnySystem, variant: String? = nil, backend: BackendKind? = nil,
    faults: [Fault] = Fault.byDefault, in world: DefaultWorld
  ) throws(PropertyError) -> Scenario {
    let entry = system.entry
    guard let usualBackend = entry.backends.first else {
      throw .usage("\(entry.name): its entry has no backends: expected at least one")
    }
    var setup = world.setup(selling: entry.products)
    setup.mix = FaultMix(
      faults.filter { !$0.isNamedAlone && (setup.sellsSubscriptions || !$0.needsWholeStore) })
    setup.backend = backend ?? usualBackend
    var name = entry.name
    if let variant, variant != system.variants.first { name += "/\(variant)" }
    if entry.backends.count > 1 { name += "/\(setup.backend)" }
    return Scenario(name: name + world.suffix, system: system, variant: variant, setup: setup)
  }
}

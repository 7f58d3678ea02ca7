/// A way to look for failures of a scenario.
///
/// A further one is a file of its own and a line in `Strategies.all`.
public protocol Strategy: Sendable {
  /// What `explore` calls it.
  var name: String { get }
  /// How it looks, in a sentence.
  var about: String { get }
  /// Whether what it finds depends on the seeds it is given; true by default.
  ///
  /// One that does not finds the same from every first seed, so that `power` asks it only once.
  var dependsOnSeeds: Bool { get }
  /// Whether it has shown something only when it was run to its end; false by default.
  ///
  /// Where its budget ends such a search early there is no verdict, instead of a smaller campaign.
  var isProof: Bool { get }
  /// What goes on with further seeds, after a search of its own; itself by default.
  var goingOn: any Strategy { get }
  /// Looks until the budget is spent, and says what was found.
  func search(_ scenario: Scenario, _ budget: Budget) -> Findings
}

extension Strategy {
  /// Seeds are what most strategies draw.
  public var dependsOnSeeds: Bool { true }
  /// Every run that breaks something says so by itself.
  public var isProof: Bool { false }
  /// It begins anew with the seeds it is given.
  public var goingOn: any Strategy { self }
}

/// The strategies that come with ChaosStore.
public enum Strategies {
  /// ``Portfolio``, ``RandomSearch`` and ``Exhaustive``.
  public static let all: [any Strategy] = [usual, RandomSearch(), Exhaustive()]

  /// What searches where no strategy is asked for, and what is to find every planted defect.
  public static let usual: any Strategy = Portfolio()

  /// The one with this name; nil if there is none.
  package static func named(_ name: String) -> (any Strategy)? { all.first { $0.name == name } }
}

/// How much a search may spend, and when it is to stop.
public struct Budget: Sendable {
  /// The seeds to draw; nil for as many as the scenario says.
  public var seeds: Range<UInt64>?
  /// The most faults of a plan; nil for what the strategy takes.
  public var faults: Int?
  /// The most moves of a plan: messages that arrive later within their usual time, which is no fault; nil for as many as
  /// there may be faults.
  public var moves: Int?
  /// In plans of up to so many decisions a fault that delays a message is taken once for each order of events
  /// to which it leads, by the least milliseconds that do it; in larger ones only `overtaken` and `late` stand
  /// for all. Nil for what the strategy takes.
  public var lates: Int?
  /// In plans of up to so many decisions a fault that strikes only at a launch gets one: the app is closed and
  /// opened again, which does not count. Where uses are allowed they bring the launches. Nil for what the
  /// strategy takes.
  public var relaunches: Int?
  /// The most uses of a plan: what people do with an app of their own accord, which is no fault; nil for
  /// what the strategy takes.
  public var uses: Int?
  /// How many threads run; the result does not depend on it, unless `until` ends it early.
  public var jobs = 1
  /// Whether to go on after what the scenario asks for, until `goesOn` says no.
  public var isOpenEnded = false
  /// Bits of the invariants, by position; a search ends when it has seen all of them break.
  public var until: UInt64 = 0
  /// Told from any thread how many runs are done; the search ends when it answers no.
  public var goesOn: @Sendable (Int) -> Bool = { _ in true }

  /// The most decisions of a plan, of whatever kind; nil for as many as the bounds of the kinds allow.
  package var decisions: Int?

  /// Whether a search that runs plans says which: ``Findings/Proof/ran``.
  package var listsPlans = false

  /// Ends the runs under way as well, where `goesOn` is asked only between some of them.
  package var cancellation = Cancellation.never

  /// Whether everything that was looked for has been seen: all bits of ``until`` are among these.
  public func isReached(_ broken: UInt64) -> Bool { until != 0 && broken & until == until }

  /// What the strategy and the scenario take, on one thread, unless more is said.
  public init(
    seeds: Range<UInt64>? = nil, faults: Int? = nil, moves: Int? = nil, lates: Int? = nil,
    relaunches: Int? = nil, uses: Int? = nil, jobs: Int = 1
  ) {
    self.seeds = seeds
    self.faults = faults
    self.moves = moves
    self.lates = lates
    self.relaunches = relaunches
    self.uses = uses
    self.jobs = max(1, jobs)
  }
}

import Invariants

/// Who buys what on which device, which system serves them, what may go wrong, what is expected.
public struct Scenario: Sendable {
  public var name: String
  /// What it shows, in a sentence.
  public var about: String
  public var system: AnySystem
  public var variant: String
  public var setup: Setup
  /// The invariants that are judged.
  public var invariants: [any Invariant]
  /// Names of invariants that must be seen to break within `seeds`.
  public var expects: [String]
  /// Names of invariants that may break.
  public var allows: [String]
  /// What must happen in some run of a campaign, which else has shown nothing.
  public var goals: [Goal]
  /// How many seeds a full campaign has.
  public var seeds: Int
  /// The fault or the line of the catalogue it belongs to, for grouping in a table.
  public var topic: String

  public init(
    name: String, about: String = "", system: AnySystem, variant: String? = nil,
    setup: Setup = Setup(), invariants: [any Invariant] = Catalogue.invariants,
    expects: [String] = [], allows: [String] = [], sometimes goals: [Goal] = Goal.usual,
    seeds: Int = 2000, topic: String = ""
  ) {
    self.name = name
    self.about = about
    self.system = system
    self.variant = variant ?? system.entry.variants[0]
    self.setup = setup
    self.invariants = invariants
    self.expects = expects
    self.allows = allows
    self.goals = goals
    self.seeds = seeds
    self.topic = topic
    self.setup.variant = system.entry.variants.firstIndex(of: self.variant) ?? 0
  }

  /// Whether this invariant may or must break.
  public func permits(_ invariant: String) -> Bool {
    expects.contains(invariant) || allows.contains(invariant)
  }
}

import Invariants

/// Who buys what on which device, which system serves them, what may go wrong, what is expected.
public struct Scenario: Sendable {
  /// What plan files, reports and `--scenario` call it, such as `corner-shop/answer-lost`.
  public var name: String
  /// What it shows, in a sentence.
  public var about: String
  /// What is tested.
  public var system: AnySystem
  /// The name of the variant of the system; ``Setup/variant`` is its position.
  public var variant: String
  /// Who is there, what they do, what may go wrong, and for how long.
  public var setup: Setup
  /// The invariants that are judged.
  public var invariants: [any Invariant]
  /// Names of invariants that must be seen to break within `seeds`.
  public var expects: [String]
  /// Names of invariants that may break.
  public var allows: [String]
  /// What must happen in some run of a campaign, which else has shown nothing.
  public var goals: [Goal]
  /// How many seeds a whole campaign has, from 0 on.
  public var seeds: Int
  /// The fault or the line of the catalogue it belongs to, for grouping in a table.
  public var topic: String
  /// The public report that it is modelled on; nil where it is on none.
  public var report: PublicReport?

  /// A scenario in which, unless it is said otherwise, all invariants are judged and none may break.
  ///
  /// `variant` is the name of one of the system's, nil for the usual one; a name that it does not
  /// have is an error of whoever runs the scenario.
  public init(
    name: String, about: String = "", system: AnySystem, variant: String? = nil,
    setup: Setup = Setup(), invariants: [any Invariant] = Catalogue.invariants,
    expects: [String] = [], allows: [String] = [], sometimes goals: [Goal] = Goal.usual,
    seeds: Int = 2000, topic: String = ""
  ) {
    self.name = name
    self.about = about
    self.system = system
    self.variant = variant ?? system.variants[0]
    self.setup = setup
    self.invariants = invariants
    self.expects = expects
    self.allows = allows
    self.goals = goals
    self.seeds = seeds
    self.topic = topic
    self.setup.variant = system.variants.firstIndex(of: self.variant) ?? 0
  }

  /// How its histories are judged.
  package var terms: Books.Terms { setup.terms(hasBackend: system.hasBackend) }

  /// Whether this invariant may or must break.
  package func permits(_ invariant: String) -> Bool {
    expects.contains(invariant) || allows.contains(invariant)
  }
}

extension Invariant {
  /// Whether a scenario can mean this invariant by this name.
  package func goes(by text: String) -> Bool { text == name || text == code }
}

/// What a check found wrong with a system, told so that it can be read and run again.
public struct PropertyFailure: Error, Sendable {
  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// An invariant, named here, broke that the scenario neither expects nor allows.
    case violation(String)
    /// A whole campaign never broke these invariants, which it was to break.
    case missing([String])
    /// No run of a whole campaign reached these goals, so it has shown nothing.
    case vacuous([String])
    /// A run did not end within the event limit.
    case cutOff
    /// One run came out differently when it was run again, or something left the simulation in it.
    case nondeterministic
  }

  /// What is wrong, for a test that expects it.
  public var kind: Kind
  /// The name of the scenario.
  public var scenario: String
  /// The run that it was found in; nil where that followed a plan alone.
  public var seed: UInt64?
  /// As few decisions as bring it about; nil where only the seed is known to.
  public var plan: Plan?
  /// What comes of the plan without each of its decisions.
  public var certificate: Certificate?
  /// What happened under the plan, or under the seed where there is none.
  public var timeline: Timeline?
  /// The file the plan was replayed from, or the one it is now kept in.
  public var file: String?
  /// The whole of it: what broke, the plan, the story, and lines to paste.
  public var description: String
}

extension PropertyFailure: CustomStringConvertible {}

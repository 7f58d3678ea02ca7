import Invariants

/// A system whose types are forgotten, so that systems can stand in one list.
public struct AnySystem: Sendable {
  public let entry: SystemEntry
  let makeEngine: @Sendable (Setup, [any Invariant]) -> any RunEngine

  public init<System: PurchaseSystem>(_ system: System.Type) {
    entry = System.entry
    makeEngine = { setup, rules in Engine<System>(setup: setup, rules: rules) }
  }
}

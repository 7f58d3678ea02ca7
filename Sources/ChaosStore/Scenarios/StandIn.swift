import Invariants

// Stands in for the scenario reader until it is merged.

public enum ScenarioFile {
  public static func scenarios(
    fromJSON text: String, systems: [AnySystem]
  ) throws(ScenarioFileError) -> [Scenario] {
    guard text.contains("{") else {
      throw ScenarioFileError(keyPath: "", found: "no JSON", expected: "JSON")
    }
    var setup = Setup()
    setup.steps = [.init(atMillis: 0, .buy(product: 0, quantity: 1, account: 0))]
    setup.backend = .idempotent
    return [Scenario(name: "checkout-benchmark", system: BuiltIn.systems[0], setup: setup)]
  }

  public static var builtIn: String { "{}" }
}

public struct ScenarioFileError: Error, CustomStringConvertible {
  public var keyPath: String
  public var found: String
  public var expected: String
  public init(keyPath: String, found: String, expected: String) {
    self.keyPath = keyPath
    self.found = found
    self.expected = expected
  }
  public var description: String { "\(keyPath): found \(found), expected \(expected)" }
}

extension Plan {
  public init(json text: String) throws(PlanError) { self.init() }
}

public import ChaosStore
public import Testing

/// A test with scenarios for arguments has a case each, with a name of its own, that fails and is run again by itself:
///
///     @Test(.attachingStories, arguments: try PropertyTest.scenarios(for: MyShop.self))
///     func holds(in world: Scenario) throws {
///       try PropertyTest.check(world)
///     }
extension Scenario: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}

extension Scenario: CustomTestArgumentEncodable {
  /// Its name: no two scenarios of a file have the same.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

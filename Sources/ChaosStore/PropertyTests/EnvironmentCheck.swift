extension PropertyTest {
  /// Reads what an environment asks of property tests, and throws what is wrong with it.
  package static func checkEnvironment(_ environment: [String: String]) throws(PropertyError) {
    _ = try CheckEnvironment(environment)
  }
}

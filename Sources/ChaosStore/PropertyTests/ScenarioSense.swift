extension Scenario {
  /// Refuses what cannot be run.
  func refuseNonsense() throws(PropertyError) {
    do { try validate() } catch { throw .usage("the scenario '\(name)': \(error)") }
  }
}

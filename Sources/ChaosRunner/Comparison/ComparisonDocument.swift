/// What `compare --format json` prints.
struct ComparisonDocument: Encodable {
  struct Loss: Encodable {
    var scenario: String
    var kind: Comparison.Loss.Kind
    var name: String?
    var before: String?
    var after: String?
    /// The same in words.
    var text: String
  }

  var version = Runner.version
  var isNoWorse: Bool
  var new: [Comparison.Finding]
  var still: [Comparison.Finding]
  var resolved: [Comparison.Finding]
  var lostPower: [Loss]
  var newScenarios: [String]

  init(_ comparison: Comparison) {
    isNoWorse = comparison.isNoWorse
    new = comparison.new
    still = comparison.still
    resolved = comparison.resolved
    lostPower = comparison.lost.map {
      Loss(
        scenario: $0.scenario, kind: $0.kind, name: $0.name, before: $0.before, after: $0.after,
        text: $0.words)
    }
    newScenarios = comparison.added
  }
}

/// Which simulated world a kept result belongs to.
///
/// Written `1-0123456789abcdef`: the version of the simulator's behaviour, then a hash of what the
/// scenario says. Two results with one model can be compared; others cannot.
public struct Model: Equatable, Sendable {
  /// Raised by hand when the simulated world changes what old plans mean.
  package static let version = 7
  /// The version of this package, which plan files name as the tool that wrote them.
  public static let toolVersion = "0.1.0-dev"

  /// The version of the simulator's behaviour; two versions can give one plan two meanings.
  public var version: Int
  /// A hash of what in the scenario decides a run.
  public var hash: UInt64

  /// The model of a scenario as it is now.
  ///
  /// Who is there, what they do, how long things take and which system serves them belong to it;
  /// what is judged and expected does not. Chances and limits bind seeds only: a run of a plan alone
  /// does not depend on them, so its model leaves them out.
  public init(of scenario: Scenario, followsSeed: Bool = true) {
    version = Self.version
    hash = Hashing.name(ScenarioWriter(scenario).deciding(followsSeed: followsSeed))
  }

  /// Reads what ``description`` writes; nil where the text is nothing else.
  public init?(parsing text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = Int(parts[0]), version > 0, parts[1].count == 16,
      let hash = UInt64(parts[1], radix: 16)
    else { return nil }
    self.version = version
    self.hash = hash
    if description != text { return nil }
  }
}

extension Model: CustomStringConvertible {
  /// Such as `1-0123456789abcdef`.
  public var description: String { "\(version)-\(hash.hexDigits)" }
}

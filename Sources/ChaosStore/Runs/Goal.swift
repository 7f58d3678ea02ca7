import Invariants

/// Something that must happen in at least one run, or the campaign has shown nothing.
///
/// As text: kinds of facts and names of faults that come together in one run, such as
/// `credited + response-lost`.
public struct Goal: Sendable, Equatable {
  /// What a campaign must reach where its scenario names nothing: somebody pays.
  public static let usual = [Goal(parsing: "charged")!]

  /// The names, joined by `+`.
  public let text: String
  private var facts: UInt64 = 0
  private var faults: [Fault] = []

  /// The kinds of facts with their names, which take long to be put together.
  private static let kinds = Fact.Kind.allCases.map { (name: "\($0)", kind: $0) }

  /// Reads names joined by `+`; nil where one is neither a kind of fact nor a fault.
  public init?(parsing text: String) {
    var words: [String] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      let word = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if let kind = Self.kinds.first(where: { $0.name == word })?.kind {
        facts |= 1 << UInt64(kind.rawValue)
        words.append(word)
      } else if let fault = Fault(named: word) {
        faults.append(fault)
        words.append(fault.name)
      } else {
        return nil
      }
    }
    self.text = words.joined(separator: " + ")
  }

  /// Whether it takes no fault, so that hardly a run misses it.
  package var isPlain: Bool { faults.isEmpty }

  /// Whether a run with these facts and strikes reached it.
  func isReached(_ happened: UInt64, _ struck: UnsafePointer<UInt32>) -> Bool {
    happened & facts == facts && faults.allSatisfy { struck[Int($0.rawValue)] > 0 }
  }

  static var names: [String] {
    Fact.Kind.allCases.map { "\($0)" } + Fault.allCases.map(\.name)
  }
}

/// The faults a scenario allows, with chances and limits, and how long things take.
public struct FaultMix: Sendable, Equatable {
  /// An exact chance and the most strikes in one run.
  public struct Entry: Sendable, Equatable {
    /// How likely it strikes at each question that it can strike at.
    public var chance: Ratio
    /// How often it may strike in one run; a plan is not bound by it.
    public var most: UInt32
    /// The questions it may strike at; empty for all.
    public var sites: [Question]

    /// A chance at every question of the fault, as often as it comes, unless limits are given.
    public init(chance: Ratio, most: UInt32 = .max, sites: [Question] = []) {
      self.chance = chance
      self.most = most
      self.sites = sites
    }
  }

  /// The faults that may strike; one that has no entry never does.
  public var entries: [Fault: Entry] = [:]
  /// Whether each seed may use a subset of the faults only, with rates of its own.
  public var isSwarmed = false
  /// How long things usually take, in milliseconds, where the catalogue's range is not wanted.
  public var delays: [Question: ClosedRange<Int64>] = [:]

  /// No fault, and the usual delays.
  public init() {}

  /// The faults of the mix, in catalogue order.
  public var faults: [Fault] { Fault.allCases.filter { entries[$0] != nil } }

  /// Names every question of these faults, so that they strike even where no launch comes.
  package mutating func nameSites(of faults: [Fault] = Fault.waitingForLaunch) {
    for fault in faults { entries[fault]?.sites = fault.questions }
  }

  /// Whether any report may be followed by a dishonest one.
  var hasAttacker: Bool {
    [.forgedReceipt, .stolenEvidence, .foreignAppEvidence, .sandboxEvidence, .productSubstituted]
      .contains { entries[$0] != nil }
  }

  /// Hashes below this are strikes.
  func threshold(of fault: Fault, at question: Question) -> UInt64 {
    guard let entry = entries[fault], entry.sites.isEmpty || entry.sites.contains(question)
    else { return 0 }
    return entry.chance.threshold
  }
}

/// An exact chance, such as 1/20: a run may depend on no floating point.
public struct Ratio: Sendable, Equatable, CustomStringConvertible {
  /// The 1 of 1/20; no more than the denominator.
  public let numerator: UInt64
  /// The 20 of 1/20; never 0.
  public let denominator: UInt64

  /// Always.
  public static let one = Ratio(numerator: 1, denominator: 1)
  /// So seldom that nobody sees it.
  static let least = Ratio(numerator: 1, denominator: .max)

  private init(numerator: UInt64, denominator: UInt64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// `Ratio(1, 20)` is 1/20; nil where the denominator is zero or the ratio above one.
  public init?(_ numerator: UInt64, _ denominator: UInt64) {
    guard denominator > 0, numerator <= denominator else { return nil }
    self.init(numerator: numerator, denominator: denominator)
  }

  /// As a scenario file has it, such as `1/20`.
  public var description: String { "\(numerator)/\(denominator)" }

  /// Reads `1/20`, `0` or `1`; nil where the text is none of these, or more than one.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !text.contains("+"), let n = UInt64(parts[0]),
      let d = parts.count == 2 ? UInt64(parts[1]) : 1
    else { return nil }
    self.init(n, d)
  }

  /// The ratio of 2 to the 64th; one becomes the largest number there is.
  var threshold: UInt64 {
    if numerator == denominator { return .max }
    return denominator.dividingFullWidth((numerator, 0)).quotient
  }
}

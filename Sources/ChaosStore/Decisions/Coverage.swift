/// How often each fault struck at each step of a purchase, in all runs of a search.
public struct Coverage: Sendable, Equatable {
  typealias Cells = UnsafeMutablePointer<Int>

  static let cellCount = Fault.allCases.count * Step.allCases.count

  @inline(__always)
  static func cell(_ fault: UInt8, _ step: UInt8) -> Int {
    Int(fault) &* Step.allCases.count &+ Int(step)
  }

  private var counts = [Int](repeating: 0, count: cellCount)

  package init() {}

  /// What somebody has written down: a count for each fault and step, as ``cells`` has them.
  package init?(cells: [Int]) {
    guard cells.count == Self.cellCount else { return nil }
    counts = cells
  }

  /// A count for each fault and step, fault by fault.
  package var cells: [Int] { counts }

  /// How often this fault struck there.
  public subscript(fault: Fault, step: Step) -> Int {
    counts[Self.cell(fault.rawValue, step.rawValue)]
  }

  /// How often this fault struck anywhere.
  public subscript(fault: Fault) -> Int {
    Step.allCases.reduce(0) { $0 + self[fault, $1] }
  }

  mutating func add(_ cells: Cells) {
    for index in counts.indices { counts[index] += cells[index] }
  }

  package mutating func add(_ other: Coverage) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

extension FaultMix {
  /// The steps at which the mix lets this fault strike.
  public func steps(of fault: Fault) -> [Step] {
    let steps = fault.questions.filter { threshold(of: fault, at: $0) > 0 }.map(\.step)
    return Step.allCases.filter(steps.contains)
  }
}

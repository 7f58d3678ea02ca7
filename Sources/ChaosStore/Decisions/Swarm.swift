/// Gives each seed a subset of the faults of a mix, with rates of its own.
///
/// A run in which everything may strike at its usual rate rarely has the one fault often, or two
/// faults without a third that hides them. One seed in four keeps the mix as it is; for the others
/// each fault is allowed or not, and up to four times as likely as usual, by a hash of seed and
/// name. A fault that always strikes stays as it is.
struct Swarm {
  private struct Row {
    var question: Int
    var fault: Int
    var usual: UInt64
  }

  private struct DelayRow {
    var question: Int
    /// The positions of the faults among `keys`; -1 for none.
    var late: Int
    var overtaken: Int
    var usualLate: UInt64
    var usualOvertaken: UInt64
  }

  private static let key = Hashing.name("swarm")

  private let keys: [UInt64]
  private var rows: [Row] = []
  private var delays: [DelayRow] = []

  init(_ mix: FaultMix) {
    let faults = mix.faults
    keys = faults.map { Hashing.name($0.name) }
    func place(_ fault: Fault?) -> Int { fault.flatMap(faults.firstIndex) ?? -1 }
    for question in Question.allCases {
      if let fault = question.fault {
        let usual = mix.threshold(of: fault, at: question)
        if usual > 0 {
          rows.append(Row(question: Int(question.rawValue), fault: place(fault), usual: usual))
        }
      } else if case .delay(let delay) = question.shape {
        let late = delay.lateBy.map { mix.threshold(of: $0, at: question) } ?? 0
        let overtaken = delay.overtakenBy.map { mix.threshold(of: $0, at: question) } ?? 0
        if late == 0, overtaken == 0 { continue }
        delays.append(
          DelayRow(
            question: Int(question.rawValue), late: place(delay.lateBy),
            overtaken: place(delay.overtakenBy), usualLate: late, usualOvertaken: overtaken))
      }
    }
  }

  /// Sets below which hash each question is answered with a strike under this seed.
  func arm(
    _ armed: UnsafeMutablePointer<UInt64>,
    _ delayRows: UnsafeMutablePointer<Decisions.DelayRow>, seed: UInt64
  ) {
    let isPlain = hash(seed, 0) & 3 == 0
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: keys.count) { rates in
      for (index, key) in keys.enumerated() {
        rates[index] = isPlain ? 1 : Self.rate(hash(seed, key))
      }
      for row in rows { armed[row.question] = Self.scaled(row.usual, rates[row.fault]) }
      for row in delays {
        let late = row.late < 0 ? 0 : Self.scaled(row.usualLate, rates[row.late])
        let overtaken =
          row.overtaken < 0 ? 0 : Self.scaled(row.usualOvertaken, rates[row.overtaken])
        delayRows[row.question].lateBelow = late
        delayRows[row.question].classedBelow = late > .max - overtaken ? .max : late + overtaken
      }
    }
  }

  private func hash(_ seed: UInt64, _ fault: UInt64) -> UInt64 {
    Hashing.decision(seed: seed, question: Self.key, subject: fault, occurrence: 0)
  }

  /// 0 for every other hash, else 1, 2 or 4.
  private static func rate(_ hash: UInt64) -> UInt8 {
    hash & 1 == 0 ? 0 : 1 << UInt8(((hash >> 1 & 3) + 1) / 2)
  }

  private static func scaled(_ usual: UInt64, _ rate: UInt8) -> UInt64 {
    if usual == .max { return usual }
    let (product, overflow) = usual.multipliedReportingOverflow(by: UInt64(rate))
    return overflow ? .max - 1 : product
  }
}

import ChaosStore
import Invariants

/// The catalogue as `list` shows it: each code with its name, or with what says it instead.
enum CatalogueCodes {
  /// What can go wrong, and what people do, in the order of the codes.
  static var faults: [[String]] {
    let own = Fault.allCases.map { [$0.code, $0.name, $0.entry.short] }
    return merged(own, SpokenCode.all.filter { !$0.code.hasPrefix("I") })
  }

  /// What must be true, in the order of the codes.
  static var invariants: [[String]] {
    let own = Catalogue.invariants.map { [$0.code, $0.name, $0.summary] }
    return merged(own, SpokenCode.all.filter { $0.code.hasPrefix("I") })
  }

  /// Each row that is spoken before the first with a higher code, as the others have an order of their own.
  private static func merged(_ own: [[String]], _ spoken: [SpokenCode]) -> [[String]] {
    var rows = own
    for code in spoken {
      let place = rows.firstIndex { $0[0] > code.code } ?? rows.endIndex
      rows.insert([code.code, code.spoken, code.short], at: place)
    }
    return rows
  }
}

import Invariants

/// The periods of a subscription that is told by credits: each is a purchase that is judged by itself.
///
/// What belongs together is the facts of one transaction, those of its restores, and those of one wish.
struct PurchasePeriods {
  /// By number of a transaction, another one of the same period, or itself.
  private var homes: [Int]
  /// By number of a wish, the first transaction that answers it.
  private var answers: [Int?]

  init(transactions: Int, intents: Int, _ facts: [OpenPurchases.Entry]) {
    homes = Array(0..<transactions)
    answers = Array(repeating: nil, count: intents)
    for fact in facts.lazy.map(\.fact) where !fact.transaction.isNone {
      if fact.kind == .restored, !fact.original.isNone { join(fact.transaction, fact.original) }
      guard !fact.intent.isNone else { continue }
      if let answer = answers[fact.intent.index] {
        join(fact.transaction, TransactionID(index: answer))
      } else {
        answers[fact.intent.index] = fact.transaction.index
      }
    }
  }

  private mutating func join(_ one: TransactionID, _ other: TransactionID) {
    homes[period(of: one)] = period(of: other)
  }

  /// The number of the period that a transaction belongs to.
  func period(of transaction: TransactionID) -> Int {
    var home = transaction.index
    while homes[home] != home { home = homes[home] }
    return home
  }

  private func period(of fact: Fact) -> Int {
    if !fact.transaction.isNone { return period(of: fact.transaction) }
    guard !fact.intent.isNone, let answer = answers[fact.intent.index] else { return 0 }
    return period(of: TransactionID(index: answer))
  }

  /// The facts of each period, in the order in which they came.
  func split(_ facts: [OpenPurchases.Entry]) -> [[OpenPurchases.Entry]] {
    var places: [Int: Int] = [:]
    var periods: [[OpenPurchases.Entry]] = []
    for entry in facts {
      let period = period(of: entry.fact)
      if let place = places[period] {
        periods[place].append(entry)
      } else {
        places[period] = periods.count
        periods.append([entry])
      }
    }
    return periods
  }
}

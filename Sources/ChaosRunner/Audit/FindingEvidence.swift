import Invariants

/// The lines of a log that a finding is shown with.
struct FindingEvidence {
  /// What was judged, in its order.
  let facts: [OpenPurchases.Entry]
  /// Whether it is a subscription that is told by access.
  let isAccess: Bool

  /// The lines of a purchase: the first ones, and the one that breaks the rule.
  func add(
    _ position: Int?, _ purchase: UInt32, _ open: borrowing OpenPurchases,
    to finding: inout AuditFinding
  ) {
    let known = facts.indices.filter {
      facts[$0].place.line > 0 && !hasTwin($0) && !isShadow($0, position)
    }
    let most = 8
    for (count, index) in known.enumerated() {
      let entry = facts[index]
      guard count < most || index == position else {
        finding.more += 1
        continue
      }
      var text = said(entry, purchase, open)
      if isAccess,
        let name = open.text(.transaction, entry.fact.transaction.raw, in: purchase),
        name != finding.transaction
      {
        text += ", transaction " + name
      }
      if entry.isOld { text += ", judged before" }
      finding.evidence.append(
        AuditFinding.Evidence(
          place: entry.place,
          at: entry.isOld ? -1 : entry.fact.at.millis + Int64(entry.shift), text: text,
          isBreak: index == position))
    }
  }

  /// What a line says.
  private func said(
    _ entry: OpenPurchases.Entry, _ purchase: UInt32, _ open: borrowing OpenPurchases
  ) -> String {
    let fact = entry.fact
    var text = "\(fact.kind)"
    if entry.isRenewal { text = "\(Fact.Kind.renewed)" }
    // What is out of the queue was finished, and is judged as if somebody had asked for it.
    if fact.kind == .finishing,
      facts.contains(where: { $0.fact.kind == .finished && $0.place == entry.place })
    {
      text = "\(Fact.Kind.finished)"
    }
    if entry.state == .access, !entry.isOld { text = "\(Fact.Kind.granted)" }
    if let account = open.text(.account, fact.account.raw, in: purchase) { text += " " + account }
    if fact.verdict != .none { text += " \(fact.verdict)" }
    if fact.message != .none { text += " \(fact.message)" }
    switch fact.kind {
    case .refunded where fact.amount == 0: text += ", taken back by the store"
    case .refunded, .reversed, .regranted:
      if fact.amount != 1000 { text += " \(fact.amount)/1000" }
    case .granted where fact.amount > 0: text += " until " + ISOTime.text(Int64(fact.amount) * 1000)
    case .granted: text += " no longer"
    default: break
    }
    return text
  }

  /// What tidying has added says no more than the line that it was made of, but where it breaks a rule.
  private func isShadow(_ index: Int, _ position: Int?) -> Bool {
    if facts[index].isOld { return false }
    return facts.indices.contains {
      $0 != index && !facts[$0].isOld && facts[$0].place == facts[index].place
        && ($0 == position || index != position && $0 < index)
    }
  }

  /// What was kept of a closed purchase has one line for all of it: that of its credit, or of its charge.
  private func hasTwin(_ index: Int) -> Bool {
    guard facts[index].isOld else { return false }
    let isCredited = facts.contains {
      $0.isOld && $0.place == facts[index].place && $0.fact.kind == .credited
    }
    return facts[index].fact.kind != (isCredited ? .credited : .charged)
  }
}

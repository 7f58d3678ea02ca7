import ChaosStore
import Invariants

/// Judges a history that the log has from its beginning to its end, as the run that made it was judged.
///
/// All of it is one history: what happened to one purchase may excuse another. So it is kept until its end, and its
/// lines are taken in the order in which they stand.
final class HistoryAudit {
  private var history: AuditedHistory
  private var judge: Judge
  private let rules: [Int]
  private var facts: [(fact: Fact, place: LogPlace)] = []
  private var names: [Kind: Names] = [:]

  private enum Kind { case transaction, intent, account, storeAccount, device, product }

  private struct Names {
    var numbers: [String: Int] = [:]
    var texts: [String] = []

    mutating func number(_ text: String) -> UInt32 {
      if let number = numbers[text] { return UInt32(number) }
      numbers[text] = texts.count
      texts.append(text)
      return UInt32(texts.count - 1)
    }
  }

  /// Reads the first line of a history.
  init(_ text: String, at place: LogPlace) throws(LineDamage) {
    let value: JSONValue
    do { value = try JSONParser.parse(text) } catch {
      throw LineDamage(found: "'\(text.clipped)'", expected: "the beginning of a history")
    }
    guard case .object(let members) = value else {
      throw LineDamage(found: "'\(text.clipped)'", expected: "the beginning of a history")
    }
    var name = "a history"
    var terms = Books.Terms()
    var rules = Array(AuditRules.all.indices)
    for member in members {
      switch (member.key, member.value) {
      case ("name", .string(let text)): name = text
      case ("heal", let value): terms.heal = Instant(millis: try Self.millis(value, "heal"))
      case ("within", let value): terms.within = try Self.millis(value, "within")
      case ("patience", let value): terms.patience = try Self.millis(value, "patience")
      case ("transfersOnRestore", .bool(let value)): terms.transfersOnRestore = value
      case ("hasBackend", .bool(let value)): terms.hasBackend = value
      case ("levels", .list(let values)): terms.levels = try Self.numbers(values, "levels")
      case ("kept", .list(let values)):
        terms.isKeptByStore = try Self.numbers(values, "kept").map { $0 != 0 }
      case ("products", .list(let values)):
        for text in try Self.texts(values, "products") {
          _ = names[.product, default: Names()].number(text)
        }
      case ("rules", .list(let values)):
        rules = []
        for name in try Self.texts(values, "rules") {
          // A rule of somebody's own is known to their program alone.
          guard let rule = AuditRules.all.firstIndex(where: { $0.invariant.name == name }) else {
            continue
          }
          if !rules.contains(rule) { rules.append(rule) }
        }
      case ("at", _), ("history", _): break
      case ("transfersOnRestore", let value), ("hasBackend", let value), ("levels", let value),
        ("kept", let value), ("products", let value), ("rules", let value), ("name", let value):
        throw LineDamage(
          found: "\(member.key): \("\(value)".clipped)",
          expected: "what the beginning of a history has there")
      default: break
      }
    }
    self.rules = rules
    history = AuditedHistory(name: name, place: place)
    judge = Judge(rules: rules.map { AuditRules.all[$0].invariant }, terms: terms)
  }

  /// A time that still leaves room to add others to it.
  private static func millis(_ value: JSONValue, _ key: String) throws(LineDamage) -> Int64 {
    guard case .int(let number) = value, 0...ISOTime.latest ~= Int64(number) else {
      throw LineDamage(
        found: "\(key) \(value.described.clipped)",
        expected: "milliseconds from 0 to \(ISOTime.latest)")
    }
    return Int64(number)
  }

  private static func numbers(_ values: [JSONValue], _ key: String) throws(LineDamage) -> [Int] {
    var numbers: [Int] = []
    for value in values {
      guard case .int(let number) = value, 0...1000 ~= number else {
        throw LineDamage(found: "\(key): \("\(value)".clipped)", expected: "numbers from 0 to 1000")
      }
      numbers.append(number)
    }
    return numbers
  }

  private static func texts(_ values: [JSONValue], _ key: String) throws(LineDamage) -> [String] {
    var texts: [String] = []
    for value in values {
      guard case .string(let text) = value else {
        throw LineDamage(found: "\(key): \("\(value)".clipped)", expected: "names")
      }
      texts.append(text)
    }
    return texts
  }

  /// Enters a fact; one that cannot stand there is refused.
  func enter(_ line: borrowing FactLine, at place: LogPlace) throws(LineDamage) {
    var fact = line.fact
    fact.transaction = TransactionID(number(.transaction, line.transaction))
    fact.original = TransactionID(number(.transaction, line.original))
    fact.intent = IntentID(number(.intent, line.intent))
    fact.account = AccountID(number(.account, line.account))
    fact.storeAccount = StoreAccountID(number(.storeAccount, line.storeAccount))
    fact.device = DeviceID(number(.device, line.device))
    fact.product = ProductID(number(.product, line.product))
    if let until = line.disturbedUntil { judge.disturb(until: until) }
    do { try judge.observe(checking: fact) } catch {
      throw LineDamage(found: error.found, expected: error.expected)
    }
    facts.append((fact, place))
    history.facts += 1
  }

  private func number(_ kind: Kind, _ name: FactLine.Name) -> UInt32 {
    name.isNone ? .max : names[kind, default: Names()].number(name.text)
  }

  private func text(_ kind: Kind, _ id: some Identifier) -> String? {
    guard !id.isNone, let texts = names[kind]?.texts, id.index < texts.count else { return nil }
    return texts[id.index]
  }

  /// Judges what is left at the end, where there is one.
  func end(at end: Int64?, disturbedUntil: Int64?, _ result: inout AuditResult) {
    if let end {
      if let disturbedUntil { judge.disturb(until: disturbedUntil) }
      judge.close(at: Instant(millis: end))
      history.hasEnd = true
    }
    for violation in judge.violations {
      history.broken.append(AuditRules.all[rules[violation.rule]].invariant.name)
      result.keep(finding(violation))
    }
    let idle = judge.idle
    for (position, rule) in rules.enumerated() where idle >> UInt64(position) & 1 == 0 {
      result.judgedWhole |= 1 << UInt64(rule)
    }
    result.histories.append(history)
  }

  private func finding(_ violation: Violation) -> AuditFinding {
    let fact = violation.fact
    let subject = fact?.transaction ?? violation.found?.transaction ?? .none
    let intent = fact?.intent ?? violation.found?.intent ?? .none
    let charge = judge.books.charge(behind: subject)
    var finding = AuditFinding(
      rule: rules[violation.rule], at: violation.at.millis, history: history.name, evidence: [])
    finding.transaction = text(.transaction, charge.original.isNone ? subject : charge.original)
    finding.intent = text(.intent, intent)
    finding.account =
      text(.account, charge.owner) ?? fact.flatMap { text(.account, $0.account) }
    finding.product = text(.product, charge.product)
    finding.quantity = charge.quantity
    let last = fact == nil ? nil : violation.position - 1
    for (index, entry) in facts.enumerated() {
      let isAbout =
        !subject.isNone
        && (entry.fact.transaction == subject || entry.fact.transaction == charge.original)
        || !intent.isNone && entry.fact.intent == intent
      guard isAbout || index == last else { continue }
      guard finding.evidence.count < 8 || index == last else {
        finding.more += 1
        continue
      }
      var words = "\(entry.fact.kind)"
      if let account = text(.account, entry.fact.account) { words += " " + account }
      if entry.fact.verdict != .none { words += " \(entry.fact.verdict)" }
      if entry.fact.message != .none { words += " \(entry.fact.message)" }
      finding.evidence.append(
        AuditFinding.Evidence(
          place: entry.place, at: entry.fact.at.millis, text: words, isBreak: index == last))
    }
    return finding
  }
}

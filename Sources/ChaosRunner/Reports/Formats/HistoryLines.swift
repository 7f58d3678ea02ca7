import ChaosStore
import Invariants

/// The history of one run as JSON Lines: what it is judged by, its facts, and its end.
///
/// `Docs/AUDIT.md` has the form.
struct HistoryLines {
  private let record: Record
  private let scenario: Scenario

  init(_ record: Record, of scenario: Scenario) {
    (self.record, self.scenario) = (record, scenario)
  }

  var text: String {
    var text = begin + "\n"
    // What nobody has said yet is as if nothing struck.
    var disturbed = Int64.max
    for (fact, until) in zip(record.facts, record.disturbances) {
      text += line(fact, disturbedUntil: until == disturbed ? nil : until) + "\n"
      disturbed = until
    }
    // How a run that was cut off would have ended nobody knows.
    if !record.outcome.isCutOff {
      var line = FactText(at: scenario.setup.horizonMillis)
      line.add("history", "end")
      if record.disturbedAtEnd != disturbed { line.add("disturbedUntil", record.disturbedAtEnd) }
      text += line.text + "\n"
    }
    return text
  }

  /// The first line: what the history is called, and how it is to be judged.
  private var begin: String {
    let terms = scenario.terms
    var line = FactText(at: 0)
    line.add("history", "begin")
    let origin = record.seed.map { " seed 0x" + String($0, radix: 16) } ?? ""
    line.add("name", scenario.name + origin)
    line.add("rules", names: scenario.invariants.map(\.name))
    line.add("heal", terms.heal.millis)
    if let within = terms.within { line.add("within", within) }
    if terms.patience != Books.Terms().patience { line.add("patience", terms.patience) }
    if terms.transfersOnRestore { line.add("transfersOnRestore", true) }
    if !terms.hasBackend { line.add("hasBackend", false) }
    line.add("products", names: scenario.setup.products.map(\.name))
    if !terms.levels.isEmpty { line.add("levels", terms.levels) }
    if !terms.isKeptByStore.isEmpty {
      line.add("kept", terms.isKeptByStore.map { $0 ? 1 : 0 })
    }
    return line.text
  }

  private func line(_ fact: Fact, disturbedUntil: Int64?) -> String {
    var line = FactText(at: fact.at.millis)
    line.add("fact", "\(fact.kind)")
    if !fact.transaction.isNone {
      line.add("transaction", name(fact.transaction.index, in: record.purchaseNames))
    }
    if !fact.original.isNone {
      line.add("original", name(fact.original.index, in: record.purchaseNames))
    }
    if !fact.intent.isNone {
      line.add("intent", name(fact.intent.index, in: record.intentNames))
    }
    if !fact.account.isNone {
      let index = fact.account.index
      line.add("account", index < scenario.setup.accounts ? "user\(index + 1)" : "attacker")
    }
    if !fact.storeAccount.isNone { line.add("storeAccount", "store\(fact.storeAccount.index + 1)") }
    if !fact.device.isNone { line.add("device", "phone\(fact.device.index + 1)") }
    if !fact.product.isNone {
      line.add("product", name(fact.product.index, in: scenario.setup.products.map(\.name)))
    }
    if fact.quantity > 0 || FactWords.counts(fact.kind) {
      line.add("quantity", Int64(fact.quantity))
    }
    if fact.amount > 0 || fact.kind == .granted || FactWords.isWholeUnlessSaid(fact.kind) {
      line.add("amount", Int64(fact.amount))
    }
    if fact.verdict != .none { line.add("verdict", "\(fact.verdict)") }
    if fact.message != .none { line.add("message", "\(fact.message)") }
    if fact.environment != .production { line.add("environment", "\(fact.environment)") }
    if let disturbedUntil { line.add("disturbedUntil", disturbedUntil) }
    return line.text
  }

  private func name(_ index: Int, in names: [String]) -> String {
    index < names.count ? names[index] : "number \(index + 1)"
  }
}

/// One line, in the making.
struct FactText {
  private var members: String

  init(at millis: Int64) { members = "\"at\": \(millis)" }

  /// A moment as it was written elsewhere.
  init(at moment: String) { members = "\"at\": " + JSONValue.quoted(moment) }

  mutating func add(_ key: String, _ value: String) { put(key, JSONValue.quoted(value)) }
  mutating func add(_ key: String, _ value: Int64) { put(key, "\(value)") }
  mutating func add(_ key: String, _ value: Bool) { put(key, "\(value)") }
  mutating func add(_ key: String, _ values: [Int]) {
    put(key, "[" + values.map(String.init).joined(separator: ", ") + "]")
  }
  mutating func add(_ key: String, names: [String]) {
    put(key, "[" + names.map(JSONValue.quoted).joined(separator: ", ") + "]")
  }

  private mutating func put(_ key: String, _ value: String) { members += ", \"\(key)\": \(value)" }

  var text: String { "{\(members)}" }
}

import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosRunner

/// A simulated month, written as a shop would have it: what the store told, a ledger, and what the apps logged.
@Suite struct AuditMonthTests {
  /// What becomes of the facts of a month.
  struct Month {
    var notifications: [(at: Int64, line: String)] = []
    var ledger: [(at: Int64, line: String)] = []
    var app: [(at: Int64, line: String)] = []
    /// The transactions that were credited, in order.
    var credited: [String] = []
  }

  static let runs = 300
  /// What strikes in them, in turn; the design holds.
  static let faults = [
    "crash-before-finish", "request-lost", "response-lost", "server-crash", "commit-unknown",
  ]

  @Test func `A month with planted losses gives exactly these, and one without gives none`() throws
  {
    let scenarios = try ScenarioFile.scenarios(
      fromJSON: BuiltInScenarios.json, systems: BuiltIn.systems)
    let month = try Self.month(
      of: Self.faults.map { fault in
        try #require(scenarios.first { $0.name == "exactly-once/storekit2/\(fault)" })
      })
    #expect(month.credited.count >= Self.runs)
    let sound = try Self.audit(month)
    #expect(sound.broken == [:])
    #expect(sound.damaged == 0 && sound.late == 0)
    // Losses in the ledger, second rows in it, and notifications that never came.
    var planted = month
    let lost = Set(month.credited.enumerated().filter { $0.offset % 41 == 3 }.map(\.element))
    let twice = Set(month.credited.enumerated().filter { $0.offset % 47 == 5 }.map(\.element))
      .subtracting(lost)
    let unpaid = Set(month.credited.enumerated().filter { $0.offset % 53 == 8 }.map(\.element))
      .subtracting(lost).subtracting(twice)
    planted.ledger.removeAll { row in lost.contains { row.line.contains(",\($0),") } }
    planted.ledger += planted.ledger.filter { row in twice.contains { row.line.contains(",\($0),") }
    }
    .map {
      (
        $0.at + 12 * AuditTests.day,
        $0.line.replacing(/^[^,]*/, with: ISOTime.text($0.at + 12 * AuditTests.day))
      )
    }
    planted.notifications.removeAll { row in
      unpaid.contains { row.line.contains("\"transactionId\": \"\($0)\"") }
    }
    #expect(lost.count > 6 && twice.count > 5 && unpaid.count > 4)
    let found = try Self.audit(planted)
    #expect(found.damaged == 0 && found.late == 0)
    #expect(found.broken["no-charge-without-delivery"] == lost)
    #expect(found.broken["no-double-credit"] == twice)
    #expect(found.broken["no-credit-without-charge"] == unpaid)
    // What was never credited was finished all the same, as the app believed that it was.
    #expect((found.broken["finish-only-after-credit"] ?? []).subtracting(lost) == [])
    #expect(
      Set(found.broken.keys).subtracting([
        "no-charge-without-delivery", "no-double-credit", "no-credit-without-charge",
        "finish-only-after-credit", "conservation",
      ]) == [])
  }

  /// The runs of many seeds, laid one after the other, each with people and transactions of its own.
  static func month(of scenarios: [Scenario]) throws -> Month {
    var month = Month()
    let step = 30 * AuditTests.day / Int64(runs)
    for run in 0..<runs {
      let scenario = scenarios[run % scenarios.count]
      let record = Simulation(scenario).record(seed: UInt64(run))
      guard record.violations.isEmpty else { continue }
      for line in HistoryLines(record, of: scenario).text.split(separator: "\n") {
        guard case .object(var members) = try JSONParser.parse(String(line)),
          let kind = members.text("fact"), let offset = try members.number("at")
        else { continue }
        let at = AuditTests.start + Int64(run) * step + offset
        for index in members.indices {
          switch (members[index].key, members[index].value) {
          case ("at", _): members[index].value = .int(Int(at))
          case ("transaction", .string(let name)), ("original", .string(let name)),
            ("intent", .string(let name)), ("account", .string(let name)),
            ("device", .string(let name)), ("storeAccount", .string(let name)):
            members[index].value = .string("m\(run)-\(name)")
          default: break
          }
        }
        try add(kind, members, at, to: &month)
      }
    }
    return month
  }

  private static func add(
    _ kind: String, _ members: [JSONValue.Member], _ at: Int64, to month: inout Month
  ) throws {
    let transaction = members.text("transaction") ?? ""
    let quantity = try members.number("quantity") ?? 1
    switch kind {
    case "charged":
      var payload =
        "\"transactionId\": \"\(transaction)\", \"originalTransactionId\": \"\(transaction)\""
      payload += ", \"productId\": \"\(members.text("product") ?? "")\", \"purchaseDate\": \(at)"
      payload += ", \"quantity\": \(quantity), \"type\": \"Consumable\""
      if let account = members.text("account") {
        payload += ", \"appAccountToken\": \"\(account)\""
      }
      let line =
        "{\"notificationType\": \"ONE_TIME_CHARGE\", \"notificationUUID\": \"\(transaction)\", "
        + "\"signedDate\": \(at), \"data\": {\"environment\": \"Production\", "
        + "\"signedTransactionInfo\": {\(payload)}}}"
      month.notifications.append((at, line))
    case "credited":
      let row = [
        ISOTime.text(at), transaction, members.text("account") ?? "", members.text("product") ?? "",
        "\(quantity)", "credit",
      ]
      month.ledger.append((at, row.joined(separator: ",")))
      month.credited.append(transaction)
    default:
      let fields = members.map { member in
        switch member.value {
        case .int(let number): "\"\(member.key)\": \(number)"
        case .string(let text): "\"\(member.key)\": \(JSONValue.quoted(text))"
        default: "\"\(member.key)\": null"
        }
      }
      month.app.append((at, "{\(fields.joined(separator: ", "))}"))
    }
  }

  /// Writes the files in another order within the window, converts them, and audits what comes of it.
  static func audit(_ month: Month) throws -> (
    broken: [String: Set<String>], damaged: Int, late: Int
  ) {
    let folder = try AuditFolder()
    var random = Dice(99)
    func shuffled(_ lines: [(at: Int64, line: String)]) -> [String] {
      lines.map { (at: $0.at + Int64(random.below(3_000_000)), line: $0.line) }
        .sorted { ($0.at, $0.line) < ($1.at, $1.line) }.map(\.line)
    }
    let told = try folder.write("notifications", AuditTests.text(shuffled(month.notifications)))
    let rows = ["when,txn,who,item,units,type"] + shuffled(month.ledger)
    let ledger = try folder.write("ledger.csv", AuditTests.text(rows))
    try folder.write("app.jsonl", AuditTests.text(shuffled(month.app)))
    let store = Bench().run("convert", "notifications", told)
    let credits = Bench().run(
      "convert", "csv", ledger, "--facts", "credit=credited", "--columns",
      "at=when,transaction=txn,account=who,product=item,quantity=units,fact=type")
    #expect(store.err == "" && credits.err == "")
    try folder.write("store.jsonl", store.out)
    try folder.write("ledger.jsonl", credits.out)
    let files = ["store", "ledger", "app"].map { "\(folder.path)/\($0).jsonl" }
    var terms = AuditTerms()
    // The shop opened with the month.
    terms.isWhole = true
    let result = try Audit(files, terms).judged(isInterrupted: { false })
    var broken: [String: Set<String>] = [:]
    for finding in result.findings where result.gap(finding.rule) == nil {
      let name = AuditRules.all[finding.rule].invariant.name
      broken[name, default: []].insert(finding.transaction ?? finding.product ?? "?")
    }
    return (broken, result.damaged, result.late)
  }
}

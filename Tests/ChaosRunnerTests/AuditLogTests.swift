import ChaosStore
import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosRunner

/// How logs are read: several files, out of order, late, and damaged.
@Suite struct AuditLogTests {
  /// A month of purchases, of which some lost their credit and some got two.
  static func month(_ count: Int) -> (lines: [String], lost: Set<String>, twice: Set<String>) {
    var lines: [String] = []
    var (lost, twice) = (Set<String>(), Set<String>())
    for number in 0..<count {
      var purchase = AuditTests.sound(
        number, at: AuditTests.start + Int64(number) * 700_000, user: "user\(number % 17)",
        product: number % 3 == 0 ? "gems" : "coins")
      if number % 29 == 5 {
        purchase.remove(at: 2)
        lost.insert("48000\(number)")
      }
      if number % 31 == 6, number % 29 != 5 {
        purchase.append(purchase[2])
        twice.insert("48000\(number)")
      }
      lines += purchase
    }
    // Time goes on, so that nothing is open at the end.
    lines += AuditTests.sound(count, at: AuditTests.start + 40 * AuditTests.day)
    return (lines, lost, twice)
  }

  static func transactions(_ result: AuditResult, _ code: String) -> Set<String> {
    Set(
      result.findings.filter { AuditRules.all[$0.rule].invariant.code == code }
        .compactMap(\.transaction))
  }

  @Test(arguments: [1, 2, 3, 7] as [UInt64])
  func `Lines in another order within the window, in several files, come to the same`(seed: UInt64)
    throws
  {
    let (lines, lost, twice) = Self.month(1000)
    var random = Dice(seed)
    var files = [[String]](repeating: [], count: 3)
    for line in Self.shuffled(lines, within: 3_000_000, &random) {
      files[random.below(3)].append(line)
    }
    let result = try AuditFolder().audit(
      files.enumerated().map { ("log\($0.offset)", AuditTests.text($0.element)) })
    #expect(result.late == 0)
    #expect(Self.transactions(result, "I01") == lost)
    #expect(Self.transactions(result, "I02") == twice)
    #expect(
      AuditTests.broken(result).prefix(3) == [
        "I01 \(lost.count)", "I02 \(twice.count)", "I03 \(lost.count)",
      ])
    #expect(result.charges == 1001)
  }

  /// Each line at a place that is off by less than so many milliseconds.
  static func shuffled(_ lines: [String], within millis: Int, _ random: inout Dice) -> [String] {
    var keyed: [(Int64, Int, String)] = []
    for (index, line) in lines.enumerated() {
      let at = Int64(line.firstMatch(of: /"at": (\d+)/)!.1)!
      keyed.append((at + Int64(random.below(millis)), index, line))
    }
    return keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  @Test func `A fact that comes too late is left out, counted and shown`() throws {
    var lines = (0..<20).flatMap {
      AuditTests.sound($0, at: AuditTests.start + Int64($0) * 600_000)
    }
    let credit = lines.remove(at: 2)
    lines.insert(credit, at: 80)
    let log = [("log", AuditTests.text(lines))]
    let result = try AuditFolder().audit(log)
    #expect(result.late == 1)
    #expect(result.lateLines.first?.place.line == 81)
    #expect(result.lateLines.first?.damage.found == "credited 2026-01-01 00:00:00.300")
    var terms = AuditTerms()
    terms.window = 4 * 3_600_000
    let longer = try AuditFolder().audit(log, terms)
    #expect(longer.late == 0)
    #expect(AuditTests.broken(longer) == [])
  }

  @Test func `Damaged lines are counted and shown with what was found, and the rest is judged`()
    throws
  {
    let good = AuditTests.sound(1, at: AuditTests.start)
    let bad: [(line: String, found: String)] = [
      ("nonsense", "'nonsense'"), ("{\"at\": 1, \"fact\": \"charged\"", "the end of the line"),
      (#"{"at": 1, "fact": "charmed"}"#, "fact 'charmed'"),
      (#"{"at": 1, "fact": "charged", "product": "coins"}"#, "'charged' without 'transaction'"),
      (#"{"fact": "charged", "transaction": 1}"#, "no 'at'"),
      (#"{"at": "2026-13-01T00:00:00Z", "fact": "charged"}"#, "at '2026-13-01T00:00:00Z'"),
      (#"{"at": 1, "fact": "charged", "transaction": [1]}"#, "'[1]}'"),
      (#"{"at": 1, "fact": "charged", "transaction": 1, "quantity": "two"}"#, "'\"two\"}'"),
      (#"{"at": 1, "fact": "verified", "transaction": 1, "verdict": "yes"}"#, "verdict 'yes'"),
      (#"{"at": 1, "fact": "refunded", "transaction": 1, "amount": 1001}"#, "amount 1001"),
      (#"{"at": 1, "fact": "granted", "transaction": 1}"#, "'granted' without 'amount'"),
      (good[0], "a transaction that is charged again"),
    ]
    let lines = good[..<2] + bad.map(\.line) + good[2...]
    let result = try AuditFolder().audit([("log", AuditTests.text(Array(lines)))])
    #expect(result.damaged == bad.count)
    #expect(result.damagedLines.map(\.damage.found) == Array(bad.map(\.found).prefix(10)))
    #expect(result.damagedLines.map(\.place.line) == Array(3...12))
    #expect(AuditTests.broken(result) == [])
    #expect(result.exitCode == .asExpected)
  }

  @Test func `Names may have anything in them, and numbers are names as well`() throws {
    let long = String(repeating: "ü🙂", count: 60)
    let names = ["a\"b\\c\n", "\u{1F600} é", long, "", "-12"]
    for name in names.filter({ !$0.isEmpty }) {
      let quoted = JSONValue.quoted(name)
      let lines =
        AuditTests.sound(1, at: AuditTests.start)
        .map { $0.replacing("\"480001\"", with: quoted) }
        .filter { !$0.contains("credited") }
        + AuditTests.sound(2, at: AuditTests.start + 5 * AuditTests.day)
      let result = try AuditFolder().audit([("log", AuditTests.text(lines))])
      #expect(result.damaged == 0)
      #expect(Self.transactions(result, "I01") == [name])
    }
    var lines = AuditTests.sound(1, at: AuditTests.start)
    lines[2] = lines[2].replacing("\"480001\"", with: "480001")
    lines[3] = lines[3].replacing("\"480001\"", with: #""\u0034\u00380001""#)
    let result = try AuditFolder().audit([("log", AuditTests.text(lines))])
    #expect(result.charges == 1)
    #expect(AuditTests.broken(result) == [])
  }

  @Test func `Times have offsets, fractions and blanks, or are milliseconds`() {
    func millis(_ text: String) -> Int64? {
      Array(text.utf8).withUnsafeBufferPointer { ISOTime.millis($0) }
    }
    #expect(millis("1970-01-01T00:00:00Z") == 0)
    #expect(millis("2026-01-31T12:00:00.123Z") == 1_769_860_800_123)
    #expect(millis("2026-01-31 12:00:00.1239") == 1_769_860_800_123)
    #expect(millis("2026-01-31T14:30:00+02:30") == 1_769_860_800_000)
    #expect(millis("2026-01-31T07:00:00-05") == 1_769_860_800_000)
    #expect(millis("2024-02-29T00:00:00Z") == 1_709_164_800_000)
    for wrong in [
      "", "2026-02-29T00:00:00Z", "2026-01-31", "2026-01-31T12:00:00ZZ", "1969-12-31T23:59:59Z",
    ] {
      #expect(millis(wrong) == nil, "\(wrong)")
    }
    for moment: Int64 in [0, 1_709_164_800_000, 1_769_860_800_123, 253_402_300_799_999] {
      #expect(millis(ISOTime.text(moment)) == moment)
    }
  }

  @Test(
    arguments: [
      ("heal", "9223372036854775807"), ("within", "9223372036854775807"), ("heal", "-1"),
      ("within", "253402300800000"), ("heal", "1e300"), ("within", "\"1s\""),
    ])
  func `Times of a whole history are such that others can be added`(key: String, value: String)
    throws
  {
    let lines = [
      #"{"at": 0, "history": "begin", "\#(key)": \#(value)}"#,
      #"{"at": 0, "fact": "launched", "device": "d", "storeAccount": "a"}"#,
      #"{"at": 1, "fact": "tapped", "intent": "i", "device": "d", "storeAccount": "a"}"#,
      #"{"at": 2, "fact": "told", "intent": "i", "message": "failure"}"#,
      #"{"at": 9, "history": "end"}"#,
    ]
    let result = try AuditFolder().audit([("log", AuditTests.text(lines))])
    #expect(result.damagedLines.first?.damage.found.hasPrefix("\(key) ") == true)
    #expect(
      result.damagedLines.first?.damage.expected == "milliseconds from 0 to 253402300799999")
  }

  @Test(arguments: ["-9223372036854775807", "9223372036854775807", "-2"])
  func `A disturbance ends at a time that there is`(millis: String) throws {
    let line = #"{"at": 0, "fact": "launched", "device": "d", "disturbedUntil": \#(millis)}"#
    let result = try AuditFolder().audit([("log", line + "\n")])
    #expect(result.damagedLines.map(\.damage.found) == ["disturbedUntil \(millis)"])
  }

  @Test func `A log with every time and amount at its limit is judged`() throws {
    let latest = 253_402_300_799_999
    let most = "4294967294"
    var lines: [String] = []
    for (index, kind) in Fact.Kind.allCases.enumerated() {
      lines.append(
        #"{"at": \#(index % 2 == 0 ? 0 : latest), "fact": "\#(kind)", "transaction": "1", "original": "2", "intent": "i", "account": "a", "storeAccount": "s", "device": "d", "product": "p", "quantity": \#(most), "amount": \#(most), "disturbedUntil": \#(latest)}"#
      )
      lines.append(
        #"{"at": \#(latest), "fact": "\#(kind)", "transaction": "\#(index)", "original": "\#(index)", "device": "d", "account": "a", "intent": "i", "quantity": \#(most), "amount": 1000}"#
      )
    }
    let begin =
      #"{"at": 0, "history": "begin", "heal": \#(latest), "within": \#(latest), "levels": [1000], "products": ["p"], "kept": [1]}"#
    let end = #"{"at": \#(latest), "history": "end", "disturbedUntil": \#(latest)}"#
    for all in [lines, [begin] + lines + [end]] {
      var terms = AuditTerms()
      terms.window = .max / 4
      terms.within = Int64(UInt32.max) * 86_400_000
      terms.skew = Int64(UInt32.max) * 86_400_000
      terms.subscriptions = [("p", 1)]
      let result = try AuditFolder().audit([("log", AuditTests.text(all))], terms)
      #expect(result.facts > 40)
    }
  }

  @Test func `Nothing that a log may say ends the audit`() throws {
    var random = Dice(11)
    let kinds = Fact.Kind.allCases.map { "\($0)" }
    for round in 0..<60 {
      var lines: [String] = []
      for _ in 0..<400 {
        var line = FactText(at: AuditTests.start + Int64(random.below(round < 30 ? 1000 : 1 << 31)))
        line.add("fact", kinds[random.below(kinds.count)])
        for key in [
          "transaction", "original", "intent", "account", "storeAccount", "device", "product",
        ]
        where random.below(3) > 0 {
          line.add(key, "\(random.below(round % 2 == 0 ? 3 : 12))")
        }
        if random.below(2) == 0 { line.add("quantity", Int64(random.below(3))) }
        if random.below(2) == 0 { line.add("amount", Int64(random.below(1200))) }
        if random.below(2) == 0 {
          line.add("verdict", ["accepted", "refused", "inconclusive"][random.below(3)])
        }
        if random.below(2) == 0 {
          line.add("message", ["success", "failure", "pending"][random.below(3)])
        }
        lines.append(line.text)
      }
      var terms = AuditTerms()
      terms.window = round % 3 == 0 ? 1 : 1 << 32
      if round % 5 == 0 { terms.subscriptions = [("1", 1), ("2", 2)] }
      let once = try AuditFolder().audit([("log", AuditTests.text(lines))], terms)
      let again = try AuditFolder().audit([("log", AuditTests.text(lines))], terms)
      #expect(once.counts == again.counts)
      #expect(once.lines == 400)
    }
  }

  @Test func `The form's schema takes what a run prints, and has every kind of fact`() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func schema(_ name: String) throws -> JSONSchema {
      try JSONSchema(
        String(
          contentsOf: root.appending(path: "Docs/schemas/\(name).schema.json"), encoding: .utf8))
    }
    let facts = try schema("fact")
    let run = Bench().run("--scenario", "hasty-replay", "--seed", "0", "--format", "jsonl").out
    for line in run.split(separator: "\n") {
      #expect(facts.problem(in: try JSONParser.parse(String(line))) == nil, "\(line)")
    }
    for kind in Fact.Kind.allCases {
      let line = #"{"at": 0, "fact": "\#(kind)"}"#
      #expect(facts.problem(in: try JSONParser.parse(line)) == nil, "\(line)")
    }
    #expect(facts.problem(in: try JSONParser.parse(#"{"at": 0, "fact": "charmed"}"#)) != nil)
    let audits = try schema("audit")
    let (lines, _, _) = Self.month(100)
    for text in [AuditTests.text(lines + ["damaged"]), run, ""] {
      let document = try JSONReporter.text(AuditDocument(AuditFolder().audit([("log", text)])))
      #expect(audits.problem(in: try JSONParser.parse(document)) == nil)
    }
  }
}

/// Numbers that look drawn, the same each time.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}

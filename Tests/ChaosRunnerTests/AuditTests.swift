import Foundation
import Invariants
import Testing

@testable import ChaosRunner

/// What is found in logs of production.
@Suite struct AuditTests {
  /// A log of one purchase that went well, with another transaction for each number.
  static func sound(
    _ number: Int, at start: Int64, user: String = "user1", product: String = "coins"
  )
    -> [String]
  {
    let id = #""transaction": "48000\#(number)""#
    let who = #""account": "\#(user)""#
    return [
      #"{"at": \#(start), "fact": "charged", \#(id), \#(who), "product": "\#(product)"}"#,
      #"{"at": \#(start + 100), "fact": "delivered", \#(id)}"#,
      #"{"at": \#(start + 300), "fact": "credited", \#(id), \#(who), "product": "\#(product)"}"#,
      #"{"at": \#(start + 400), "fact": "finishing", \#(id)}"#,
      #"{"at": \#(start + 500), "fact": "finished", \#(id)}"#,
    ]
  }

  static let day: Int64 = 86_400_000
  static let start: Int64 = 1_767_225_600_000

  /// The codes of the rules that were judged and broke, with how often.
  static func broken(_ result: AuditResult) -> [String] {
    result.broken.map { "\(AuditRules.all[$0].invariant.code) \(result.counts[$0])" }
  }

  static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

  @Test func `Each rule says what a log must have for it, or why a log cannot show it`() {
    for invariant in Catalogue.invariants {
      guard let entry = AuditRules.entry(invariant.code) else {
        Issue.record(
          "\(invariant.code) has no entry in AuditRules: add one, with needs or a reason")
        continue
      }
      #expect(entry.needs.isEmpty != (entry.onlyWhole == nil), "\(invariant.code)")
    }
    // The smallest rule that nobody has thought of.
    #expect(AuditRules.entry("I99") == nil)
    #expect(AuditRules.all.map(\.invariant.code) == Catalogue.invariants.map(\.code))
  }

  @Test
  func `A log in which everything came is clean, and what it cannot speak about is not judged`()
    throws
  {
    let lines = (0..<50).flatMap { Self.sound($0, at: Self.start + Int64($0) * Self.day) }
    let result = try AuditFolder().audit([("log", Self.text(lines))])
    #expect(Self.broken(result) == [])
    #expect(result.exitCode == .asExpected)
    #expect(result.charges == 50)
    let judged = AuditRules.all.indices.filter { result.gap($0) == nil }
      .map { AuditRules.all[$0].invariant.code }
    #expect(judged == ["I01", "I02", "I03", "I04", "I05", "I06", "I08", "I11", "I19"])
    #expect(
      result.gap(AuditRules.all.firstIndex { $0.invariant.code == "I07" }!)
        == "the log has no 'refunded' and no 'reversed' or 'regranted'")
  }

  @Test func `Who paid and got nothing is found, and who paid a moment ago is not`() throws {
    var lines = Self.sound(1, at: Self.start) + Self.sound(2, at: Self.start + 1000)
    lines.removeAll { $0.contains("480002") && $0.contains("credited") }
    lines.append(contentsOf: Self.sound(3, at: Self.start + 5 * Self.day).prefix(2))
    let result = try AuditFolder().audit([("log", Self.text(lines.sorted()))])
    #expect(Self.broken(result) == ["I01 1", "I03 1", "I11 1"])
    let lost = try #require(
      result.findings.first { AuditRules.all[$0.rule].invariant.code == "I01" })
    #expect(lost.transaction == "480002")
    #expect(lost.account == "user1")
    #expect(lost.product == "coins")
    #expect(lost.evidence.map(\.text) == ["charged user1", "delivered", "finishing", "finished"])
    #expect(result.open == 1)
    #expect(result.sums.map(\.difference) == [1])
    #expect(result.sums.map(\.open) == [1])
    #expect(result.exitCode == .red)
  }

  @Test func `A second credit is found at once, and months after the purchase was closed`() throws {
    var lines = Self.sound(1, at: Self.start) + Self.sound(2, at: Self.start)
    let credit =
      #""fact": "credited", "transaction": "480001", "account": "user1", "product": "coins""#
    for number in 3..<200 { lines += Self.sound(number, at: Self.start + Int64(number) * Self.day) }
    lines.insert("{\"at\": \(Self.start + 100 * Self.day), \(credit)}", at: 5 * 100)
    let result = try AuditFolder().audit([("log", Self.text(lines.sorted()))])
    #expect(Self.broken(result) == ["I02 1", "I11 1"])
    let twice = try #require(result.findings.first)
    #expect(twice.transaction == "480001")
    #expect(twice.evidence.map(\.text) == ["credited, judged before", "credited user1"])
    #expect(twice.evidence.map(\.isBreak) == [false, true])
    #expect(result.sums.map(\.difference) == [-1])
  }

  @Test func `What happened in one millisecond has the order in which a purchase goes`() throws {
    let lines = Self.sound(1, at: Self.start).map {
      $0.replacing(/"at": \d+/, with: "\"at\": \(Self.start)")
    }
    for order in [lines, lines.reversed(), [lines[3], lines[1], lines[4], lines[0], lines[2]]] {
      let result = try AuditFolder().audit([("log", Self.text(Array(order)))])
      #expect(Self.broken(result) == [])
      #expect(result.damaged == 0)
    }
  }

  @Test func `A refund months later is taken back once, or found`() throws {
    func refund(_ number: Int, _ day: Int64, _ kinds: String...) -> [String] {
      kinds.enumerated().map { index, kind in
        #"{"at": \#(Self.start + day * Self.day + Int64(index)), "fact": "\#(kind)", "transaction": "48000\#(number)"}"#
      }
    }
    var lines = (1...4).flatMap { Self.sound($0, at: Self.start) }
    lines += refund(1, 60, "refunded", "reversed") + refund(2, 61, "refunded")
    lines += refund(3, 62, "refunded", "reversed", "reversed")
    lines += Self.sound(5, at: Self.start + 90 * Self.day)
    let result = try AuditFolder().audit([("log", Self.text(lines))])
    #expect(Self.broken(result) == ["I07 2"])
    let found = result.findings.filter { AuditRules.all[$0.rule].invariant.code == "I07" }
    #expect(found.compactMap(\.transaction).sorted() == ["480002", "480003"])
    // What the one has too much the other has too little.
    #expect(result.sums.map(\.returned) == [3])
    #expect(result.sums.map(\.takenBack) == [3])
    #expect(result.sums.map(\.difference) == [0])
  }

  @Test
  func
    `A restore of a purchase that was closed is known for one, and credited once more for a break`()
    throws
  {
    var lines = Self.sound(1, at: Self.start)
    lines += [
      #"{"at": \#(Self.start + 50 * Self.day), "fact": "restored", "transaction": "r1", "original": "480001", "account": "user1"}"#,
      #"{"at": \#(Self.start + 50 * Self.day + 1), "fact": "delivered", "transaction": "r1"}"#,
      #"{"at": \#(Self.start + 50 * Self.day + 2), "fact": "finished", "transaction": "r1"}"#,
    ]
    lines += Self.sound(2, at: Self.start + 60 * Self.day)
    #expect(Self.broken(try AuditFolder().audit([("log", Self.text(lines))])) == [])
    lines.append(
      #"{"at": \#(Self.start + 70 * Self.day), "fact": "credited", "transaction": "r1", "account": "user1", "product": "coins"}"#
    )
    let result = try AuditFolder().audit([("log", Self.text(lines))])
    #expect(Self.broken(result) == ["I02 1", "I11 1"])
    #expect(result.findings.first?.evidence.last?.text == "credited user1")
  }

  @Test func `A credit that names no transaction, or one that nobody charged, is free goods`()
    throws
  {
    var lines = Self.sound(1, at: Self.start)
    lines += [
      #"{"at": \#(Self.start + 1000), "fact": "credited", "account": "user2", "product": "coins"}"#,
      #"{"at": \#(Self.start + 1000), "fact": "credited", "transaction": "forged", "account": "user3", "product": "coins"}"#,
    ]
    var terms = AuditTerms()
    terms.isWhole = true
    let result = try AuditFolder().audit([("log", Self.text(lines))], terms)
    #expect(Self.broken(result) == ["I05 2", "I11 1"])
    #expect(result.findings.compactMap(\.account) == ["user2", "user3"])
    #expect(result.sums.map(\.difference) == [-2])
  }

  @Test func `Who got what somebody else paid for, and what was not paid for, is found`() throws {
    var lines = (1...3).flatMap { Self.sound($0, at: Self.start) }
    for index in lines.indices where lines[index].contains("credited") {
      if lines[index].contains("480002") { lines[index].replace("user1", with: "user9") }
      if lines[index].contains("480003") { lines[index].replace("coins", with: "gems") }
    }
    let result = try AuditFolder().audit([("log", Self.text(lines))])
    #expect(Self.broken(result) == ["I04 1", "I19 1"])
    #expect(result.findings.compactMap(\.transaction) == ["480002", "480003"])
  }

  @Test func `Two taps for one thing are charged once`() throws {
    let tap = #""fact": "tapped", "intent": "w1", "account": "user1", "product": "coins""#
    var lines = ["{\"at\": \(Self.start - 10), \(tap)}"]
    lines += (1...2).flatMap { Self.sound($0, at: Self.start + Int64($0)) }.map { line in
      line.contains("charged")
        ? line.replacing("\"account\"", with: "\"intent\": \"w1\", \"account\"") : line
    }
    // The second charge is met before it is known whose wish it answers.
    let result = try AuditFolder().audit([("log", Self.text(lines.reversed()))])
    #expect(Self.broken(result) == ["I13 1"])
    #expect(result.findings.first?.intent == "w1")
    #expect(result.charges == 2)
  }
}

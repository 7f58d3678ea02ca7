import Foundation
import Invariants
import Testing

@testable import ChaosRunner
@testable import ChaosStore

@Suite struct TraceTests {
  @Test func `A trace has a line for each event, and below it what was decided and what happened`()
    throws
  {
    let output = Bench().run(
      "trace", "--scenario", "hasty-lost", "--plan", "drop verify.request tx1 #1")
    #expect(output.code == 0)
    #expect(output.err == "")
    #expect(
      output.out.replacing(try Regex("0x[0-9a-f]{16}"), with: "HASH") == """
        trace of hasty-lost under a plan
                               fact launched: user1, store account 1, phone1
              1        100 ms  step            phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact tapped: wish tx1, user1, phone1, coins, quantity 1
              2        150 ms  charge          tx1           HASH  row 0 tag 0 life 0 detail 0x0
                               fact charged: transaction tx1, wish tx1, user1, store account 1, phone1, \
        coins, quantity 1
              3        151 ms  callback        tx1           HASH  row 0 tag 0 life 0 detail 0x0
                               decides drop verify.request tx1 #1
                               fact delivered: transaction tx1, phone1
                               fact finishing: transaction tx1, phone1
                               fact finished: transaction tx1
              4      20000 ms  step            phone1        HASH  row 1 tag 0 life 0 detail 0x0
                               fact ended: store account 1, phone1
              5      30000 ms  step            phone1        HASH  row 2 tag 0 life 0 detail 0x0
                               fact launched: user1, store account 1, phone1
              6     120000 ms  reopen          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact ended: store account 1, phone1
              7     121000 ms  launch          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact launched: user1, store account 1, phone1
              8     180000 ms  reopen          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact ended: store account 1, phone1
              9     181000 ms  launch          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact launched: user1, store account 1, phone1
             10     240000 ms  reopen          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact ended: store account 1, phone1
             11     241000 ms  launch          phone1        HASH  row 0 tag 0 life 0 detail 0x0
                               fact launched: user1, store account 1, phone1
            end     241000 ms  11 events, 14 facts, trace HASH, breaks no-charge-without-delivery, \
        finish-only-after-credit, conservation

        """)
  }

  @Test func `A trace of years keeps the number of an event and its milliseconds apart`() {
    let line = TraceListing.Line(
      event: 1_234_567, at: Instant(millis: 31_536_000_000),
      content: .event(kind: "resume", about: "server1", trace: 7, numbers: "row 0"))
    #expect(
      line.text
        == "1234567 31536000000 ms  resume          server1       0x0000000000000007  row 0")
  }

  @Test func `A trace ends with the hash of the run, whatever way it is asked for`() throws {
    let line = Bench().run("trace", "--scenario", "hasty-lost", "--seeds", "3..<4").out
    #expect(line == Bench().run("trace", "--scenario", "hasty-lost", "--seed", "3", "--quiet").out)
    let hash = TraceListing.text(hash: Simulation(Bench.usual[0]).run(seed: 3).trace)
    #expect(line == "hasty-lost 0x3 \(hash)\n")
    let listing = Bench().run("trace", "--scenario", "hasty-lost", "--seed", "3").out
    #expect(listing.split(separator: "\n").last?.contains("trace \(hash), breaks ") == true)
    let plan = Simulation(Bench.usual[0]).record(seed: 3).full.description
    let planned = Bench().run(
      "trace", "--scenario", "hasty-lost", "--plan", plan, "--quiet")
    #expect(planned.out == "hasty-lost - \(hash)\n")
  }

  @Test func `The traces of a seed and of the plan it amounts to are the same but for the title`() {
    let seed = Bench().run("trace", "--scenario", "hasty-lost", "--seed", "3").out
    let plan = Simulation(Bench.usual[0]).record(seed: 3).full.description
    let planned = Bench().run("trace", "--scenario", "hasty-lost", "--plan", plan).out
    #expect(
      seed.split(separator: "\n").dropFirst() == planned.split(separator: "\n").dropFirst())
  }

  @Test func `A trace of many seeds is a line for each, scenario by scenario`() {
    let lines = Bench().run("trace", "--seeds", "2..<5").out.split(separator: "\n")
    #expect(lines.count == 18)
    #expect(
      lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == Bench.usual.flatMap { scenario in
          ["0x2", "0x3", "0x4"].map { "\(scenario.name) \($0)" }
        })
  }

  @Test func `A trace of several scenarios has a title for each`() throws {
    let text = Bench().run("trace", "--scenario", "sound*", "--seed", "1").out
    let whole = Bench().run("trace", "--scenario", "sound-replay", "--seed", "1").out
    let lines = try #require(
      TraceListing.lines(under: "trace of sound-replay under seed 0x1", in: text))
    #expect(lines == whole.split(separator: "\n").dropFirst().map(String.init))
    #expect(TraceListing.lines(under: "trace of sound under seed 0x1", in: text) == nil)
  }

  @Test func `A trace can be read by machines`() throws {
    let hash = TraceListing.text(hash: Simulation(Bench.usual[0]).run(seed: 3).trace)
    let one = try #require(Document("--seed", "3").runs.first)
    #expect(one.traceHash == hash)
    #expect(one.lines?.first { $0.event == 1 }?.kind != nil)
    #expect(one.lines?.contains { $0.fact?.hasPrefix("charged: transaction tx1") == true } == true)
    let many = try Document("--seeds", "3..<5").runs
    #expect(many.map(\.seed) == ["0x3", "0x4"])
    #expect(many[0].traceHash == hash)
    #expect(many[0].lines == nil)
  }

  @Test func `A trace notes on standard error what the plan names and the run never asks`() {
    let output = Bench().run(
      "trace", "--scenario", "sound-lost", "--plan", "drop verify.reply tx9 #3", "--quiet")
    #expect(output.code == 0)
    #expect(output.err == "Named by the plan and never asked for: drop verify.reply tx9 #3\n")
  }
}

/// What `trace --format json` prints, read back.
private struct Document: Decodable {
  struct Line: Decodable {
    var event: Int
    var millis: Int
    var kind: String?
    var trace: String?
    var decision: String?
    var fact: String?
  }
  struct Run: Decodable {
    var scenario: String
    var seed: String?
    var traceHash: String
    var lines: [Line]?
  }
  var runs: [Run]

  init(_ arguments: String...) throws {
    let output = Bench().run(
      ["trace", "--scenario", "hasty-lost", "--format", "json"] + arguments)
    self = try JSONDecoder().decode(Document.self, from: Data(output.out.utf8))
  }
}

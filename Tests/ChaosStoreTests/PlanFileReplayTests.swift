import ChaosStore
import Foundation
import Invariants
import Testing

@Suite("A plan file that is replayed")
struct PlanFileReplayTests {
  private static let crash = "crash app after finish tx1 #1"

  private func scenario(_ change: (inout Setup) -> Void = { _ in }) throws -> Scenario {
    try Stage.one("storekit2-order-token", change)
  }

  private func file(
    _ plan: String = crash, seed: UInt64? = nil,
    expecting: PlanFile.Expectation = .violates("no-charge-without-delivery")
  ) throws -> PlanFile {
    PlanFile(
      recording: try scenario(), Origin(seed: seed, plan: try Plan(parsing: plan)),
      expecting: expecting)
  }

  @Test("A replayed plan file breaks what it broke, by the same history")
  func sameHistory() throws {
    let replay = Replay(try file(), among: [try scenario()])
    #expect(replay.standing == .sameHistory)
    #expect(replay.broken.contains("no-charge-without-delivery"))
    #expect(replay.match == "1 of 1 decision matched")
    #expect(replay.record?.faults == replay.file.plan)
    let coded = Replay(try file(expecting: .violates("I01")), among: [try scenario()])
    #expect(coded.standing == .sameHistory, "an invariant's code is a name too")
  }

  @Test("A replayed plan file holds where it held: in a quiet run, under a seed, and over a seed")
  func holds() throws {
    let sound = try Stage.one("exactly-once")
    for (seed, plan) in [(nil, ""), (7, ""), (7, "delay verify.reply tx1 #1 = 77ms")]
      as [(UInt64?, String)]
    {
      let file = PlanFile(
        recording: sound, Origin(seed: seed, plan: try Plan(parsing: plan)), expecting: .holds)
      let replay = Replay(file, among: [sound])
      #expect(replay.standing == .sameHistory)
      #expect(replay.record?.seed == seed)
      #expect(replay.unmatched == [])
    }
  }

  @Test("A replay with the recorded outcome and another trace is another history")
  func otherHistory() throws {
    var file = try file()
    file.trace ^= 1
    #expect(Replay(file, among: [try scenario()]).standing == .otherHistory)
  }

  @Test("A replay that breaks what was held, or holds what was broken, is different")
  func different() throws {
    #expect(Replay(try file(expecting: .holds), among: [try scenario()]).standing == .different)
    let twice = try file(expecting: .violates("no-double-credit"))
    #expect(Replay(twice, among: [try scenario()]).standing == .different)
  }

  @Test("A plan file is stale where its scenario is gone")
  func noScenario() throws {
    var file = try file()
    file.scenario = "onn"
    let replay = Replay(file, among: [try scenario()])
    #expect(replay.standing == .stale)
    #expect(replay.doubts == ["there is no scenario 'onn'; did you mean 'one'?"])
    #expect(Replay(file, among: [try scenario()], bestEffort: true).standing == .stale)
    #expect(Replay(file, among: []).standing == .stale)
  }

  @Test("A plan file is stale where its scenario has changed, unless the best effort will do")
  func otherModel() throws {
    let changed = try scenario { $0.healMillis = 61_000 }
    let strict = Replay(try file(), among: [changed])
    #expect(strict.standing == .stale)
    #expect(strict.doubts.count == 1)
    #expect(strict.doubts[0].hasPrefix("the scenario has changed since it was recorded: "))
    let effort = Replay(try file(), among: [changed], bestEffort: true)
    #expect(effort.isAsExpected)
    #expect(effort.standing == .otherHistory || effort.standing == .sameHistory)
  }

  @Test("A plan file without a seed is not stale where only chances have changed")
  func otherChances() throws {
    let changed = try scenario { $0.mix = FaultMix([.appCrash]) }
    #expect(Replay(try file(), among: [changed]).standing == .sameHistory)
    let seeded = try file(seed: 7)
    #expect(Replay(seeded, among: [changed]).standing == .stale)
  }

  @Test("A plan file of a seed alone is stale under another model, whatever the effort")
  func seedAlone() throws {
    let changed = try scenario { $0.healMillis = 61_000 }
    let file = try file("", seed: 7, expecting: .holds)
    #expect(Replay(file, among: [changed], bestEffort: true).standing == .stale)
  }

  @Test("With the best effort a plan without a seed, or over one, is played under another model")
  func effortUnderAnotherModel() throws {
    let changed = try scenario { $0.healMillis = 61_000 }
    for file in [try file("", expecting: .holds), try file(Self.crash, seed: 7)] {
      #expect(Replay(file, among: [changed]).standing == .stale)
      #expect(Replay(file, among: [changed], bestEffort: true).doubts == [])
    }
  }

  @Test("With the best effort a seed alone of the same model is replayed as any other file")
  func seedAloneOfThisModel() throws {
    let file = try file("", seed: 7, expecting: .holds)
    let strict = Replay(file, among: [try scenario()])
    let effort = Replay(file, among: [try scenario()], bestEffort: true)
    #expect(strict.doubts == [] && effort.doubts == [])
    #expect(strict.standing == effort.standing && strict.standing != .stale)
    #expect(effort.isBestEffort && !strict.isBestEffort)
  }

  @Test("A replay says why nothing can be said, of the model before the plan before the outcome")
  func severalDoubts() throws {
    var file = try file("drop verify.reply tx9 #1", expecting: .violates("never-heard-of"))
    file.model.hash ^= 1
    let replay = Replay(file, among: [try scenario()])
    #expect(replay.doubts.count == 3)
    #expect(replay.doubts.first?.hasPrefix("the scenario has changed") == true)
    #expect(replay.doubts.dropFirst().first == "'drop verify.reply tx9 #1' is never asked")
    #expect(replay.match == "0 of 1 decision matched")
    #expect(!replay.isAsExpected)
  }

  @Test("A replay is of the scenario of the file's name among several")
  func amongSeveral() throws {
    var other = try scenario()
    other.name = "two"
    other.invariants = []
    let replay = Replay(try file(), among: [other, try scenario()])
    #expect(replay.scenario?.name == "one")
    #expect(replay.standing == .sameHistory)
  }

  @Test("A plan file is stale where the simulated world has changed since")
  func otherVersion() throws {
    var file = try file()
    file.model.version = 9
    file.tool = "4.0.0"
    let replay = Replay(file, among: [try scenario()])
    #expect(replay.standing == .stale)
    #expect(
      replay.doubts[0].hasPrefix(
        "the simulated world has changed since 4.0.0 recorded it: its model is 9-"))
  }

  @Test("A plan file is stale where a decision is never asked; with the best effort, where none is")
  func unmatched() throws {
    let file = try file("\(Self.crash), drop verify.reply tx1 #900")
    let strict = Replay(file, among: [try scenario()])
    #expect(strict.standing == .stale)
    #expect(strict.doubts == ["'drop verify.reply tx1 #900' is never asked"])
    let effort = Replay(file, among: [try scenario()], bestEffort: true)
    #expect(effort.standing == .sameHistory)
    #expect(effort.match == "1 of 2 decisions matched")
    #expect(effort.unmatched.map(\.description) == ["drop verify.reply tx1 #900"])
    let nothing = try self.file("drop verify.reply tx9 #1", expecting: .holds)
    #expect(Replay(nothing, among: [try scenario()], bestEffort: true).standing == .stale)
  }

  @Test("A plan file is stale where its scenario does not judge what it breaks")
  func notJudged() throws {
    var narrow = try scenario()
    narrow.invariants = [try #require(Catalogue.invariant(named: "no-double-credit"))]
    #expect(
      Replay(try file(), among: [narrow]).doubts == [
        "the scenario does not judge 'no-charge-without-delivery'"
      ])
    #expect(
      Replay(try file(expecting: .violates("no-dubble-credit")), among: [narrow]).doubts == [
        "the scenario does not judge 'no-dubble-credit'; did you mean 'no-double-credit'?"
      ])
  }

  @Test("A plan file is stale where its run is cut off")
  func cutOff() throws {
    let short = try scenario { $0.eventLimit = 9 }
    let file = PlanFile(
      recording: short, Origin(plan: try Plan(parsing: Self.crash)), expecting: .holds)
    #expect(Replay(file, among: [short]).doubts == ["the run is cut off after 9 events"])
  }

  @Test("Every plan file that this repository keeps is replayed by the same history")
  func kept() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "regressions")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    let scenarios = try ScenarioText.ofThePackage()
    var standings: [String] = []
    for name in names {
      let file = try PlanFile(
        json: String(contentsOf: folder.appending(path: name), encoding: .utf8))
      let replay = Replay(file, among: scenarios)
      if replay.standing != .sameHistory { standings.append("\(name): \(replay.standing)") }
    }
    #expect(standings == [])
    #expect(names.count >= 8)
  }
}

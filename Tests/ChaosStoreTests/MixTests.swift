import Testing

@testable import ChaosStore

@Suite("What a mix of faults decides")
struct MixTests {
  @Test("A fault strikes always at chance one, and never where it has none or is not named")
  func certain() {
    let door = Door([.responseLost: "1", .requestLost: "0"])
    #expect(door.strikes(.dropReply, times: 100_000) == 100_000)
    #expect(door.strikes(.dropRequest, times: 100_000) == 0)
    #expect(door.strikes(.duplicateReply, times: 100_000) == 0)
  }

  @Test(
    "A fault strikes as often as its chance says", arguments: ["1/2", "1/20", "1/1000", "19/20"])
  func chances(chance: String) throws {
    let ratio = try #require(Ratio(parsing: chance))
    let expected = 200_000 * Int(ratio.numerator) / Int(ratio.denominator)
    // Five standard deviations.
    let variance = expected * Int(ratio.denominator - ratio.numerator) / Int(ratio.denominator)
    let door = Door([.responseLost: chance])
    let strikes = door.strikes(.dropReply, times: 200_000, subjects: 1000)
    #expect((strikes - expected) * (strikes - expected) <= 25 * variance)
  }

  @Test("Who is asked the same for the 65,537th time is answered as at the first")
  func countsEnd() {
    let door = Door([.responseLost: "1/3"])
    let first = (0..<100).map { _ in door.strikes(.dropReply, tx: 0) }
    for _ in 100..<65_536 { _ = door.strikes(.dropReply, tx: 0) }
    #expect((0..<100).map { _ in door.strikes(.dropReply, tx: 0) } == first)
    #expect(Set(first).count == 2)
  }

  @Test("Which faults strike under a seed stays the same for ever")
  func pinned() {
    let door = Door([.responseLost: "1/2"])
    let answers = (0..<4).map { tx in
      (0..<16).map { _ in door.strikes(.dropReply, tx: tx) ? "x" : "." }.joined()
    }
    #expect(
      answers == [".x..xx.x.x..x..x", "x....xx....x..xx", "...x.x..x.xxx...", "xx..x..x...xxx.x"])
  }

  @Test("A fault strikes at most as often as its limit, over all places where it can")
  func limits() {
    let door = Door([.appCrash: "1"], most: 3)
    #expect(door.strikes(.crashAfterFinish, times: 2) == 2)
    #expect(door.strikes(.crashBeforeSend, times: 10) == 1)
    #expect(door.strikes(.crashAfterFinish, times: 10) == 0)
    #expect(door.struck(.appCrash) == 3)
    door.begin(seed: 8)
    #expect(door.struck(.appCrash) == 0)
    #expect(door.strikes(.crashInReply, times: 10) == 3)
  }

  @Test("A fault strikes only at the sites that its mix names")
  func sites() {
    let door = Door([.appCrash: "1"], sites: [.crashAfterFinish])
    #expect(door.strikes(.crashAfterFinish, times: 5) == 5)
    #expect(door.strikes(.crashBeforeFinish, times: 5) == 0)
  }

  @Test("A decision is moved by no other question's faults or limits, and by no other subject")
  func independence() {
    let alone = Door([.responseLost: "1/3"])
    let crowd = Door([
      .responseLost: "1/3", .requestLost: "1/2", .appCrash: "1/7", .concurrentDuplicate: "1/5",
      .lateResponse: "1/4",
    ])
    let expected = (0..<500).map { alone.strikes(.dropReply, tx: $0 % 5) }
    let found = (0..<500).map { n -> Bool in
      if n % 2 == 0 { _ = crowd.strikes(.dropRequest, tx: n % 5) }
      if n % 3 == 0 { _ = crowd.strikes(.crashAfterSend, tx: n % 5) }
      _ = crowd.strikes(.dropReply, tx: 5 + n % 3)
      _ = crowd.delay(.delayReply, tx: n % 5)
      return crowd.strikes(.dropReply, tx: n % 5)
    }
    #expect(found == expected)
  }

  @Test("A fault with several values takes each about equally often")
  func choices() {
    let door = Door([.verifierStatus: "1/2"])
    guard case .choice(_, let values) = Question.statusVerifier.shape else {
      Issue.record("the verifier's status is no choice")
      return
    }
    var counts = [Int](repeating: 0, count: values.count + 1)
    for n in 0..<100_000 {
      counts[door.choice(.statusVerifier, tx: n % 500, of: values.count)] += 1
    }
    #expect((49_000...51_000).contains(counts[0]))
    let usual = 50_000 / values.count
    #expect(counts.dropFirst().allSatisfy { (usual * 9 / 10...usual * 11 / 10).contains($0) })
  }

  @Test("No fault of a mix strikes after the heal")
  func heal() {
    let door = Door([.responseLost: "1", .lateResponse: "1", .verifierStatus: "1"])
    #expect(door.strikes(.dropReply, times: 1) == 1)
    door.heal()
    #expect(door.strikes(.dropReply, times: 100) == 0)
    #expect(door.choice(.statusVerifier, tx: 0, of: 5) == 0)
    #expect(door.delays(.delayReply, times: 1000).allSatisfy { (10...200).contains($0) })
  }
}

@Suite("A delay")
struct DelayTests {
  @Test("A delay takes every millisecond of its range, both ends included, and no other")
  func ends() {
    let door = Door([:])
    let usual = Set(door.delays(.delayRequest, times: 20_000))
    #expect(usual == Set(10...200))
    #expect(Set(door.delays(.delayFinish, times: 100)) == [0])
  }

  @Test("A delay takes the range that a scenario gives it")
  func ranges() {
    let door = Door([:], delays: [.delayRequest: 5...6, .delayReply: 42...42])
    #expect(Set(door.delays(.delayRequest, times: 100)) == [5, 6])
    #expect(Set(door.delays(.delayReply, times: 100)) == [42])
    #expect(Set(door.delays(.delayCharge, times: 20_000)) == Set(50...500))
  }

  @Test("A delay is as long as the seed says, the same for ever")
  func pinned() {
    let door = Door([:])
    #expect(
      door.delays(.delayRequest, times: 8, subjects: 1) == [15, 154, 195, 62, 182, 28, 46, 70])
    #expect(door.delays(.delayCharge, times: 4, subjects: 2) == [273, 315, 441, 204])
    #expect(door.delays(.delayRelaunch, times: 4, subjects: 1) == [4248, 6852, 4283, 6514])
  }

  @Test("A late delay outlasts the receiver's patience, an overtaken one what was sent next")
  func classes() {
    let late = Door([.lateResponse: "1"]).delays(.delayReply, times: 10_000)
    #expect(late.allSatisfy { (7000...14_000).contains($0) })
    let overtaken = Door([.reordering: "1"]).delays(.delayReply, times: 10_000)
    #expect(overtaken.allSatisfy { (1500...3000).contains($0) })
    let slow = Door([.lateResponse: "1"]).delays(.delayRequest, times: 10_000)
    #expect(slow.allSatisfy { (10...200).contains($0) })
  }

  @Test("A delay is overtaken or late as often as the chances say, always where they add up to one")
  func shares() {
    let third = Door([.lateResponse: "1/3", .reordering: "1/3"])
      .delays(.delayReply, times: 90_000, subjects: 900)
    #expect((29_000...31_000).contains(third.count { $0 >= 7000 }))
    #expect((29_000...31_000).contains(third.count { (1500...3000).contains($0) }))
    #expect((29_000...31_000).contains(third.count { $0 <= 200 }))
    let whole = Door([.lateResponse: "1/2", .reordering: "1"]).delays(.delayReply, times: 10_000)
    #expect(whole.allSatisfy { $0 >= 1500 })
  }

  @Test("A delay is late as often as the limit allows, and then as short as can be")
  func limits() {
    let door = Door([.lateResponse: "1"], most: 2)
    let delays = door.delays(.delayReply, times: 6, subjects: 1)
    #expect(delays.prefix(2).allSatisfy { $0 >= 7000 })
    #expect(delays.dropFirst(2).allSatisfy { $0 == 10 })
    #expect(door.struck(.lateResponse) == 2)
  }

  @Test("A delay that is overtaken or late does not lengthen others")
  func independence() {
    let plain = Door([:]).delays(.delayRequest, times: 200)
    let other = Door([.lateResponse: "1", .reordering: "0"]).delays(.delayRequest, times: 200)
    let few = Door([.slowServer: "1/10"]).delays(.delayRequest, times: 200)
    #expect(other == plain)
    #expect(zip(few, plain).allSatisfy { $0 == $1 || $0 >= 7000 })
    #expect(few.contains { $0 >= 7000 })
  }
}

@Suite("A script")
struct ScriptTests {
  @Test("What a plan alone does not name is answered quietly")
  func quiet() {
    let door = Door([.responseLost: "1", .lateResponse: "1", .verifierStatus: "1"])
    let script = Script(plan: Plan(), followsSeed: false)
    door.begin(seed: 7, script: script)
    #expect(door.strikes(.dropReply, times: 100) == 0)
    #expect(door.choice(.statusVerifier, tx: 0, of: 5) == 0)
    #expect(Set(door.delays(.delayReply, times: 100)) == [10])
    #expect(script.full == Plan())
  }

  @Test("A plan strikes where it says, whatever the mix allows, and what was never asked is told")
  func planned() throws {
    let plan = try Plan(
      parsing: """
        drop verify.reply tx1 #2, drop verify.reply tx2 #1, delay verify.reply tx1 #3 = late, \
        delay verify.reply tx1 #4 = 123ms, crash app after finish tx9 #1
        """)
    let script = Script(plan: plan, followsSeed: false)
    let door = Door([:])
    door.begin(seed: 0, script: script)
    #expect((0..<4).map { _ in door.strikes(.dropReply, tx: 0) } == [false, true, false, false])
    #expect((0..<2).map { _ in door.strikes(.dropReply, tx: 1) } == [true, false])
    #expect((0..<5).map { _ in door.delay(.delayReply, tx: 0) } == [10, 10, 7000, 123, 10])
    #expect(script.unmatched.map(\.description) == ["crash app after finish tx9 #1"])
    #expect(
      script.full.description == """
        drop verify.reply tx1 #2, drop verify.reply tx2 #1, delay verify.reply tx1 #3 = 7000ms, \
        delay verify.reply tx1 #4 = 123ms
        """)
    #expect(script.faults.decisions.count == 3)
  }

  @Test("A plan over a seed overrides it where it has an answer, and follows it elsewhere")
  func overrides() throws {
    let mix: [Fault: String] = [.responseLost: "1/4"]
    let seeded = Door(mix)
    let expected = (0..<50).map { _ in seeded.strikes(.dropReply, tx: 0) }
    let quiet = try #require(expected.firstIndex(of: false))
    let door = Door(mix)
    door.begin(
      seed: 7,
      script: Script(
        plan: try Plan(parsing: "drop verify.reply tx1 #\(quiet + 1)"), followsSeed: true))
    let found = (0..<50).map { _ in door.strikes(.dropReply, tx: 0) }
    #expect(found.indices.filter { found[$0] != expected[$0] } == [quiet])
  }

  @Test(
    "The decisions of a run, written down, give the same answers with its seed and without it",
    arguments: [UInt32.max, 3, 1])
  func full(most: UInt32) {
    let mix: [Fault: String] = [
      .responseLost: "1/4", .lateResponse: "1/4", .reordering: "1/4", .slowServer: "1/4",
      .verifierStatus: "1/3", .appCrash: "1/5",
    ]
    let door = Door(mix, most: most)
    var different: [String] = []
    for seed in 0..<50 as Range<UInt64> {
      door.begin(seed: seed)
      let expected = door.history()
      let recording = Script(plan: Plan(), followsSeed: true)
      door.begin(seed: seed, script: recording)
      if door.history() != expected { different.append("\(seed) when written down") }
      for (begin, followsSeed) in [(seed, true), (seed + 999, false)] {
        let script = Script(plan: recording.full, followsSeed: followsSeed)
        door.begin(seed: begin, script: script)
        if door.history() != expected || script.full != recording.full || !script.unmatched.isEmpty
        {
          different.append("\(seed) by its plan, \(followsSeed ? "with" : "without") the seed")
        }
      }
    }
    #expect(different == [])
  }
}

/// The door of decisions with nobody behind it, asked by purchase.
private final class Door {
  private var decisions: Decisions

  init(
    _ chances: [Fault: String], most: UInt32 = .max, sites: [Question] = [],
    delays: [Question: ClosedRange<Int64>] = [:]
  ) {
    var mix = FaultMix()
    for fault in Fault.allCases {
      guard let text = chances[fault], let chance = Ratio(parsing: text) else { continue }
      mix.entries[fault] = FaultMix.Entry(chance: chance, most: most, sites: sites)
    }
    mix.delays = delays
    decisions = Decisions(mix: mix, slots: 16)
    begin(seed: 7)
  }

  deinit { decisions.deallocate() }

  func begin(seed: UInt64, script: Script? = nil) {
    decisions.begin(seed: seed, script: script, slots: 1000)
  }

  func heal() { decisions.heal() }

  func struck(_ fault: Fault) -> Int { Int(decisions.struck[Int(fault.rawValue)]) }

  func strikes(_ question: Question, tx: Int) -> Bool { decisions.strikes(question, who(tx)) }

  func strikes(_ question: Question, times: Int, subjects: Int = 10) -> Int {
    (0..<times).count { strikes(question, tx: $0 % subjects) }
  }

  func choice(_ question: Question, tx: Int, of count: Int) -> Int {
    guard case .choice(_, let values) = question.shape, values.count == count,
      let value = decisions.choice(question, who(tx))
    else { return 0 }
    return values.firstIndex(of: value).map { $0 + 1 } ?? -1
  }

  func delay(_ question: Question, tx: Int) -> Int64 { decisions.delay(question, who(tx)) }

  func delays(_ question: Question, times: Int, subjects: Int = 10) -> [Int64] {
    (0..<times).map { delay(question, tx: $0 % subjects) }
  }

  /// The answers to 350 questions of every shape.
  func history() -> [Int64] {
    guard case .choice(_, let values) = Question.statusVerifier.shape else { return [] }
    return (0..<50).flatMap { n -> [Int64] in
      [
        strikes(.dropReply, tx: n % 3) ? 1 : 0, delay(.delayReply, tx: n % 4),
        strikes(.crashAfterFinish, tx: n % 2) ? 1 : 0, delay(.delayRequest, tx: n % 3),
        Int64(choice(.statusVerifier, tx: n % 5, of: values.count)),
        strikes(.crashBeforeSend, tx: n % 7) ? 1 : 0, delay(.delayCharge, tx: n),
      ]
    }
  }

  private func who(_ tx: Int) -> Who { Who(slot: UInt32(tx), key: Subject.transaction(tx).key) }
}

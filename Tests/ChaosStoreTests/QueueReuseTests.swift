import Testing

@testable import ChaosStore

@Suite("What is used for run after run")
struct QueueReuseTests {
  @Test("An event queue that was cleared gives back what was scheduled since, and nothing older")
  func clearedQueue() {
    var queue = EventQueue()
    defer { queue.deallocate() }
    for subject in 0..<200 as Range<UInt32> { queue.schedule(at: 1, .timer, subject: subject) }
    queue.clear()
    for subject in 0..<80 as Range<UInt32> {
      queue.schedule(at: 1000 - Int64(subject), .reply, subject: subject)
    }
    var subjects: [UInt32] = []
    while queue.count > 0 { subjects.append(queue.pop().subject) }
    #expect(subjects == (0..<80).reversed())
  }

  @Test("How often something was asked is still known after others have been added")
  func countsSurviveGrowth() throws {
    let script = Script(plan: try Plan(parsing: "drop verify.reply tx1 #3"), followsSeed: false)
    var decisions = Decisions(mix: FaultMix(), slots: 1)
    defer { decisions.deallocate() }
    decisions.begin(seed: 0, script: script, slots: 1)
    let who = Who(slot: 0, key: Subject.transaction(0).key)
    var answers = (0..<2).map { _ in decisions.strikes(.dropReply, who) }
    for _ in 0..<1000 { decisions.addSlot() }
    answers += (0..<2).map { _ in decisions.strikes(.dropReply, who) }
    #expect(answers == [false, false, true, false])
  }

  @Test("A choice has the value that the plan names, whichever of them it is")
  func plannedValues() throws {
    guard case .choice(_, let values) = Question.statusVerifier.shape else {
      Issue.record("the verifier's status is no choice")
      return
    }
    for value in values {
      let plan = try Plan(parsing: "fail verifier.status tx1 #1 = \(value)")
      var decisions = Decisions(mix: FaultMix(), slots: 1)
      defer { decisions.deallocate() }
      decisions.begin(seed: 0, script: Script(plan: plan, followsSeed: false), slots: 1)
      let who = Who(slot: 0, key: Subject.transaction(0).key)
      #expect(decisions.choice(.statusVerifier, who) == value)
    }
  }

  @Test("A delay is late from its late class on, overtaken between, and usual up to its range")
  func classesOfMilliseconds() {
    func fault(_ millis: Int64) -> Fault? { Question.delayReply.fault(behind: .millis(millis)) }
    #expect([10, 200].map(fault) == [nil, nil])
    #expect([201, 6999].map(fault) == [.reordering, .reordering])
    #expect([7000, 90_000].map(fault) == [.lateResponse, .lateResponse])
    #expect(Question.delayFinish.fault(behind: .millis(1)) == .finishLost)
  }

  @Test("A planned delay is a fault from the first millisecond beyond the usual range on")
  func edgeOfTheUsual() throws {
    let usual = try Probe.run(Probe.Hands(), "delay verify.reply tx1 #1 = 200ms")
    #expect(usual.faults.isEmpty)
    #expect(usual.full.decisions.count == 1)
    let fault = try Probe.run(Probe.Hands(), "delay verify.reply tx1 #1 = 201ms")
    #expect(fault.faults.decisions.count == 1)
  }
}

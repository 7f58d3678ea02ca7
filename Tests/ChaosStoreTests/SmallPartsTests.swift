import Invariants
import Testing

@testable import ChaosStore

@Suite("The small parts")
struct SmallPartsTests {
  // MARK: - Kernel

  @Test("A text is filled up to a width, and left alone where it is wider")
  func padding() {
    #expect("ab".padded(to: 4) == "ab  ")
    #expect("ab".padded(to: 1) == "ab")
    #expect("ab".leftPadded(to: 4) == "  ab")
    #expect("7".leftPadded(to: 3, with: "0") == "007")
    #expect("ab".leftPadded(to: 1) == "ab")
  }

  @Test("A word of a command line is quoted where a shell would read it otherwise")
  func quoting() {
    #expect("a-Z_0./:,=+@".shellQuoted == "a-Z_0./:,=+@")
    #expect(["", "a b", "a#1", "é"].map(\.shellQuoted) == ["''", "'a b'", "'a#1'", "'é'"])
    #expect("it's".shellQuoted == #"'it'\''s'"#)
  }

  @Test("A number has a comma after each thousand, and one thing is no plural")
  func numbers() {
    #expect(
      [0, 999, 1000, 999_999, 1_000_000, -100, -1000].map(\.grouped) == [
        "0", "999", "1,000", "999,999", "1,000,000", "-100", "-1,000",
      ])
    #expect([0, 1, 2, 1000].map { $0.of("run") } == ["0 runs", "1 run", "2 runs", "1,000 runs"])
    #expect((42 as UInt64).hexDigits == "000000000000002a")
    #expect(UInt64.max.hexDigits == "ffffffffffffffff")
  }

  @Test("A suggestion is the closest name, the first of several, and none that is far away")
  func suggestions() {
    func hint(_ written: String, _ names: String...) -> String {
      suggestion(for: written, among: names)
    }
    #expect(hint("drop", "dropped", "drip", "drap") == "; did you mean 'drip'?")
    #expect(hint("abc", "abcde") == "; did you mean 'abcde'?")
    #expect(hint("abc", "abcdef") == "")
    #expect(hint("abcdefghi", "abcdef") == "; did you mean 'abcdef'?")
    #expect(hint("abcdefgh", "abcde") == "")
    #expect(hint("acb", "abc") == "; did you mean 'abc'?")
    #expect(hint("abc", "xyz") == "")
    let long = String(repeating: "a", count: 100)
    #expect(hint(long, long + "a") == "", "a name too long to be typed")
    #expect(hint(long, String(long.dropLast())) != "")
    #expect(hint(long + "a", long) == "")
  }

  @Test("A few names are listed, a single one stands alone, and many are counted")
  func lists() {
    #expect(oneOf(["a"], "things") == "a")
    #expect(oneOf(["a", "b"], "things") == "one of a, b")
    let names = (1...31).map { "n\($0)" }
    #expect(oneOf(Array(names.prefix(30)), "things").hasSuffix("n29, n30"))
    #expect(oneOf(names, "things") == "one of the 31 things")
  }

  @Test("Who never cancels is never asked; who does is told how far the run is")
  func cancellation() {
    #expect(!Cancellation.never.isRequested && !Cancellation.never.isRequested(after: 9))
    let late = Cancellation { $0 >= 5 }
    #expect(!late.isRequested && !late.isRequested(after: 4) && late.isRequested(after: 5))
    #expect(Cancellation { $0 == 0 }.isRequested)
  }

  @Test("An emptied table has no row, and goes through those it has in order")
  func rows() {
    var rows = Rows<Int, TransactionID>(capacity: 0)
    defer { rows.deallocate() }
    for value in 0..<3 { rows.append(value) }
    #expect(rows.ids.map(\.index) == [0, 1, 2])
    #expect(rows.nextID == TransactionID(3))
    rows.removeAll()
    #expect(!rows.holds(TransactionID(0)))
    #expect(rows.ids.map(\.index) == [])
    #expect(rows.nextID == TransactionID(0))
  }

  @Test("A queue that was cleared is not exhausted, and counts what is in it")
  func queue() {
    var queue = EventQueue(capacity: 1)
    defer { queue.deallocate() }
    for subject in 0..<9 as Range<UInt32> { queue.schedule(at: 1, .step, subject: subject) }
    #expect(queue.count == 9)
    _ = queue.pop()
    #expect(queue.count == 8)
    #expect(!queue.isExhausted)
    #expect(Event.most == 67_108_864)
  }

  // MARK: - Decisions

  @Test("A plan's size is what it chooses; what it leaves out does not count")
  func planSize() throws {
    let plan = try Plan(
      parsing: "omit person.step step1, drop verify.reply tx1, omit person.phone phone2")
    #expect(plan.size == 1)
    #expect(!plan.isEmpty && Plan().isEmpty)
  }

  @Test("A step or a phone that a plan leaves out is not there, and everything else is")
  func omissions() throws {
    let two: (inout Setup) -> Void = { setup in
      setup.accounts = 2
      setup.devices = [.init(), .init(account: 1)]
      setup.products = [.init("coins"), .init("gems")]
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 5000, device: 1, .buy(product: 1, quantity: 1, account: 1)),
      ]
    }
    let step = try Probe.run(Probe.Hands(), "omit person.step step1", two)
    #expect(step.times(.tapped) == [5000])
    #expect(step.facts.filter { $0.kind == .launched }.map(\.device.index) == [0, 1])
    #expect(step.asked(.crashOnCallback, "tx2") == 1, "it keeps its name")
    let phone = try Probe.run(Probe.Hands(), "omit person.phone phone2", two)
    #expect(phone.times(.tapped) == [1000])
    #expect(phone.facts.filter { $0.kind == .launched }.map(\.device.index) == [0])
  }

  @Test("An asking is answered by a decision on the same question, about the same, at that time")
  func askings() throws {
    let asking = Asking(
      at: .start, event: 1, question: .dropReply, subject: .transaction(0), occurrence: 2)
    func answers(_ text: String) throws -> Bool {
      asking.isAnswered(by: try Decision(parsing: text))
    }
    #expect(try answers("drop verify.reply tx1 #2"))
    #expect(try !answers("drop verify.reply tx1 #1"))
    #expect(try !answers("drop verify.reply tx2 #2"))
    #expect(try !answers("drop verify.request tx1 #2"))
    let decision = try Decision(parsing: "drop verify.reply tx1 #2")
    #expect(decision.asksTheSame(as: decision))
    let others = [
      "drop verify.reply tx1", "drop verify.reply tx2 #2", "drop verify.request tx1 #2",
    ]
    for other in others {
      #expect(try !decision.asksTheSame(as: Decision(parsing: other)))
    }
  }

  @Test("A fault is found by its code in any case, and by its name")
  func faultNames() {
    #expect(Fault(named: "f41") == .responseLost)
    #expect(Fault(named: "F41") == .responseLost)
    #expect(Fault(named: "Response-Lost") == .responseLost)
    #expect(Fault(named: "F20") == nil)
    #expect(
      Fault.allCases.filter(\.needsHostedApp)
        == [.askToBuy, .unverified, .paymentRefused, .taskOrder])
  }

  @Test("What fault an answer amounts to belongs to its class, also where there is one class only")
  func faultsBehindAnswers() {
    let visit = Question.delayVisit
    #expect(visit.fault(behind: .late) == .lateObserver)
    #expect(visit.fault(behind: .overtaken) == nil)
    #expect(visit.fault(behind: .millis(30_000)) == .lateObserver)
    #expect(visit.fault(behind: .millis(5001)) == .lateObserver)
    #expect(visit.fault(behind: .millis(5000)) == nil)
    let result = Question.delayPurchaseResult
    #expect(result.fault(behind: .millis(20)) == nil)
    #expect(result.fault(behind: .millis(21)) == .delayedDelivery)
    #expect(result.fault(behind: .late) == nil)
    #expect(Question.delayCharge.fault(behind: .millis(90_000)) == nil)
    #expect(Question.delayReply.fault(behind: .strike) == nil)
    #expect(Question.dropReply.fault(behind: .strike) == .responseLost)
    #expect(Question.omitStep.fault(behind: .strike) == nil)
    #expect(Question.statusVerifier.fault(behind: .value(21005)) == .verifierStatus)
    #expect(Question.delayReply.fault == nil && Question.omitPhone.fault == nil)
    #expect(Question.allCases.filter(\.isOmission) == [.omitStep, .omitPhone])
  }

  @Test("A fault's questions are those whose answer it can be, delays among them")
  func questionsOfFaults() {
    #expect(Fault.reordering.questions == [.delayRequest, .delayReply])
    #expect(Fault.slowServer.questions == [.delayRequest])
    #expect(Fault.finishLost.questions == [.dropFinish, .delayFinish])
    #expect(Fault.verifierStatus.questions == [.statusVerifier, .voidCharge])
    #expect(
      Fault.delayedDelivery.questions == [.holdCallback, .delayCallback, .delayPurchaseResult])
  }

  @Test("A mix lets a fault strike at the steps of its sites, where it has a chance")
  func stepsOfFaults() throws {
    var mix = FaultMix()
    mix.entries[.verifierStatus] = .init(chance: try #require(Ratio(1, 2)))
    #expect(mix.steps(of: .verifierStatus) == [.pay, .verify])
    mix.entries[.verifierStatus]?.sites = [.statusVerifier]
    #expect(mix.steps(of: .verifierStatus) == [.verify])
    mix.entries[.verifierStatus] = .init(chance: try #require(Ratio(0, 1)))
    #expect(mix.steps(of: .verifierStatus) == [])
    #expect(mix.steps(of: .responseLost) == [])
    #expect(mix.faults == [.verifierStatus])
  }

  @Test("How often a fault struck is counted at the step of the question that it answered")
  func coverage() throws {
    let scenario = try Stage.one("exactly-once")
    let simulation = Simulation(scenario)
    let plan = try Plan(
      parsing: "drop verify.reply tx1 #1, delay verify.reply tx1 #1 = late, crash app after pay tx1"
    )
    _ = simulation.run(plan: plan)
    var coverage = Coverage()
    simulation.addStrikes(to: &coverage)
    #expect(coverage[.responseLost, .reply] == 1)
    #expect(coverage[.lateResponse, .reply] == 1)
    #expect(coverage[.appCrash, .pay] == 1)
    #expect(coverage[.appCrash] == 1)
    #expect(coverage[.responseLost, .request] == 0)
    var twice = coverage
    twice.add(coverage)
    #expect(twice[.responseLost] == 2)
  }

  @Test("A delay that a plan names within its usual range is written down, and no strike")
  func usualDelays() throws {
    let simulation = Simulation(try Stage.one("exactly-once"))
    _ = simulation.run(plan: try Plan(parsing: "delay verify.reply tx1 #1 = 200ms"))
    var coverage = Coverage()
    simulation.addStrikes(to: &coverage)
    #expect(coverage == Coverage())
  }

  @Test("The catalogue's least delays are what the quiet run takes")
  func quietDelays() throws {
    let record = try Probe.run(Probe.Hands(), "interrupt store.payment tx1 #1")
    #expect(record.times(.charged) == [1050])
    #expect(record.times(.delivered) == [2050])
    #expect(record.full.decisions.count == 1, "least delays are not written down")
  }

  @Test("A question is found by its name and no other, and has the step that its table says")
  func questions() {
    #expect(Question(name: "drop verify.reply") == .dropReply)
    #expect(Question(name: "Drop verify.reply") == nil)
    #expect(Question.allCases.allSatisfy { Question(name: $0.name) == $0 })
    #expect(Question.voidCharge.step == .pay && Question.dropReply.step == .reply)
    #expect(Step.allCases.map(\.name).prefix(3) == ["launch", "tap", "pay"])
  }
}

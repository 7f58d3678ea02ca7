import ChaosStore
import Foundation
import Testing

@Suite("A plan")
struct PlanFormTests {
  /// Every question with each kind of answer it takes.
  static let everything: [Decision] = Question.allCases.flatMap { question -> [Decision] in
    let answers: [Decision.Answer]
    switch question.shape {
    case .strike, .omission: answers = [.strike]
    case .choice(_, let values): answers = values.map(Decision.Answer.value)
    case .delay(let delay):
      answers =
        [.millis(0), .millis(250)] + (delay.overtaken == nil ? [] : [.overtaken])
        + (delay.late == nil ? [] : [.late])
    }
    let names = ["tx1", "tx2/3", "tx1/a2", "tx7/a1/2/r4095", "phone12", "step3"]
    return answers.enumerated().map { index, answer in
      Decision(
        question, Subject(name: names[(Int(question.rawValue) + index) % 6])!, index + 1, answer)
    }
  }

  @Test("A plan is the same after it was written as text and read again, for every question")
  func textRoundTrip() throws {
    let plan = Plan(Self.everything)
    #expect(try Plan(parsing: plan.description) == plan)
  }

  @Test("A plan is the same after it was written as JSON and read again, for every question")
  func jsonRoundTrip() throws {
    let plan = Plan(Self.everything)
    #expect(try Plan(json: plan.json) == plan)
  }

  @Test("A plan has the same decisions in both forms")
  func forms() throws {
    let text = """
      drop verify.reply tx1 #2, fail verifier.status tx1 #1 = 21005, \
      delay verify.request tx1 #1 = 250ms, delay verify.reply tx2/r1 #1 = late
      """
    let json = """
      [{"question": "drop verify.reply", "subject": "tx1", "occurrence": 2}, \
      {"question": "fail verifier.status", "subject": "tx1", "occurrence": 1, "answer": 21005}, \
      {"question": "delay verify.request", "subject": "tx1", "occurrence": 1, "answer": "250ms"}, \
      {"question": "delay verify.reply", "subject": "tx2/r1", "occurrence": 1, "answer": "late"}]
      """
    #expect(try Plan(parsing: text).json == json)
    #expect(try Plan(json: json).description == text)
  }

  @Test("A plan may be empty, and may leave out that it means the first time")
  func leftOut() throws {
    #expect(try Plan(json: "[]") == Plan())
    #expect(Plan().json == "[]")
    let short = try Plan(json: #"[{"question": "drop verify.reply", "subject": "tx1"}]"#)
    #expect(short == Plan([Decision(.dropReply, Subject(name: "tx1")!, 1, .strike)]))
  }

  @Test(
    "A plan in JSON is refused with the place, what was found and what is allowed",
    arguments: [
      ("{}", "plan: found an object, expected a list of decisions"),
      ("[1]", "plan[0]: found 1, expected an object of answer, occurrence, question, subject"),
      ("[", "line 1, column 2: found the end, expected a value"),
      (
        #"[{"subject": "tx1"}]"#,
        "plan[0].question: found nothing, expected one such as 'drop verify.reply'"
      ),
      (
        #"[{"question": "drop verify.replay", "subject": "tx1"}]"#,
        "plan[0].question: found 'drop verify.replay', expected one of the 183 questions of this simulator; did you mean 'drop verify.reply'?"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "t1"}]"#,
        "plan[0].subject: found 't1', expected one such as tx1, tx1/2, tx1/r1, phone1 or step1"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "tx1", "occurrence": 0}]"#,
        "plan[0].occurrence: found 0, expected a whole number from 1 to 1000000000"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "tx1", "occurence": 1}]"#,
        "plan[0].occurence: found an unknown key, expected one of answer, occurrence, question, subject; did you mean 'occurrence'?"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "tx1", "answer": "late"}]"#,
        "'plan[0]': 'drop verify.reply' takes no value, found 'late'"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "tx1", "answer": null}]"#,
        "plan[0].answer: found null, expected a number, or a text such as '250ms' or 'late'"
      ),
      (
        #"[{"question": "fail verifier.status", "subject": "tx1", "answer": 21003}]"#,
        "'plan[0]': 'fail verifier.status' needs one of 21002, 21004, 21005, 21009, 21100, found '21003'"
      ),
      (
        #"[{"question": "delay store.finish", "subject": "tx1", "answer": "overtaken"}]"#,
        "'plan[0]': 'delay store.finish' needs milliseconds such as '250ms', 'late', found 'overtaken'"
      ),
      (
        #"[{"question": "drop verify.reply", "subject": "tx1"}, {"question": "drop verify.reply", "subject": "tx1", "occurrence": 1}]"#,
        "plan[1]: 'drop verify.reply tx1 #1' and 'drop verify.reply tx1 #1' answer the same question"
      ),
    ])
  func jsonRefusals(text: String, message: String) {
    let error = #expect(throws: PlanError.self) { try Plan(json: text) }
    #expect(error?.description == message)
  }

  @Test(
    "A plan in words is refused with what was found and what is allowed",
    arguments: [
      (
        "drop tx1",
        "'drop tx1' is no decision: expected 'verb site subject #occurrence', such as 'drop verify.reply tx1 #1'"
      ),
      (
        "drop verify.reply tx1 #0",
        "'#0' in 'drop verify.reply tx1 #0' is no occurrence: expected #1 to #1000000000"
      ),
      (
        "drop verify.reply t1 #1",
        "'t1' in 'drop verify.reply t1 #1' is no subject: expected one such as tx1, tx1/2, tx1/r1, phone1 or step1"
      ),
      (
        "drop verify.repl tx1",
        "'drop verify.repl' is not a question of this simulator; did you mean 'drop verify.reply'?"
      ),
      (
        "drop verify.reply tx1 #01",
        "'#01' in 'drop verify.reply tx1 #01' is no occurrence: expected #1 to #1000000000"
      ),
      (
        "fail verifier.status tx1 = 021002",
        "'fail verifier.status tx1 = 021002': 'fail verifier.status' needs one of 21002, 21004, 21005, 21009, 21100, found '021002'"
      ),
      (
        "drop verify.reply tx1 #+1",
        "'#+1' in 'drop verify.reply tx1 #+1' is no occurrence: expected #1 to #1000000000"
      ),
      (
        "delay verify.reply tx1 = 2 5 0",
        "'delay verify.reply tx1 = 2 5 0': 'delay verify.reply' needs milliseconds such as '250ms', 'overtaken', 'late', found '2 5 0'"
      ),
      (
        "delay verify.reply tx1 = +250ms",
        "'delay verify.reply tx1 = +250ms': 'delay verify.reply' needs milliseconds such as '250ms', 'overtaken', 'late', found '+250ms'"
      ),
      (
        "delay verify.reply tx1 = -0",
        "'delay verify.reply tx1 = -0': 'delay verify.reply' needs milliseconds such as '250ms', 'overtaken', 'late', found '-0'"
      ),
      (
        "drop verify.reply tx2, drop verify.reply tx1, drop verify.reply tx3, drop verify.reply tx1 #1, drop verify.reply tx2",
        "'drop verify.reply tx1 #1' and 'drop verify.reply tx1 #1' answer the same question"
      ),
    ])
  func textRefusals(text: String, message: String) {
    let error = #expect(throws: PlanError.self) { try Plan(parsing: text) }
    #expect(error?.description == message)
  }

  @Test("A delay can be as long as Docs/PLANS.md says, and not a millisecond longer")
  func longestDelays() throws {
    let day = 86_400_000
    let document = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Docs/PLANS.md"), encoding: .utf8)
    #expect(document.contains("millis      = 0 to 86400000 or 126230400000, as below"))
    var limits: Set<Int> = []
    for question in Question.allCases {
      guard case .delay(let delay) = question.shape else { continue }
      let limit = delay.range.upperBound > day ? 1461 * day : day
      limits.insert(limit)
      let text = "\(question.name) tx1 #1 = "
      #expect(try Plan(parsing: text + "\(limit)ms").decisions[0].answer == .millis(Int64(limit)))
      let error = #expect(throws: PlanError.self) { try Plan(parsing: text + "\(limit + 1)") }
      #expect(error?.description.contains(" from 0 to \(limit)") == true)
    }
    #expect(limits == [day, 126_230_400_000])
  }
}

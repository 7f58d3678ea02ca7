import ChaosStore
import Foundation
import TestSupport
import Testing

@Suite("The schema of plan files")
struct ScenarioPlanSchemaTests {
  private static let path = "Docs/schemas/plan.schema.json"

  private static func schema() throws -> JSONSchema {
    try JSONSchema(ScenarioText.file(ofThePackage: path))
  }

  @Test("The schema takes every plan file that this repository keeps")
  func kept() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "regressions").path)
    let schema = try Self.schema()
    for name in names where name.hasSuffix(".json") {
      let value = try JSONParser.parse(ScenarioText.file(ofThePackage: "regressions/\(name)"))
      #expect(schema.problem(in: value) == nil, "\(name)")
    }
    #expect(names.count >= 8)
  }

  @Test("The schema takes a plan file as it is written, whatever its plan names")
  func written() throws {
    let schema = try Self.schema()
    for question in Question.allCases {
      let answer: Decision.Answer
      switch question.shape {
      case .strike, .omission: answer = .strike
      case .choice(_, let values): answer = .value(values[0])
      case .delay(let delay): answer = delay.late == nil ? .millis(9) : .late
      }
      let subject = try #require(Subject(name: "tx12/a1/2/f3/n4"))
      let plan = Plan([Decision(question, subject, 2, answer)])
      var file = PlanFile(
        recording: try Stage.one("exactly-once"), Origin(seed: nil, plan: Plan()), expecting: .holds
      )
      file.origin = Origin(seed: .max, plan: plan)
      #expect(schema.problem(in: try JSONParser.parse(file.json)) == nil, "\(plan)")
      let objects = file.json.replacing("[\n    \"\(plan)\"\n  ]", with: plan.json)
      #expect(objects != file.json)
      #expect(schema.problem(in: try JSONParser.parse(objects)) == nil, "\(plan.json)")
      #expect(try PlanFile(json: objects) == file)
    }
  }

  /// What the reader refuses and a schema cannot, by how the complaint reads.
  private static let exceptions = [
    // The answers depend on the question.
    "needs one of", "takes no value", "needs milliseconds",
    // Questions of a text are words of a list, and bounds of numbers in a text are not told.
    "is not a question of this simulator", "is no occurrence", "is no decision", "is no subject",
    // Decisions are compared.
    "answer the same question",
  ]

  @Test("The schema and the reader refuse the same files, but for what a schema cannot say")
  func mutated() throws {
    let text = #"""
      {"version": 1, "tool": "0.1.0-dev", "model": "1-04c4574af0f04596", "scenario": "s", "seed": "0x2a",
       "plan": ["drop verify.reply tx1 #1", "delay verify.request tx1/r1 #2 = 90ms",
         {"question": "delay verify.reply", "subject": "phone1", "occurrence": 3, "answer": "late"},
         {"question": "fail verifier.status", "subject": "tx2", "answer": 21005}],
       "expect": {"violates": "no-double-credit"}, "trace": "0x52c1e6aafe4d65c6"}
      """#
    let value = try JSONParser.parse(text)
    let schema = try Self.schema()
    let mutations = JSONMutation.all(of: value)
    var refused = 0
    for mutation in mutations {
      let problem = schema.problem(in: mutation.value)
      var refusal: String?
      do { _ = try PlanFile(json: mutation.value.text) } catch { refusal = "\(error)" }
      if refusal != nil { refused += 1 }
      if let problem, refusal == nil {
        Issue.record("\(mutation.description): only the schema refuses it: \(problem)")
      }
      if let refusal, problem == nil, !Self.exceptions.contains(where: refusal.contains) {
        Issue.record("\(mutation.description): only the reader refuses it: \(refusal)")
      }
    }
    #expect(mutations.count > 400)
    #expect(refused > 300)
  }

  @Test("The schema names the questions that there are (RECORD=1 renews it)")
  func names() throws {
    let schema = try ScenarioText.file(ofThePackage: Self.path)
    try SchemaText.expect(
      SchemaText.replacing("question", by: Question.allCases.map(\.name), in: schema),
      at: Self.path)
  }
}

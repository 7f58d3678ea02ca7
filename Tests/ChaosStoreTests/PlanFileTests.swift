import ChaosStore
import Testing

@Suite("A plan file")
struct PlanFileTests {
  private static let text = """
    {
      "version": 1,
      "tool": "0.1.0-dev",
      "model": "1-0123456789abcdef",
      "scenario": "shop/naive",
      "seed": "0x2a",
      "plan": [
        "drop verify.reply tx1 #2",
        "delay verify.request tx1 #1 = late"
      ],
      "expect": {"violates": "no-double-credit"},
      "trace": "0x00000000000000ff"
    }

    """

  @Test("A plan file has a decision a line, and is the same when it is read and written again")
  func form() throws {
    let file = try PlanFile(json: Self.text)
    #expect(file.json == Self.text)
    #expect(file.scenario == "shop/naive")
    #expect(file.seed == 42)
    #expect(file.plan.description == "drop verify.reply tx1 #2, delay verify.request tx1 #1 = late")
    #expect(file.expectation == .violates("no-double-credit"))
    #expect(file.trace == 255)
    #expect(file.tool == "0.1.0-dev")
  }

  @Test("A plan file may be without a seed, without decisions, and expect that all holds")
  func quiet() throws {
    let scenario = try Stage.one("exactly-once")
    let file = PlanFile(recording: scenario, Origin(plan: Plan()), expecting: .holds)
    #expect(try PlanFile(json: file.json) == file)
    #expect(!file.json.contains("seed"))
    #expect(file.json.contains("\"plan\": [],\n  \"expect\": \"holds\","))
  }

  @Test("A plan file that names every decision is the same when it is read again")
  func everything() throws {
    let scenario = try Stage.one("exactly-once")
    let file = PlanFile(
      recording: scenario, Origin(seed: .max, plan: Plan(PlanFormTests.everything)),
      expecting: .holds)
    #expect(try PlanFile(json: file.json) == file)
  }

  @Test("A plan file may have its decisions as objects, as the reports have them")
  func objects() throws {
    let objects = Self.text.replacing(
      "\"drop verify.reply tx1 #2\"",
      with: #"{"question": "drop verify.reply", "subject": "tx1", "occurrence": 2}"#)
    #expect(try PlanFile(json: objects) == PlanFile(json: Self.text))
  }

  @Test("A plan file has a digest of what it is about, and of nothing that changes with the tool")
  func digest() throws {
    let file = try PlanFile(json: Self.text)
    var other = file
    other.tool = "9.9.9"
    other.trace = 1
    other.model.version = 7
    #expect(other.digest == file.digest)
    #expect(file.digest.count == 8)
    other.seed = nil
    #expect(other.digest != file.digest)
    other = file
    other.scenario = "shop/other"
    #expect(other.digest != file.digest)
    other = file
    other.expectation = .holds
    #expect(other.digest != file.digest)
    other = file
    other.plan.decisions.removeLast()
    #expect(other.digest != file.digest)
  }

  @Test("A plan file is named after scenario, outcome and digest, in what every file system takes")
  func fileName() throws {
    var file = try PlanFile(json: Self.text)
    #expect(file.fileName == "shop-naive.no-double-credit.\(file.digest).json")
    file.scenario = "größe 1.2_a-b"
    file.expectation = .holds
    #expect(file.fileName == "gr--e-1-2_a-b.holds.\(file.digest).json")
    file.scenario = String(repeating: "a", count: 200)
    let long = String(repeating: "a", count: 120)
    #expect(file.fileName == "\(long).holds.\(file.digest).json")
  }

  @Test(
    "A number of a plan file is 0x and hex digits, nothing else",
    arguments: ["0x+1", "0x-1", "1", "0X1", "0x1 ", "0xg"])
  func numbers(text: String) {
    let file = Self.text.replacing("\"0x2a\"", with: "\"\(text)\"")
    #expect(throws: PlanFileError.self) { try PlanFile(json: file) }
  }

  @Test(
    "A plan file is refused with the place, what was found and what is allowed",
    arguments: [
      ("", "", "line 1, column 1: found the end, expected a value"),
      (
        "\"version\": 1", "\"version\": 2",
        "version: found 2, expected 1: it was written by another version of this tool (0.1.0-dev), and this is \(Model.toolVersion)"
      ),
      ("\"version\": 1", "\"version\": \"1\"", "version: found '1', expected 1"),
      (
        "\"tool\"", "\"tol\"",
        "tol: found an unknown key, expected one of expect, model, plan, scenario, seed, tool, trace, version; did you mean 'tool'?"
      ),
      ("\"0.1.0-dev\"", "2", "tool: found 2, expected the version of the tool that wrote it"),
      (
        "1-0123456789abcdef", "0123456789abcdef",
        "model: found '0123456789abcdef', expected a model such as 1-0123456789abcdef"
      ),
      ("\"shop/naive\"", "7", "scenario: found 7, expected the name of a scenario"),
      ("\"0x2a\"", "42", "seed: found 42, expected 0x and up to 16 hex digits, as a text"),
      (
        "\"0x2a\"", "\"0x10000000000000000\"",
        "seed: found '0x10000000000000000', expected 0x and up to 16 hex digits, as a text"
      ),
      (
        "\"0x00000000000000ff\"", "\"0x\"",
        "trace: found '0x', expected 0x and up to 16 hex digits, as a text"
      ),
      (
        "drop verify.reply tx1 #2", "drop verify.replay tx1 #2",
        "plan[0]: 'drop verify.replay' is not a question of this simulator; did you mean 'drop verify.reply'?"
      ),
      (
        "tx1 #2", "tx1 #0",
        "plan[0]: '#0' in 'drop verify.reply tx1 #0' is no occurrence: expected #1 to #1000000000"
      ),
      (
        "= late", "= never",
        "plan[1]: 'delay verify.request tx1 #1 = never': 'delay verify.request' needs milliseconds such as '250ms', 'overtaken', 'late', found 'never'"
      ),
      (
        "delay verify.request tx1 #1 = late", "drop verify.reply tx1 #2",
        "plan[1]: 'drop verify.reply tx1 #2' and 'drop verify.reply tx1 #2' answer the same question"
      ),
      (
        "{\"violates\": \"no-double-credit\"}", "\"breaks\"",
        "expect: found 'breaks', expected 'holds', or {\"violates\": the name of an invariant}"
      ),
      (
        "\"violates\"", "\"breaks\"",
        "expect.breaks: found an unknown key, expected violates"
      ),
      (
        ",\n  \"trace\": \"0x00000000000000ff\"", "",
        "trace: found nothing, expected 0x and up to 16 hex digits, as a text"
      ),
    ])
  func refusals(old: String, new: String, message: String) {
    let text = old.isEmpty ? "" : Self.text.replacing(old, with: new)
    let error = #expect(throws: PlanFileError.self) { try PlanFile(json: text) }
    #expect(error?.description == message)
  }

  @Test("A plan file of another version says so, whatever else is in it")
  func otherVersion() {
    let error = #expect(throws: PlanFileError.self) {
      try PlanFile(json: #"{"version": 3, "tool": "5.0.0", "steps": []}"#)
    }
    #expect(
      error?.description
        == "version: found 3, expected 1: it was written by another version of this tool (5.0.0), "
        + "and this is \(Model.toolVersion)")
  }
}

import ChaosStore
import Testing

@Suite("A scenario file is refused, with the place, what was found and what is allowed,")
struct ScenarioRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var keys: String
    var worlds = ""
    var steps: String? = ScenarioText.buyCoins
    var message: String

    init(_ keys: String, worlds: String = "", _ message: String) {
      self.keys = keys
      self.worlds = worlds
      self.message = message
    }

    init(steps: String?, _ message: String) { self.init(steps: steps, "", message) }

    init(steps: String?, _ keys: String, _ message: String) {
      self.keys = keys
      self.steps = steps
      self.message = message
    }

    var testDescription: String { message }
  }

  @Test(
    "where it is no JSON",
    arguments: [
      ("{\"version\": 1,\n  \"worlds\": }", "line 2, column 13: found '}', expected a value"),
      ("", "line 1, column 1: found the end, expected a value"),
      ("{\"a\": 1,}", "line 1, column 9: found '}', expected a key in quotation marks"),
      ("{\"é\" 1}", "line 1, column 6: found '1', expected ':'"),
      ("{\"a\": nul}", "line 1, column 7: found 'nul', expected a value"),
      ("{\"a\": 01}", "line 1, column 7: found '01', expected a value"),
      ("[1 2]", "line 1, column 4: found '2', expected ',' or ']'"),
      ("{\"a\": 1 /* no */}", "line 1, column 9: found '/', expected ',' or '}'"),
      (
        "{\"a\": \"x\n\"}",
        "line 1, column 9: found the end of the line, expected the closing quotation mark"
      ),
      (#"{"a": "\q"}"#, #"line 1, column 8: found '\', expected an escape such as \n or \u00e9"#),
      ("{} x", "line 1, column 4: found 'x', expected nothing more"),
      (
        "{\"a\": 1,\n \"a\": 2}",
        "line 2, column 2: found the key 'a' a second time, expected each key once"
      ),
      (
        String(repeating: "[", count: 1000),
        "line 1, column 65: found '[', expected at most 64 lists and objects inside each other"
      ),
    ])
  func syntax(text: String, message: String) {
    #expect(ScenarioText.refusal(text) == message)
  }

  @Test(
    "where the file as a whole is wrong",
    arguments: [
      ("[]", "the file: found a list, expected an object of scenarios, topics, version, worlds"),
      ("{}", "version: found nothing, expected 1"),
      (#"{"version": 2, "scenarios": []}"#, "version: found 2, expected 1"),
      (#"{"version": 1}"#, "scenarios: found nothing, expected a list of at least one scenario"),
      (
        #"{"version": 1, "scenarios": []}"#,
        "scenarios: found an empty list, expected a list of at least one scenario"
      ),
      (
        #"{"version": 1, "scenario": []}"#,
        "scenario: found an unknown key, expected one of scenarios, topics, version, worlds; did you mean 'scenarios'?"
      ),
    ])
  func file(text: String, message: String) {
    #expect(ScenarioText.refusal(text) == message)
  }

  @Test("where two scenarios have one name")
  func twins() {
    let scenario = #"{"name": "s", "system": "two-variants", "steps": \#(ScenarioText.buyCoins)}"#
    #expect(
      ScenarioText.refusal(#"{"version": 1, "scenarios": [\#(scenario), \#(scenario)]}"#)
        == "scenarios[1].name: found 's', expected a name that no other scenario has; scenarios[0] has it"
    )
  }

  @Test("where the scenario's own keys are wrong", arguments: Self.scenarioCases)
  func scenario(_ refused: Case) { check(refused) }

  @Test("where its faults are wrong", arguments: Self.faultCases)
  func faults(_ refused: Case) { check(refused) }

  @Test("where its world is wrong", arguments: Self.worldCases)
  func world(_ refused: Case) { check(refused) }

  @Test("where its steps are wrong", arguments: Self.stepCases)
  func steps(_ refused: Case) { check(refused) }

  private func check(_ refused: Case) {
    let text = ScenarioText.file(refused.keys, worlds: refused.worlds, steps: refused.steps)
    #expect(ScenarioText.refusal(text) == refused.message)
  }
}

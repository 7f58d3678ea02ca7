import ChaosStore
import Invariants
import Testing

@Suite("A topic of a scenario file")
struct ScenarioTopicTests {
  /// A file of one topic, and one scenario that shows it.
  private func file(
    _ topic: String, _ keys: String = #""about": "Its own.""#, name: String = "lost",
    worlds: String = #""base": {"retaps": 3, "steps": [{"at": 0, "buy": "coins"}]}"#
  ) -> String {
    #"{"version": 1, "worlds": {\#(worlds)}, "topics": {"lost": {\#(topic)}}, "scenarios": ["#
      + #"{"name": "s", "system": "two-variants", "topic": "\#(name)", \#(keys)}]}"#
  }

  private func scenario(_ topic: String, _ keys: String = #""seeds": 2000"#) throws -> Scenario {
    try ScenarioText.scenarios(file(topic, keys))[0]
  }

  private static let full = #"""
    "code": "F41", "about": "The answer is lost.", "world": "base", "accounts": 2,
    "faults": {"response-lost": "1/3"}, "invariants": ["I01", "I02"], "expect": ["I02"],
    "allow": ["I01"], "sometimes": ["credited"], "seeds": 50
    """#

  @Test("A scenario has everything that its topic says, and the topic's code")
  func shared() throws {
    let scenario = try scenario(Self.full, #""variant": "repaired""#)
    #expect(scenario.topic == "F41")
    #expect(scenario.about == "The answer is lost.")
    #expect(scenario.setup.retaps == 3)
    #expect(scenario.setup.accounts == 2)
    #expect(scenario.setup.mix.faults == [.responseLost])
    #expect(scenario.invariants.map(\.code) == ["I01", "I02"])
    #expect(scenario.expects == ["no-double-credit"])
    #expect(scenario.allows == ["no-charge-without-delivery"])
    #expect(scenario.goals.map(\.text) == ["credited"])
    #expect(scenario.seeds == 50)
    #expect(scenario.variant == "repaired")
  }

  @Test("A scenario's own keys come before its topic's, each as a whole")
  func own() throws {
    let scenario = try scenario(
      Self.full,
      #"""
      "about": "Its own.", "accounts": 3, "faults": {"app-crash": "1/2"}, "expect": [],
      "allow": "*", "sometimes": ["finished"], "seeds": 7
      """#)
    #expect(scenario.topic == "F41")
    #expect(scenario.about == "Its own.")
    #expect(scenario.setup.accounts == 3)
    #expect(scenario.setup.retaps == 3)
    #expect(scenario.setup.mix.faults == [.appCrash])
    #expect(scenario.expects.isEmpty)
    #expect(scenario.allows == ["no-charge-without-delivery", "no-double-credit"])
    #expect(scenario.goals.map(\.text) == ["finished"])
    #expect(scenario.seeds == 7)
  }

  @Test("A scenario may take another world than its topic, which still changes that world")
  func otherWorld() throws {
    let text = file(
      #""world": "base", "accounts": 2"#, #""world": "other""#,
      worlds: #"""
        "base": {"retaps": 3, "steps": [{"at": 0, "buy": "coins"}]},
        "other": {"accounts": 5, "retaps": 4, "steps": [{"at": 9, "buy": "coins"}]}
        """#)
    let setup = try ScenarioText.scenarios(text)[0].setup
    #expect(setup.retaps == 4)
    #expect(setup.accounts == 2)
    #expect(setup.steps.map(\.atMillis) == [9])
  }

  @Test("A topic without a code is called by its name")
  func name() throws {
    #expect(try scenario(#""world": "base""#).topic == "lost")
  }

  @Test("A file without topics takes any topic as a label")
  func label() throws {
    #expect(try ScenarioText.scenario(#""topic": "anything at all""#).topic == "anything at all")
  }

  @Test(
    "A topic that makes no sense is refused, used or not, with its own place",
    arguments: [
      (#""worlds": "base""#, "", "topics.lost.worlds: found an unknown key, expected one of "),
      (#""name": "x""#, "", "topics.lost.name: found an unknown key, expected one of "),
      (#""world": "bas""#, "", "topics.lost.world: found 'bas', expected base; did you mean"),
      (#""code": """#, "", "topics.lost.code: found '', expected what tables call the topic"),
      (#""faults": {"lost": 1}"#, "", "topics.lost.faults.lost: found an unknown key, expected "),
      (#""retaps": -1"#, "", "topics.lost.retaps: found -1, expected a whole number from 0 to 100"),
      (
        #""expect": ["I01", "I01"]"#, "",
        "topics.lost.expect[1]: found 'I01', expected each invariant once"
      ),
      (#""seeds": 0"#, "", "topics.lost.seeds: found 0, expected a whole number from 1 to "),
      (
        #""world": "base", "invariants": ["I02"]"#, #""expect": ["I01"]"#,
        "scenarios[0].expect[0]: found 'I01', expected an invariant that is judged here"
      ),
      (
        #""world": "base", "allow": ["I01"]"#, #""expect": ["I01"]"#,
        "topics.lost.allow[0]: found 'I01', expected an invariant that is not expected to break (in scenarios[0])"
      ),
      (
        #""world": "base", "horizon": "70s""#, #""heal": "80s""#,
        "scenarios[0].heal: found '80s', expected a time not after the horizon (70000ms)"
      ),
      (
        #""world": "base", "heal": "80s""#, #""horizon": "70s""#,
        "topics.lost.heal: found '80s', expected a time not after the horizon (70000ms) (in scenarios[0])"
      ),
      (
        #""about": "No step.""#, "",
        "scenarios[0].steps: found nothing, expected at least one step, or arrivals"
      ),
    ])
  func refused(topic: String, keys: String, message: String) {
    let text = file(topic, keys.isEmpty ? #""seeds": 2000"# : keys)
    let refusal = ScenarioText.refusal(text) ?? "nothing"
    #expect(refusal.hasPrefix(message), "\(refusal)")
  }

  @Test("A scenario that names a topic that is not there is refused")
  func unknown() {
    #expect(
      ScenarioText.refusal(file(#""world": "base""#, name: "lots"))
        == "scenarios[0].topic: found 'lots', expected lost; did you mean 'lost'?")
  }
}

import ChaosStore
import Testing

@Suite("A scenario that does not fit its world")
struct ScenarioNoteTests {
  @Test("is named in the refusal, which points at the world's line")
  func note() {
    let text = ScenarioText.file(
      #""world": "base", "products": [{"name": "gems"}]"#,
      worlds: #""base": {"steps": [{"at": 0, "buy": "coins"}]}"#, steps: nil)
    #expect(
      ScenarioText.refusal(text)
        == "worlds.base.steps[0].buy: found 'coins', expected gems (in scenarios[0])")
  }

  @Test("may still have many taps where no tap is brought forward")
  func manyTaps() {
    let faults = #""faults": {"double-tap": {"at": ["repeat person.tap"]}}"#
    #expect(
      ScenarioText.refusal(ScenarioText.file(faults, steps: ScenarioRefusalTests.manyTaps)) == nil)
  }
}

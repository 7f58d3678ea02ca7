import ChaosStore
import Testing

@Suite("The ranges that a scenario gives delays")
struct DelayRangeTests {
  private func refusal(_ range: String, of delay: String) -> String? {
    ScenarioText.refusal(ScenarioText.file(#""delays": {"\#(delay)": "\#(range)"}"#))
  }

  @Test("A usual range may end one millisecond before its delay is a fault, and no later")
  func upToTheFault() {
    #expect(refusal("10..1499", of: "delay verify.reply") == nil)
    #expect(
      refusal("10..1500", of: "delay verify.reply")?.hasSuffix(
        "expected a range below 1500 ms, where the delay is a fault") == true)
    // This one is never overtaken, only late.
    #expect(refusal("10..29999", of: "delay page.visit") == nil)
    #expect(
      refusal("10..30000", of: "delay page.visit")?.hasSuffix(
        "expected a range below 30000 ms, where the delay is a fault") == true)
  }

  @Test("A delay that is never a fault may take as long as a scenario likes")
  func withoutAFault() {
    #expect(refusal("50..900000", of: "delay store.charge") == nil)
  }
}

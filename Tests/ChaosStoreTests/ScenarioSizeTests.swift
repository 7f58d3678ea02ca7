import ChaosStore
import Testing

/// Each takes a fraction of a second where the reader goes through the file once, and minutes where
/// anything is compared with everything before it.
@Suite("A scenario file of any size")
struct ScenarioSizeTests {
  private static let many = 5000

  private static func list(_ element: (Int) -> String) -> String {
    (0..<many).map(element).joined(separator: ", ")
  }

  @Test("A file with many devices and store accounts is read")
  func devices() throws {
    let devices = Self.list { #"{"storeAccount": "apple\#($0 + 1)", "environment": "sandbox"}"# }
    let scenario = try ScenarioText.scenario(
      #""storeAccounts": \#(Self.many), "devices": [\#(devices)]"#)
    #expect(scenario.setup.devices.count == Self.many)
  }

  @Test("A file with many products, and a step for each, is read")
  func products() throws {
    let scenario = try ScenarioText.scenario(
      #""products": [\#(Self.list { #"{"name": "p\#($0)"}"# })]"#,
      steps: "[" + Self.list { #"{"at": \#($0), "buy": "p\#($0)"}"# } + "]")
    #expect(scenario.setup.steps.count == Self.many)
  }

  @Test("A file with many worlds and topics, each of them named, is read")
  func worlds() throws {
    let worlds = Self.list { #""w\#($0)": {"extends": "w\#(max($0 - 1, 0) + ($0 == 0 ? 1 : 0))"}"# }
      .replacing(
        #""w0": {"extends": "w1"}"#, with: #""w0": {"steps": [{"at": 0, "buy": "coins"}]}"#)
    let text =
      #"{"version": 1, "worlds": {\#(worlds)}, "#
      + #""topics": {\#(Self.list { #""t\#($0)": {"world": "w\#($0)"}"# })}, "#
      + #""scenarios": [\#(Self.list { #"{"name": "s\#($0)", "system": "two-variants", "topic": "t\#($0)"}"# })]}"#
    #expect(try ScenarioText.scenarios(text).count == Self.many)
  }

  @Test("A chain of worlds that ends where it began is refused, however long it is")
  func circle() {
    let worlds = Self.list { #""w\#($0)": {"extends": "w\#(($0 + 1) % Self.many)"}"# }
    #expect(
      ScenarioText.refusal(ScenarioText.file("", worlds: worlds))
        == "worlds.w\(Self.many - 1).extends: found 'w0', "
        + "expected a world that does not extend 'w\(Self.many - 1)' itself")
  }

  @Test("Many keys, many expectations and many goals too many are refused at the first")
  func keys() {
    #expect(
      ScenarioText.refusal(ScenarioText.file(Self.list { #""k\#($0)": 1"# }))?
        .hasPrefix("scenarios[0].k0: found an unknown key") == true)
    #expect(
      ScenarioText.refusal(ScenarioText.file(#""expect": [\#(Self.list { _ in #""I01""# })]"#))
        == "scenarios[0].expect[1]: found 'I01', expected each invariant once")
    #expect(
      ScenarioText.refusal(
        ScenarioText.file(#""sometimes": [\#(Self.list { _ in #""charged""# })]"#))
        == "scenarios[0].sometimes: found \(Self.many), expected at most 1000")
    #expect(
      ScenarioText.refusal(ScenarioText.file(#""delays": {\#(Self.list { #""d\#($0)": 1"# })}"#))?
        .hasPrefix("scenarios[0].delays.d0: found an unknown key") == true)
  }

  @Test("A key or a value of any length is refused in a line that can be read")
  func long() throws {
    let long = String(repeating: "x", count: 100_000)
    for keys in [
      #""\#(long)": 1"#, #""policy": "\#(long)""#, #""heal": "\#(long)""#, #""heal": \#(long)"#,
      #""faults": {"\#(long)": {"chance": 1}}"#, #""world": "\#(long)""#,
      #""heal": 1\#(String(repeating: "0", count: 100_000))"#,
      #""seeds": "\#(long)", "a": \#(long)"#,
    ] {
      let refusal = try #require(ScenarioText.refusal(ScenarioText.file(keys)))
      #expect(refusal.utf8.count < 4000)
      #expect(refusal.contains("… (10000"), "\(refusal)")
    }
  }

  @Test("A short file that asks for more devices than fit in memory is refused")
  func volume() {
    let scenarios = (0..<2).map {
      #"{"name": "s\#($0)", "system": "two-variants", "devices": 1000000, "steps": [{"at": 0, "device": "phone1", "buy": "coins"}]}"#
    }
    #expect(
      ScenarioText.refusal(
        #"{"version": 1, "scenarios": [\#(scenarios.joined(separator: ", "))]}"#)
        == "scenarios[1]: found 2000004 devices, products and steps in the file up to here, expected at most 2000000"
    )
  }
}

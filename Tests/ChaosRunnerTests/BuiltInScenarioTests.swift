import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite("The built-in scenarios")
struct BuiltInScenarioTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The built-in scenarios are those of scenarios.json, word for word (RECORD=1 copies them)")
  func copy() throws {
    let json = try String(
      contentsOf: Self.root.appending(path: "scenarios.json"), encoding: .utf8)
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      let file = Self.root.appending(
        path: "Sources/ChaosRunner/Campaigns/BuiltInScenarios.swift")
      let source = try String(contentsOf: file, encoding: .utf8)
      let quote = "#\"\"\"\n"
      let head = try #require(source.range(of: quote)).upperBound
      try (source[..<head] + json + "\n\"\"\"#\n}\n")
        .write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded BuiltInScenarios.swift; run again without RECORD")
      return
    }
    #expect(BuiltInScenarios.json == json)
  }

  @Test("The built-in scenarios can all be read")
  func readable() throws {
    let scenarios = try ScenarioFile.scenarios(
      fromJSON: BuiltInScenarios.json, systems: BuiltIn.systems)
    #expect(scenarios.contains { $0.name == "checkout-benchmark" })
  }
}

import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite struct `Scenarios modelled on public reports` {
  private static let builtIn = try! ScenarioFile.scenarios(
    fromJSON: BuiltInScenarios.json, systems: BuiltIn.systems)
  private static let reports = builtIn.filter { $0.report != nil }

  private func run(_ arguments: String..., with names: String...) -> Bench.Output {
    var bench = Bench()
    bench.scenarios = Self.builtIn.filter { names.contains($0.name) }
    return bench.run(arguments)
  }

  @Test
  func `There are dozens, each named after one report, and each breaks something or is a twin`()
    throws
  {
    let broken = Self.reports.filter { !$0.expects.isEmpty }
    #expect(broken.count >= 25)
    #expect(Set(broken.map { $0.report?.source }).count == broken.count)
    for scenario in Self.reports {
      #expect(scenario.name.hasPrefix("reports/"))
      let report = try #require(scenario.report)
      #expect(!report.source.isEmpty && report.said.hasSuffix("."), "\(scenario.name)")
      guard scenario.expects.isEmpty else { continue }
      let twin = try #require(
        broken.first { "\($0.name)/exactly-once" == scenario.name }, "\(scenario.name)")
      #expect(twin.report == report && scenario.allows.isEmpty)
      #expect(twin.setup.steps == scenario.setup.steps && twin.setup.mix == scenario.setup.mix)
      #expect(scenario.system.entry.name == "exactly-once")
    }
  }

  @Test func `Each is called after its source, by its number where it has one`() throws {
    for scenario in Self.reports {
      let source = try #require(scenario.report).source.lowercased()
      let name = scenario.name.split(separator: "/")[1]
      let words = source.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      let last = try #require(words.last)
      #expect(name.hasSuffix(last) && words.contains { name.hasPrefix($0) }, "\(scenario.name)")
    }
  }

  @Test func `Each names what its design breaks besides, and allows nothing else`() {
    for scenario in Self.reports {
      #expect(
        scenario.expects.count + scenario.allows.count < scenario.invariants.count / 2,
        "\(scenario.name)")
    }
  }

  @Test func `Whoever asks what one is about is told where it was reported`() throws {
    let scenario = try #require(Self.reports.first)
    let report = try #require(scenario.report)
    let words = run("explain", scenario.name, with: scenario.name).onOneLine
    #expect(words.contains("Seen in public \(report.source): \(report.said)"))
    #expect(!words.contains("Its cell of the table"))
  }

  @Test func `They are in no table, unless there is nothing else`() throws {
    let (bug, other) = ("reports/swiftystorekit-50", "exactly-once/storekit2/promoted")
    let campaign = run("run", "--details", with: bug, other).out
    // Below the tables stand all designs.
    let tables = try #require(campaign.components(separatedBy: "\n\nDesigns\n").first)
    #expect(tables.count < campaign.count)
    #expect(!tables.contains("exactly-once-mutant"))
    #expect(campaign.contains("Bugs of public reports, modelled here: 1 of 1"))
    let alone = run("run", "--details", with: bug).out
    #expect(alone.contains("exactly-once-mutant"))
    #expect(!alone.contains("Bugs of public reports"))
  }

  @Test func `A report without a source, or without a word of what was seen, is refused`() {
    func refusal(_ report: String) -> String {
      let json = #"""
        {"version": 1, "scenarios": [{"name": "a", "system": "exactly-once", "backend": "idempotent",
          "steps": [{"at": 0, "device": "phone1", "buy": "coins"}], "report": \#(report)}]}
        """#
      do {
        _ = try ScenarioFile.scenarios(fromJSON: json, systems: BuiltIn.systems)
        return ""
      } catch { return "\(error)" }
    }
    #expect(refusal(#"{"source": "a/b#1", "said": "Lost."}"#) == "")
    #expect(
      refusal(#"{"said": "Lost."}"#)
        == "scenarios[0].report.source: found nothing, expected where it was made, such as 'bizz84/SwiftyStoreKit#50'"
    )
    #expect(
      refusal(#"{"source": "a/b#1", "said": ""}"#)
        == "scenarios[0].report.said: found '', expected what people saw, in a sentence")
    #expect(
      refusal(#""a/b#1""#).hasPrefix("scenarios[0].report: found 'a/b#1', expected an object"))
  }
}

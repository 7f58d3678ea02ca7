import ChaosStore
import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosRunner

@Suite struct ScreenTests {
  private static func lines(_ output: Bench.Output) -> [Substring] {
    output.out.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `A campaign that goes as expected is told on one screen, with what to paste`() throws {
    let output = Bench().run()
    #expect(Self.lines(output).count <= ScreenText.mostLines)
    #expect(!output.out.contains("F11       F40"), "the table is a detail")
    let words = output.onOneLine
    #expect(words.contains("The scenarios expect every failure below."))
    #expect(words.contains("Money lost in 1 of 2 designs: a customer paid, and the goods"))
    #expect(words.contains("Nothing breaks in checkout-benchmark: 2 scenarios, "))
    #expect(output.out.contains("As expected: all of 6 scenarios.\n"))
    let line = try #require(
      Self.lines(output).first { $0.hasPrefix("  swift run -c release chaos-runner --scenario") })
    let paste = ShellWords.words(of: String(line)).drop { $0 != "--scenario" }
    let again = Bench().run(Array(paste))
    #expect(again.code == 1)
    #expect(again.out.contains("breaks no-charge-without-delivery (I01)"))
  }

  @Test func `Designs that come with ChaosStore are said to be broken on purpose`() throws {
    var bench = Bench()
    bench.systems = BuiltIn.systems
    let published = try #require(
      BuiltIn.systems.first { $0.entry.name == "observer-on-demand" })
    var scenario = Bench.sound("crash", [.appCrash], "F01")
    scenario.system = published
    scenario.setup.backend = .naive
    scenario.allows = Bench.rules.map(\.name)
    bench.scenarios = [scenario]
    let output = bench.run()
    #expect(output.code == 0)
    #expect(output.out.contains("These demo designs are broken on purpose"), "\(output.out)")
    #expect(output.out.contains("\n  swift run -c release chaos-runner new PATH\n"))
  }

  @Test func `A failure that nobody expects tells the story of its smallest plan`() throws {
    var bench = Bench()
    // Under its seed the report is lost as well; it takes no fault to finish too early.
    bench.scenarios = [Bench.hasty("shop", .naive, [.requestLost], "F40", expects: [.lost])]
    let output = bench.run()
    #expect(output.code == 1)
    #expect(Self.lines(output).count <= ScreenText.mostLines)
    let text = output.out
    #expect(text.contains("  Smallest plan: no fault at all\n"), "\(text)")
    #expect(text.contains("breaks finish-only-after-credit (I03)"))
    #expect(!text.contains("drop verify.request"), "the story is not that of the seed: \(text)")
    let paste = try #require(text.range(of: "To see it again with the 5 lines left out, paste"))
    #expect(text[paste.upperBound...].contains("--scenario shop --plan 'omit person.step step2"))
    #expect(text[paste.upperBound...].components(separatedBy: "--scenario").count == 2)
  }

  @Test func `Of many failures three are told, the rest is counted, and details have all`() {
    var bench = Bench()
    bench.scenarios = (1...9).map { Bench.hasty("shop\($0)", .naive, [.requestLost], "F40") }
    let output = bench.run()
    #expect(Self.lines(output).count <= ScreenText.mostLines, "\(output.out)")
    #expect(output.out.components(separatedBy: "NOT EXPECTED").count - 1 == 3)
    #expect(output.out.contains("\n6 more scenarios not as expected; --details has them.\n"))
    let details = bench.run("--details").out
    #expect(details.components(separatedBy: "NOT EXPECTED  shop").count - 1 == 9)
    #expect(details.components(separatedBy: "\nWhat happened\n").count - 1 == 9)
  }

  @Test func `The command of a screen fits a terminal of eighty columns`() {
    var bench = Bench()
    bench.width = 80
    let lines = Self.lines(bench.run()).filter { !$0.hasPrefix("  swift run") }
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count <= ScreenText.mostLines)
  }

  @Test func `A quiet campaign has two lines for each scenario that is red`() {
    var bench = Bench()
    bench.scenarios = [Bench.hasty("shop", .naive, [.requestLost], "F40", expects: [.lost])]
    let lines = Self.lines(bench.run("--quiet")).filter { !$0.isEmpty }
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("NOT EXPECTED  shop: ") == true)
    #expect(lines.dropFirst().first?.hasPrefix("  swift run ") == true)
  }

  @Test func `A search through many scenarios shows five, and says how many more there are`() {
    var bench = Bench()
    bench.scenarios = (1...9).map { Bench.sound("sound\($0)", [.requestLost], "F40") }
    let search = ["explore", "exhaustive", "--faults", "1"]
    let text = bench.run(search).out
    #expect(text.components(separatedBy: ": as-expected").count - 1 == 5)
    #expect(text.contains("\n4 more scenarios: --details has them.\n"), "\(text)")
    let details = bench.run(search + ["--details"]).out
    #expect(details.components(separatedBy: ": as-expected").count - 1 == 9)
  }

  @Test func `Under one seed three stories are told, and the number of the others`() {
    var bench = Bench()
    bench.scenarios = (1...5).map {
      Bench.hasty("shop\($0)", .naive, [.requestLost], "F40", expects: [.early, .lost])
    }
    let text = bench.run("--seed", "1").out
    #expect(text.components(separatedBy: "\nWhat happened\n").count - 1 == 3)
    #expect(text.contains("\n2 more scenarios broke something"))
    let details = bench.run("--seed", "1", "--details").out
    #expect(details.components(separatedBy: "\nWhat happened\n").count - 1 == 5)
  }
}

import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct DefaultWorldTests {
  /// Two systems of somebody's own, one of which has no scenario.
  private static var bench: Bench {
    var bench = Bench()
    bench.systems = Bench.systems + [AnySystem(RestlessShop.self)]
    return bench
  }

  private static var alone: Bench {
    var bench = Bench()
    bench.systems = [AnySystem(HastyShop.self)]
    bench.scenarios = Bench.usual.filter { $0.name.hasPrefix("sound") }
    return bench
  }

  @Test func `A system that no scenario names is run in five worlds for each variant and backend`()
    throws
  {
    let output = Self.alone.run("list", "scenarios")
    let names = output.out.split(separator: "\n").filter { !$0.hasPrefix(" ") }
      .map { String($0.split(separator: " ")[0]) }
    let worlds = ["", "/one-phone", "/bought-again", "/other-user", "/left-open"]
    let forms = [
      "hasty-shop/naive", "hasty-shop/idempotent", "hasty-shop/hastier/naive",
      "hasty-shop/hastier/idempotent",
    ]
    #expect(
      names == forms.flatMap { form in worlds.map { form + $0 } } + ["sound-lost", "sound-replay"])
  }

  @Test func `A run in a default world is red where it breaks something, and says what it is`() {
    let output = Self.alone.run("--seeds", "20", "--scenario", "hasty-shop/naive")
    #expect(output.code == 1)
    let words = output.onOneLine
    #expect(
      words.hasPrefix(
        "hasty-shop is in no scenario of scenarios.json. ChaosStore runs it in 5 default worlds, "
          + "with every fault and every invariant. To write"), "\(words.prefix(400))")
    #expect(words.contains("explain hasty-shop/naive --as-file"))
    #expect(words.contains("NOT EXPECTED hasty-shop/naive: "))
  }

  @Test func `What breaks in several default worlds is told in one, and the others say in which`() {
    let output = Self.alone.run("--seeds", "40", "--scenario", "hasty-shop/naive*", "--details")
    let words = output.onOneLine
    let tellers = words.components(separatedBy: ": finish-only-after-credit (I03) broke in")
    #expect(tellers.count == 2)
    let teller = tellers[0].split(separator: " ").last.map(String.init) ?? ""
    #expect(teller.hasPrefix("hasty-shop/naive"))
    let others = words.components(separatedBy: "NOT EXPECTED hasty-shop/naive").count - 2
    #expect(others == 4)
    #expect(words.components(separatedBy: "as in \(teller): ").count == others + 1)
  }

  @Test func `A default world is printed as a scenario file that can be read`() throws {
    let output = Self.alone.run("explain", "hasty-shop/naive", "--as-file")
    #expect(output.code == 0)
    let read = try ScenarioFile.scenarios(
      fromJSON: output.out, systems: [AnySystem(HastyShop.self)])
    #expect(read.map(\.name) == ["hasty-shop/naive"])
    #expect(read[0].setup.mix.faults == Fault.byDefault.filter { !$0.needsWholeStore })
  }

  @Test func `A system that a scenario names, or that is built in, has no default world`() {
    #expect(!Bench().run("list", "scenarios").out.contains("/naive"))
    var bench = Bench()
    bench.systems = BuiltIn.systems + [AnySystem(HastyShop.self)]
    #expect(bench.run("list", "scenarios").out == Bench().run("list", "scenarios").out)
    let output = bench.run("--seeds", "1")
    #expect(!output.out.contains("default world"))
  }

  @Test func `Checking a file counts what is in it, and notes which systems are not`() {
    let output = Self.bench.run("check")
    #expect(output.out == "scenarios.json: 6 scenarios of 2 systems, all in order\n")
    #expect(output.err.hasPrefix("restless-shop is in no scenario of scenarios.json"))
  }
}

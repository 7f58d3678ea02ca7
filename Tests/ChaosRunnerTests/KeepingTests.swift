import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct KeepingTests {
  /// A shop that finishes early, which nobody expects.
  private func surprise() -> Bench {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop/a", .naive, [.requestLost], "F40", expects: [.lost], allows: [.books])
    ]
    return bench
  }

  private static func kept(_ output: Bench.Output) -> [String: String] {
    output.files.filter { $0.key.hasPrefix("regressions/") }
  }

  @Test func `A violation that was not expected is saved with as few decisions as break it`()
    throws
  {
    let output = surprise().run("--quiet", "--save")
    #expect(output.code == 1)
    let kept = Self.kept(output)
    #expect(kept.count == 1)
    let (path, text) = try #require(kept.first)
    let file = try PlanFile(json: text)
    #expect(path == "regressions/shop-a.finish-only-after-credit.\(file.digest).json")
    #expect(file.plan.size == 0, "it finishes early in any run")
    #expect(file.seed == nil)
    #expect(file.expectation == .violates("finish-only-after-credit"))
    #expect(
      output.err == """
        Saved \(path): shop/a breaks finish-only-after-credit
          swift run -c release chaos-runner replay \(path)

        """)
    var again = surprise()
    again.files = output.files
    #expect(again.run("replay", path).code == 1)
    let other = again.run("--quiet", "--save")
    #expect(other.err == "Saved before: \(path)\n")
    #expect(other.files == output.files)
  }

  @Test func `Each small plan that a search comes down to is saved`() throws {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost], "F40", allows: [.lost, .early])
    ]
    let output = bench.run("explore", "exhaustive", "--faults", "1", "--quiet", "--save")
    #expect(output.code == 1)
    let kept = Self.kept(output)
    #expect(!kept.isEmpty)
    for (path, text) in kept {
      let file = try PlanFile(json: text)
      #expect(file.expectation == .violates("conservation"))
      #expect(file.plan.size == 1)
      #expect(output.err.contains("Saved \(path): shop breaks conservation\n"))
    }
    bench.files = output.files
    #expect(bench.run("regress").code == 0)
  }

  @Test func `Nothing is saved where everything is as expected`() {
    let output = Bench().run("--quiet", "--save")
    #expect(output.code == 0)
    #expect(output.files == Bench().files)
    #expect(output.err == "")
  }

  @Test func `A single run is saved whatever it came to, and replays the same`() throws {
    let broken = Bench().run("--scenario", "hasty-lost", "--plan", Kept.lost, "--save")
    let file = try PlanFile(json: try #require(Self.kept(broken).first?.value))
    #expect(file == (try Kept.file()))
    let sound = Bench().run("--scenario", "sound-lost", "--plan", Kept.lost, "--save")
    let (path, text) = try #require(Self.kept(sound).first)
    #expect(text == (try Kept.file("sound-lost", Kept.lost, expecting: .holds).json))
    #expect(path.hasPrefix("regressions/sound-lost.holds."))
    var bench = Bench()
    bench.files = sound.files
    #expect(bench.run("replay", path).code == 0)
  }

  @Test func `A seed that breaks is saved as a plan, and one that holds as a seed`() throws {
    let broken = Bench().run("--scenario", "hasty-replay", "--seed", "0", "--save")
    let file = try PlanFile(json: try #require(Self.kept(broken).first?.value))
    #expect(file.seed == nil)
    #expect(file.plan.description == "replay store.finished tx1 #1")
    let sound = Bench().run("--scenario", "sound-lost", "--seed", "5", "--save")
    let seed = try PlanFile(json: try #require(Self.kept(sound).first?.value))
    #expect(seed.seed == 5)
    #expect(seed.plan.isEmpty)
    #expect(seed.expectation == .holds)
  }

  @Test func `What a plan names in vain is not saved`() throws {
    let output = Bench().run(
      "--scenario", "hasty-lost", "--plan", "drop verify.reply tx9, \(Kept.lost)", "--save")
    let file = try PlanFile(json: try #require(Self.kept(output).first?.value))
    #expect(file.plan.description == Kept.lost)
    let nothing = Bench().run(
      "--scenario", "hasty-lost", "--plan", "drop verify.reply tx9", "--save")
    #expect(nothing.code == 2)
    #expect(Self.kept(nothing) == [:])
    #expect(
      nothing.err.hasPrefix(
        "chaos-runner: there is nothing to keep of hasty-lost: nothing that the plan names"))
  }

  @Test func `Saving never writes over another file`() throws {
    let path = try "regressions/hasty-lost.no-charge-without-delivery.\(Kept.file().digest).json"
    var bench = Bench()
    bench.files[path] = try Kept.text { $0.trace = 1 }
    let output = bench.run("--scenario", "hasty-lost", "--plan", Kept.lost, "--save")
    #expect(output.files == bench.files)
    #expect(
      output.err
        == "Not saved: \(path) is there already, with another history; delete it to record it anew\n"
    )
  }

  @Test func `A file that another version wrote the same counts as saved before`() throws {
    let path = try "regressions/hasty-lost.no-charge-without-delivery.\(Kept.file().digest).json"
    var bench = Bench()
    bench.files[path] = try Kept.text { $0.tool = "0.0.9" }
    let output = bench.run("--scenario", "hasty-lost", "--plan", Kept.lost, "--save")
    #expect(output.err == "Saved before: \(path)\n")
  }

  @Test func `It is said where a plan file cannot be written`() {
    var bench = Bench()
    bench.isReadOnly = true
    let output = bench.run("--scenario", "hasty-lost", "--plan", Kept.lost, "--save")
    #expect(output.code == 2)
    #expect(output.err.hasSuffix(".json cannot be written\n"))
    #expect(output.out.contains("What happened"), "what is known is printed first")
  }
}

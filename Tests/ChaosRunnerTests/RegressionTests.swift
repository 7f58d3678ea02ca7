import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct RegressionTests {
  /// One that fails, one that holds, both as recorded.
  private func usual() throws -> [String: String] {
    [
      "a.json": try Kept.text(),
      "b.json": try Kept.file("sound-lost", Kept.lost, expecting: .holds).json,
    ]
  }

  @Test func `Every run replays the kept plan files and says no more than how many there are`()
    throws
  {
    let output = Kept.bench(try usual()).run()
    #expect(output.code == 0)
    #expect(
      output.out.contains(
        "\n\nRegressions: 2 replayed, 1 still fails as recorded, 1 holds.\n6 scenarios, "))
    #expect(
      Kept.bench(try usual()).run("--quiet").out == "As expected: all of 6 scenarios.\n")
    #expect(!Bench().run().out.contains("Regressions"))
  }

  @Test func `Kept plan files are not replayed where one run is asked for`() throws {
    let bench = Kept.bench(["a.json": "no JSON"])
    #expect(bench.run("--scenario", "sound-lost", "--seed", "1").code == 0)
  }

  @Test func `A kept plan file with another outcome makes a run red`() throws {
    let files = try usual().merging(["c.json": Kept.text { $0.expectation = .holds }]) { $1 }
    let output = Kept.bench(files).run("--quiet")
    #expect(output.code == 1)
    #expect(
      output.out == """
        NOT AS RECORDED  regressions/c.json: hasty-lost was to break nothing, and now breaks
                         no-charge-without-delivery, finish-only-after-credit, conservation
          swift run -c release chaos-runner replay regressions/c.json

        NOT as expected: 1 regression not as recorded; 6 of 6 scenarios as expected.

        """)
    let json = Kept.bench(files).run("--format", "json").out
    #expect(json.contains("\"verdict\" : \"unexpected-violation\""))
    #expect(json.contains("\"notAsRecorded\" : 1"))
  }

  @Test func `Kept plan files that no longer match or cannot be read leave no verdict`() throws {
    let output = Kept.bench([
      "c.json": try Kept.text { $0.model.hash ^= 1 }, "d.json": "{}",
    ]).run("--quiet")
    #expect(output.code == 2)
    #expect(output.out.contains("NO VERDICT  regressions/c.json: the scenario has changed since"))
    #expect(output.out.contains("NO VERDICT  regressions/d.json: version: found nothing, expected"))
    #expect(output.out.contains("NOT as expected: 2 regressions no longer match; 6 of 6 scenarios"))
  }

  @Test
  func `Of kept plan files those of the chosen scenarios are replayed, and those nobody can read`()
    throws
  {
    let files = try usual().merging(["c.json": Kept.text { $0.expectation = .holds }]) { $1 }
    #expect(Kept.bench(files).run("--scenario", "sound*").code == 0)
    #expect(Kept.bench(["d.json": "{}"]).run("--scenario", "sound*").code == 2)
  }

  @Test func `Plan files are kept beside the scenario file in use, and are those of JSON`() throws {
    var bench = Bench()
    bench.files = [
      "shop/mine.json": "the bench's own", "shop/regressions/a.json": try Kept.text(),
      "shop/regressions/README.md": "why", "shop/regressions/.a.json": "hidden",
      "regressions/b.json": "not mine",
    ]
    let output = bench.run("regress", "--scenarios", "shop/mine.json")
    #expect(output.code == 0)
    #expect(
      output.out.hasPrefix("still fails  shop/regressions/a.json: no-charge-without-delivery"))
    bench.files = ["regressions/a.json": try Kept.text()]
    #expect(bench.run("regress").code == 0, "beside where scenarios.json would be")
  }

  @Test func `'regress' counts the kept plan files, sorted by name`() throws {
    let output = Kept.bench(try usual()).run("regress")
    #expect(output.code == 0)
    #expect(
      output.out == """
        still fails  regressions/a.json: no-charge-without-delivery
        holds        regressions/b.json

        Regressions: 2 replayed, 1 still fails as recorded, 1 holds.
        Seed survival: 2 of 2 as recorded, 2 of them by the same history.

        """)
    let json = Kept.bench(try usual()).run("regress", "--format", "json").out
    for line in ["\"replayed\" : 2", "\"stillFail\" : 1", "\"hold\" : 1", "\"noLongerMatch\" : 0"] {
      #expect(json.contains(line))
    }
  }

  @Test func `Plan files of a system that has changed come by another history, and are named`()
    throws
  {
    var bench = Kept.bench(try usual())
    bench.scenarios = Kept.scenarios(of: AnySystem(TickingShop.self))
    let output = bench.run("regress")
    #expect(output.code == 0)
    #expect(
      output.out == """
        still fails, by another history  regressions/a.json: no-charge-without-delivery
        holds                            regressions/b.json

        Regressions: 2 replayed, 1 still fails as recorded, 1 holds.
        Seed survival: 2 of 2 as recorded, 1 of them by the same history.

        """)
    let run = bench.run()
    #expect(run.code == 0)
    #expect(run.out.contains(", 1 holds.\n  by another history: regressions/a.json\n"))
  }

  @Test func `Plan files of a mended system are red until they are recorded anew`() throws {
    var bench = Kept.bench(try usual())
    bench.scenarios = Kept.scenarios(of: AnySystem(MendedShop.self))
    let output = bench.run("regress")
    #expect(output.code == 1)
    #expect(output.out.contains("NOT AS RECORDED  regressions/a.json: hasty-lost was to break"))
    #expect(
      output.out.contains("Regressions: 2 replayed, 0 still fail as recorded, 1 holds, 1 not"))
  }

  @Test func `'regress' has no verdict where no plan file is kept`() throws {
    let none = Bench().run("regress")
    #expect(none.code == 2)
    #expect(
      none.err
        == "chaos-runner: there is no plan file in regressions/; 'run --save' writes them\n")
    let other = Kept.bench(try usual()).run("regress", "--scenario", "*replay")
    #expect(other.code == 2)
    #expect(
      other.err
        == "chaos-runner: no plan file in regressions/ is of a scenario called '*replay'\n")
    #expect(Bench().run("regress", "a.json").code == 64)
  }

  @Test func `Plan files that an interrupt left out leave no verdict`() throws {
    var bench = Kept.bench(try usual())
    bench.isInterrupted = { true }
    let output = bench.run("regress")
    #expect(output.code == 2)
    #expect(output.err.contains("interrupted: 2 plan files of regressions/ not replayed"))
  }
}

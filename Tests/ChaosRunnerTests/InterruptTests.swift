import ChaosStore
import Synchronization
import Testing

@testable import ChaosRunner

@Suite struct InterruptTests {
  /// A large world comes through a named pipe, so that whoever has written it knows
  /// that the program is there to hear of a signal.
  private static func interrupt(_ arguments: String, by signal: String) throws -> Shell {
    try Shell(
      """
      mkfifo pipe; "$RUNNER" \(arguments) & program=$!
      cat world.json >pipe; sleep 0.5
      kill -\(signal) $program; wait $program
      """,
      // Exhaustive search loses nothing, so it needs many purchases to be long.
      files: ["world.json": arguments.hasPrefix("explore") ? Shell.large : Shell.endless])
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `An interrupt by any of three signals ends a single long run, and is no verdict`(
    signal: String
  )
    throws
  {
    let shell = try Self.interrupt("--scenarios pipe --seed 1", by: signal)
    #expect(shell.code == 2)
    #expect(shell.out.lowercased().contains("interrupted"), "\(shell.out)")
    #expect(!shell.out.contains("as expected"))
    #expect(!shell.out.contains("Nothing broke"))
  }

  @Test(
    arguments: [
      "--scenarios pipe --jobs 2", "trace --scenarios pipe --seed 1",
      "trace --scenarios pipe --seeds 2",
      "verify-determinism --scenarios pipe", "explore exhaustive --scenarios pipe",
    ])
  func `An interrupt ends whatever is under way`(arguments: String) throws {
    let shell = try Self.interrupt(arguments, by: "TERM")
    #expect(shell.code == 2)
    #expect((shell.out + shell.err).lowercased().contains("interrupted"), "\(shell)")
  }

  @Test func `An interrupt ends reading from a pipe that nobody writes to`() throws {
    let shell = try Shell(
      """
      mkfifo pipe; "$RUNNER" check pipe & program=$!
      exec 3>pipe; sleep 0.2; kill -HUP $program; wait $program
      """)
    #expect(shell.code == 2)
    #expect(shell.err.contains("pipe cannot be read: interrupted while it was read"))
  }

  @Test func `A hang-up that nohup keeps away does not interrupt`() throws {
    let shell = try Shell(
      """
      mkfifo pipe; (trap '' HUP; exec "$RUNNER" check pipe) & program=$!
      exec 3>pipe; kill -HUP $program; cat s.json >&3; exec 3>&-; wait $program
      """, files: ["s.json": Shell.unexpected])
    #expect(shell.code == 0)
  }

  @Test func `A second signal ends a program that waits for whoever reads its output`() throws {
    let shell = try Shell(
      """
      mkfifo out; sleep 30 <out & reader=$!
      "$RUNNER" trace --scenarios s.json --seeds 3000 >out & program=$!
      asleep=0
      until [ $asleep = 5 ]; do
        sleep 0.1; asleep=$((asleep + 1))
        if grep -h ^State /proc/$program/task/*/status | grep -qv sleeping; then asleep=0; fi
      done
      kill -TERM $program; sleep 0.2
      kill -0 $program && echo waits; kill -INT $program
      wait $program; code=$?; kill $reader; exit $code
      """, files: ["s.json": Shell.unexpected])
    #expect(shell.out == "waits\n")
    #expect(shell.code == 128 + 2)
  }

  /// Says yes from the n-th time on that it is asked.
  private static func after(_ count: Int) -> @Sendable () -> Bool {
    let asked = Counter()
    return { asked.next() > count }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test
  func `An interrupt anywhere leaves no green verdict, and what was to be saved is true`()
    throws
  {
    var scenario = Bench.hasty("shop", .naive, [.requestLost], "F40", expects: [.lost])
    scenario.seeds = 300
    var wasCut = 0
    for count in stride(from: 0, to: 700, by: 23) {
      var bench = Bench()
      bench.scenarios = [scenario]
      bench.isInterrupted = Self.after(count)
      let output = bench.run("--jobs", "1", "--save", "--prove", "--format", "json")
      #expect(output.code == 1 || output.code == 2, "\(count)")
      if output.out.contains("cutShort") { wasCut += 1 }
      for (path, text) in output.files where path.hasPrefix("regressions/") {
        let replay = try Replay(PlanFile(json: text), among: [scenario])
        #expect(replay.standing == .sameHistory, "\(count): \(replay.doubts)")
      }
    }
    #expect(wasCut > 3)
  }

  @Test
  func `An interrupt while a failure is made small is said, and the plan is no certified one`() {
    var bench = Bench()
    bench.scenarios = [Bench.hasty("shop", .naive, [.requestLost], "F40", allows: [.books])]
    var texts: [String] = []
    for count in stride(from: 0, to: 700, by: 23) {
      bench.isInterrupted = Self.after(count)
      texts.append(bench.run("--jobs", "1").out)
    }
    #expect(texts.contains { $0.contains("Interrupted: making what broke small (shop).") })
    #expect(
      texts.contains {
        $0.contains("it may not be the smallest: it was not made smaller, because that was interr")
      })
    #expect(texts.contains { $0.contains(" not made small, because that was interrupted") })
  }

  @Test
  func
    `An interrupt while failures are made small leaves each with the smallest plan known so far`()
    throws
  {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost, .replayFinished, .responseLost], "mixed")
    ]
    let whole = try JSONOutput(bench.run("--jobs", "1", "--format", "json")).scenarios[0]
    #expect(whole.violations.count > 2)
    #expect(whole.violations.allSatisfy { $0.notMadeSmaller == nil })
    var wasCut = 0
    for count in stride(from: 40, to: 2000, by: 37) {
      bench.isInterrupted = Self.after(count)
      let output = bench.run("--jobs", "1", "--format", "json")
      let found = try JSONOutput(output).scenarios.first?.violations ?? []
      guard found.contains(where: { $0.notMadeSmaller != nil }) else { continue }
      wasCut += 1
      #expect(output.code == 1)
      for violation in found {
        let other = try #require(whole.violations.first { $0.invariant == violation.invariant })
        // A single decision is tried before any seed, and known before anything is made small.
        #expect(
          violation.plan.count <= max(1, other.plan.count), "\(count): \(violation.invariant)")
        #expect(violation.notMadeSmaller ?? "interrupted" == "interrupted")
      }
    }
    #expect(wasCut > 3)
  }

  @Test func `A budget that ends while a failure is made small is no interrupt`() throws {
    var finding = Finding(0, Bench.usual[0], runs: 3, origin: Origin(seed: 1))
    finding.failing = [1, 2, 3]
    let spent = Cancellation { _ in true }
    let runner = ScenarioRunner(Bench.usual[0], cancellation: spent)
    var shrinker = FailureShrinker(finding, runner) { _ in }
    shrinker.rest()
    #expect(!shrinker.isWhole)
    #expect(shrinker.finding.clusters.isEmpty && shrinker.finding.lookedAt == 0)
    finding.smallest = try Plan(textOrJSON: "drop verify.request tx1 #1")
    finding.cutShort(.outOfTime)
    #expect(finding.plan == finding.smallest)
    #expect(finding.clusters.map(\.certificate.isWhole) == [false])
  }

  @Test func `An interrupt leaves what power has not finished out of its table`() {
    var bench = Bench()
    bench.targets = [Bench.usual[0], Bench.usual[1]].map {
      Target(
        name: $0.name, about: "", invariant: Bench.Rule.lost.rawValue, coinciding: 1, scenario: $0)
    }
    bench.isInterrupted = Self.after(1)
    let output = bench.run("power", "--starts", "1")
    #expect(output.code == 2)
    #expect(!output.out.contains("NOT FOUND"))
    #expect(output.err.contains("Interrupted after 0 of 2 planted defects."))
  }
}

@Suite struct BudgetTests {
  @Test func `The end of the budget ends a run of a world that is larger than it`() throws {
    let shell = try Shell(
      "exec \"$RUNNER\" --scenarios large.json --budget 300ms --jobs 1",
      files: ["large.json": Shell.large.replacing("60000,", with: "300000,")])
    #expect(shell.code == 2)
    #expect(shell.out.contains("The budget was spent"), "\(shell.out)")
    #expect(shell.out.contains("NO VERDICT  large: there was no time for a single run"))
    #expect(shell.out.contains("Left out: no plan of 1 decision was run"))
  }
}

@Suite struct ProgressTests {
  @Test func `The line of progress says what is being done, on a terminal only`() {
    let text = Mutex("")
    for showsProgress in [false, true] {
      let console = Console(
        out: { _ in }, err: { line in text.withLock { $0 += line } }, showsProgress: showsProgress)
      let progress = Progress(console)
      progress.begin(3, of: 7, "shop\u{1B}")
      progress.doing("makes no-double-credit small: seed 5 of 64")
      progress.clear()
      let shown = text.withLock { $0 }
      #expect(shown.isEmpty != showsProgress)
      guard showsProgress else { continue }
      #expect(
        shown.hasPrefix(
          "\r\u{1B}[2K3 of 7  shop\\u{1b}  makes no-double-credit small: seed 5 of 64  0 s"))
      #expect(shown.hasSuffix("\r\u{1B}[2K"))
    }
  }

  @Test func `The line of progress says which failure is being made small, and counts the runs`() {
    var bench = Bench()
    bench.scenarios = [Bench.hasty("shop", .naive, [.requestLost], "F40")]
    for arguments in [["--jobs", "1"], ["--jobs", "1", "--format", "json"]] {
      bench.showsProgress = false
      let quiet = bench.run(arguments)
      bench.showsProgress = true
      let output = bench.run(arguments)
      #expect(output.err.contains("1 of 1  shop  making 1 of 3 failures small: 1 run"))
      #expect(output.err.contains("  making 3 of 3 failures small: 20 runs"))
      #expect(!output.out.contains("making 1 of") && !quiet.err.contains("making"))
      #expect(bench.run(arguments + ["--quiet"]).err.isEmpty)
    }
  }

  @Test
  func `No further failing seed is made small once that took many runs, and the report says so`()
    throws
  {
    let scenario = Bench.usual[0]
    var finding = Finding(0, scenario, runs: 9, origin: Origin(seed: 1))
    finding.failing = (0..<40).filter { seed in
      Simulation(scenario).run(seed: seed).broken & 1 == 1
    }
    try #require(finding.failing.count > 5)
    var shrinker = FailureShrinker(finding, ScenarioRunner(scenario)) { _ in }
    shrinker.mostRuns = 8
    shrinker.rest()
    #expect(shrinker.isWhole)
    #expect((1..<5).contains(shrinker.finding.lookedAt))
    let lines = ClusterText.unlooked(shrinker.finding)
    #expect(
      lines.last
        == "  \(finding.failing.count - shrinker.finding.lookedAt) more failing seeds not made small, "
        + "as those before took 20,000 runs")
  }

  @Test func `The line of progress counts the events of a run that is long`() {
    let text = Mutex("")
    let console = Console(
      out: { _ in }, err: { line in text.withLock { $0 += line } }, showsProgress: true)
    let progress = Progress(console)
    progress.begin(1, of: 1, "shop")
    progress.show(events: 3_000_000)
    #expect(text.withLock { $0 }.contains("3,000,000 events of a run"))
  }
}

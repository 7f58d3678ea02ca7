import ChaosStore
import Foundation
import TestSupport
import Testing

@testable import ChaosRunner

@Suite("A campaign in parts")
struct ShardTests {
  /// Enough seeds that each scenario is cut up, and that some are run twice.
  private static let seeds = whereOptimised(5003, otherwise: 2003)
  private static let asked = [
    "--scenario", "hasty-*", "--scenario", "sound-lost", "--seeds", "\(seeds)",
  ]

  /// What the shards wrote, by path; each is a command of its own.
  private static func files(
    _ count: Int, of bench: Bench = Bench(), _ command: [String] = [], _ asked: [String] = asked
  ) -> [String: String] {
    var files: [String: String] = [:]
    for number in 1...count {
      let output = bench.run(
        command + asked + ["--shard", "\(number)/\(count)", "--shard-results", "shards/"])
      #expect(output.code == 0, "\(output.err)")
      for (path, text) in output.files where path.hasPrefix("shards/") { files[path] = text }
    }
    return files
  }

  private static func merged(
    _ files: [String: String], _ arguments: [String] = [], of bench: Bench = Bench()
  ) -> Bench.Output {
    var bench = bench
    bench.files.merge(files) { $1 }
    return bench.run(["merge", "shards/", "--without-times"] + arguments)
  }

  @Test("What is merged is what one campaign prints, byte for byte, in every format")
  func formats() {
    let files = Self.files(7)
    #expect(files.count == 7)
    let formats = Reporters.builtIn.map { ["--format", $0.name] }
    for arguments in formats + [["--details", "--coverage"], ["--quiet"], ["--prove"]] {
      let whole = Bench().run(Self.asked + ["--without-times"] + arguments)
      let merged = Self.merged(files, arguments)
      #expect(merged.out == whole.out, "\(arguments)")
      #expect(merged.code == whole.code)
      #expect(!whole.out.isEmpty)
    }
  }

  @Test("The page and the files beside it are those of one campaign, and so is what is kept")
  func report() {
    var bench = Bench()
    for index in bench.scenarios.indices { bench.scenarios[index].expects = [] }
    let whole = bench.run(Self.asked + ["--without-times", "--report", "found", "--save"])
    let merged = Self.merged(
      Self.files(3, of: bench), ["--report", "found", "--save"], of: bench)
    #expect(whole.files.keys.contains("found/index.html"))
    #expect(whole.files.keys.contains { $0.hasPrefix("regressions/") })
    for (path, text) in whole.files { #expect(merged.files[path] == text, "\(path)") }
    #expect(merged.out == whole.out)
  }

  @Test("Any number of shards comes to the same, more than there are runs to divide among them")
  func counts() {
    let whole = Bench().run(Self.asked + ["--without-times", "--format", "json"])
    for count in [1, 2, 64] {
      #expect(Self.merged(Self.files(count), ["--format", "json"]).out == whole.out, "\(count)")
    }
  }

  @Test("A search of seeds alone, and of plans and seeds, is divided as well")
  func explore() {
    for strategy in ["random", "portfolio"] {
      let command = ["explore", strategy]
      let whole = Bench().run(command + Self.asked + ["--without-times", "--format", "json"])
      let files = Self.files(3, command)
      #expect(Self.merged(files, ["--format", "json"]).out == whole.out, "\(strategy)")
    }
  }

  @Test("A run that comes out differently the second time is seen wherever it falls")
  func pairs() {
    let fickle = DeterminismCommandTests.fickle
    let files = Self.files(3, of: fickle, [], ["--seeds", "3000"])
    #expect(Self.merged(files, of: fickle).code == 2)
  }

  @Test("A shard that was run twice is counted once")
  func twice() {
    var files = Self.files(2)
    let once = Self.merged(files, ["--format", "json"])
    files["shards/again.json"] = Self.files(2)["shards/shard-1-of-2.json"]
    #expect(Self.merged(files, ["--format", "json"]).out == once.out)
  }

  @Test(
    "What cannot be put together is refused, with the place, what was found and what was expected")
  func refusals() throws {
    let files = Self.files(3)
    func refusal(_ change: (inout [String: String]) -> Void) -> String {
      var changed = files
      change(&changed)
      let output = Self.merged(changed)
      #expect(output.code == 2)
      #expect(output.out == "")
      return output.err
    }
    let second = "shards/shard-2-of-3.json"
    #expect(
      refusal { $0[second] = nil } == "chaos-runner: found 2 of 3 shards, expected all: 2 missing\n"
    )
    #expect(
      refusal { $0[second] = $0[second].map { String($0.dropLast(200)) } }.contains(
        "\(second): line 2: found"))
    let changed = refusal {
      $0[second] = $0[second].map {
        $0.replacing(/"runs":\d+/, with: "\"runs\":999999", maxReplacements: 1)
      }
    }
    #expect(changed.contains("the file is damaged"))
    #expect(refusal { $0[second] = "" }.contains("\(second): line 1: found no JSON"))
    #expect(refusal { $0[second] = "{}\n{}\n" }.contains("\(second): line 1: found no 'format'"))
    let older = refusal {
      $0[second] = $0[second].map { $0.replacing(Runner.version, with: "0.0.1") }
    }
    #expect(older.contains("tool 0.0.1, expected \(Runner.version), as this program is"))
    let others = Self.files(3, [], Self.asked.dropLast() + ["\(Self.seeds + 1)"])
    #expect(refusal { $0[second] = others[second] }.contains("\(second): campaign: found 0x"))
    let halves = Self.files(2)
    #expect(
      refusal { $0["shards/x"] = halves["shards/shard-2-of-2.json"] }
        .contains("shards/x: of: found one of 2 shards, expected one of 3"))
    let unwhole = try #require(files[second]).replacing(
      "\"isWhole\":true", with: "\"isWhole\":false", maxReplacements: 1)
    #expect(refusal { $0[second] = unwhole }.contains("\(second): found a part of shard 2 of 3"))
  }

  @Test("Counts that no search can have are refused, however well the file is made")
  func impossible() throws {
    var bench = Bench()
    bench.files.merge(Self.files(1)) { $1 }
    let path = "shards/shard-1-of-1.json"
    let whole = try ShardFile(#require(bench.files[path]), path: path)
    let changes: [(String, (inout ShardFile) -> Void)] = [
      ("randomRuns", { $0.body.scenarios[0].seeds?.randomRuns += 1 }),
      ("counts", { $0.body.scenarios[0].seeds?.events = -1 }),
      ("counts", { $0.body.scenarios[0].seeds?.events = .max }),
      ("counts", { $0.body.scenarios[0].seeds?.rules[0].runs = 1 << 40 }),
      ("rules", { $0.body.scenarios[0].seeds?.rules.removeLast() }),
      ("proof.size", { $0.body.scenarios[0].plans?.proof?.size = .max }),
      ("proof.size", { $0.body.scenarios[0].plans?.proof?.size = -9 }),
      ("proof.size", { $0.body.scenarios[0].plans?.proof?.skipped.removeLast() }),
      ("proof.plans[0]", { $0.body.scenarios[0].plans?.proof?.plans[0] = .max }),
      ("proof.skipped[1]", { $0.body.scenarios[0].plans?.proof?.skipped[1] = -1 }),
      ("proof.mostUses", { $0.body.scenarios[0].plans?.proof?.mostUses = .max }),
      ("proof.mostLates", { $0.body.scenarios[0].plans?.proof?.mostLates = .min }),
      (
        "problems[0].atMillis",
        {
          $0.body.scenarios[0].seeds?.problems = [
            .init(isMisuse: true, text: "", event: 0, atMillis: .min)
          ]
        }
      ),
      ("asked.faults", { $0.body.asked.faults = .max }),
      ("asked.uses", { $0.body.asked.uses = -1 }),
      ("rules[0].failing", { $0.body.scenarios[0].seeds?.rules[0].failing.reverse() }),
      ("reached", { $0.body.scenarios[0].seeds?.reached.append(1) }),
      ("coverage", { $0.body.scenarios[0].seeds?.coverage["no-fault"] = [:] }),
      ("rules[0].plan", { $0.body.scenarios[0].plans?.rules[0].plan = "drop it" }),
      ("expected 0..<\(Self.seeds)", { $0.body.scenarios[0].to += 1 }),
      ("expected 0..<\(Self.seeds)", { $0.body.scenarios[0].from += 1 }),
      ("expected all, in order", { $0.body.scenarios[0].plans = nil }),
      ("one of this campaign", { $0.body.scenarios[0].name = "other" }),
      ("expected all, in order", { $0.body.scenarios.swapAt(0, 1) }),
      (
        "all that shard 1 of 1 has",
        {
          $0.body.scenarios.removeLast()
          $0.header.seconds.removeLast()
        }
      ),
      ("one for each scenario", { $0.header.seconds.removeLast() }),
      ("1 to 65536", { $0.header.shard = 0 }),
    ]
    for (text, change) in changes {
      var file = whole
      change(&file)
      bench.files[path] = file.text()
      let output = bench.run("merge", path)
      #expect(output.code == 2)
      #expect(output.err.contains(text), "\(text): \(output.err)")
    }
  }

  @Test("Other results of the same shard are no second counting but a doubt")
  func others() throws {
    var bench = Bench()
    bench.files.merge(Self.files(1)) { $1 }
    let path = "shards/shard-1-of-1.json"
    var file = try ShardFile(#require(bench.files[path]), path: path)
    file.body.scenarios[0].seeds?.events += 1
    bench.files["shards/z.json"] = file.text()
    let output = bench.run("merge", "shards/")
    #expect(output.code == 2)
    #expect(output.err.contains("shards/z.json: found other results of shard 1 of 1"))
  }

  @Test(
    "Every run is in exactly one shard, whatever the numbers", arguments: [1, 2, 3, 7, 64, 1000])
  func partition(count: Int) throws {
    let seeds: [Range<UInt64>] = [
      0..<1, 0..<999, 0..<2000, 5..<64_007, 0..<1_000_000_000_000, 7..<8, 1 << 60..<1 << 60 + 5000,
    ]
    for hasPlans in [true, false] {
      let partition = Partition(seeds: seeds, hasPlans: hasPlans, count: count)
      let shares = try (1...count).map { partition.shares(of: try Shard($0, of: count, "")) }
      for place in seeds.indices {
        #expect(shares.count { $0[place].hasPlans } == (hasPlans ? 1 : 0))
        let ranges = shares.map { $0[place].seeds }.filter { !$0.isEmpty }
          .sorted { $0.lowerBound < $1.lowerBound }
        #expect(ranges.first?.lowerBound == seeds[place].lowerBound)
        #expect(ranges.last?.upperBound == seeds[place].upperBound)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        let sizes = ranges.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
      // The runs of a long campaign are shared as they come.
      let loads = shares.map { $0.reduce(0) { $0 + $1.seeds.count } }
      #expect((loads.max() ?? 0) - (loads.min() ?? 0) < 1_000_000_000)
    }
  }

  @Test(
    "What makes no sense for a part is refused",
    arguments: [
      (["--shard", "0/3", "--shard-results", "f"], "--shard: found shard 0 of 3, expected 1 to 3"),
      (["--shard", "4/3", "--shard-results", "f"], "--shard: found shard 4 of 3, expected 1 to 3"),
      (["--shard", "1/0", "--shard-results", "f"], "--shard: found 0 shards, expected 1 to 65536"),
      (["--shard", "1", "--shard-results", "f"], "--shard: found '1', expected I/N"),
      (["--shard", "-1/3", "--shard-results", "f"], "--shard: found '-1/3', expected I/N"),
      (["--shard", "1/3"], "--shard needs --shard-results FILE, which 'merge' reads"),
      (["--shard-results", "f"], "--shard-results is what a --shard writes"),
      (["--checkpoint-every", "1s"], "--checkpoint-every needs a --checkpoint, or a --shard"),
      (["--shard", "1/2", "--shard-results", "f", "--seed", "1"], "one run is not divided"),
      (["--shard", "1/2", "--shard-results", "f", "--report", "r"], "a part reports nothing"),
      (["--shard", "1/2", "--shard-results", "f", "--budget", "1s"], "what time allows differs"),
      (
        ["explore", "exhaustive", "--shard", "1/2", "--shard-results", "f"],
        "the strategy 'exhaustive' cannot be divided or gone on with"
      ),
      (["merge"], "'merge' needs the files that the shards wrote"),
    ])
  func usage(arguments: [String], message: String) {
    let output = Bench().run(arguments)
    #expect(output.code == 64)
    #expect(output.err.contains(message), "\(output.err)")
  }

  @Test("Default worlds, whose seeds depend on what was found, are not divided")
  func worlds() {
    var bench = Bench()
    bench.systems = [AnySystem(HastyShop.self)]
    bench.scenarios = Bench.usual.filter { $0.name.hasPrefix("sound") }
    let output = bench.run("--shard", "1/2", "--shard-results", "f")
    #expect(output.code == 64)
    #expect(output.err.contains("depends on what was found in others"))
  }
}

import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

/// Whole outputs, kept in files so that a change of a word is seen in review.
///
/// `RECORD=1 swift test --disable-xctest --filter GoldenTests` writes them anew, and fails.
@Suite struct GoldenTests {
  @Test(arguments: [nil] + Commands.all.map { $0.name })
  func `The help of every command is what its file says`(command: String?) throws {
    let output = Bench().run(["help"] + [command].compactMap { $0 })
    try Golden("help-\(command ?? "overview").txt").expect(output.out)
  }

  @Test func `What is said of mistakes at the terminal is what the file says`() throws {
    var bench = Bench()
    bench.files["broken.json"] = "broken"
    let mistakes: [[String]] = [
      ["--sede", "1"], ["lits"], ["hasty-lost"], ["--seed", "2a"], ["--seed", "1", "--seeds", "2"],
      ["--plan", "drop verify.repyl tx1"], ["--format", "xml"], ["--jobs", "0"],
      ["--scenario", "hasty-lsot"], ["--scenarios", "other.json"], ["check", "broken.json"],
      ["explore"], ["explore", "exhaustiv"], ["explore", "random", "--seed", "1"],
      ["list"], ["list", "decisions"], ["explain"], ["explain", "responce-lost"],
      ["explain", "hasty-shop/naive", "F02"], ["explain", "F40", "--as-file"], ["replay"],
      ["replay", "gone.json"], ["regress"], ["power", "--scenario", "nothing"], ["trace"],
      ["verify-determinism", "--jobs", "1"], ["--emit-test"],
    ]
    let text = mistakes.map { arguments in
      let output = bench.run(arguments)
      let words = arguments.map(\.shellQuoted).joined(separator: " ")
      return "$ chaos-runner \(words)\n\(output.out)\(output.err)exit \(output.code)\n"
    }.joined(separator: "\n")
    try Golden("errors.txt").expect(text)
  }

  @Test(arguments: [
    ("campaign.txt", []), ("campaign.json", ["--format", "json", "--scenario", "*-lost"]),
    ("campaign-details.txt", ["--details", "--scenario", "hasty-*"]),
    ("run.txt", ["--scenario", "hasty-replay", "--seed", "0"]),
    ("run.json", ["--scenario", "hasty-replay", "--seed", "0", "--format", "json"]),
    ("explore.txt", ["explore", "exhaustive", "--faults", "1", "--scenario", "*-lost"]),
    ("explain-cell.txt", ["explain", "hasty-shop/naive", "F40"]),
    ("explain-row.txt", ["explain", "hasty-shop/naive"]),
    ("explain-word.txt", ["explain", "lost"]),
    ("trace.txt", ["trace", "--scenario", "hasty-lost", "--seeds", "3"]),
  ])
  func `A report of a small campaign is what its file says`(name: String, arguments: [String])
    throws
  {
    try Golden(name).expect(Bench().run(arguments).out)
  }

  @Test func `A report of what nobody expected is what its file says`() throws {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost], "F40", expects: [.twice])
    ]
    try Golden("unexpected.txt").expect(bench.run().out)
  }

  @Test func `A report of kept plan files is what its file says`() throws {
    let bench = Kept.bench([
      "a.json": try Kept.text(), "b.json": try Kept.text { $0.expectation = .holds },
    ])
    try Golden("regress.txt").expect(bench.run("regress").out)
    try Golden("regress.json").expect(bench.run("regress", "--format", "json").out)
    try Golden("replay.txt").expect(bench.run("replay", "regressions/a.json").out)
    try Golden("replay.json")
      .expect(bench.run("replay", "regressions/a.json", "--format", "json").out)
  }

  @Test func `A report of a system that no scenario names is what its file says`() throws {
    var bench = Bench()
    bench.systems = [AnySystem(HastyShop.self)]
    bench.scenarios = Bench.usual.filter { $0.name.hasPrefix("sound") }
    try Golden("default-world.txt").expect(bench.run("--seeds", "50").out)
  }
}

/// A file that says what an output is to be.
struct Golden {
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  private let name: String
  private let url: URL

  init(_ name: String, filePath: String = #filePath) {
    self.name = name
    url = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden").appendingPathComponent(name)
  }

  func expect(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = try Self.withoutTimes(output)
    if Self.isRecording {
      try Data(text.utf8).write(to: url)
      Issue.record("recorded Golden/\(name)", sourceLocation: sourceLocation)
      return
    }
    let kept = try String(contentsOf: url, encoding: .utf8)
    guard text != kept else { return }
    let lines = zip(text.split(separator: "\n"), kept.split(separator: "\n"))
    let first = lines.first { $0 != $1 }.map { "'\($0)', expected '\($1)'" } ?? "its length"
    Issue.record(
      "Golden/\(name): found \(first); RECORD=1 records it anew", sourceLocation: sourceLocation)
  }

  /// What a clock says differs from run to run.
  private static func withoutTimes(_ text: String) throws -> String {
    text.replacing(try Regex(#", [0-9]+\.[0-9] s\n"#), with: ", TIME\n")
      .replacing(try Regex(#""(seconds|shrinkSeconds)" : [0-9.e-]+"#)) { match in
        "\(match.output[0].substring?.prefix { $0 != ":" } ?? ""): 0"
      }
  }
}

import ChaosStore
import Foundation
import TestSupport
import Testing

@testable import ChaosRunner

@Suite("The schema of results")
struct ResultSchemaTests {
  private static func schema() throws -> JSONSchema {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Docs/schemas/results.schema.json")
    return try JSONSchema(String(contentsOf: file, encoding: .utf8))
  }

  /// What the commands print, by their arguments; a plan file is kept first.
  private static func outputs() throws -> [(command: String, value: JSONValue)] {
    var bench = Bench()
    let single = ["--scenario", "hasty-replay", "--plan", "replay store.finished tx1 #1"]
    let kept = bench.run(
      ["--scenario", "hasty-lost", "--plan", "drop verify.request tx1 #1", "--save"])
    bench.files = kept.files
    let file = try #require(kept.files.keys.first { $0.hasPrefix("regressions/") })
    bench.files["regressions/broken.json"] = "{"
    let commands = [
      [], ["--seeds", "3"], ["--scenario", "hasty-lost", "--seed", "1"], single,
      ["explore", "exhaustive", "--faults", "1"],
      ["explore", "random", "--seeds", "20", "--prove", "--scenario", "hasty-*"],
      ["explore", "portfolio", "--seeds", "20"],
      ["--budget", "100ms", "--scenario", "hasty-replay"],
      ["replay", file], ["regress"], ["trace", "--scenario", "hasty-lost", "--seed", "1"],
      ["trace", "--seeds", "2"], ["power", "random", "--starts", "1"],
      ["verify-determinism", "--seeds", "2"], ["verify-determinism", "fickle"],
    ]
    bench.targets = [PowerTests.target(Bench.usual[0], .lost)]
    bench.targets[0].control = Bench.usual[0]
    return try commands.map { arguments in
      let isFickle = arguments.last == "fickle"
      let output =
        isFickle
        ? DeterminismCommandTests.fickle.run("verify-determinism", "--format", "json")
        : bench.run(arguments + ["--format", "json"])
      #expect(output.code != 64, "\(arguments): \(output.err)")
      return (arguments.joined(separator: " "), try JSONParser.parse(output.out))
    }
  }

  @Test(
    "The schema takes what every command prints as JSON, and nothing that is changed in one place")
  func outputs() throws {
    let schema = try Self.schema()
    for (command, value) in try Self.outputs() {
      let problem = schema.problem(in: value)
      #expect(problem == nil, "\(command)")
    }
  }

  @Test("The schema refuses a result that lacks a key, has one more, or a value of another type")
  func mutated() throws {
    let schema = try Self.schema()
    // The smallest of each form.
    let outputs = try Self.outputs().filter {
      $0.command.contains("--plan") || $0.command.hasPrefix("re") || $0.command.hasPrefix("power")
        || $0.command.hasPrefix("trace") || $0.command.hasPrefix("verify")
    }
    #expect(outputs.count == 8)
    for (command, value) in outputs {
      var taken: [String] = []
      let mutations = JSONMutation.all(of: value)
      for mutation in mutations where schema.problem(in: mutation.value) == nil {
        taken.append(mutation.description)
      }
      // Another number, another text of the same form, and what may be left out.
      #expect(taken.count * 4 < mutations.count, "\(command): \(taken)")
      #expect(!taken.contains { $0.hasSuffix("+ unknown") && !$0.contains("goals") }, "\(command)")
      #expect(!taken.contains { $0.hasSuffix("= null") }, "\(command)")
    }
  }
}

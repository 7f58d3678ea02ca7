import ChaosStore
import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosRunner

/// What `--format jsonl` prints is what `audit` reads.
@Suite struct HistoryLinesTests {
  @Test func `A run that is printed and audited breaks what it broke`() throws {
    let folder = try AuditFolder()
    let scenarios = try ScenarioFile.scenarios(
      fromJSON: BuiltInScenarios.json, systems: BuiltIn.systems)
    var broken = 0
    var kinds = Set<String>()
    var differences: [String] = []
    // Not optimised, all of them would take minutes.
    let step = whereOptimised(1, otherwise: 8)
    for (index, scenario) in scenarios.enumerated() where index % step == 0 {
      for seed in [UInt64(index), 7] {
        let record = Simulation(scenario).record(seed: seed)
        let text = HistoryLines(record, of: scenario).text
        let result = try folder.audit([("run.jsonl", text)])
        let names = record.broken(in: scenario)
        let found = result.histories.first?.broken
        if found != names || result.damaged != 0 || result.facts != record.facts.count {
          differences.append(
            "\(scenario.name) \(seed): \(found ?? []), \(names), damaged \(result.damagedLines)")
        }
        broken += names.count
        kinds.formUnion(record.facts.map { "\($0.kind)" })
      }
    }
    #expect(differences == [])
    #expect(broken > 300 / step)
    #expect(kinds.count > 20)
  }

  @Test func `A single run is printed from its beginning to its end, and only that`() {
    let bench = Bench()
    let output = bench.run("--scenario", "hasty-lost", "--seed", "0", "--format", "jsonl")
    let lines = output.out.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix(#"{"at": 0, "history": "begin", "name": "hasty-lost seed 0x0""#)
        ?? false)
    #expect(lines.last == #"{"at": 300000, "history": "end"}"#)
    let charges = lines.filter { $0.contains(#""fact": "charged""#) }
    #expect(charges.count == 1)
    #expect(charges.first?.contains(#""transaction": "tx1""#) ?? false)
    #expect(output.code == bench.run("--scenario", "hasty-lost", "--seed", "0").code)
  }

  @Test func `Of a campaign the history of the failure that costs most is printed`() throws {
    let output = Bench().run("--scenario", "hasty-lost", "--format", "jsonl")
    let result = try AuditFolder().audit([("run.jsonl", output.out)])
    #expect(result.histories.count == 1)
    #expect(result.histories.first?.broken.contains("no-charge-without-delivery") ?? false)
  }

  @Test func `Runs to compare are printed one history after the other`() throws {
    let output = Bench().run("trace", "--scenario", "hasty-*", "--seeds", "3", "--format", "jsonl")
    let result = try AuditFolder().audit([("run.jsonl", output.out)])
    #expect(result.histories.count == 12)
    #expect(result.histories.filter { !$0.hasEnd }.isEmpty)
    #expect(result.damaged == 0)
  }
}

/// A folder of its own, in which logs are written and audited.
struct AuditFolder: ~Copyable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "chaos-audit-\(ProcessInfo.processInfo.globallyUniqueString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// What the logs come to.
  func audit(_ files: [(name: String, text: String)], _ terms: AuditTerms = AuditTerms()) throws
    -> AuditResult
  {
    let paths = try files.map { try write($0.name, $0.text) }
    return try Audit(paths, terms).judged(isInterrupted: { false })
  }
}

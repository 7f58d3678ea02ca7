import ChaosStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChaosRunner

@Suite("A campaign that goes on after it was ended")
struct CheckpointTests {
  private static let asked = [
    "--scenario", "hasty-*", "--seeds", whereOptimised("20000", otherwise: "6000"),
  ]
  private static let keeping = ["--checkpoint", "state", "--checkpoint-every", "1ms"]
  private static let whole = Bench().run(asked + ["--without-times", "--format", "json"])

  /// A bench in which somebody asks for an end after it was asked about so often.
  private static func ended(after count: Int, _ files: [String: String]) -> Bench {
    var bench = Bench()
    bench.files = files
    let asked = Mutex(0)
    bench.isInterrupted = {
      asked.withLock {
        $0 += 1
        return $0 > count
      }
    }
    return bench
  }

  @Test("It reports what it would have without an end, wherever that came, and however often")
  func goesOn() throws {
    var files = Bench().files
    var ends = 0
    for count in [1, 3, 40, 300, 700, 1500, 4000] {
      let output = Self.ended(after: count, files).run(Self.asked + Self.keeping)
      guard output.code == 2 else { break }
      ends += 1
      #expect(output.err.contains("; the same command goes on from state"))
      #expect(output.out == "")
      files = output.files
    }
    #expect(ends >= 4)
    let file = try ShardFile(#require(files["state"]), path: "state")
    #expect(!file.header.isWhole)
    #expect(!file.body.scenarios.isEmpty)
    var bench = Bench()
    bench.files = files
    let output = bench.run(Self.asked + Self.keeping + ["--without-times", "--format", "json"])
    #expect(output.out == Self.whole.out)
    #expect(output.code == Self.whole.code)
  }

  @Test("Whatever was written last before a kill, what goes on from there comes to the same")
  func everyState() throws {
    let states = Mutex<[String]>([])
    var bench = Bench()
    bench.onWrite = { path, text in
      if path == "state" { states.withLock { $0.append(text) } }
    }
    _ = bench.run(Self.asked + Self.keeping)
    let all = states.withLock { $0 }
    #expect(all.count > 6)
    let most = whereOptimised(6, otherwise: 2)
    for (index, state) in all.enumerated() where index % max(1, all.count / most) == 0 {
      var bench = Bench()
      bench.files["state"] = state
      let output = bench.run(Self.asked + Self.keeping + ["--without-times", "--format", "json"])
      #expect(output.out == Self.whole.out)
    }
  }

  @Test("A shard that was ended goes on from its own file, and one that is whole is left alone")
  func shard() throws {
    let part = Self.asked + ["--shard", "2/2", "--shard-results", "p", "--checkpoint-every", "1ms"]
    let once = Bench().run(part)
    let ended = Self.ended(after: 200, Bench().files).run(part)
    #expect(ended.code == 2)
    var bench = Bench()
    bench.files = ended.files
    let gone = bench.run(part)
    let first = try ShardFile(#require(once.files["p"]), path: "p")
    let second = try ShardFile(#require(gone.files["p"]), path: "p")
    #expect(first.body == second.body)
    #expect(first.header.isWhole && second.header.isWhole)
    bench.files = gone.files
    #expect(bench.run(part).files["p"] == gone.files["p"])
  }

  @Test("A file of something else is not written over")
  func foreign() {
    var bench = Bench()
    let other = Bench().run("--seeds", "9", "--checkpoint", "state").files["state"]
    for (text, message) in [
      ("hello", "state: line 1: found no JSON"), (other, "state: campaign: found"),
      (other.map { String($0.dropLast(9)) }, "state: line 2: found"),
    ] {
      bench.files["state"] = text
      let output = bench.run("--seeds", "10", "--checkpoint", "state")
      #expect(output.code == 2)
      #expect(output.err.contains(message), "\(output.err)")
      #expect(output.files["state"] == text)
    }
  }
}

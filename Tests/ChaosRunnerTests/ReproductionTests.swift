import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite struct ReproductionTests {
  @Test func `A line to paste gives the same violations when it is pasted`() throws {
    let story = Bench().run("--scenario", "hasty-replay", "--seed", "0x0")
    let lines = Self.lines(story.out)
    #expect(
      lines == [
        "--scenario hasty-replay --seed 0x0",
        "--scenario hasty-replay --plan 'omit person.step step2 #1, omit person.step step3 #1'",
      ], "the shop finishes early without any fault, so that is the cause")
    for line in lines {
      let again = Bench().run(Self.words(line))
      #expect(again.code == 1)
      #expect(again.out.contains("breaks finish-only-after-credit (I03)"))
    }
    #expect(Bench().run(Self.words(lines[0])).out == story.out)
  }

  @Test func `The JSON report has the line to paste too, with a plan that does the same`() throws {
    let report = try JSONOutput(Bench().run("--format", "json"))
    for scenario in report.scenarios {
      for violation in scenario.violations {
        let line = try #require(Self.lines("  " + violation.reproduce).first)
        let again = try JSONOutput(Bench().run(Self.words(line) + ["--format", "json"]))
        #expect(again.scenarios[0].violations.contains { $0.invariant == violation.invariant })
        #expect(again.scenarios[0].violations.allSatisfy { $0.firstSeed == violation.firstSeed })
        let plan = Plan(try violation.plan.map { try $0.decision })
        let planned = try JSONOutput(
          Bench().run(
            "--scenario", scenario.name, "--plan", plan.description, "--format", "json"))
        #expect(planned.scenarios[0].violations.contains { $0.invariant == violation.invariant })
        #expect(planned.scenarios[0].violations.allSatisfy { $0.firstSeed == nil })
      }
    }
  }

  @Test func `A line to paste names the scenario file when it is not the usual one`() {
    var bench = Bench()
    bench.files = ["my shop.json": "the bench's own"]
    let output = bench.run("--scenarios", "my shop.json", "--scenario", "hasty-lost", "--seed", "0")
    let lines = Self.lines(output.out)
    #expect(lines[0] == "--scenario hasty-lost --scenarios 'my shop.json' --seed 0x0")
    #expect(bench.run(Self.words(lines[0])).out == output.out)
  }

  @Test func `A line to paste has the plan when one was laid over the seed`() {
    let output = Bench().run(
      "--scenario", "sound-lost", "--seed", "7", "--plan", "crash app on reply tx1")
    #expect(
      Self.lines(output.out) == [
        "--scenario sound-lost --seed 0x7 --plan 'crash app on reply tx1 #1'"
      ])
  }

  @Test func `A report says what the plan names and the run never asks`() {
    let output = Bench().run(
      "--scenario", "sound-lost", "--plan", "drop verify.reply tx1, drop verify.reply tx9 #3")
    #expect(output.code == 0)
    #expect(
      output.out.contains("Named by the plan and never asked for\n  drop verify.reply tx9 #3"))
    let none = Bench().run("--scenario", "sound-lost", "--plan", "drop verify.reply tx9 #3")
    #expect(none.code == 2)
    #expect(none.out.contains("NO VERDICT  sound-lost: nothing that the plan names was ever asked"))
  }

  /// What follows the program's name in the lines to paste.
  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.hasPrefix("  swift run -c release chaos-runner ")
        ? String(line.dropFirst("  swift run -c release chaos-runner ".count)) : nil
    }
  }

  /// The words a shell makes of a line.
  static func words(_ line: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in line {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}

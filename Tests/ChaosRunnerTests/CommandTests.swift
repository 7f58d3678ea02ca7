import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct CommandTests {
  @Test func `'list' names what there is, a line each`() {
    #expect(
      Bench().run("list", "scenarios", "--scenario", "*lost").out == """
        hasty-lost  a hasty shop
        sound-lost  breaks nothing

        """)
    #expect(Bench().run("list", "faults").out.hasPrefix("F01   app-crash"))
    #expect(Bench().run("list", "invariants").out.contains("I02  no-double-credit"))
    #expect(Bench().run("list", "systems").out.contains("Variants: hasty, hastier."))
  }

  @Test func `'list decisions' prints lines that a plan can be made of`() throws {
    let output = Bench().run("list", "decisions", "--scenario", "hasty-lost")
    #expect(output.out.contains("     0.150  skip receipt.write tx1 #1"))
    #expect(
      output.out.contains(
        "     0.151  drop verify.request tx1 #1                    (F40 the report is lost)"))
    #expect(
      output.out.contains("delay verify.request tx1 #1 = 10ms...200ms | overtaken | late"))
    let lines = output.out.split(separator: "\n").filter { $0.contains(" #1") }
    #expect(lines.count > 40)
    for line in lines where !line.contains("question subject") {
      let decision = line.dropFirst(12).split(separator: "(")[0]
      let head = String(decision.split(separator: "=")[0])
      let value = decision.split(separator: "=").dropFirst().first
      let first = value?.split(separator: "|")[0].split(separator: "...")[0]
      #expect(throws: Never.self) {
        try Decision(parsing: head + (first.map { "= \($0)" } ?? ""))
      }
    }
  }

  @Test func `'explain' tells what a fault is, where it strikes and how one knows`() {
    #expect(
      Bench().run("explain", "f41").out == """
        F41 response-lost: the answer is lost  (a fault)

          The backend has done its work, but its answer never reaches the app.

        It strikes at these questions
          - drop verify.reply

        Reports of it
          - RevenueCat/purchases-ios#5795

        """)
    #expect(Bench().run("explain", "response-lost").out == Bench().run("explain", "F41").out)
  }

  @Test func `'explain' knows every name it could be asked for`() {
    let names =
      Fault.allCases.flatMap { [$0.name, $0.code] }
      + Catalogue.invariants.flatMap { [$0.name, $0.code] } + Bench.systems.map(\.entry.name)
      + Bench.usual.map(\.name)
    for name in names { #expect(Bench().run("explain", name).code == 0, "\(name)") }
    #expect(Bench().run("explain", "I02").out.contains("Why it matters"))
    #expect(Bench().run("explain", "hasty-shop").out.contains("  Called back, it finishes"))
    #expect(
      Bench().run("explain", "hasty-lost").out.contains("  - F40 request-lost, 1/2, at most 2"))
  }

  @Test func `'check' says how much of a scenario file is in order`() {
    #expect(Bench().run("check").out == "scenarios.json: 6 scenarios of 2 systems, all in order\n")
    var bench = Bench()
    bench.files = [:]
    #expect(
      bench.run("check").out == "the built-in scenarios (there is no ./scenarios.json): "
        + "6 scenarios of 2 systems, all in order\n")
  }

  @Test func `A run uses the built-in scenarios where there is no file`() {
    var bench = Bench()
    bench.files = [:]
    #expect(bench.run("--quiet").code == 0)
  }
}

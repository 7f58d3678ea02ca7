import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct ExplainTests {
  @Test func `Every letter of a table is explained with the invariants it stands for`() {
    for impact in Set(Catalogue.invariants.map(\.impact)) {
      let output = Bench().run("explain", impact.letter)
      #expect(output.code == 0)
      #expect(output.out.hasPrefix("\(impact.letter) \(impact.title)  (a letter of the table)\n"))
      #expect(output.out == Bench().run("explain", impact.rawValue).out)
    }
    #expect(Bench().run("explain", "l").out.contains("  - I01 no-charge-without-delivery"))
  }

  @Test func `A word is explained by all the names and descriptions it stands in`() {
    let output = Bench().run("explain", "crash")
    #expect(output.code == 0)
    #expect(
      output.out == """
        'crash' stands in these; 'explain' with one of the names says more

        Faults
          F01  app-crash: the app dies
          F50  server-crash: the backend dies between two steps

        """)
    #expect(Bench().run("explain", "lost").out.contains("\nScenarios\n  hasty-lost\n"))
  }

  @Test func `Every cell of a table is explained by its row and the code above its column`() {
    let matrix = Matrix(Bench.usual.map { ScenarioResult(scenario: $0) })
    for row in matrix.rows {
      for topic in matrix.topics {
        let output = Bench().run("explain", row.path, topic.code)
        #expect(output.code == 0)
        #expect(output.out.hasPrefix("\(row.path) under \(topic.sentence)\n  \(row.path): "))
      }
    }
  }

  @Test func `A cell tells the story of what costs most in it, with lines that show it again`() {
    let output = Bench().run("explain", "hasty-shop/naive", "F40")
    #expect(output.out.contains("  hasty-shop/naive: L,E\n"))
    #expect(output.out.contains("\nhasty-lost: as-expected\n"))
    #expect(output.out.contains("✗ no-charge-without-delivery (I01) broke in"))
    #expect(output.out.contains("\nThe story of what costs most\n\nhasty-lost under a plan, "))
    for line in ReproductionTests.lines(output.out) {
      #expect(Bench().run(ReproductionTests.words(line)).code == 1)
    }
    let byName = Bench().run("explain", "hasty-shop/naive", "request-lost")
    #expect(byName.out == output.out)
  }

  @Test func `The line that a table gives for the story of a cell explains that cell`() throws {
    let lines = ReproductionTests.lines(Bench().run("--details").out)
    #expect(lines[0] == "explain hasty-shop/naive F40")
    #expect(Bench().run(ReproductionTests.words(lines[0])).code == 0)
  }

  @Test func `A row is explained with its columns, its scenarios and what they must break`() {
    let output = Bench().run("explain", "hasty-shop/idempotent")
    #expect(output.code == 0)
    #expect(output.out.contains("the report is lost (F40)\n  hasty-lost-idempotent\n"))
    #expect(output.out.contains("    must break: finish-only-after-credit\n"))
    #expect(!output.out.contains("hasty-lost\n"))
  }

  @Test func `A scenario is printed as a file of its own, and nothing else`() throws {
    let output = Bench().run("explain", "sound-lost", "--as-file")
    #expect(output.code == 0)
    let read = try ScenarioFile.scenarios(fromJSON: output.out, systems: BuiltIn.systems)
    #expect(read.map(\.name) == ["sound-lost"])
    #expect(Bench().run("explain", "F40", "--as-file").code == 64)
  }
}

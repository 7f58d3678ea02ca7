import ChaosStore
import Testing

@Suite("What hosted code prints")
struct AppOutputTests {
  @Test("It is shown of one run, on standard error, and no report has it")
  func oneRun() {
    let name = Bench.usual[0].name
    let without = Bench().run("--scenario", name, "--seed", "1")
    let with = Bench().run("--scenario", name, "--seed", "1", "--app-output")
    #expect(with.code == without.code)
    #expect(with.out == without.out)
    #expect(with.err.hasPrefix(without.err))
    // Designs that are written as values of this package print nothing.
    #expect(with.err.contains("printed nothing\n"))
  }

  @Test("It needs one run of one scenario")
  func usage() {
    let many = Bench().run("--app-output")
    #expect(many.code == 64)
    #expect(
      many.err.hasPrefix("chaos-runner: --app-output needs one run: give it a --seed or a --plan\n")
    )
    let several = Bench().run("--app-output", "--seed", "1")
    #expect(several.code == 64)
    #expect(
      several.err.hasPrefix("chaos-runner: --app-output needs one --scenario, and 6 are chosen\n"))
  }
}

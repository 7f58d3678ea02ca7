import Testing

@testable import ChaosRunner

@Test func `A first look`() {
  print(Bench().run().out, Bench().run().err)
  let one = Bench().run("--scenario", "hasty-replay", "--seed", "0")
  print(one.out, one.err, one.code)
  print(Bench().run("--details").out)
  print(Bench().run("--format", "json", "--scenario", "hasty-lost").out)
  print(Bench().run("list", "decisions", "--scenario", "hasty-lost").out)
}

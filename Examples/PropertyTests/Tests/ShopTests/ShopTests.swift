import ChaosStore
import ChaosTesting
import Shop
import Testing

/// Every fault there is may strike; whatever breaks fails the test, with a line that runs it again.
@Test func `the book shop keeps money and goods together`() throws {
  try PropertyTest.check(BookShop.self, saving: .besideTest)
}

/// A case for each world, which fails by itself and can be run again by itself, with its story attached.
@Test(.attachingStories, arguments: try PropertyTest.scenarios(for: BookShop.self))
func `the book shop holds`(in world: Scenario) throws {
  try PropertyTest.check(world, seeds: 0..<500)
}

@Test func `the book shop survives every plan of two decisions on a bad network`() throws {
  let network: [Fault] = [.requestLost, .responseLost, .lateResponse, .duplicateCallback]
  let scenario = try PropertyTest.scenario(for: BookShop.self, faults: network)
  let findings = try PropertyTest.check(scenario, strategy: Exhaustive(faults: 2))
  #expect(findings.holdsUpTo == 2)
}

/// What a failure looks like. A test of your own would not catch it.
@Test func `a backend without a memory is caught`() throws {
  let failure = try #require(
    #expect(throws: PropertyFailure.self) {
      try PropertyTest.check(HastyBookShop.self, faults: [.responseLost, .appCrash])
    })
  let (plan, text) = (try #require(failure.plan), "\(failure)")
  print(text)
  #expect(failure.kind == .violation("no-double-credit"))
  #expect(failure.certificate?.isMinimal == true)
  #expect(text.contains("CHAOS_PLAN='\(plan)' swift test --filter "))
  #expect(text.contains("\nWhat happened\n"))
  if let seed = failure.seed {
    #expect(text.contains("CHAOS_SEED=0x\(String(seed, radix: 16)) swift test --filter "))
  }
}

/// `ShopTests.regressions` has a plan that failed once. It is replayed before anything else is run.
@Test func `a plan that was kept is replayed first`() throws {
  let failure = try #require(
    #expect(throws: PropertyFailure.self) {
      try PropertyTest.check(HastyBookShop.self, faults: [.responseLost])
    })
  #expect(failure.file?.hasPrefix("ShopTests.regressions/a-plan-that-was-kept") == true)
  #expect("\(failure)".contains("still breaks under the plan kept in ShopTests.regressions/"))
}

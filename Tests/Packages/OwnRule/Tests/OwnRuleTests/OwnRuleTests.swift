import ChaosStore
import Foundation
import Invariants
import OwnRule
import Testing

/// The scenarios of this package's file, judged by the rule of one's own and by all others.
private func scenario(_ name: String) throws -> Scenario {
  let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "scenarios.json")
  let scenarios = try ScenarioFile.scenarios(
    fromJSON: String(contentsOf: file, encoding: .utf8),
    systems: [AnySystem(TrustingShop.self)] + BuiltIn.systems)
  var scenario = try #require(scenarios.first { $0.name == name })
  scenario.invariants = Catalogue.invariants + [CreditAfterVerification()]
  return scenario
}

@Test func `while the verifier answers, a trusting backend keeps the rule`() throws {
  try PropertyTest.check(scenario("trusting-shop/quiet"))
}

@Test func `a backend that credits while the verifier is down breaks the rule, and no other`()
  throws
{
  var scenario = try scenario("trusting-shop/verifier-status")
  let failure = try #require(
    #expect(throws: PropertyFailure.self) { try PropertyTest.check(scenario) })
  #expect(failure.kind == .violation("credit-after-verification"))
  // Which of Apple's statuses it is does not matter.
  let plan = try #require(failure.plan)
  #expect("\(plan)".hasPrefix("fail verifier.status tx1 #1 = ") && plan.decisions.count == 1)
  #expect("\(failure)".contains(CreditAfterVerification().summary))

  // A scenario can want it to break, by name or by code.
  for name in ["credit-after-verification", "X01"] {
    scenario.expects = [name]
    try PropertyTest.check(scenario)
  }
}

@Test func `a backend that answers later while the verifier is down keeps the rule`() throws {
  try PropertyTest.check(scenario("exactly-once/verifier-status"))
}

@Test func `the rule judges a history that no simulator made`() throws {
  var judge = Judge(rules: [CreditAfterVerification()], terms: Books.Terms())
  for (millis, kind) in [(0, .charged), (20, .verified), (30, .credited)] as [(Int64, Fact.Kind)] {
    var fact = Fact(kind, at: Instant(millis: millis))
    fact.transaction = TransactionID(0)
    fact.storeAccount = StoreAccountID(0)
    fact.quantity = 1
    fact.verdict = kind == .verified ? .inconclusive : .none
    try judge.observe(checking: fact)
  }
  judge.close(at: Instant(millis: 40))
  #expect(judge.violations.map(\.at) == [Instant(millis: 30)])
}

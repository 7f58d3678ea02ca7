import Invariants
import Testing

@testable import ChaosRunner
@testable import ChaosStore

@Suite("What a campaign is worth that reached nothing")
struct PartialCampaignTests {
  private func result(
    goals: [String] = ["charged"], runs: Int = 0, isFull: Bool = false
  ) throws -> ScenarioResult {
    var scenario = Bench.usual[4]
    scenario.goals = try goals.map { try #require(Goal(parsing: $0)) }
    var result = ScenarioResult(scenario: scenario)
    result.search = Findings(scenario)
    result.search?.runs = runs
    result.isFull = isFull
    return result
  }

  @Test("A hundred runs in which nobody pays show nothing, although the campaign was longer")
  func partial() throws {
    #expect(try result(runs: 100).verdict == .vacuous)
    #expect(try result(runs: 99).verdict == .asExpected)
  }

  @Test("A goal that takes a fault is missed only by a full campaign")
  func withFaults() throws {
    let goals = ["charged + request-lost"]
    #expect(try result(goals: goals, runs: 5000).verdict == .asExpected)
    #expect(try result(goals: goals, runs: 40, isFull: true).verdict == .vacuous)
    var reached = try result(goals: goals, runs: 40, isFull: true)
    reached.search?.reached = [1]
    #expect(reached.verdict == .asExpected)
  }

  @Test(
    "What is wrong with the run itself comes before what was seen in it, and that before all else")
  func order() throws {
    var result = try result(runs: 200, isFull: true)
    result.unseen = ["no-double-credit"]
    #expect(result.verdict == .missing)
    result.isFull = false
    #expect(result.verdict == .vacuous)
    result.search?.reached = [1]
    #expect(result.verdict == .notYetSeen)
    result.isSpent = true
    #expect(result.verdict == .noVerdict)
    result.findings = [Finding(0, result.scenario, runs: 1, origin: Origin(seed: 1))]
    #expect(result.verdict == .unexpected)
    result.note(["a run came out differently"])
    #expect(result.verdict == .noVerdict)
  }

  @Test("A run that was cut off leaves no verdict, and so does a proof that was not finished")
  func doubtful() throws {
    var cutOff = try result(goals: [], runs: 40, isFull: true)
    cutOff.isCutOff = true
    #expect(cutOff.verdict == .noVerdict)
    var proof = try result(goals: [], runs: 40)
    proof.runs = 40
    proof.isSpent = true
    #expect(proof.verdict == .asExpected)
    proof.isProof = true
    #expect(proof.verdict == .noVerdict)
  }
}

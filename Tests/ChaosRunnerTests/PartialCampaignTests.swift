import Invariants
import Testing

@testable import ChaosRunner
@testable import ChaosStore

@Suite("What a campaign is worth that reached nothing")
struct PartialCampaignTests {
  private func trial(
    goals: [String] = ["charged"], runs: Int = 0, isFull: Bool = false
  ) throws -> Trial {
    var scenario = Bench.usual[4]
    scenario.goals = try goals.map { try #require(Goal(parsing: $0)) }
    var trial = Trial(scenario: scenario)
    trial.search = Findings(scenario)
    trial.search?.runs = runs
    trial.isFull = isFull
    return trial
  }

  @Test("A hundred runs in which nobody pays show nothing, although the campaign was longer")
  func partial() throws {
    #expect(try trial(runs: 100).verdict == .vacuous)
    #expect(try trial(runs: 99).verdict == .asExpected)
  }

  @Test("A goal that takes a fault is missed only by a full campaign")
  func withFaults() throws {
    let goals = ["charged + request-lost"]
    #expect(try trial(goals: goals, runs: 5000).verdict == .asExpected)
    #expect(try trial(goals: goals, runs: 40, isFull: true).verdict == .vacuous)
    var reached = try trial(goals: goals, runs: 40, isFull: true)
    reached.search?.reached = [1]
    #expect(reached.verdict == .asExpected)
  }

  @Test(
    "What is wrong with the run itself comes before what was seen in it, and that before all else")
  func order() throws {
    var trial = try trial(runs: 200, isFull: true)
    trial.unseen = ["no-double-credit"]
    #expect(trial.verdict == .missing)
    trial.isFull = false
    #expect(trial.verdict == .vacuous)
    trial.search?.reached = [1]
    #expect(trial.verdict == .notYetSeen)
    trial.isSpent = true
    #expect(trial.verdict == .noVerdict)
    trial.findings = [Finding(0, trial.scenario, runs: 1, origin: Origin(seed: 1))]
    #expect(trial.verdict == .unexpected)
    trial.note(["a run came out differently"])
    #expect(trial.verdict == .noVerdict)
  }

  @Test("A run that was cut off leaves no verdict, and so does a proof that was not finished")
  func doubtful() throws {
    var cutOff = try trial(goals: [], runs: 40, isFull: true)
    cutOff.isCutOff = true
    #expect(cutOff.verdict == .noVerdict)
    var proof = try trial(goals: [], runs: 40)
    proof.isSpent = true
    #expect(proof.verdict == .asExpected)
    proof.isProof = true
    #expect(proof.verdict == .noVerdict)
  }
}

import ChaosStore
import Testing

@testable import ChaosTesting

@Suite(.attachingStories) struct `What Swift Testing shows of a failed check` {
  private func failure() throws -> PropertyFailure {
    var scenario = try PropertyTest.scenario(
      for: ReceiptStore.self, backend: .naive, faults: [.responseLost])
    scenario.name = "shop/lost answers"
    return try #require(
      #expect(throws: PropertyFailure.self) { try PropertyTest.check(scenario, seeds: 0..<300) })
  }

  @Test func `the story and the plan are a file each, named after the scenario`() throws {
    let failure = try failure()
    let plan = try #require(failure.plan)
    let files = failure.attachments
    #expect(files.map(\.name) == ["shop-lost-answers.story.txt", "shop-lost-answers.plan.txt"])
    #expect(files[0].text == failure.description + "\n")
    #expect(try Plan(parsing: String(files[1].text.dropLast())) == plan)
  }

  @Test func `what a test throws is thrown on, whatever it is`() async throws {
    struct Other: Error {}
    let test = try #require(Test.current)
    let failure = try failure()
    await #expect(throws: PropertyFailure.self) {
      try await StoryAttachments().provideScope(for: test, testCase: nil) { throw failure }
    }
    await #expect(throws: Other.self) {
      try await StoryAttachments().provideScope(for: test, testCase: nil) { throw Other() }
    }
  }

  @Test(arguments: try PropertyTest.scenarios(for: ExactlyOnce.self))
  func `a scenario is an argument with a name`(world: Scenario) throws {
    #expect(world.testDescription == world.name)
    #expect("\(world.testDescription)".contains("exactly-once"))
  }
}

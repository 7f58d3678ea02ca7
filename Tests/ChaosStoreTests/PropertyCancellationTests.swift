import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite struct `A property test that is cancelled` {
  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  /// Says yes from the n-th time on that it is asked.
  private static func after(_ count: Int) -> Cancellation {
    let asked = Counter()
    return Cancellation { _ in
      asked.count.wrappingAdd(1, ordering: .relaxed).newValue > count
    }
  }

  /// What a check throws; nil where it passes.
  private func thrown(_ scenario: Scenario, _ cancellation: Cancellation = .never) -> (any Error)? {
    let place = TestPlace(
      filePath: "Tests/ShopTests/ShopTests.swift", fileID: "ShopTests/ShopTests.swift",
      function: "sellsOnce()", line: 12)
    do {
      _ = try Check(
        scenario, seeds: 0..<300, environment: CheckEnvironment(), place: place,
        cancellation: cancellation
      ).run()
      return nil
    } catch {
      return error
    }
  }

  @Test func `ends with what broke and the smallest plan so far, and says that it was cancelled`()
    throws
  {
    let scenario = try PropertyTest.scenario(for: ForgetfulShop.self, faults: [.responseLost])
    let whole = try #require(thrown(scenario) as? PropertyFailure)
    let said = "It was not made smaller, because the test was cancelled."
    #expect(!whole.description.contains(said))
    var wasCut = 0
    for count in stride(from: 0, to: 400, by: 7) {
      switch thrown(scenario, Self.after(count)) {
      case let failure as PropertyFailure:
        guard failure.description.contains(said) else { continue }
        wasCut += 1
        #expect(failure.seed != nil || failure.plan != nil || failure.timeline != nil, "\(count)")
        #expect(failure.certificate?.isMinimal != true)
      case let error as PropertyError:
        #expect(error.description.contains("the test was cancelled after "), "\(count): \(error)")
        #expect(error.kind == .noVerdict)
      default: Issue.record("passed, cancelled when it asked \(count) times")
      }
    }
    #expect(wasCut > 3)
  }

  @Test func `has no verdict where nothing broke by then`() throws {
    let scenario = try PropertyTest.scenario(for: ExactlyOnce.self)
    let error = try #require(thrown(scenario, Self.after(20)) as? PropertyError)
    #expect(error.kind == .noVerdict)
    #expect(error.message.hasPrefix("\(scenario.name): the test was cancelled after "))
    #expect(error.message.hasSuffix(" runs, before all were made"))
  }

  @Test func `hears of it as any task does, such as from a time limit`() async throws {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try PropertyTest.check(PropertyTest.scenario(for: ExactlyOnce.self), seeds: 0..<1_000_000)
    }
    task.cancel()
    let error = await #expect(throws: PropertyError.self) { try await task.value }
    #expect(error?.message.contains("the test was cancelled after ") == true)
  }
}

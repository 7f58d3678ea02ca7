import ChaosStore
public import Testing

/// Keeps what a failed check tells as attachments of the test: its story, and the plan that shows it again.
///
///     @Test(.attachingStories)
///     func everyPurchaseArrivesOnce() throws {
///       try PropertyTest.check(MyShop.self)
///     }
///
/// Of a suite it holds for each test in it. The failure itself is recorded as without it. Xcode shows attachments beside
/// the test; `swift test --attachments-path FOLDER` writes them there.
public struct StoryAttachments: TestTrait, SuiteTrait, TestScoping {
  /// Each test of a suite has its own.
  public var isRecursive: Bool { true }

  /// Runs the test, and attaches what it throws where that has a story.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    do { try await function() } catch let failure as PropertyFailure {
      for file in failure.attachments { Attachment.record(file.text, named: file.name) }
      throw failure
    }
  }
}

extension Trait where Self == StoryAttachments {
  /// What a failed check tells is attached to the test; see ``StoryAttachments``.
  public static var attachingStories: Self { Self() }
}

extension PropertyFailure {
  /// A file each: the story, and the plan where there is one.
  var attachments: [(name: String, text: String)] {
    let name = String(scenario.map { $0.isLetter || $0.isNumber ? $0 : "-" })
    var files = [(name + ".story.txt", description + "\n")]
    if let plan { files.append((name + ".plan.txt", "\(plan)\n")) }
    return files
  }
}

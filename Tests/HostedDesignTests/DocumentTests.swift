import ChaosStore
import Foundation
import Testing

@Suite("The code in the documents about hosting")
struct DocumentTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// The Swift code of a document, a text for each block.
  private func blocks(_ path: String) throws -> [String] {
    try text(path).components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// As it would be found whatever its lines and margins are.
  private func packed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test(
    "Each piece of Swift in the documents about hosting stands in a file that is compiled",
    arguments: [
      ("Sources/ChaosStoreKit/ChaosStoreKit.docc/HostingAnApp.md", 6),
      ("Sources/ChaosStoreKit/ChaosStoreKit.docc/HostingASharedManager.md", 2),
      ("Docs/STOREKIT.md", 7),
    ])
  func compiled(document: String, count: Int) throws {
    let blocks = try blocks(document)
    #expect(blocks.count == count)
    let files = ["Documented/HostingAnApp", "Documented/StoreKitDocument", "DocumentTests"]
    let code = try files.map { packed(try text("Tests/HostedDesignTests/\($0).swift")) }.joined()
    for block in blocks {
      // A manifest's target, and the main of an executable, of which a test target can have none.
      if block.hasPrefix(".target(") || block.hasPrefix("@main ") { continue }
      #expect(code.contains(packed(block)), "\(document): \(block)")
    }
  }

  @Test("The manager in the article about hosting fails as the article says it does")
  func articleFails() throws {
    let failure = try #require(
      #expect(throws: PropertyFailure.self) {
        try PropertyTest.check(CoinShop.self, seeds: 0..<500)
      })
    #expect(failure.description.contains("one-tap-one-charge (I13) broke"), "\(failure)")
  }
}

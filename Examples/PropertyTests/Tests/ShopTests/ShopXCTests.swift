import ChaosStore
import Shop
import XCTest

/// The same call in XCTest: it throws, so either framework reports it.
final class ShopXCTests: XCTestCase {
  func testTheBookShopKeepsMoneyAndGoodsTogether() throws {
    try PropertyTest.check(BookShop.self, seeds: 2000..<3000)
  }

  func testABackendWithoutAMemoryIsCaught() {
    XCTAssertThrowsError(try PropertyTest.check(HastyBookShop.self, faults: [.responseLost])) {
      XCTAssertEqual(
        ($0 as? PropertyFailure)?.kind, PropertyFailure.Kind.violation("no-double-credit"))
      XCTAssertTrue("\($0)".contains("swift test --filter"), "\($0)")
    }
  }
}

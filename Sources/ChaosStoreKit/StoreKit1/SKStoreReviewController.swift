import Foundation

/// Asks for a review. Nobody reviews a simulated app.
open class SKStoreReviewController: NSObject {
  /// Does nothing.
  open class func requestReview() {}
}

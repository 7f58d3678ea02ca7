#if !canImport(UIKit)
  import ChaosStore

  /// Where a screen would be: screens are not simulated, so this one shows nothing.
  open class UIWindowScene {
    /// A scene of no app.
    public init() {}
  }

  /// Screens are not simulated.
  @available(
    *, unavailable,
    message: "screens are not simulated: keep view controllers in files of their own"
  )
  open class UIViewController {}

  /// Screens are not simulated.
  @available(
    *, unavailable,
    message: "screens are not simulated: keep view controllers in files of their own"
  )
  open class SKStoreProductViewController {}

  /// Screens are not simulated.
  @available(
    *, unavailable, message: "screens are not simulated: keep overlays in files of their own"
  )
  open class SKOverlay {}

  /// Screens are not simulated.
  @available(*, unavailable, message: "screens are not simulated: keep views in files of their own")
  public struct ProductView {
    /// A view of one product.
    public init(id: String) {}
  }

  /// Screens are not simulated.
  @available(*, unavailable, message: "screens are not simulated: keep views in files of their own")
  public struct StoreView {
    /// A view of several products.
    public init(ids: some Collection<String>) {}
  }

  /// Screens are not simulated.
  @available(*, unavailable, message: "screens are not simulated: keep views in files of their own")
  public struct SubscriptionStoreView {
    /// A view of a group's subscriptions.
    public init(groupID: String) {}
    /// A view of these subscriptions.
    public init(productIDs: some Collection<String>) {}
  }

  extension AppStore {
    /// Screens are not simulated.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public static func showManageSubscriptions(in scene: UIWindowScene) async throws {}

    /// Screens are not simulated.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public static func showManageSubscriptions(
      in scene: UIWindowScene, subscriptionGroupID: String
    ) async throws {}

    /// Screens are not simulated.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public static func presentOfferCodeRedeemSheet(in scene: UIWindowScene) async throws {}

    /// Screens are not simulated.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public static func requestReview(in scene: UIWindowScene) {}
  }

  extension Transaction {
    /// Asks the App Store for the money of this transaction back, as ``beginRefundRequest(for:in:)`` does.
    public func beginRefundRequest(in scene: UIWindowScene) async throws -> RefundRequestStatus {
      try await Self.beginRefundRequest(for: id, in: scene)
    }

    /// Asks the App Store for the money of a transaction back. Nobody sees a sheet: the person confirms it, and the App
    /// Store decides later.
    ///
    /// Throws `RefundRequestError.duplicateRequest` where it was asked for before or was given back, and
    /// `RefundRequestError.failed` where no such transaction was bought.
    public static func beginRefundRequest(
      for transactionID: UInt64, in scene: UIWindowScene
    ) async throws -> RefundRequestStatus {
      await Task.yield()
      let session = StoreSession.current
      let answer = session.isAlive ? session.port.requestRefund(of: transactionID) : .unknown
      if session.mustStop { await session.stop() }
      switch answer {
      case .taken: return .success
      case .duplicate: throw RefundRequestError.duplicateRequest
      case .unknown: throw RefundRequestError.failed
      }
    }
  }

  extension Product {
    /// Screens are not simulated; `purchase(options:)` is.
    @available(
      *, unavailable, message: "screens are not simulated: call purchase(options:) instead"
    )
    public func purchase(
      confirmIn scene: UIWindowScene, options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult {
      .userCancelled
    }
  }

  extension Message {
    /// Screens are not simulated.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public func display(in scene: UIWindowScene) throws {}
  }

  extension SKStoreReviewController {
    /// Screens are not simulated; `requestReview()` does nothing.
    @available(
      *, unavailable, message: "screens are not simulated: keep this call in a file of its own"
    )
    public class func requestReview(in windowScene: UIWindowScene) {}
  }
#endif

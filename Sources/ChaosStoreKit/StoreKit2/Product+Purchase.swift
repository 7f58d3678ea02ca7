import Foundation

extension Product {
  /// Buys this product.
  ///
  /// As in StoreKit 2 an unfinished transaction of the same product is returned at once, without a
  /// new charge, and an error does not mean that nothing was charged: what comes later comes through
  /// ``Transaction/updates``. Simulated: the person confirms, or a fault strikes. They cancel, or the
  /// store refuses (F24); somebody else must agree first, so that this returns `pending` and the
  /// transaction comes later or never (F15); the transaction is `unverified` (F22). If the process ends
  /// before the answer, this throws `CancellationError`.
  ///
  /// Throws ``PurchaseError/invalidQuantity`` for a quantity that is not between 1 and 10,
  /// ``StoreKitError/networkError(_:)`` where the simulated purchase fails and may be charged all the
  /// same, and the other errors where it is refused.
  @MainActor
  public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
    // A set has no order: of two options of one kind, the lesser counts in every process.
    var quantities: [Int] = []
    var tokens: [UUID] = []
    var offers: [String] = []
    for option in options {
      switch option.kind {
      case .quantity(let number): quantities.append(number)
      case .appAccountToken(let uuid): tokens.append(uuid)
      case .offer(let id): offers.append(id)
      case .ignored: break
      }
    }
    let quantity = quantities.min() ?? 1
    let token = tokens.min()
    guard (1...10).contains(quantity) else { throw PurchaseError.invalidQuantity }
    let answer: StorePurchase = try await StoreSession.current.answer {
      $0.purchase(id, quantity: quantity, token: token, offer: offers.min(), $1)
    }
    switch answer {
    case .bought(let transaction): return .success(VerificationResult(transaction))
    case .pending: return .pending
    case .cancelled: return .userCancelled
    case .refused(let error): throw error
    case .failed: throw StoreKitError.networkError(URLError(.networkConnectionLost))
    }
  }

  /// How a purchase ended.
  public enum PurchaseResult: Sendable, Hashable {
    /// The store has charged, or has returned a transaction that was never finished; verified or not.
    case success(VerificationResult<Transaction>)
    /// The person changed their mind, about a second payment sheet for instance.
    case userCancelled
    /// Somebody else must agree first. The transaction comes by ``Transaction/updates``, or never.
    case pending
  }

  /// What a purchase is refused for. Nothing is charged.
  public enum PurchaseError: Error, Sendable, Hashable {
    /// The quantity is not between 1 and 10.
    case invalidQuantity
    /// The product is not for sale any more. By F24.
    case productUnavailable
    /// This person may not buy. By F24.
    case purchaseNotAllowed
    /// The offer is not for this person, or by F24.
    case ineligibleForOffer
    /// The product has no such offer, or by F24.
    case invalidOfferIdentifier
    /// The price of the offer does not fit. By F24.
    case invalidOfferPrice
    /// The signature of the offer is wrong. By F24, though nobody looks at it.
    case invalidOfferSignature
    /// The offer is incomplete. By F24, though nobody looks at it.
    case missingOfferParameters
  }

  /// Something to be said with a purchase.
  ///
  /// The token, the quantity and the offer reach the simulated store. The rest is accepted and means nothing
  /// there: there are no parents, and one storefront.
  public struct PurchaseOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case quantity(Int)
      case appAccountToken(UUID)
      case offer(String)
      /// Known by its name only.
      case ignored(String)
    }

    let kind: Kind

    /// Ties the purchase to an account of the app; it comes back in ``Transaction/appAccountToken``.
    public static func appAccountToken(_ token: UUID) -> Self {
      Self(kind: .appAccountToken(token))
    }

    /// How many of a consumable to buy at once: 1 to 10.
    public static func quantity(_ quantity: Int) -> Self { Self(kind: .quantity(quantity)) }

    /// Means nothing here: F15 says when somebody must agree first.
    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Self {
      Self(kind: .ignored("simulatesAskToBuyInSandbox"))
    }

    /// Means nothing here: there is one storefront.
    public static func onStorefrontChange(
      shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Self {
      Self(kind: .ignored("onStorefrontChange"))
    }

    /// With an offer that the app makes. Of the signature nothing is checked here; F24 says when it is wrong.
    public static func promotionalOffer(
      offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Self {
      Self(kind: .offer(offerID))
    }

    /// With an offer to who has left.
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Self {
      Self(kind: offer.id.map { .offer($0) } ?? .ignored("winBackOffer"))
    }

    /// Means nothing here.
    public static func custom(key: String, value: String) -> Self { Self(kind: .ignored(key)) }
    /// Means nothing here.
    public static func custom(key: String, value: Double) -> Self { Self(kind: .ignored(key)) }
    /// Means nothing here.
    public static func custom(key: String, value: Bool) -> Self { Self(kind: .ignored(key)) }
    /// Means nothing here.
    public static func custom(key: String, value: Data) -> Self { Self(kind: .ignored(key)) }
  }
}

extension Product.PurchaseError: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .invalidQuantity: "The quantity must be between 1 and 10."
    case .productUnavailable: "The product is not for sale."
    case .purchaseNotAllowed: "This device may not buy."
    case .ineligibleForOffer: "The offer is not for this person."
    case .invalidOfferIdentifier: "There is no such offer."
    case .invalidOfferPrice: "The price of the offer is wrong."
    case .invalidOfferSignature: "The offer is not signed correctly."
    case .missingOfferParameters: "The offer is incomplete."
    }
  }
}

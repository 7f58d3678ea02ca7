import Foundation

/// A purchase that began outside the app, on its page in the App Store. There are none yet.
public struct PurchaseIntent: Sendable, Hashable, Identifiable {
  public let product: Product
  public var id: String { product.id }
  /// Nil: there are no offers.
  public var offer: Product.SubscriptionOffer? { nil }

  /// Purchases that the app should carry on: an endless sequence in which nothing happens.
  public static var intents: PurchaseIntents { PurchaseIntents() }

  /// The sequence of ``intents``.
  public struct PurchaseIntents: AsyncSequence, Sendable {
    public typealias Element = PurchaseIntent

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: StoreSession.current.silence(PurchaseIntent.self).makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<PurchaseIntent>.Iterator
      public mutating func next() async -> PurchaseIntent? { await base.next() }
    }
  }
}

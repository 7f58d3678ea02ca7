import Foundation

/// A purchase that began outside the app, on its page in the App Store. There are none yet.
public struct PurchaseIntent: Sendable, Hashable, Identifiable {
  /// What the person wants to buy.
  public let product: Product
  /// The identifier of ``product``.
  public var id: String { product.id }
  /// Nil: there are no offers.
  public var offer: Product.SubscriptionOffer? { nil }

  /// Purchases that the app should carry on: an endless sequence in which nothing happens.
  public static var intents: PurchaseIntents { PurchaseIntents() }

  /// The sequence of ``intents``.
  public struct PurchaseIntents: AsyncSequence, Sendable {
    /// A purchase to carry on.
    public typealias Element = PurchaseIntent

    /// Waits in the process that is running; the sequence ends when the process does.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: StoreSession.current.silence(PurchaseIntent.self).makeAsyncIterator())
    }

    /// Waits for intents.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<PurchaseIntent>.Iterator
      /// Nil when the process ends or the task is cancelled, and nothing before.
      public mutating func next() async -> PurchaseIntent? { await base.next() }
    }
  }
}

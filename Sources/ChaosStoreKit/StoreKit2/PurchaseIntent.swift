import ChaosStore
import Foundation

/// A purchase that began outside the app, on its page in the App Store: the step `buyPromoted` of a scenario.
public struct PurchaseIntent: Sendable, Hashable, Identifiable {
  /// What the person wants to buy.
  public let product: Product
  /// The identifier of ``product``.
  public var id: String { product.id }
  /// Nil: there are no offers.
  public var offer: Product.SubscriptionOffer? { nil }

  /// Purchases that the app should carry on, an endless sequence: whoever buys ``product`` answers the wish. One that
  /// opened the app comes as soon as this is iterated over.
  public static var intents: PurchaseIntents { PurchaseIntents() }

  /// The sequence of ``intents``.
  public struct PurchaseIntents: AsyncSequence, Sendable {
    /// A purchase to carry on.
    public typealias Element = PurchaseIntent

    /// Waits in the process that is running; the sequence ends when the process does.
    public func makeAsyncIterator() -> AsyncIterator {
      let session = StoreSession.current
      let stream = session.news(.wishes) { message -> PurchaseIntent? in
        guard case .wish(let productID) = message else { return nil }
        let product = session.port.catalogue.first { $0.id == productID }
        return product.map { PurchaseIntent(product: Product($0)) }
      }
      return AsyncIterator(base: stream.makeAsyncIterator())
    }

    /// Waits for intents.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<PurchaseIntent>.Iterator
      /// Nil when the process ends or the task is cancelled, and nothing before.
      public mutating func next() async -> PurchaseIntent? { await base.next() }
    }
  }
}

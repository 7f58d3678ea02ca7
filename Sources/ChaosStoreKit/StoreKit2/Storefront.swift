import Foundation

/// The part of the App Store that a person buys from: always the one in the United States.
public struct Storefront: Sendable, Hashable, Identifiable {
  /// ISO 3166-1, three letters.
  public let countryCode: String
  /// Apple's number for it.
  public let id: String
  /// US dollars.
  public var currency: Locale.Currency? { Locale.Currency(SimulatedStore.currencyCode) }

  static let simulated = Storefront(
    countryCode: SimulatedStore.countryCode, id: SimulatedStore.storefrontID)

  /// The storefront of this device.
  public static var current: Storefront? { get async { simulated } }

  /// Changes of the storefront: an endless sequence in which nothing happens.
  public static var updates: Storefronts { Storefronts() }

  /// The sequence of ``updates``.
  public struct Storefronts: AsyncSequence, Sendable {
    public typealias Element = Storefront

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: StoreSession.current.silence(Storefront.self).makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<Storefront>.Iterator
      public mutating func next() async -> Storefront? { await base.next() }
    }
  }
}

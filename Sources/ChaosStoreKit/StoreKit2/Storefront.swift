import Foundation

/// The part of the App Store that a person buys from: the one in the United States, unless a fault (F25) has a
/// payment charged in another.
public struct Storefront: Sendable, Hashable, Identifiable {
  /// ISO 3166-1, three letters.
  public let countryCode: String
  /// Apple's number for it.
  public let id: String
  /// That of the country.
  public var currency: Locale.Currency? { Locale.Currency(currencyCode) }
  var currencyCode: String {
    countryCode == SimulatedStore.countryCode ? SimulatedStore.currencyCode : "GBP"
  }

  static let simulated = Storefront(
    countryCode: SimulatedStore.countryCode, id: SimulatedStore.storefrontID)

  /// Where a payment is charged whose storefront has changed.
  static let elsewhere = Storefront(countryCode: "GBR", id: "143444")

  /// The storefront of this device.
  public static var current: Storefront? { get async { simulated } }

  /// Changes of the storefront: an endless sequence in which nothing happens.
  public static var updates: Storefronts { Storefronts() }

  /// The sequence of ``updates``.
  public struct Storefronts: AsyncSequence, Sendable {
    /// A storefront.
    public typealias Element = Storefront

    /// Waits in the process that is running; the sequence ends when the process does.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: StoreSession.current.silence(Storefront.self).makeAsyncIterator())
    }

    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<Storefront>.Iterator
      /// Nil when the process ends or the task is cancelled, and nothing before.
      public mutating func next() async -> Storefront? { await base.next() }
    }
  }
}

import Foundation

/// Something that the App Store wants to show over the app. It never wants to here.
public struct Message: Sendable, Hashable {
  /// What it is about.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let generic = Self(rawValue: 0)
    public static let priceIncreaseConsent = Self(rawValue: 1)
    public static let billingIssue = Self(rawValue: 2)
    public static let winBackOffer = Self(rawValue: 3)
  }

  public let reason: Reason

  /// Messages to show: an endless sequence in which nothing happens.
  public static var messages: Messages { Messages() }

  /// The sequence of ``messages``.
  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: StoreSession.current.silence(Message.self).makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<Message>.Iterator
      public mutating func next() async -> Message? { await base.next() }
    }
  }
}

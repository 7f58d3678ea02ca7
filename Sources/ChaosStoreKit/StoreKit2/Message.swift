import ChaosStore
import Foundation

/// Something that the App Store wants to show over the app: that a renewal could not be paid for, or is to cost more.
public struct Message: Sendable, Hashable {
  /// What it is about.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// StoreKit's number for it.
    public let rawValue: Int
    /// A reason by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Something that has no name of its own.
    public static let generic = Self(rawValue: 0)
    /// A subscription will cost more if the person agrees.
    public static let priceIncreaseConsent = Self(rawValue: 1)
    /// A renewal could not be paid for.
    public static let billingIssue = Self(rawValue: 2)
    /// There is an offer to somebody who left.
    public static let winBackOffer = Self(rawValue: 3)
  }

  /// What it is about.
  public let reason: Reason

  /// Messages to show, an endless sequence: a billing issue or the question for consent when it comes up, and once in
  /// each process while it lasts.
  public static var messages: Messages { Messages() }

  /// The sequence of ``messages``.
  public struct Messages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = Message

    /// Waits in the process that is running; the sequence ends when the process does.
    public func makeAsyncIterator() -> AsyncIterator {
      let kinds = StoreNews.Kinds.billingIssues.union(.priceIncreases)
      let stream = StoreSession.current.news(kinds) { message -> Message? in
        switch message {
        case .billingIssue: Message(reason: .billingIssue)
        case .priceIncrease: Message(reason: .priceIncreaseConsent)
        default: nil
        }
      }
      return AsyncIterator(base: stream.makeAsyncIterator())
    }

    /// Waits for messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncStream<Message>.Iterator
      /// Nil when the process ends or the task is cancelled, and nothing before.
      public mutating func next() async -> Message? { await base.next() }
    }
  }
}

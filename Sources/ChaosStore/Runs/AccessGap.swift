import Invariants

/// For how long the use of a subscription did not follow its payments, at a stretch.
package struct AccessGap: Sendable, Equatable {
  /// The rule that judges it.
  static let rule = "I09"

  /// The charge with which the subscription began.
  package var first: TransactionID
  /// For how many milliseconds somebody who had paid could not use it; 0 where that was bearable.
  package var lackMillis: Int64
  /// For how many milliseconds somebody could use it who had not paid; 0 where that was bearable.
  package var excessMillis: Int64

  /// Nil where neither went on for longer than people bear.
  init?(_ subscription: Books.Subscription, patience: Int64) {
    func unbearable(_ millis: Int64) -> Int64 { millis > patience ? millis : 0 }
    first = subscription.first
    lackMillis = unbearable(subscription.longestLack)
    excessMillis = unbearable(subscription.longestExcess)
    if lackMillis == 0, excessMillis == 0 { return nil }
  }
}

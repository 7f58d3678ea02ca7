import Invariants

/// A notification that the App Store has sent, and what became of it.
public struct SentNotification: Sendable {
  /// What it says.
  public var notification: StoreNotification
  /// Each attempt: when, in milliseconds since the store began, and what it came to; nil for one that has no answer yet.
  public var attempts: [(millis: Int64, result: TestNotificationStatus.Result?)]
  /// Whether a success was answered to any of them.
  public var isDelivered: Bool
}

extension StoreBooks {
  /// How many notifications there were; each has a ``StoreNotification/number`` below that.
  public var notificationCount: Int { world.notifications.count }

  /// A notification that was sent, by its number; nil where there is none, or somebody has forged it.
  public func sent(_ number: UInt32) -> SentNotification? {
    let id = NotificationID(number)
    guard world.notifications.holds(id), world.notifications[id].message.isSigned else {
      return nil
    }
    let row = world.notifications[id]
    var sent = SentNotification(
      notification: row.message, attempts: [], isDelivered: row.isDone)
    for attempt in 0..<Int(row.attempts) {
      let bits = UInt8(row.results >> (UInt32(attempt) * 4) & 15)
      let result = TestNotificationStatus.Result(rawValue: bits)
      let isLast = attempt + 1 == Int(row.attempts)
      sent.attempts.append(
        (
          millis: row.message.signedMillis + World.pause(before: attempt),
          result: result ?? (isLast ? nil : .timedOut)
        ))
    }
    return sent
  }

  /// The subscriptions to a product that can be used now and that somebody pays for, in one of the two environments: of
  /// each the transaction that it began with, in the order in which they began.
  public func subscriptions(
    to product: ProductID, in environment: Environment
  ) -> [TransactionID] {
    world.subscriptions.ids.compactMap { id in
      let row = world.subscriptions[id]
      let latest = world.purchases[row.latest]
      let isMeant =
        row.state.isUsable && row.sharedFrom == .none && latest.product == product
        && latest.environment == environment
      return isMeant ? row.first : nil
    }
  }

  /// The order with which a transaction was paid for, as whoever paid can read in Apple's e-mail.
  public func order(of transaction: TransactionID) -> OrderID? {
    chargeRow(transaction).map { OrderID(of: $0) }
  }
}

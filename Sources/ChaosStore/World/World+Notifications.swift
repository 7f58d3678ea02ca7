import Invariants

/// A message from the App Store to the backend.
struct NotificationID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }
}

struct NotificationRow: BitwiseCopyable {
  var message: StoreNotification
  var attempts: UInt8 = 0
  /// The backend has answered 200.
  var isDone = false
  /// It has reached the backend once, whatever that answered.
  var hasArrived = false
}

/// An App Store Server Notification, version 2, as far as this world has a cause for it.
public struct StoreNotification: Equatable, Sendable, BitwiseCopyable {
  /// Apple's notificationType.
  public enum Kind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// SUBSCRIBED: a subscription begins, or begins again.
    case subscribed
    /// DID_RENEW: another period was paid for.
    case renewed
    /// DID_CHANGE_RENEWAL_STATUS: it will not be renewed.
    case renewalStatusChanged
    /// DID_FAIL_TO_RENEW: a payment has failed.
    case renewalFailed
    /// EXPIRED: it is over.
    case expired
    /// GRACE_PERIOD_EXPIRED: the payment has not succeeded in time.
    case graceEnded
    /// REFUND: money of a charge was given back.
    case refunded
    /// REFUND_REVERSED: it was taken again.
    case refundReversed
    /// ONE_TIME_CHARGE: something was bought that is no subscription.
    case oneTimeCharge

    /// What Apple calls it.
    public var name: String {
      switch self {
      case .subscribed: "SUBSCRIBED"
      case .renewed: "DID_RENEW"
      case .renewalStatusChanged: "DID_CHANGE_RENEWAL_STATUS"
      case .renewalFailed: "DID_FAIL_TO_RENEW"
      case .expired: "EXPIRED"
      case .graceEnded: "GRACE_PERIOD_EXPIRED"
      case .refunded: "REFUND"
      case .refundReversed: "REFUND_REVERSED"
      case .oneTimeCharge: "ONE_TIME_CHARGE"
      }
    }
  }

  /// What happened.
  public internal(set) var kind: Kind
  /// The transaction that it is about.
  public internal(set) var transaction: TransactionID
  /// notificationUUID: the same in each attempt to deliver it.
  public internal(set) var number: UInt32
  /// signedDate, in milliseconds since the history began: of two about one transaction the later one counts.
  public internal(set) var signedMillis: Int64
  /// Whether it comes from where no money is paid.
  public internal(set) var environment: Environment
  /// Whether it is about a subscription. Apple: the type in signedTransactionInfo.
  public internal(set) var isSubscription = false
  /// Whether its signature is Apple's. What is not was posted by somebody who knows the address.
  public internal(set) var isSigned = true
}

/// Apple sends until it is answered with 200: six times in production and once in the sandbox.
extension World {
  /// How long Apple waits after each attempt. Source: App Store Server Notifications, Responding to App
  /// Store Server Notifications.
  private static let pauses: [Int64] = [1, 12, 24, 48, 72].map { $0 * 3_600_000 }

  mutating func notify(_ kind: StoreNotification.Kind, _ row: TransactionID) {
    guard hasBackend else { return }
    let who = who(purchase: row)
    sendAttempt(add(kind, row))
    // The same news under another number.
    if decisions.strikes(.repeatNotification, who) { sendAttempt(add(kind, row)) }
    guard decisions.strikes(.forgeNotification, who) else { return }
    let forged = add(.refunded, row)
    notifications[forged].message.isSigned = false
    schedule(
      .notification(forged, isAttempt: false), after: decisions.delay(.delayAttack, attackerWho))
  }

  private mutating func add(
    _ kind: StoreNotification.Kind, _ row: TransactionID
  ) -> NotificationID {
    let number = notifications.nextID
    return notifications.append(
      NotificationRow(
        message: StoreNotification(
          kind: kind, transaction: row, number: number.raw, signedMillis: now,
          environment: purchases[row].environment,
          isSubscription: purchases[row].subscription != .none)))
  }

  /// Sends it once more, unless it was answered.
  mutating func sendAttempt(_ id: NotificationID) {
    guard !notifications[id].isDone else { return }
    let message = notifications[id].message
    let who = who(purchase: message.transaction)
    let made = Int(notifications[id].attempts)
    notifications[id].attempts += 1
    let isLast = message.environment == .sandbox || made == Self.pauses.count
    if !isLast, now + Self.pauses[made] <= setup.horizonMillis {
      schedule(.notification(id, isAttempt: true), after: Self.pauses[made])
    }
    if decisions.strikes(.dropNotification, who) {
      if isLast, !notifications[id].hasArrived { noteGivenUp(message.transaction) }
      return
    }
    let isEarly = made == 0 && decisions.strikes(.hastenNotification, who)
    schedule(
      .notification(id, isAttempt: false),
      after: isEarly ? 0 : decisions.delay(.delayNotification, who))
    guard decisions.strikes(.duplicateNotification, who) else { return }
    schedule(
      .notification(id, isAttempt: false), after: decisions.delay(.delayNotification, who))
  }

  private mutating func noteGivenUp(_ row: TransactionID) {
    var fact = fact(.givenUp)
    fact.transaction = row
    emit(fact)
  }

  /// It reaches the backend, as a request of Apple's; nil where no process runs.
  mutating func notificationArrives(_ id: NotificationID) -> (StoreNotification, ExchangeID)? {
    let replica = servers[ReplicaID(0)].isRunning ? ReplicaID(0) : ReplicaID(1)
    guard servers[replica].isRunning else { return nil }
    notifications[id].hasArrived = true
    let message = notifications[id].message
    var row = ExchangeRow(
      route: .init(about: message.transaction, device: .none, life: 0, sender: .store),
      session: .none, product: purchases[message.transaction].product, tag: id.raw, payload: 0,
      token: .none, evidence: lookUp(of: message.transaction), purpose: .deliver,
      claimsTransaction: true)
    row.replica = replica
    row.serverLife = servers[replica].life
    return (message, addExchange(row))
  }

  /// What a look-up is asked with.
  func lookUp(of row: TransactionID) -> Evidence {
    var evidence = Evidence()
    evidence.kind = .transaction
    evidence.environment = purchases[row].environment
    evidence.storeAccount = purchases[row].storeAccount
    evidence.transaction = row
    return evidence
  }

  /// What was sent since then, and to which no success was answered, by the clock of the store.
  func undelivered(_ environment: Environment, since: Int64) -> [StoreNotification] {
    var found: [StoreNotification] = []
    var place = notifications.count
    while place > 0 {
      place -= 1
      let row = notifications[NotificationID(index: place)]
      if row.message.signedMillis < since { break }
      if !row.isDone, row.message.isSigned, row.message.environment == environment {
        found.append(row.message)
      }
    }
    return found.reversed()
  }

  /// The backend has answered Apple.
  mutating func notificationAnswered(_ exchange: ExchangeID, status: Int32) {
    let id = NotificationID(exchanges[exchange].tag)
    // Source: Apple; 200 to 206 are success.
    if (200...206).contains(status) { notifications[id].isDone = true }
    free(exchange)
  }
}

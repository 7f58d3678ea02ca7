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
  /// What the attempts came to, four bits each, the first lowest.
  var results: UInt32 = 0
}

/// Apple sends until it is answered with 200: six times in production and once in the sandbox.
extension World {
  /// How long Apple waits after each attempt. Source: App Store Server Notifications, Responding to App
  /// Store Server Notifications.
  private static let pauses: [Int64] = [1, 12, 24, 48, 72].map { $0 * 3_600_000 }

  /// How long after the first attempt Apple makes another one, from 0 for the first.
  static func pause(before attempt: Int) -> Int64 { pauses.prefix(attempt).reduce(0, +) }

  mutating func notify(
    _ kind: StoreNotification.Kind, _ row: TransactionID,
    _ subtype: StoreNotification.Subtype? = nil
  ) {
    if _slowPath(isHeard) { tellOfSubscription(row, isUnpaid: kind == .renewalFailed) }
    guard hasBackend else { return }
    let who = who(purchase: row)
    sendAttempt(add(kind, subtype, row))
    // The same news under another number.
    if decisions.strikes(.repeatNotification, who) { sendAttempt(add(kind, subtype, row)) }
    guard decisions.strikes(.forgeNotification, who) else { return }
    let forged = add(.refunded, nil, row)
    notifications[forged].message.isSigned = false
    notifications[forged].message.purchase.refunded = 1000
    schedule(
      .notification(forged, isAttempt: false), after: decisions.delay(.delayAttack, attackerWho))
  }

  private mutating func add(
    _ kind: StoreNotification.Kind, _ subtype: StoreNotification.Subtype?, _ row: TransactionID
  ) -> NotificationID {
    let number = notifications.nextID
    return notifications.append(
      NotificationRow(
        message: StoreNotification(
          kind: kind, subtype: subtype, number: number.raw, signedMillis: now,
          purchase: verified(row, hasToken: true), status: status(ofSubscription: row))))
  }

  /// Sends it once more, unless it was answered.
  mutating func sendAttempt(_ id: NotificationID) {
    guard !notifications[id].isDone else { return }
    let message = notifications[id].message
    let who = who(notification: message)
    let made = Int(notifications[id].attempts)
    notifications[id].attempts += 1
    let isLast = message.environment == .sandbox || made == Self.pauses.count
    if !isLast, now + Self.pauses[made] <= setup.horizonMillis {
      schedule(.notification(id, isAttempt: true), after: Self.pauses[made])
    }
    if decisions.strikes(.dropNotification, who) {
      note(.timedOut, of: id)
      if isLast, !notifications[id].hasArrived { noteGivenUp(message) }
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

  /// Whom the decisions about a notification are named after; of a TEST the first process of the backend.
  private func who(notification message: StoreNotification) -> Who {
    message.kind == .test ? who(server: ReplicaID(0)) : who(purchase: message.transaction)
  }

  private mutating func noteGivenUp(_ message: StoreNotification) {
    guard message.kind != .test else { return }
    var fact = fact(.givenUp)
    fact.transaction = message.transaction
    fact.amount = message.kind == .refunded || message.kind == .refundReversed ? 1 : 0
    emit(fact)
  }

  /// It reaches the backend, as a request of Apple's; nil where no process runs.
  mutating func notificationArrives(_ id: NotificationID) -> (StoreNotification, ExchangeID)? {
    let replica = servers[ReplicaID(0)].isRunning ? ReplicaID(0) : ReplicaID(1)
    guard servers[replica].isRunning else {
      note(.noResponse, of: id)
      return nil
    }
    notifications[id].hasArrived = true
    let message = notifications[id].message
    let isTest = message.kind == .test
    var row = ExchangeRow(
      route: .init(about: message.transaction, device: .none, life: 0, sender: .store),
      session: .none, product: isTest ? .none : purchases[message.transaction].product, tag: id.raw,
      payload: 0,
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
    guard purchases.holds(row) else {
      evidence.isForged = true
      return evidence
    }
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
      let row = notifications.at(NotificationID(index: place))
      if row.pointee.message.signedMillis < since { break }
      if !row.pointee.isDone, row.pointee.message.isSigned,
        row.pointee.message.environment == environment
      {
        if found.isEmpty { found.reserveCapacity(8) }
        found.append(row.pointee.message)
      }
    }
    found.reverse()
    return found
  }

  /// The backend has answered Apple.
  mutating func notificationAnswered(_ exchange: ExchangeID, status: Int32) {
    let id = NotificationID(exchanges[exchange].tag)
    // Source: Apple; 200 to 206 are success.
    let isSuccess = (200...206).contains(status)
    if isSuccess { notifications[id].isDone = true }
    note(isSuccess ? .success : .unsuccessfulHTTPResponseCode, of: id)
    free(exchange)
  }
}

import Invariants

/// A notification of the type TEST, by what Apple gives whoever asks for one.
///
/// Apple: testNotificationToken.
public struct TestNotificationToken: Hashable, Sendable, BitwiseCopyable {
  /// The number of the notification, ``StoreNotification/number``.
  public let number: UInt32

  /// A token by its number, which may be one that Apple never gave.
  public init(number: UInt32) { self.number = number }
}

/// What became of a TEST. Source: App Store Server API, Get Test Notification Status.
public struct TestNotificationStatus: Equatable, Sendable {
  /// What an attempt to deliver a notification came to. Apple: sendAttemptResult.
  public enum Result: UInt8, Sendable, BitwiseCopyable {
    /// SUCCESS: the backend has answered 200 to 206.
    case success = 1
    /// TIMED_OUT: no answer came.
    case timedOut
    /// NO_RESPONSE: nobody was there to take it.
    case noResponse
    /// UNSUCCESSFUL_HTTP_RESPONSE_CODE: the backend has answered with something else.
    case unsuccessfulHTTPResponseCode

    /// What Apple calls it.
    public var name: String {
      switch self {
      case .success: "SUCCESS"
      case .timedOut: "TIMED_OUT"
      case .noResponse: "NO_RESPONSE"
      case .unsuccessfulHTTPResponseCode: "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
      }
    }
  }

  /// What was sent.
  public var notification: StoreNotification
  /// What each attempt came to, the first first: six at most, and in the sandbox one.
  public var attempts: [Result] = []
}

extension Server {
  /// Request a Test Notification: Apple sends a notification of the type TEST; answered by
  /// ``PurchaseBackend/verified(_:for:_:)``, and read by ``testNotificationToken(in:)``.
  ///
  /// Where Apple sends this backend no notifications (``receivesNotifications``) that is 4040007.
  ///
  /// - Returns: the ``request`` of the work that gets the answer; nil where none will come.
  @discardableResult
  public func requestTestNotification(in environment: Environment = .production) -> UInt64? {
    ask(VerifierQuestion.testNotification.at(environment), number: 0)
  }

  /// Get Test Notification Status: what became of it; read by ``testNotificationStatus(in:)``. As long as no attempt has
  /// come to anything, and of what Apple never sent, it is 4040008.
  @discardableResult
  public func testNotificationStatus(
    of token: TestNotificationToken, in environment: Environment = .production
  ) -> UInt64? {
    ask(VerifierQuestion.testNotificationStatus.at(environment), number: token.number)
  }

  /// What an answer says to ``requestTestNotification(in:)``; nil where it was asked something else, or the answer is
  /// not valid.
  public func testNotificationToken(in answer: VerifierAnswer) -> TestNotificationToken? {
    guard answer.question.kind == .testNotification, answer.status == 0 else { return nil }
    return TestNotificationToken(number: answer.evidence.asOf)
  }

  /// What an answer says to ``testNotificationStatus(of:in:)``; nil where it was asked something else, or the answer is
  /// not valid.
  public func testNotificationStatus(in answer: VerifierAnswer) -> TestNotificationStatus? {
    guard answer.question.kind == .testNotificationStatus, answer.status == 0 else { return nil }
    return world.testNotification(answer.evidence.asOf, answer.question.environment)
  }
}

extension World {
  /// Apple sends a TEST, and says which it is.
  mutating func sendTestNotification(
    _ environment: Environment, _ exchange: ExchangeID
  ) -> Int32 {
    guard isWholeStore, hasBackend else { return 4_040_007 }
    let number = notifications.nextID
    var purchase = VerifiedPurchase.none
    purchase.environment = environment
    let id = notifications.append(
      NotificationRow(
        message: StoreNotification(
          kind: .test, subtype: nil, number: number.raw, signedMillis: now, purchase: purchase,
          status: nil)))
    exchanges[exchange].evidence.asOf = id.raw
    sendAttempt(id)
    return 0
  }

  /// What the last attempt came to, unless it came to more already.
  mutating func note(_ result: TestNotificationStatus.Result, of id: NotificationID) {
    let place = UInt32(max(notifications[id].attempts, 1) - 1) * 4
    let before = notifications[id].results >> place & 15
    guard before != UInt32(TestNotificationStatus.Result.success.rawValue) else { return }
    notifications[id].results &= ~(15 << place)
    notifications[id].results |= UInt32(result.rawValue) << place
  }

  func statusOfTest(_ number: UInt32, _ environment: Environment) -> Int32 {
    let test = testNotification(number, environment)
    return test?.attempts.isEmpty ?? true ? 4_040_008 : 0
  }

  func testNotification(
    _ number: UInt32, _ environment: Environment
  ) -> TestNotificationStatus? {
    let id = NotificationID(number)
    guard notifications.holds(id), notifications[id].message.kind == .test,
      notifications[id].message.environment == environment
    else { return nil }
    var status = TestNotificationStatus(notification: notifications[id].message)
    for attempt in 0..<UInt32(notifications[id].attempts) {
      let bits = UInt8(notifications[id].results >> (attempt * 4) & 15)
      if let result = TestNotificationStatus.Result(rawValue: bits) {
        status.attempts.append(result)
      } else if attempt + 1 < UInt32(notifications[id].attempts) {
        // It was sent again, as no answer had come.
        status.attempts.append(.timedOut)
      }
    }
    return status
  }
}

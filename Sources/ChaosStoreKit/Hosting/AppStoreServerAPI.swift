import ChaosStore
import Invariants

/// Apple's App Store Server API at one of its two addresses, as a hosted backend calls it.
///
/// Each call is a round trip to Apple, on which the faults of the verifier strike, and in which the process may
/// die.
@MainActor
public struct AppStoreServerAPI {
  let services: BackendServices
  let environment: Environment

  /// Get Transaction Info: how a transaction stands now, refunds included.
  public func transaction(
    _ id: TransactionID
  ) async throws(AppStoreServerError) -> VerifiedPurchase {
    let answer = try await ask(.transaction, about: id)
    guard let purchase = services.purchases(in: answer).first else {
      throw .refused(status: Int(answer.status))
    }
    return purchase
  }

  /// Get All Subscription Statuses: how the subscription stands now that a transaction belongs to.
  public func subscription(
    of id: TransactionID
  ) async throws(AppStoreServerError) -> SubscriptionStatus {
    let answer = try await ask(.subscriptions, about: id)
    guard let status = services.subscription(in: answer) else { throw .notFound }
    return status
  }

  /// Get Notification History with `onlyFailures`: what was sent since then, in milliseconds since the history
  /// began, and was answered by no success; in the order in which it was signed. Apple keeps 180 days, in the
  /// sandbox 30.
  public func undeliveredNotifications(
    since millis: Int64 = 0
  ) async throws(AppStoreServerError) -> [StoreNotification] {
    services.undelivered(in: try await ask(.notificationHistory, about: .none), since: millis)
  }

  /// Get Transaction History: what the person has bought in this app who made a transaction, at most 20 a page, in
  /// the order in which it was charged, as it stands now; finished consumables, renewals and refunds included.
  ///
  /// `revision` is that of the page before, 0 for the first.
  public func history(
    of id: TransactionID, after revision: UInt32 = 0
  ) async throws(AppStoreServerError) -> HistoryPage {
    services.historyPage(
      in: try await ask(.history) {
        $0.history(of: id, after: revision, in: environment)
      })
  }

  /// The same of those transactions alone that a filter lets through; each page is asked for with the filter of the
  /// first. A filter whose end is not after its start is refused (4000013).
  public func history(
    of id: TransactionID, where filter: HistoryFilter, after revision: UInt32 = 0
  ) async throws(AppStoreServerError) -> HistoryPage {
    services.historyPage(
      in: try await ask(.history) {
        $0.history(of: id, where: filter, after: revision, in: environment)
      })
  }

  /// Get Refund History: those of them whose money was given back, in whole or in part.
  public func refundHistory(
    of id: TransactionID, after revision: UInt32 = 0
  ) async throws(AppStoreServerError) -> HistoryPage {
    services.historyPage(
      in: try await ask(.refundHistory) {
        $0.refundHistory(of: id, after: revision, in: environment)
      })
  }

  /// Finish Transaction: as if the app had finished it. Where this throws ``AppStoreServerError/timedOut``, it was done or
  /// it was not (F66, F61); asking again is safe.
  public func finish(_ id: TransactionID) async throws(AppStoreServerError) {
    try await call(.finish, about: id)
  }

  /// Set App Account Token: what was bought belongs to that account, or order, from now on, in each later answer. Only of
  /// the transaction with which a purchase or a subscription began, else 4000187.
  public func setAppAccountToken(
    _ token: Token, of id: TransactionID
  ) async throws(AppStoreServerError) {
    try await call(.setAppAccountToken(token), about: id)
  }

  /// Extend a Subscription Renewal Date, by 1 to 90 days (else 4000009), of one that is paid for (else 4030004), and at
  /// most twice (else 4030005). Where this throws ``AppStoreServerError/timedOut``, it was done or it was not:
  /// ``subscription(of:)`` tells.
  public func extendRenewalDate(
    of id: TransactionID, byDays days: Int
  ) async throws(AppStoreServerError) {
    try await call(.extendRenewalDate(days: days), about: id)
  }

  /// Send Consumption Information, after a CONSUMPTION_REQUEST and within twelve hours of it: what became of what was
  /// bought. Whether its money is given back only the next notification tells.
  public func sendConsumption(
    _ information: ConsumptionInformation, of id: TransactionID
  ) async throws(AppStoreServerError) {
    try await call(.sendConsumption(information), about: id)
  }

  /// Look Up Order ID: what was bought with the order that a customer names. Not available in the sandbox (404).
  public func lookUp(_ order: OrderID) async throws(AppStoreServerError) -> OrderLookUp {
    services.order(in: try await ask(.orderLookUp) { $0.lookUp(order, in: environment) })
  }

  /// Request a Test Notification: Apple sends a TEST, in this or another order with its answer. Where no address is set
  /// to which Apple sends notifications it is refused (4040007).
  public func requestTestNotification() async throws(AppStoreServerError) -> TestNotificationToken {
    let answer = try await ask(.testNotification) { $0.requestTestNotification(in: environment) }
    guard let token = services.testNotificationToken(in: answer) else { throw .notFound }
    return token
  }

  /// Get Test Notification Status: what became of a TEST. As long as no attempt has come to anything, and of what Apple
  /// never sent, there is nothing yet (``AppStoreServerError/tryAgain(status:)`` with 4040008).
  public func testNotificationStatus(
    of token: TestNotificationToken
  ) async throws(AppStoreServerError) -> TestNotificationStatus {
    let answer = try await ask(.testNotificationStatus) {
      $0.testNotificationStatus(of: token, in: environment)
    }
    guard let status = services.testNotificationStatus(in: answer) else { throw .notFound }
    return status
  }

  private func call(
    _ command: AppStoreCommand, about id: TransactionID
  ) async throws(AppStoreServerError) {
    _ = try await ask(command.question(environment)) {
      $0.call(command, about: id, in: environment)
    }
  }

  private func ask(
    _ question: VerifierQuestion, about id: TransactionID
  ) async throws(AppStoreServerError) -> VerifierAnswer {
    try await ask(question) { $0.verify(question.at(environment), about: id) }
  }

  private func ask(
    _ question: VerifierQuestion, _ ask: (Server) -> UInt64?
  ) async throws(AppStoreServerError) -> VerifierAnswer {
    guard let answer = await services.ask(question.at(environment), ask) else {
      throw .processEnded
    }
    switch answer.class {
    case .valid: return answer
    case .notFound: throw .notFound
    case .permanent, .otherEnvironment: throw .refused(status: Int(answer.status))
    case .retry:
      throw answer.status == VerifierAnswer.timedOut
        ? .timedOut : .tryAgain(status: Int(answer.status))
    }
  }
}

/// Why Apple has not told what it was asked.
public enum AppStoreServerError: Error, Hashable, Sendable {
  /// 4040010: at this address no transaction of the app has this identifier, or it is too young to be there.
  ///
  /// Ask at the other address, ask again for some time, and refuse only what neither knows by then.
  case notFound
  /// Never will there be another answer, such as 4040001: treat it as never bought.
  case refused(status: Int)
  /// It says nothing: an HTTP status, or an error code such as 4290000. Ask again.
  case tryAgain(status: Int)
  /// Nothing came within ten seconds. Ask again.
  case timedOut
  /// The process of the backend has ended meanwhile; seen only by code that goes on after it should not.
  case processEnded
}

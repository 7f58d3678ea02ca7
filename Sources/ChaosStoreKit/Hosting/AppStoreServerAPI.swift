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
  /// began, and was answered by no success; in the order in which it was signed. Apple keeps 180 days.
  public func undeliveredNotifications(
    since millis: Int64 = 0
  ) async throws(AppStoreServerError) -> [StoreNotification] {
    services.undelivered(in: try await ask(.notificationHistory, about: .none), since: millis)
  }

  private func ask(
    _ question: VerifierQuestion, about id: TransactionID
  ) async throws(AppStoreServerError) -> VerifierAnswer {
    guard let answer = await services.ask(question.at(environment), about: id) else {
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

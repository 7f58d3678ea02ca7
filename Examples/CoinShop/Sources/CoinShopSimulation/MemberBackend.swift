import ChaosStore
import ChaosStoreKit
import Foundation
import Invariants

/// The shop's backend since it sells a membership: whoever says that something has happened, Apple is asked how things
/// stand now, and that is entered instead of what was there.
public class MemberBackend: SimulatedBackend {
  public required init(_ kind: BackendKind) {}

  /// What Apple could not tell is looked up every day.
  public func started(_ services: BackendServices) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(86_400))
      for environment in [Environment.production, .sandbox] {
        let missed = try? await services.appStore(environment).undeliveredNotifications()
        for news in missed ?? [] {
          _ = await lookUp(news.transaction, environment, services)
        }
      }
    }
  }

  public func handle(_ request: ReceivedRequest, _ services: BackendServices) async
    -> BackendResponse
  {
    guard var answer = await services.verify(.transaction) else { return BackendResponse(.retry) }
    if answer.class == .otherEnvironment || answer.class == .notFound {
      guard let second = await services.verify(.sandboxTransaction) else {
        return BackendResponse(.retry)
      }
      answer = second
    }
    switch answer.class {
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return BackendResponse(.refused)
    case .valid: break
    }
    let purchase = services.purchases(in: answer).first { $0.isOurs && !$0.transaction.isNone }
    guard let purchase else { return BackendResponse(.refused) }
    let outcome = await settle(purchase, reportedBy: request.account, services)
    let isRefused = purchase.isRefunded && !request.isProbe && outcome == .alreadyDelivered
    return BackendResponse(isRefused ? .refused : outcome)
  }

  public func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned else { return BackendResponse(.refused) }
    let outcome = await lookUp(notification.transaction, notification.environment, services)
    // Anything but a success, and Apple tells it again.
    return BackendResponse(outcome == .retry ? .serverError : .alreadyDelivered)
  }

  private func lookUp(
    _ id: TransactionID, _ environment: Environment, _ services: BackendServices
  ) async -> Reply.Outcome {
    guard let purchase = try? await services.appStore(environment).transaction(id) else {
      return .retry
    }
    return await settle(purchase, reportedBy: .none, services)
  }

  private func settle(
    _ purchase: VerifiedPurchase, reportedBy account: AccountID, _ services: BackendServices
  ) async -> Reply.Outcome {
    let named = services.owner(of: purchase)
    let owner = named.isNone ? account : named
    // Apple tells of what nobody has reported yet, and nobody knows whose it is.
    guard !owner.isNone else { return .alreadyDelivered }
    let commit =
      purchase.isSubscription
      ? await entitle(purchase, owner, services) : await services.settle(purchase, to: owner)
    switch commit {
    case .credited: return .delivered
    case .alreadyThere: return .alreadyDelivered
    case .unavailable, .unknown: return .retry
    }
  }

  /// For as long as Apple says: renewed, over, in grace or refunded.
  private func entitle(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let store = services.appStore(purchase.environment)
    guard let status = try? await store.subscription(of: purchase.transaction) else {
      return .unavailable
    }
    let latest = services.purchase(status.latest)
    return await services.entitle(latest, to: owner, until: status.untilMillis)
  }
}

/// The same with a planted bug: a notification is believed, which says how things stood when it was signed.
public final class TrustingMemberBackend: MemberBackend {
  override public func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned, let status = notification.status else {
      return await super.notified(notification, services)
    }
    let owner = services.owner(of: notification.purchase)
    guard !owner.isNone else { return BackendResponse(.alreadyDelivered) }
    let commit = await services.entitle(
      notification.purchase, to: owner, until: status.untilMillis)
    return BackendResponse(commit.isThere ? .alreadyDelivered : .serverError)
  }
}

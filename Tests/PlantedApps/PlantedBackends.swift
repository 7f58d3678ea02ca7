import ChaosStore
import Foundation
import Invariants
import StoreKit

/// Asks Apple, finds the owner by the account token, and enters each transaction with its credit;
/// planted ones override how it is entered.
class PlantedBackend: SimulatedBackend, @unchecked Sendable {
  required init(_ kind: BackendKind) {}

  func started(_ services: BackendServices) async {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let question = request.isReceipt ? VerifierQuestion.productionReceipt : .transaction
    guard var answer = await services.verify(question) else { return BackendResponse(.retry) }
    if answer.class == .otherEnvironment || answer.class == .notFound {
      let other: VerifierQuestion = request.isReceipt ? .sandboxReceipt : .sandboxTransaction
      guard let second = await services.verify(other) else { return BackendResponse(.retry) }
      answer = second
    }
    switch answer.class {
    // What neither address knows may be seconds old.
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return await refuse(request.transaction, services)
    case .valid: break
    }
    var outcome = request.isProbe ? Reply.Outcome.alreadyDelivered : .refused
    for purchase in services.purchases(in: answer) where isAccepted(purchase) {
      switch await enter(purchase, owner(of: purchase, request, services), services) {
      case .credited: outcome = .delivered
      case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
      case .unavailable, .unknown: return BackendResponse(.retry)
      }
    }
    return BackendResponse(outcome)
  }

  /// Apple has refused it for good.
  func refuse(_ transaction: TransactionID, _ services: BackendServices) async -> BackendResponse {
    BackendResponse(.refused)
  }

  func isAccepted(_ purchase: VerifiedPurchase) -> Bool {
    purchase.isOurs && !purchase.transaction.isNone
  }

  func owner(
    of purchase: VerifiedPurchase, _ request: ReceivedRequest, _ services: BackendServices
  ) -> AccountID {
    let owner = services.owner(of: purchase)
    return owner.isNone ? request.account : owner
  }

  func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    await services.commit(purchase, to: owner)
  }
}

/// The owner is looked up in the database, and kept in a variable of the request, or in a property.
final class OwnerInProperty<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var owner = AccountID.none

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    self.owner = owner
    await services.databaseRoundTrip()
    return await services.commit(purchase, to: Kind.isPlanted ? self.owner : owner)
  }
}

/// A transaction that is being entered is locked. Where the credit depends on that lock alone, the
/// other process of the backend knows nothing of it.
final class LockInProcess<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var locked: Set<UInt32> = []

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    guard locked.insert(purchase.transaction.raw).inserted else { return .unavailable }
    defer { locked.remove(purchase.transaction.raw) }
    await services.databaseRoundTrip()
    guard Kind.isPlanted else { return await services.commit(purchase, to: owner) }
    if await services.isRecorded(purchase) { return .alreadyThere }
    await services.databaseRoundTrip()
    let commit = await services.credit(purchase, to: owner)
    if commit == .credited { await services.record(purchase) }
    return commit
  }
}

/// A process remembers what it was told to deliver: to see what is asked often, or to answer it.
final class SeenIsDone<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var seen: [TransactionID] = []

  override func handle(
    _ request: ReceivedRequest, _ services: BackendServices
  ) async -> BackendResponse {
    if Kind.isPlanted, seen.contains(request.transaction) {
      return BackendResponse(.alreadyDelivered)
    }
    if !request.isProbe { seen.append(request.transaction) }
    return await super.handle(request, services)
  }
}

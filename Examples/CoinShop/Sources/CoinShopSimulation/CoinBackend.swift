import ChaosStore
import ChaosStoreKit
import Foundation
import Invariants

/// The shop's backend: asks Apple, finds the owner by the account token, and enters each
/// transaction once, together with the credit.
public final class CoinBackend: SimulatedBackend {
  public init(_ kind: BackendKind) {}

  public func handle(_ request: ReceivedRequest, _ services: BackendServices) async
    -> BackendResponse
  {
    var question = VerifierQuestion.transaction
    if request.isReceipt { question = .productionReceipt }
    guard var answer = await services.verify(question) else { return BackendResponse(.retry) }
    if answer.class == .otherEnvironment || answer.class == .notFound {
      let other: VerifierQuestion = request.isReceipt ? .sandboxReceipt : .sandboxTransaction
      guard let second = await services.verify(other) else { return BackendResponse(.retry) }
      answer = second
    }
    switch answer.class {
    // What neither address knows may be seconds old.
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return BackendResponse(.refused)
    case .valid: break
    }
    var outcome = request.isProbe ? Reply.Outcome.alreadyDelivered : .refused
    for purchase in services.purchases(in: answer)
    where purchase.isOurs && !purchase.transaction.isNone {
      let owner = services.owner(of: purchase)
      switch await services.commit(purchase, to: owner.isNone ? request.account : owner) {
      case .credited: outcome = .delivered
      case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
      case .unavailable, .unknown: return BackendResponse(.retry)
      }
    }
    return BackendResponse(outcome)
  }
}

/// The same with a planted bug: looks whether a transaction was credited, and credits it then.
public final class HastyCoinBackend: SimulatedBackend {
  public init(_ kind: BackendKind) {}

  public func handle(_ request: ReceivedRequest, _ services: BackendServices) async
    -> BackendResponse
  {
    guard let answer = await services.verify(.transaction) else { return BackendResponse(.retry) }
    switch answer.class {
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return BackendResponse(.refused)
    case .valid: break
    }
    var outcome = Reply.Outcome.refused
    for purchase in services.purchases(in: answer)
    where purchase.isOurs && !purchase.transaction.isNone {
      if await services.isRecorded(purchase) {
        outcome = .alreadyDelivered
        continue
      }
      let owner = services.owner(of: purchase)
      let account = owner.isNone ? request.account : owner
      guard await services.credit(purchase, to: account) == .credited else {
        return BackendResponse(.retry)
      }
      await services.record(purchase)
      outcome = .delivered
    }
    return BackendResponse(outcome)
  }
}

import ChaosStore
import Foundation
import Invariants
import StoreKit

// Backends that go on after the answer, and ones that do not get on.

/// A report is answered when the credit is there, or when it was found genuine.
final class AnsweredFirst<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    guard Kind.isPlanted else { return await services.commit(purchase, to: owner) }
    Task { await services.commit(purchase, to: owner) }
    return .credited
  }
}

/// Enters later what was accepted: each transaction is settled once, by its credit or by a refusal.
class SettlingBackend: PlantedBackend, @unchecked Sendable {
  private static var settled: Server.Table { Server.Table("settled") }

  final func settle(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Write {
    await services.transaction {
      $0.insert(into: Self.settled, at: "\(purchase.transaction.index)")
      $0.commit(purchase, to: owner)
    }
  }

  override func refuse(
    _ transaction: TransactionID, _ services: BackendServices
  ) async -> BackendResponse {
    guard !transaction.isNone else { return BackendResponse(.refused) }
    switch await services.insert(Data(), into: Self.settled, at: "\(transaction.index)") {
    case .written: return BackendResponse(.refused)
    case .unavailable, .unknown: return BackendResponse(.retry)
    case .alreadyThere:
      let account = await services.creditedAccount(of: services.purchase(transaction))
      return BackendResponse(account.isNone ? .refused : .alreadyDelivered)
    }
  }
}

/// What is accepted goes to an outbox and is credited from there: by whoever has proven it once more, so that nobody
/// enters what another process has meanwhile been told is void; or by the process alone that has put it there.
final class OutboxNotRead<Kind: Planting>: SettlingBackend, @unchecked Sendable {
  private static var outbox: Server.Table { Server.Table("outbox") }

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    if !(await services.creditedAccount(of: purchase)).isNone { return .alreadyThere }
    let key = "\(purchase.transaction.index)"
    let accepted = await services.insert(Data("\(owner.index)".utf8), into: Self.outbox, at: key)
    guard Kind.isPlanted else {
      return accepted == .unavailable ? .unavailable : await take(purchase, owner, services)
    }
    if accepted == .written || accepted == .unknown {
      Task {
        while !Task.isCancelled, await take(purchase, owner, services) != .credited {
          try? await Task.sleep(for: .seconds(2))
        }
      }
    }
    return .unavailable
  }

  /// Credits what is in the outbox.
  private func take(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let write = await settle(purchase, owner, services)
    guard write == .written || write == .alreadyThere else { return .unavailable }
    await services.remove("\(purchase.transaction.index)", from: Self.outbox)
    return .credited
  }
}

/// What is worked on is locked. The lock is given back in any case, or when the credit is there.
final class LockIsKept<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var locked: Set<UInt32> = []

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let id = purchase.transaction.raw
    guard locked.insert(id).inserted else { return .unavailable }
    let commit = await services.commit(purchase, to: owner)
    if !Kind.isPlanted || commit.isThere { locked.remove(id) }
    return commit
  }
}

/// What cannot be entered now waits for the next report: with its owner, or for the owner of that.
final class ParkedForNext<Kind: Planting>: SettlingBackend, @unchecked Sendable {
  private var parked: [(purchase: VerifiedPurchase, owner: AccountID)] = []

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let waiting = parked
    parked = []
    for entry in waiting {
      let write = await settle(entry.purchase, Kind.isPlanted ? owner : entry.owner, services)
      if write != .written, write != .alreadyThere { parked.append(entry) }
    }
    let write = await settle(purchase, owner, services)
    if write == .unavailable { parked.append((purchase, owner)) }
    return write.commit
  }
}

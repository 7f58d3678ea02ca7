import ChaosStore
import Foundation
import Invariants

@testable import StoreKit

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

/// What is accepted goes to an outbox and is credited from there. What a process has left there is taken
/// up by the next one, or by nobody.
final class OutboxNotRead<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private static var outbox: Server.Table { Server.Table("outbox") }

  override func started(_ services: BackendServices) async {
    if Kind.isPlanted { return }
    for row in await services.rows(of: Self.outbox) {
      guard let id = Int(row.key), let owner = Int(String(decoding: row.value, as: UTF8.self))
      else { continue }
      let purchase = services.purchase(TransactionID(index: id))
      await credit(purchase, AccountID(index: owner), services)
    }
  }

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    if !(await services.creditedAccount(of: purchase)).isNone { return .alreadyThere }
    let key = "\(purchase.transaction.index)"
    let accepted = await services.insert(Data("\(owner.index)".utf8), into: Self.outbox, at: key)
    if accepted == .written || accepted == .unknown {
      Task { await credit(purchase, owner, services) }
    }
    return .unavailable
  }

  private func credit(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async {
    while !Task.isCancelled {
      let commit = await services.commit(purchase, to: owner)
      if commit.isThere {
        await services.remove("\(purchase.transaction.index)", from: Self.outbox)
        return
      }
      try? await Task.sleep(for: .seconds(2))
    }
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
final class ParkedForNext<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var parked: [(purchase: VerifiedPurchase, owner: AccountID)] = []

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let waiting = parked
    parked = []
    for entry in waiting {
      let commit = await services.commit(entry.purchase, to: Kind.isPlanted ? owner : entry.owner)
      if !commit.isThere { parked.append(entry) }
    }
    let commit = await services.commit(purchase, to: owner)
    if commit == .unavailable { parked.append((purchase, owner)) }
    return commit
  }
}

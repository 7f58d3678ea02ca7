import ChaosStore
import Foundation
import Invariants
import StoreKit

// Backends whose statements interleave, or whose commit has an outcome that nobody knows.

extension Server.Write {
  /// What became of the credit in this write.
  var commit: Server.Commit {
    switch self {
    case .written: .credited
    case .alreadyThere: .alreadyThere
    case .unavailable: .unavailable
    case .unknown: .unknown
    }
  }
}

/// The credit has a row, which is entered with it: by a unique key, or unless a look has found it.
final class RowWrittenOver<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    guard Kind.isPlanted else { return await services.commit(purchase, to: owner) }
    let (credits, key) = (Server.Table("credits"), "\(purchase.transaction.index)")
    if await services.read(key, from: credits) != nil { return .alreadyThere }
    let write = await services.transaction {
      $0.write(to: credits, at: key)
      $0.credit(purchase, to: owner)
    }
    return write.commit
  }
}

/// An account has a row with the list of its credits, which is read, added to and written. What was
/// credited is in the ledger, or in that list.
final class ListInOneRow<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let (lists, key) = (Server.Table("lists"), "\(owner.index)")
    let row = await services.read(key, from: lists) ?? Data()
    var list = String(decoding: row, as: UTF8.self).split(separator: " ").map(String.init)
    let id = "\(purchase.transaction.index)"
    if list.contains(id) { return .alreadyThere }
    list.append(id)
    let added = Data(list.joined(separator: " ").utf8)
    let write = await services.transaction {
      $0.write(added, to: lists, at: key)
      if Kind.isPlanted { $0.credit(purchase, to: owner) } else { $0.commit(purchase, to: owner) }
    }
    return write.commit
  }
}

/// What is unique is the transaction, or the product of an account.
final class KeyOfProduct<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    guard Kind.isPlanted else { return await services.commit(purchase, to: owner) }
    let key = "\(owner.index) \(purchase.product.index)"
    let write = await services.transaction {
      $0.insert(into: Server.Table("purchases"), at: key)
      $0.commit(purchase, to: owner)
    }
    return write.commit
  }
}

/// A commit of which nobody knows the outcome is asked for again by the same key, or without it.
final class UnknownIsFailed<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    var commit = await services.commit(purchase, to: owner)
    for _ in 1...2 where commit == .unknown {
      commit =
        Kind.isPlanted
        ? await services.credit(purchase, to: owner) : await services.commit(purchase, to: owner)
    }
    return commit
  }
}

/// A commit of which nobody knows the outcome is an answer to ask again, or a success.
final class UnknownIsDone<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    let commit = await services.commit(purchase, to: owner)
    return Kind.isPlanted && commit == .unknown ? .credited : commit
  }
}

/// What was credited is in the ledger, or in a list of the process.
final class CreditsInMemory<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  private var credited: Set<UInt32> = []

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    guard Kind.isPlanted else { return await services.commit(purchase, to: owner) }
    guard credited.insert(purchase.transaction.raw).inserted else { return .alreadyThere }
    let commit = await services.credit(purchase, to: owner)
    if commit != .credited { credited.remove(purchase.transaction.raw) }
    return commit
  }
}

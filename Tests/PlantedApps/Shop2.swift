import ChaosStore
import Foundation
import Invariants
import StoreKit

/// A StoreKit 2 manager that keeps money and goods together; planted ones override a part of it.
@MainActor
class Shop2: SimulatedApp {
  /// What became of a report.
  enum Answer { case delivered, refused, undecided }

  let device: SimulatedDevice
  private var buying: Set<String> = []
  /// Kept when they are over: what is called back again is not news, its finish may have been lost.
  private var reports: [UInt64: Task<Answer, Never>] = [:]

  required init(device: SimulatedDevice) {
    self.device = device
    listen()
    lookAround()
  }

  func listen() {
    Task { [weak self] in
      for await result in Transaction.updates { _ = await self?.deliver(result) }
    }
  }

  /// Not at launch alone: a charge may be called back in the next launch only, and a finish be lost.
  func lookAround() {
    Task { [weak self] in
      while !Task.isCancelled {
        for await result in Transaction.unfinished { _ = await self?.deliver(result) }
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    let account = device.account.token
    // A second tap must not become a second payment.
    guard buying.insert(productID).inserted else { return .pending }
    return await withCheckedContinuation { continuation in
      let wait = Wait(continuation)
      Task {
        wait.end(await purchase(productID, for: account))
        buying.remove(productID)
      }
      // purchase() may not come back at all; what was charged is found among the unfinished.
      Task {
        try? await Task.sleep(for: .seconds(25))
        if wait.end(.pending) { buying.remove(productID) }
      }
    }
  }

  func purchase(_ productID: String, for account: UUID) async -> PurchaseMessage {
    do {
      guard let result = try await pay(productID, for: account) else { return .failure }
      guard case .success(let bought) = result, case .verified(let transaction) = bought else {
        return .pending
      }
      let answer = await deliver(bought)
      // StoreKit may answer with somebody else's purchase that is not finished.
      return answer == .delivered && transaction.appAccountToken == account ? .success : .pending
    } catch {
      // An error does not say that nothing was charged.
      return .pending
    }
  }

  /// Nil where there is no such product.
  func pay(_ productID: String, for account: UUID) async throws -> Product.PurchaseResult? {
    guard let product = try await Product.products(for: [productID]).first else { return nil }
    return try await product.purchase(options: [.appAccountToken(account)])
  }

  /// Reports a transaction until there is a final answer, and then finishes it.
  func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    guard case .verified(let transaction) = result else { return .undecided }
    if let report = reports[transaction.id] {
      let answer = await report.value
      if answer != .undecided { await transaction.finish() }
      return answer
    }
    let jws = result.jwsRepresentation
    let report = Task { await self.report(transaction, jws) }
    reports[transaction.id] = report
    return await report.value
  }

  func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    while !Task.isCancelled {
      let answer = await send(transaction, jws)
      if answer != .undecided { return answer }
      try? await Task.sleep(for: .seconds(8))
    }
    return .undecided
  }

  /// Reports once.
  func send(_ transaction: Transaction, _ jws: String) async -> Answer {
    let request = BackendRequest(
      jws: jws, transactionID: transaction.id, token: device.account.token)
    return await settle(transaction, await ask(request))
  }

  func ask(_ request: BackendRequest) async -> Answer {
    switch (try? await device.backend.send(request))?.outcome {
    case .delivered, .alreadyDelivered: .delivered
    case .refused: .refused
    default: .undecided
    }
  }

  /// A final answer finishes, and is told.
  func settle(_ transaction: Transaction, _ answer: Answer) async -> Answer {
    switch answer {
    case .delivered:
      await finish(transaction)
      await delivered(transaction)
    case .refused:
      await finish(transaction)
      refused(transaction)
    case .undecided: break
    }
    return answer
  }

  func finish(_ transaction: Transaction) async { await transaction.finish() }

  /// Who was told that it is pending must not wait for ever.
  private func refused(_ transaction: Transaction) {
    if transaction.appAccountToken == device.account.token {
      device.show(.failure, aboutTransaction: transaction.id)
    }
  }

  /// Anybody but the buyer would take the word for an answer to their own tap.
  func delivered(_ transaction: Transaction) async {
    if transaction.appAccountToken == device.account.token {
      device.show(.success, aboutTransaction: transaction.id)
    }
  }
}

/// Somebody who waits for the end of their purchase.
@MainActor
final class Wait {
  private var continuation: CheckedContinuation<PurchaseMessage, Never>?

  init(_ continuation: CheckedContinuation<PurchaseMessage, Never>) {
    self.continuation = continuation
  }

  /// Whether nobody had ended it before.
  @discardableResult
  func end(_ message: PurchaseMessage) -> Bool {
    guard let continuation else { return false }
    self.continuation = nil
    continuation.resume(returning: message)
    return true
  }
}

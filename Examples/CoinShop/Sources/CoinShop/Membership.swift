import Foundation
import StoreKit

/// Shows whether somebody is a member, which is a subscription, and tells the backend whenever something has become
/// of it. `CoinStore` sells it.
@MainActor
public final class Membership: ObservableObject {
  /// Whether this phone shows what members have.
  @Published public private(set) var isMember = false
  /// Until when it is paid for.
  @Published public private(set) var expirationDate: Date?

  private let api: any CoinAPI
  private let productID: String
  private var listeners: [Task<Void, Never>] = []
  /// Transactions of which there is more to be told than was told yet.
  private var telling: Set<UInt64> = []
  private var toTellAgain: Set<UInt64> = []

  public init(productID: String = "pro", api: any CoinAPI) {
    self.productID = productID
    self.api = api
    // What has happened while the app was closed nobody may have told the backend, and of what happens while it
    // runs StoreKit tells here.
    listeners = [
      Task { [weak self] in await self?.look() },
      Task { [weak self] in
        for await status in Product.SubscriptionInfo.Status.updates {
          await self?.look(at: status.transaction)
        }
      },
      Task { [weak self] in
        for await result in StoreKit.Transaction.updates {
          if case .verified(let transaction) = result, transaction.revocationDate != nil {
            await self?.look(at: result)
          }
        }
      },
    ]
  }

  deinit { for listener in listeners { listener.cancel() } }

  private func look() async {
    if let latest = await StoreKit.Transaction.latest(for: productID) { await look(at: latest) }
  }

  private func look(at result: VerificationResult<StoreKit.Transaction>) async {
    guard case .verified(let transaction) = result, transaction.productID == productID else {
      return
    }
    await show()
    Task { await tell(transaction.id, result.jwsRepresentation) }
  }

  /// Shows it for as long as StoreKit says, grace periods included and refunds left out.
  private func show() async {
    var entitlement: StoreKit.Transaction?
    for await result in StoreKit.Transaction.currentEntitlements {
      if case .verified(let transaction) = result, transaction.productID == productID {
        entitlement = transaction
      }
    }
    isMember = entitlement != nil
    expirationDate = entitlement?.expirationDate
  }

  /// Tells the backend, until it has an answer that counts: once more where something happened meanwhile.
  private func tell(_ id: UInt64, _ jws: String) async {
    guard telling.insert(id).inserted else {
      toTellAgain.insert(id)
      return
    }
    repeat {
      toTellAgain.remove(id)
      await ask(id, jws)
    } while toTellAgain.contains(id) && !Task.isCancelled
    telling.remove(id)
  }

  /// Asks every eight seconds until there is an answer that counts: that one was lost shows only much later, and
  /// whoever has paid waits.
  private func ask(_ id: UInt64, _ jws: String) async {
    let question = Question()
    while !question.isAnswered, !Task.isCancelled {
      Task {
        let answer = try? await api.refresh(transactionID: id, jws: jws)
        if answer == .delivered || answer == .refused { question.isAnswered = true }
      }
      try? await Task.sleep(for: .seconds(8))
    }
  }

  @MainActor
  private final class Question { var isAnswered = false }
}

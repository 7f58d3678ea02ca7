import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// Does once, before any code of the app's runs, what else each copy of a program would do again: the runtime looks
/// up types and conformances when they are first used.
enum WarmUp {
  static func run() {
    let phone = NobodysPhone()
    var client = HostedApp<App>(HostedRun(at: phone))
    client.begin(phone)
    client.handle(.visitedShop)
    client.handle(.sessionChanged)
    client.stopped()
  }

  private final class App: NSObject, SimulatedApp, SKPaymentTransactionObserver {
    private let device: SimulatedDevice

    init(device: SimulatedDevice) {
      self.device = device
      super.init()
      SKPaymentQueue.default().add(self)
      _ = Task { @MainActor in
        for await update in Transaction.updates {
          if case .verified(let transaction) = update { await transaction.finish() }
        }
      }
      device.defaults.set(Data(), forKey: "warm")
      _ = (device.defaults.data(forKey: "warm"), Date(), UUID())
    }

    func buy(_ productID: String) async -> PurchaseMessage { .nothing }

    func visitedShop() {
      _ = Task { @MainActor in
        for await _ in Transaction.unfinished {}
        for await _ in Transaction.currentEntitlements {}
        try? await Task.sleep(for: .milliseconds(1))
      }
    }

    nonisolated func paymentQueue(
      _ queue: SKPaymentQueue, updatedTransactions: [SKPaymentTransaction]
    ) {}
  }

  /// Answers whatever it is asked with nothing.
  private final class NobodysPhone: PhonePort {
    let identity = PhoneIdentity.nothing
    var isAlive: Bool { true }
    var now: Int64 { 0 }
    var account: AccountID { .none }

    func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer { .nothing }
  }
}

import Foundation
import Testing

@testable import StoreKit

@Suite("An unmodified StoreKit 2 manager")
struct UnmodifiedTests {
  let stage = Stage()
  let account = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var port: FakePort { stage.port }

  /// A backend that takes what it gets, or nothing.
  private struct Ledger: CoinBackend {
    struct Down: Error {}
    let stage: Stage
    var isDown = false

    func report(transaction: UInt64, of product: String, evidence: String) async throws {
      if isDown { throw Down() }
      stage.note("credited \(transaction) \(product) \(evidence)")
    }
  }

  private func launch(isDown: Bool = false) -> CoinStore {
    var store: CoinStore?
    stage.enter { store = CoinStore(backend: Ledger(stage: stage, isDown: isDown)) }
    guard let store else { fatalError("bug: the stage ran nothing") }
    return store
  }

  @Test("An unmodified StoreKit 2 manager loads, buys, reports and finishes")
  func purchase() {
    let store = launch()
    stage.begin { [stage, account] in
      await store.load(["no.ads", "coins.100"])
      stage.note("\(store.products.map(\.id))")
      stage.note("\(try await store.buy(store.products[0], for: account))")
    }
    stage.enter { port.answerProducts() }
    stage.enter { port.answerPurchase(.of("coins.100", id: 1, token: account)) }
    #expect(
      stage.notes == [
        #"["coins.100", "no.ads"]"#, "credited 1 coins.100 jws.1.fake", "true",
      ])
    #expect(
      port.log == [
        "observe", "load", "purchase 1 coins.100 \(account.uuidString)", "finish 1",
      ])
  }

  @Test("An unmodified manager credits what comes as an update or is left unfinished")
  func updates() {
    let store = launch()
    stage.deliver(.of("coins.100", id: 2))
    port.unfinished = [.of("coins.100", id: 3)]
    stage.begin { await store.sweep() }
    #expect(
      stage.notes == ["credited 2 coins.100 jws.2.fake", "credited 3 coins.100 jws.3.fake"])
    #expect(port.log == ["observe", "finish 2", "finish 3"])
  }

  @Test("An unmodified manager does not finish what its backend did not take")
  func refusal() {
    let store = launch(isDown: true)
    stage.deliver(.of("coins.100", id: 2))
    #expect(port.log == ["observe"])
    stage.enter { #expect(store.lastError != nil) }
  }

  @Test("An unmodified manager knows what it owns after a restore")
  func restore() {
    let store = launch()
    port.entitlements = [.of("no.ads", id: 4)]
    stage.begin { await store.restore() }
    stage.enter { port.answerRestore(true) }
    stage.enter { #expect(store.purchasedProductIDs == ["no.ads"]) }
  }

  @Test("An unmodified manager ends with its process, and nothing is left behind")
  func end() {
    weak var last: CoinStore?
    do {
      let store = launch()
      last = store
      stage.begin { [account] in
        await store.load(["coins.100"])
        _ = try await store.buy(store.products[0], for: account)
      }
      stage.enter { port.answerProducts() }
    }
    stage.kill()
    #expect(last == nil)
    #expect(stage.host.leaks.map(\.name) == [])
  }
}

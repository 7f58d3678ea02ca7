#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Says what Apple has of its customer, and has Apple do what it can.
  private final class CallingBackend: SettlingBackend {
    override func started(_ services: BackendServices) async { services.startsNothing() }

    override func handle(
      _ request: ReceivedRequest, _ services: BackendServices
    ) async -> BackendResponse {
      let (store, id) = (services.appStore(.production), request.transaction)
      await say("history") {
        let page = try await store.history(of: id)
        return "\(page.purchases.map(\.transaction) == [id]), \(page.hasMore)"
      }
      await say("refunds") { "\(try await store.refundHistory(of: id).purchases.count)" }
      await say("days") {
        try await store.extendRenewalDate(of: id, byDays: 10)
        let status = try await store.subscription(of: id)
        return "\((status.untilMillis - 1000) / 86_400_000)"
      }
      await say("token") {
        try await store.setAppAccountToken(.account(AccountID(index: 0)), of: id)
        return "\(services.owner(of: try await store.transaction(id).token).index)"
      }
      await say("sandbox") {
        try await services.appStore(.sandbox).finish(id)
        return "finished"
      }
      let answer = await super.handle(request, services)
      await say("finish") {
        try await store.finish(id)
        return "finished"
      }
      return answer
    }

    private func say(_ name: String, _ words: () async throws -> String) async {
      do { print("\(name): \(try await words())") } catch { print("\(name): \(error)") }
    }
  }

  @Suite struct `A hosted backend that calls the App Store Server API` {
    private func lines(_ product: Setup.Product, _ plan: String = "") throws -> [String] {
      var setup = Setup()
      setup.retaps = 0
      setup.products = [product]
      setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
      setup.healMillis = 20 * 86_400_000
      setup.horizonMillis = 21 * 86_400_000
      setup.reopenEveryMillis = nil
      setup.backend = .idempotent
      setup.isWholeStore = true
      let record = Simulation(
        Scenario(
          name: "calls", system: AnySystem(NotifiedShop<CallingBackend>.self), setup: setup)
      ).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty && record.outcome.broken == 0)
      return record.printed.map(\.text)
    }

    @Test func `gets what it asks for, and errors that say what is wrong`() throws {
      #expect(
        try lines(.init("pro", .autoRenewable(.init(Period(1, .month))))) == [
          "history: true, false", "refunds: 0", "days: 40", "token: 0", "sandbox: notFound",
          "finish: finished",
        ])
      #expect(
        try lines(.init("coins"))[2] == "days: refused(status: 4000187)")
    }

    @Test func `is told nothing of a call that was lost`() throws {
      let lines = try lines(.init("coins"), "drop verifier.command tx1 #4")
      #expect(lines.last == "finish: timedOut")
    }
  }
#endif

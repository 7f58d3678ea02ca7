#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Asks Apple for what a support desk and an operator ask for, and credits by a job.
  private final class AskingBackend: SettlingBackend {
    override func started(_ services: BackendServices) async {
      await say("test") {
        let token = try await services.appStore(.production).requestTestNotification()
        try await Task.sleep(for: .seconds(60))
        let status = try await services.appStore(.production).testNotificationStatus(of: token)
        return "\(status.notification.kind.name) \(status.attempts.map(\.name))"
      }
    }

    override func handle(
      _ request: ReceivedRequest, _ services: BackendServices
    ) async -> BackendResponse {
      let (store, id) = (services.appStore(.production), request.transaction)
      await say("order") {
        let order = try await store.lookUp(services.order(of: id) ?? OrderID(number: 0))
        return "\(order.isValid), \(order.purchases.map(\.transaction) == [id])"
      }
      await say("no order") { "\(try await store.lookUp(OrderID(number: 3)).isValid)" }
      await say("sandbox order") {
        "\(try await services.appStore(.sandbox).lookUp(OrderID(number: 3)).isValid)"
      }
      await say("consumption") {
        try await store.sendConsumption(
          ConsumptionInformation(isConsentedTo: false, delivery: .delivered), of: id)
        return "taken"
      }
      await say("history") {
        var filter = HistoryFilter()
        filter.productTypes = [.nonConsumable]
        return "\(try await store.history(of: id, where: filter).purchases.count)"
      }
      if await services.creditedAccount(of: services.purchase(id)).isNone {
        await services.enqueue(Data("credit".utf8), about: id)
        return BackendResponse(.retry)
      }
      return BackendResponse(.alreadyDelivered)
    }

    override func perform(_ job: BackendJob, _ services: BackendServices) async {
      print("job: \(String(decoding: job.body, as: UTF8.self))")
      _ = await settle(job.transaction, .production, services)
    }

    override func notified(
      _ notification: StoreNotification, _ services: BackendServices
    ) async -> BackendResponse {
      if notification.kind == .test { return BackendResponse(.alreadyDelivered) }
      return await super.notified(notification, services)
    }

    private func say(_ name: String, _ words: () async throws -> String) async {
      do { print("\(name): \(try await words())") } catch { print("\(name): \(error)") }
    }
  }

  @Suite struct `A hosted backend that asks Apple for more, and has a job queue` {
    private func record(_ plan: String = "") throws -> Record {
      var setup = Setup()
      setup.retaps = 0
      setup.steps = [.init(atMillis: 100_000, .buy(product: 0, quantity: 1, account: 0))]
      setup.healMillis = 200_000
      setup.horizonMillis = 600_000
      setup.reopenEveryMillis = nil
      setup.backend = .idempotent
      setup.isWholeStore = true
      let record = Simulation(
        Scenario(
          name: "answers", system: AnySystem(NotifiedShop<AskingBackend>.self), setup: setup)
      ).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty)
      return record
    }

    @Test func `gets typed answers, and errors that say what is wrong`() throws {
      let lines = try record().printed.map(\.text)
      for line in [
        #"test: TEST ["SUCCESS"]"#, "order: true, true", "no order: false",
        "sandbox order: refused(status: 404)", "consumption: refused(status: 4000035)",
        "history: 0", "job: credit",
      ] {
        #expect(lines.contains(line), "\(line) is not in \(lines)")
      }
    }

    @Test func `credits once, however often its queue hands the job out`() throws {
      let record = try record("repeat server.job tx1 #1")
      #expect(record.printed.filter { $0.text == "job: credit" }.count == 2)
      #expect(record.outcome.broken == 0)
      #expect(record.facts.filter { $0.kind == .credited }.count == 1)
    }
  }
#endif

#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Says what it is offered and what it got; asks for the offer that the test names, by StoreKit 2.
  private final class OfferApp: SimulatedApp {
    nonisolated(unsafe) static var asksFor: String?

    init(device: SimulatedDevice) {
      let updates = Task {
        for await result in Transaction.updates {
          if case .verified(let transaction) = result { await transaction.finish() }
        }
      }
      Task {
        guard let info = try? await Product.products(for: ["pro"]).first?.subscription else {
          return
        }
        print("open to a newcomer: \(await info.isEligibleForIntroOffer)")
        for status in (try? await info.status) ?? [] {
          guard case .verified(let renewal) = status.renewalInfo else { continue }
          print("next: \(renewal.offerType?.localizedDescription ?? "no offer")")
          print("to come back: \(renewal.eligibleWinBackOfferIDs)")
        }
        _ = updates
      }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        let info = product.subscription
      else { return .failure }
      if let offer = info.introductoryOffer {
        print("\(offer.type.rawValue): \(offer.period.value) \(offer.period.unit), \(offer.price)")
      }
      print("promotional: \(info.promotionalOffers.map { $0.id ?? "" })")
      let option = Self.asksFor.map {
        Product.PurchaseOption.promotionalOffer(
          offerID: $0, keyID: "K", nonce: UUID(), signature: Data(), timestamp: 0)
      }
      do {
        let result = try await product.purchase(options: option.map { [$0] } ?? [])
        guard case .success(.verified(let transaction)) = result else { return .pending }
        let days = transaction.expirationDate.map {
          Int($0.timeIntervalSince(transaction.purchaseDate) / 86_400)
        }
        print(
          "paid \(transaction.offerPaymentModeStringRepresentation ?? "as usual") for \(days ?? -1) days"
        )
        let json = String(decoding: transaction.jsonRepresentation, as: UTF8.self)
        print("JSON: \(json.contains("offerType"))")
        await transaction.finish()
        for await _ in Transaction.currentEntitlements {}
        return .success
      } catch {
        print("refused: \(error)")
        return .failure
      }
    }
  }

  private enum OfferShop: HostedSystem {
    typealias App = HostedApp<OfferApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "offer-shop", summary: "Asks StoreKit what it is offered.",
      products: [
        .init(
          "pro",
          .autoRenewable(
            .init(
              Period(1, .month),
              offers: [
                .init(nil, .introductory, .freeTrial, Period(1, .week)),
                .init("friend", .promotional, .payAsYouGo, Period(1, .month), periods: 2),
                .init("back", .winBack, .payUpFront, Period(2, .month)),
              ])))
      ])
  }

  @Suite(.serialized) struct `A hosted app that makes offers` {
    private static let day: Int64 = 86_400_000

    private func lines(
      _ asks: String? = nil, on days: [Int64] = [0], _ plan: String = ""
    ) throws -> [String] {
      var scenario = try PropertyTest.scenario(for: OfferShop.self, faults: [])
      scenario.setup.devices = [.init()]
      scenario.setup.steps = days.map {
        .init(atMillis: $0 * Self.day + 1000, .buy(product: 0, quantity: 1, account: 0))
      }
      scenario.setup.retaps = 0
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.sittings = .init(everyMillis: 10 * Self.day, forMillis: 120_000)
      scenario.setup.healMillis = 25 * Self.day
      scenario.setup.horizonMillis = 35 * Self.day
      OfferApp.asksFor = asks
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty)
      return record.printed.map(\.text)
    }

    @Test func `is told what is offered, for whom it is, and what was taken`() throws {
      let lines = try lines()
      #expect(
        lines == [
          "open to a newcomer: true",
          "Introductory: 1 week, 0", "promotional: [\"friend\"]",
          "paid FREE_TRIAL for 7 days", "JSON: true",
          "open to a newcomer: false", "next: no offer", "to come back: []",
          "open to a newcomer: false", "next: no offer", "to come back: []",
          "open to a newcomer: false", "next: no offer", "to come back: []",
        ])
    }

    @Test func `is told who may come back with what`() throws {
      let lines = try lines(nil, on: [0], "cancel person.renewal tx1 #1")
      #expect(lines.last == "to come back: [\"back\"]")
    }

    @Test func `is refused an offer that is not for this person, and one that there is not`() throws
    {
      #expect(try lines("friend").contains("refused: ineligibleForOffer"))
      #expect(try lines("nobody's").contains("refused: invalidOfferIdentifier"))
    }
  }
#endif

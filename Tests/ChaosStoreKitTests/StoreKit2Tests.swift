import ChaosStore
import Foundation
import Testing

@testable import StoreKit

@Suite("StoreKit 2 code")
struct StoreKit2Tests {
  let stage = Stage()
  var port: FakePort { stage.port }

  @Test("Product.products returns what the store knows, in the order of its catalogue")
  func products() {
    stage.begin { [stage] in
      for product in try await Product.products(for: ["no.ads", "nothing", "coins.100"]) {
        stage.note("\(product.id) \(product.displayPrice) \(product.type) \(product.displayName)")
      }
    }
    #expect(stage.notes == [])
    stage.enter { port.answerProducts() }
    #expect(
      stage.notes == ["coins.100 $0.99 Consumable 100 coins", "no.ads $4.99 Non-Consumable No ads"])
  }

  private func buy(_ options: Set<Product.PurchaseOption> = []) {
    stage.begin { [stage] in
      let product = try await Product.products(for: ["coins.100"])[0]
      switch try await product.purchase(options: options) {
      case .success(let result):
        let transaction = try result.payloadValue
        stage.note("\(transaction.id) \(transaction.productID) x\(transaction.purchasedQuantity)")
        stage.note(result.jwsRepresentation)
        await transaction.finish()
      case .userCancelled, .pending: stage.note("not bought")
      }
    }
    stage.enter { port.answerProducts() }
  }

  @Test(
    "A purchase with a quantity and a token returns a verified transaction, which can be finished")
  func purchase() throws {
    let token = try #require(UUID(uuidString: "6F1B1B2C-6C0F-4B5E-9C55-0B6A5E0E6A11"))
    buy([.appAccountToken(token), .quantity(2)])
    stage.enter { port.answerPurchase(.of("coins.100", id: 7, quantity: 2, token: token)) }
    #expect(stage.notes == ["7 coins.100 x2", "jws.7.fake"])
    #expect(port.log == ["load", "purchase 2 coins.100 \(token.uuidString)", "finish 7"])
  }

  @Test("A purchase that fails throws a network error")
  func failure() {
    buy()
    stage.enter { port.answerPurchase(nil) }
    #expect(stage.notes.count == 1)
    #expect(stage.notes[0].hasPrefix("thrown: networkError"))
  }

  @Test("A quantity that the App Store does not sell is refused", arguments: [0, 11])
  func quantity(_ quantity: Int) {
    buy([.quantity(quantity)])
    #expect(stage.notes == ["thrown: invalidQuantity"])
    #expect(port.log == ["load"])
  }

  @Test(
    "Each iterator of Transaction.updates hears of a transaction, and the phone sees one listener")
  func updates() {
    var listeners: [Task<Void, Never>] = []
    stage.enter {
      for number in 1...2 {
        listeners.append(
          Task.detached { [stage] in
            for await result in StoreKit.Transaction.updates {
              stage.note("\(number) hears of \(result.unsafePayloadValue.id)")
            }
            stage.note("\(number) hears no more")
          })
      }
    }
    #expect(port.log == ["observe"])
    stage.deliver(.of("coins.100", id: 1))
    #expect(stage.notes == ["1 hears of 1", "2 hears of 1"])
    stage.notes = []
    stage.enter { listeners[0].cancel() }
    #expect(port.log == ["observe"])
    stage.deliver(.of("coins.100", id: 2, state: .restored))
    stage.deliver(.of("coins.100", id: 0, state: .failed))
    #expect(stage.notes == ["1 hears no more", "2 hears of 2"])
    stage.enter { listeners[1].cancel() }
    #expect(port.log == ["observe", "unobserve"])
  }

  @Test("Unfinished transactions, entitlements and the past are as of when they are asked for")
  func snapshots() {
    let coins = StoreTransaction.of("coins.100", id: 1, at: 1_000)
    let ads = StoreTransaction.of("no.ads", id: 2, at: 2_000)
    let later = StoreTransaction.of("no.ads", id: 3, at: 3_000)
    port.unfinished = [coins]
    port.entitlements = [later, ads]
    port.history = [later, ads, coins]
    stage.begin { [stage] in
      for (name, list) in [
        ("unfinished", StoreKit.Transaction.unfinished), ("all", StoreKit.Transaction.all),
        ("entitled", StoreKit.Transaction.currentEntitlements),
        ("all of no.ads", StoreKit.Transaction.all(for: "no.ads")),
      ] {
        var ids: [UInt64] = []
        for await case .verified(let transaction) in list { ids.append(transaction.id) }
        stage.note("\(name) \(ids)")
      }
      let latest = await StoreKit.Transaction.latest(for: "no.ads")?.unsafePayloadValue.id
      let owned = await StoreKit.Transaction.currentEntitlement(for: "coins.100")
      stage.note("latest \(latest ?? 0), owned \(owned == nil)")
    }
    #expect(
      stage.notes == [
        "unfinished [1]", "all [3, 2, 1]", "entitled [3, 2]", "all of no.ads [3, 2]",
        "latest 3, owned true",
      ])
  }

  @Test("AppStore.sync restores, and throws where that fails")
  func sync() {
    for succeeds in [true, false] {
      stage.begin { [stage] in
        try await AppStore.sync()
        stage.note("restored")
      }
      stage.enter { port.answerRestore(succeeds) }
    }
    #expect(stage.notes.count == 2)
    #expect(stage.notes[0] == "restored")
    #expect(stage.notes[1].hasPrefix("thrown: networkError"))
  }

  @Test("StoreKit 2 code stops waiting when its process ends, and reaches the phone no more")
  func end() {
    buy()
    stage.begin { [stage] in
      for await _ in StoreKit.Transaction.updates { stage.note("an update") }
      stage.note("updates ended")
      await StoreKit.Transaction(.of("coins.100", id: 1)).finish()
      for await _ in StoreKit.Transaction.unfinished { stage.note("unfinished") }
      for await _ in StoreKit.Transaction.updates { stage.note("an update") }
      stage.note("and stay ended")
    }
    stage.begin { [stage] in
      for await _ in PurchaseIntent.intents { stage.note("an intent") }
      for await _ in Message.messages { stage.note("a message") }
      for await _ in Storefront.updates { stage.note("a storefront") }
      for await _ in Product.SubscriptionInfo.Status.updates { stage.note("a status") }
      stage.note("silence ended")
    }
    let before = port.log
    port.unfinished = [.of("coins.100", id: 1)]
    stage.kill()
    stage.session.deliver([.of("coins.100", id: 1)])
    #expect(
      Set(stage.notes) == [
        "thrown: CancellationError()", "updates ended", "and stay ended", "silence ended",
      ])
    #expect(port.log == before)
    #expect(stage.host.leaks.map(\.name) == [])
  }

  @Test(
    "Code goes no further than the call that killed its process, and is inert until it is freed")
  func death() {
    port.diesIn = "finish 1"
    stage.begin { [stage] in
      for id in 1...3 { await StoreKit.Transaction(.of("coins.100", id: UInt64(id))).finish() }
      stage.note(
        VerificationResult.verified(Transaction(.of("coins.100", id: 9))).jwsRepresentation)
      _ = try await Product.products(for: ["coins.100"])
    }
    stage.begin { [stage] in
      for await _ in StoreKit.Transaction.unfinished { stage.note("unfinished") }
      stage.note("past the end")
    }
    #expect(port.log == ["finish 1"])
    #expect(stage.notes == [])
    stage.kill()
    #expect(port.log == ["finish 1"])
    #expect(Set(stage.notes) == ["", "thrown: CancellationError()", "past the end"])
    #expect(stage.host.leaks.map(\.name) == [])
  }

  @Test(
    "A transaction has a time, a price and an environment, and the same JSON each time")
  func properties() throws {
    port.isProduction = false
    stage.enter {
      var store = StoreTransaction.of("no.ads", id: 5, at: 61_500)
      store.isProduction = false
      let transaction = Transaction(store)
      #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_700_000_061.5))
      #expect(transaction.price == Decimal(499) / 100)
      #expect(transaction.productType == .nonConsumable)
      #expect(transaction.environment == .sandbox)
      #expect(transaction.expirationDate == nil)
      #expect(transaction.revocationDate == nil && transaction.revocationReason == nil)
      let revoked = Transaction(.of("no.ads", id: 6, revokedAt: 62_000))
      #expect(revoked.revocationDate == Date(timeIntervalSince1970: 1_700_000_062))
      #expect(revoked.revocationReason == .other)
      let json = String(decoding: transaction.jsonRepresentation, as: UTF8.self)
      #expect(json == transaction.debugDescription)
      #expect(json.contains(#""price":4990"#) && json.contains(#""purchaseDate":1700000061500"#))
    }
  }

  @Test("AppTransaction is the app's own download, and there are no subscriptions")
  func others() {
    stage.begin { [stage] in
      let app = try await AppTransaction.shared
      stage.note("\(try app.payloadValue.environment) \(app.jwsRepresentation.hasSuffix("."))")
      stage.note("\(try app.payloadValue.debugDescription.contains(#""bundleId":"#))")
      stage.note("\(await Storefront.current?.countryCode ?? "-") \(AppStore.canMakePayments)")
      stage.note("\(try await Product.SubscriptionInfo.status(for: "group").count)")
      stage.note("\(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group"))")
    }
    #expect(stage.notes == ["Production true", "true", "USA true", "0", "false"])
  }

  @Test("Older names of a transaction's properties read the same, and there are no offers")
  func olderNames() {
    stage.enter {
      let transaction = Transaction(.of("coins.100", id: 5))
      #expect(transaction.environmentStringRepresentation == "Production")
      #expect(transaction.reasonStringRepresentation == "PURCHASE")
      #expect(transaction.offerPaymentModeStringRepresentation == nil)
      #expect(transaction.offerPeriodStringRepresentation == nil)
    }
  }

  @Test("A verification result can be taken apart into what was signed")
  func parts() {
    stage.enter {
      let coins = VerificationResult.verified(Transaction(.of("coins.100", id: 7)))
      #expect(coins.headerData == Data("jws".utf8) && coins.signatureData == Data("fake".utf8))
      #expect(coins.signedData == Data("jws.7".utf8))
      let app = VerificationResult.verified(AppTransaction(isProduction: true))
      #expect(app.headerData == Data(#"{"alg":"none"}"#.utf8) && app.signatureData.isEmpty)
      #expect(app.jwsRepresentation == String(decoding: app.signedData, as: UTF8.self) + ".")
    }
    stage.kill()
    stage.enter {
      let coins = VerificationResult.verified(Transaction(.of("coins.100", id: 7)))
      #expect(coins.signedData.isEmpty && coins.headerData.isEmpty)
    }
  }

  @Test("What a renewal and an offer would say compiles, and is read back")
  func renewal() {
    typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let info = RenewalInfo(
      originalTransactionID: 1, currentProductID: "pro", willAutoRenew: false,
      autoRenewPreference: nil, expirationReason: .billingError, priceIncreaseStatus: .agreed,
      isInBillingRetry: true, gracePeriodExpirationDate: nil, offerType: .winBack, offerID: "back",
      eligibleWinBackOfferIDs: ["back"], renewalDate: nil, renewalPrice: nil, currency: nil,
      environment: .sandbox, recentSubscriptionStartDate: date, signedDate: date,
      deviceVerification: Data([1]), deviceVerificationNonce: SimulatedStore.uuid(3),
      jsonRepresentation: Data("{}".utf8))
    let result = VerificationResult.verified(info)
    #expect(result.payloadData == Data("{}".utf8) && result.signedDate == date)
    #expect(result.deviceVerification == Data([1]))
    #expect(result.deviceVerificationNonce == info.deviceVerificationNonce)
    #expect(info.expirationReason?.localizedDescription == "The payment failed")
    #expect(info.debugDescription == "{}" && info.offerType?.localizedDescription == "Win-back")
    #expect((result.headerData + result.signedData + result.signatureData).isEmpty)
    #expect(Product.SubscriptionOffer.OfferType.winBack.localizedDescription == "WinBack")
    let offer = Transaction.Offer(.init("back", .winBack, .payUpFront, Period(1, .month)))
    #expect(offer.period?.debugDescription == "1 month" && offer.paymentMode == .payUpFront)
  }
}

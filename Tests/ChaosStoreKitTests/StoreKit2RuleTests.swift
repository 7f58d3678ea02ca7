import Foundation
import Testing

@testable import StoreKit

@Suite("Transactions and products of StoreKit 2")
struct StoreKit2RuleTests {
  typealias Transaction = StoreKit.Transaction
  let stage = Stage()
  var port: FakePort { stage.port }

  @Test("The latest transaction is the one that was charged last, whatever its identifier is")
  func latest() {
    port.history = [
      .of("no.ads", id: 9, at: 1_000), .of("no.ads", id: 3, at: 3_000),
      .of("no.ads", id: 5, at: 2_000), .of("coins.100", id: 11, at: 9_000),
    ]
    port.entitlements = port.history
    port.catalogue[0].isConsumable = false
    stage.begin { [stage] in
      let product = Product(stage.port.catalogue[1])
      let all = await [
        Transaction.latest(for: "no.ads"), product.latestTransaction,
        Transaction.currentEntitlement(for: "no.ads"), product.currentEntitlement,
      ]
      stage.note("\(all.map { $0?.unsafePayloadValue.id ?? 0 })")
      let none = await [
        Transaction.latest(for: "nothing"), Transaction.currentEntitlement(for: "nothing"),
      ]
      stage.note("\(none.map { $0?.unsafePayloadValue.id ?? 0 })")
    }
    #expect(stage.notes == ["[3, 3, 3, 3]", "[0, 0]"])
  }

  @Test(
    "Of two transactions of one moment the later identifier is the latest, whichever comes first")
  func latestOfOneMoment() {
    port.history = [.of("no.ads", id: 4, at: 500), .of("no.ads", id: 7, at: 500)]
    port.entitlements = port.history.reversed()
    stage.begin { [stage] in
      stage.note("\(await Transaction.latest(for: "no.ads")?.unsafePayloadValue.id ?? 0)")
      stage.note(
        "\(await Transaction.currentEntitlement(for: "no.ads")?.unsafePayloadValue.id ?? 0)")
    }
    #expect(stage.notes == ["7", "7"])
  }

  @Test("What a product entitles to is asked for that product alone")
  func entitlements() {
    port.entitlements = [.of("no.ads", id: 1), .of("coins.100", id: 2), .of("no.ads", id: 3)]
    stage.begin { [stage] in
      var ids: [UInt64] = []
      for await result in Product(stage.port.catalogue[1]).currentEntitlements {
        ids.append(result.unsafePayloadValue.id)
      }
      stage.note("\(ids)")
    }
    #expect(stage.notes == ["[1, 3]"])
  }

  @Test("The price of a transaction is that of all that was bought, in its JSON too")
  func price() {
    stage.enter {
      let transaction = Transaction(.of("coins.100", id: 5, quantity: 3))
      #expect(transaction.price == Decimal(297) / 100)
      #expect(transaction.purchasedQuantity == 3)
      let json = String(decoding: transaction.jsonRepresentation, as: UTF8.self)
      #expect(json.contains(#""price":2970"#) && json.contains(#""quantity":3"#))
      #expect(json.contains(#""type":"Consumable""#))
      let unknown = Transaction(.of("nothing", id: 5))
      #expect(unknown.price == nil && unknown.productType == .consumable)
      #expect(!String(decoding: unknown.jsonRepresentation, as: UTF8.self).contains("price"))
    }
  }

  @Test("A transaction names its original, its account and its moment, in its JSON too")
  func identity() {
    let token = UUID()
    stage.enter {
      let transaction = Transaction(.of("no.ads", id: 258, originalID: 7, token: token, at: 1))
      #expect(transaction.id == 258 && transaction.originalID == 7)
      #expect(transaction.appAccountToken == token)
      #expect(transaction.originalPurchaseDate == transaction.purchaseDate)
      #expect(transaction.signedDate == transaction.purchaseDate)
      #expect(Array(transaction.deviceVerification) == [0, 0, 0, 0, 0, 0, 1, 2])
      #expect(transaction.deviceVerificationNonce == SimulatedStore.uuid(258))
      #expect(transaction.currency?.identifier == "USD" && transaction.currencyCode == "USD")
      #expect(transaction.storefront == .simulated && transaction.storefrontCountryCode == "USA")
      let json = String(decoding: transaction.jsonRepresentation, as: UTF8.self)
      #expect(json.contains(#""transactionId":"258""#))
      #expect(json.contains(#""originalTransactionId":"7""#))
      #expect(json.contains(#""appAccountToken":"\#(token.uuidString.lowercased())""#))
      let anonymous = Transaction(.of("no.ads", id: 1))
      #expect(!anonymous.debugDescription.contains("appAccountToken"))
    }
  }

  private func buy(_ options: Set<Product.PurchaseOption>) {
    stage.begin { [stage] in
      _ = try await Product(stage.port.catalogue[0]).purchase(options: options)
    }
  }

  @Test("Of two options of one kind the lesser counts; a purchase is of one for nobody without any")
  func options() {
    let tokens = [UUID(), UUID()].sorted()
    buy([.quantity(3), .quantity(2), .appAccountToken(tokens[1]), .appAccountToken(tokens[0])])
    buy([])
    buy([.quantity(10), .simulatesAskToBuyInSandbox(true)])
    buy([.quantity(1), .custom(key: "a", value: 5.0)])
    #expect(
      port.log == [
        "purchase 2 coins.100 \(tokens[0].uuidString)", "purchase 1 coins.100 -",
        "purchase 10 coins.100 -", "purchase 1 coins.100 -",
      ])
    stage.kill()
  }

  @Test(
    "An iterator of updates hears in order of what came while it was busy, and is gone when let go of"
  )
  func busyIterator() {
    stage.begin { [stage] in
      var iterator = Transaction.updates.makeAsyncIterator()
      try await Task.sleep(for: .seconds(1))
      for _ in 1...3 { stage.note("\(await iterator.next()?.unsafePayloadValue.id ?? 0)") }
    }
    for id in 1...3 { stage.deliver(.of("coins.100", id: UInt64(id))) }
    #expect(stage.notes == [])
    #expect(port.log == ["observe"])
    stage.host.advance(to: 1_000_000_000)
    stage.enter {}
    #expect(stage.notes == ["1", "2", "3"])
    #expect(port.log == ["observe", "unobserve"])
    stage.kill()
  }

  @Test("A product shows what the catalogue has of it, as values and as JSON")
  func product() {
    let product = Product(port.catalogue[1])
    #expect(product.id == "no.ads" && product.type == .nonConsumable)
    #expect(product.displayName == "No ads" && product.description == "For ever")
    #expect(product.price == Decimal(499) / 100 && product.displayPrice == "$4.99")
    #expect(
      product.debugDescription
        == #"{"description":"For ever","displayName":"No ads","id":"no.ads","#
        + #""isFamilyShareable":false,"price":"4.99","type":"Non-Consumable"}"#)
    #expect(Product(port.catalogue[0]).type == .consumable)
  }

  @Test("The app's own download has no numbers in the sandbox, and says where it was made")
  func appTransaction() {
    port.isProduction = false
    stage.begin { [stage] in
      let sandbox = try await AppTransaction.shared.payloadValue
      stage.note("\(sandbox.environment) \(sandbox.appID ?? 0) \(sandbox.appVersionID ?? 0)")
      stage.port.isProduction = true
      let real = try await AppTransaction.refresh().payloadValue
      stage.note("\(real.environment) \(real.appID ?? 0) \(real.appVersionID ?? 0)")
      stage.note("\(real.originalPurchaseDate.timeIntervalSince1970)")
    }
    #expect(stage.notes == ["Sandbox 0 0", "Production 1 1", "1700000000.0"])
    let result = VerificationResult.verified(AppTransaction(isProduction: true))
    #expect(!result.jwsRepresentation.contains { "+/=".contains($0) })
    #expect(result.jwsRepresentation.split(separator: ".").count == 2)
  }

  @Test("A result that is not verified throws its error, and gives its value only to who insists")
  func unverified() {
    typealias Result = VerificationResult<Int>
    let bad = Result.unverified(5, .invalidSignature)
    #expect(throws: Result.VerificationError.invalidSignature) { try bad.payloadValue }
    #expect(bad.unsafePayloadValue == 5)
    #expect((try? Result.verified(6).payloadValue) == 6)
    #expect(bad.debugDescription == "unverified(5, invalidSignature)")
    #expect(Result.verified(6).debugDescription == "verified(6)")
    let errors: [Result.VerificationError] = [
      .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
      .invalidSignature, .missingRequiredProperties,
    ]
    #expect(Set(errors.compactMap(\.errorDescription)).count == errors.count)
  }

  @Test("Each error of a purchase has a sentence of its own")
  func sentences() {
    let purchase: [Product.PurchaseError] = [
      .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
      .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
    ]
    #expect(Set(purchase.compactMap(\.errorDescription)).count == purchase.count)
    let store: [StoreKitError] = [
      .unknown, .userCancelled, .networkError(URLError(.timedOut)),
      .systemError(CancellationError()), .notAvailableInStorefront, .notEntitled, .unsupported,
    ]
    #expect(Set(store.compactMap(\.errorDescription)).count == store.count)
    #expect(store[2].errorDescription?.contains("-1001") == true)
  }

  @Test("The numbers and texts that Apple's server uses are those of the façade's names")
  func names() {
    typealias Info = Product.SubscriptionInfo
    let states: [Info.RenewalState] = [
      .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked, .init(rawValue: 6),
    ]
    #expect(states.map(\.rawValue) == Array(1...6))
    #expect(Set(states.map(\.localizedDescription)).count == 6)
    let reasons: [Info.RenewalInfo.ExpirationReason] = [
      .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable,
      .unknown, .init(rawValue: 6),
    ]
    #expect(reasons.map(\.rawValue) == Array(1...6))
    #expect(Set(reasons.map(\.localizedDescription)).count == 6)
    let offers: [Transaction.OfferType] = [
      .introductory, .promotional, .code, .winBack, .init(rawValue: 5),
    ]
    #expect(offers.map(\.rawValue) == Array(1...5))
    #expect(
      offers.map(\.localizedDescription)
        == ["Introductory", "Promotional", "Code", "Win-back", "5"])
    #expect(Transaction.RevocationReason.developerIssue.rawValue == 1)
    #expect(Transaction.RevocationReason.other.rawValue == 0)
    #expect(
      Transaction.RevocationReason.developerIssue.localizedDescription == "A problem with the app")
    #expect(Transaction.RevocationReason.other.localizedDescription == "Another reason")
    #expect(Transaction.OwnershipType.familyShared.localizedDescription == "Family Shared")
    #expect(Transaction.OwnershipType.purchased.localizedDescription == "Purchased")
    let messages: [Message.Reason] = [
      .generic, .priceIncreaseConsent, .billingIssue, .winBackOffer,
    ]
    #expect(messages.map(\.rawValue) == Array(0...3))
    let periods: [Product.SubscriptionPeriod] = [
      .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths,
      .everyThreeMonths, .everySixMonths,
    ]
    #expect(
      periods.map(\.debugDescription) == [
        "1 week", "1 month", "1 year", "3 day", "2 week", "2 month", "3 month", "6 month",
      ])
  }
}

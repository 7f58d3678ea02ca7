import Foundation
import Testing

@testable import StoreKit

/// Keeps what it is called back with; finishes it if it is told to.
private final class Watcher: NSObject, SKPaymentTransactionObserver {
  var seen: [SKPaymentTransaction] = []
  var removed = 0
  var finishes = false

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    seen += transactions
    guard finishes else { return }
    for transaction in transactions { queue.finishTransaction(transaction) }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {
    removed += transactions.count
  }
}

/// Notes what its requests tell it; kills the process with the first answer if it is told to.
private final class Asker: NSObject, SKProductsRequestDelegate {
  var notes: [String] = []
  var port: FakePort?

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    notes.append(response.products.map(\.productIdentifier).joined(separator: " "))
    port?.isAlive = false
  }
  func requestDidFinish(_ request: SKRequest) { notes.append("finished") }
  func request(_ request: SKRequest, didFailWithError error: any Error) { notes.append("failed") }
}

@Suite("The payment queue of StoreKit 1")
struct PaymentQueueRuleTests {
  let stage = Stage()
  private let watcher = Watcher()
  var port: FakePort { stage.port }

  private func watch() { stage.run { SKPaymentQueue.default().add(watcher) } }

  private func add(_ productID: String, quantity: Int = 1, username: String? = nil) {
    stage.run {
      let payment = SKMutablePayment()
      payment.productIdentifier = productID
      payment.quantity = quantity
      payment.applicationUsername = username
      SKPaymentQueue.default().add(payment)
    }
  }

  @Test(
    "A failed transaction is none that was purchased under its identifier, and the other way round")
  func failedBesidePurchased() {
    watch()
    stage.deliver(.of("coins.100", id: 5))
    stage.deliver(.of("coins.100", id: 5, state: .failed))
    stage.deliver(.of("no.ads", id: 6, state: .failed))
    stage.deliver(.of("no.ads", id: 6))
    #expect(
      watcher.seen.map(\.transactionState) == [.purchased, .failed, .failed, .purchased])
    #expect(Set(watcher.seen.map(ObjectIdentifier.init)).count == 4)
    stage.run { #expect(SKPaymentQueue.default().transactions == watcher.seen) }
  }

  @Test("A transaction of another identifier is another one, though it is of the same product")
  func otherIdentifier() {
    watch()
    stage.deliver(.of("coins.100", id: 5))
    stage.deliver(.of("coins.100", id: 6))
    stage.deliver(.of("coins.100", id: 5))
    #expect(watcher.seen.map(\.transactionIdentifier) == ["5", "6", "5"])
    #expect(watcher.seen[0] !== watcher.seen[1])
    #expect(watcher.seen[2] === watcher.seen[0])
  }

  @Test(
    "A payment that waits is settled by what comes for its product, a failure too, oldest first")
  func settling() {
    watch()
    add("coins.100", username: "anna")
    add("no.ads", username: "anna")
    add("coins.100", username: "anna")
    let payments = watcher.seen
    stage.deliver(.of("no.ads", id: 1, username: "anna"))
    stage.deliver(.of("coins.100", id: 0, state: .failed, username: "anna"))
    stage.deliver(.of("coins.100", id: 2, username: "anna"))
    #expect(watcher.seen.count == 6)
    #expect(watcher.seen[3] === payments[1])
    #expect(watcher.seen[4] === payments[0])
    #expect(watcher.seen[5] === payments[2])
    #expect(payments.map(\.transactionState) == [.failed, .purchased, .purchased])
    stage.deliver(.of("coins.100", id: 3))
    #expect(!payments.contains { $0 === watcher.seen[6] })
  }

  @Test(
    "What the device does not show any more is gone from the payment, and else it is the one added")
  func shownPayment() {
    watch()
    add("coins.100", quantity: 2, username: "anna")
    stage.deliver(.of("coins.100", id: 1, quantity: 2, username: nil))
    #expect(watcher.seen[0].payment.applicationUsername == nil)
    #expect(watcher.seen[0].payment.quantity == 2)
    add("coins.100", quantity: 2, username: "anna")
    stage.deliver(.of("coins.100", id: 2, quantity: 3, username: "anna"))
    #expect(watcher.seen[2].payment.quantity == 3)
    #expect(watcher.seen[2].payment.applicationUsername == "anna")
    add("coins.100", quantity: 2, username: "anna")
    let payment = watcher.seen[4].payment
    stage.deliver(.of("coins.100", id: 3, quantity: 2, username: "anna"))
    #expect(watcher.seen[4].payment === payment)
  }

  @Test("A username is the plain one, or else the text of the account's token")
  func usernames() {
    let token = UUID()
    let both = SKPaymentTransaction(.of("coins.100", id: 1, token: token, username: "anna"))
    #expect(both.payment.applicationUsername == "anna")
    let only = SKPaymentTransaction(.of("coins.100", id: 1, token: token))
    #expect(only.payment.applicationUsername == token.uuidString)
    #expect(SKPaymentTransaction(.of("coins.100", id: 1)).payment.applicationUsername == nil)
  }

  @Test("A restored transaction has a paid original; only a failed one has an error")
  func fields() {
    let restored = SKPaymentTransaction(
      .of("no.ads", id: 9, originalID: 2, state: .restored, quantity: 3, at: 1_500))
    #expect(restored.transactionIdentifier == "9" && restored.transactionState == .restored)
    #expect(restored.transactionDate == Date(timeIntervalSince1970: 1_700_000_001.5))
    #expect(restored.original?.transactionIdentifier == "2")
    #expect(restored.original?.transactionState == .purchased)
    #expect(restored.original?.payment.productIdentifier == "no.ads")
    #expect(restored.original?.original == nil)
    #expect(restored.payment.quantity == 3 && restored.error == nil)
    let purchased = SKPaymentTransaction(.of("no.ads", id: 9))
    #expect(purchased.original == nil && purchased.error == nil)
    let failed = SKPaymentTransaction(.of("no.ads", id: 0, state: .failed))
    #expect((failed.error as? SKError)?.code == .unknown && failed.original == nil)
    let made = SKPaymentTransaction()
    #expect(made.transactionState == .purchasing && made.transactionDate == nil)
    #expect(made.error == nil && made.payment.productIdentifier == "")
  }

  @Test("The queue takes payments for one to ten, and notes any other as a complaint")
  func quantities() {
    for quantity in [0, 1, 10, 11] { add("coins.100", quantity: quantity) }
    #expect(port.log == ["add 1 coins.100 -", "add 10 coins.100 -"])
    #expect(stage.session.complaints.count == 2)
    #expect(stage.session.complaints.first?.contains("payment for 0 of") == true)
    #expect(stage.session.complaints.last?.contains("payment for 11 of") == true)
    stage.run { #expect(SKPaymentQueue.default().transactions.count == 2) }
  }

  @Test("The queue takes a copy of a payment, which changes no more")
  func copies() {
    watch()
    let payment = SKMutablePayment()
    payment.productIdentifier = "coins.100"
    stage.run {
      SKPaymentQueue.default().add(payment)
      payment.productIdentifier = "no.ads"
    }
    #expect(watcher.seen.map(\.payment.productIdentifier) == ["coins.100"])
  }

  @Test("What is delivered while no observer is there is not put on the queue")
  func nobody() {
    stage.run { #expect(SKPaymentQueue.default().transactions == []) }
    stage.deliver(.of("coins.100", id: 1))
    stage.run { #expect(SKPaymentQueue.default().transactions == []) }
    watch()
    #expect(watcher.seen == [])
  }

  @Test("The queue shows the observers that live, in the order in which they were added")
  func liveObservers() {
    let other = Watcher()
    var gone: Watcher? = Watcher()
    stage.run {
      for observer in [watcher, gone!, other, watcher] { SKPaymentQueue.default().add(observer) }
    }
    gone = nil
    stage.run {
      let left = SKPaymentQueue.default().transactionObservers
      #expect(left.count == 2 && left[0] === watcher && left[1] === other)
    }
  }

  @Test("A failure that is called back again is the same object, and no other payment's")
  func failuresAgain() {
    watch()
    stage.deliver(.of("coins.100", id: 0, state: .failed, payment: 3))
    add("coins.100")
    stage.deliver(.of("coins.100", id: 0, state: .failed, payment: 3))
    stage.run {
      #expect(watcher.seen.count > 1 && watcher.seen.last?.transactionState == .failed)
      #expect(watcher.seen.first === watcher.seen.last)
      #expect(SKPaymentQueue.default().transactions.count == 2)
    }
  }

  @Test("Only a transaction that is on the queue can be finished, and only once")
  func finishing() {
    watch()
    stage.deliver(.of("coins.100", id: 1))
    stage.deliver(.of("coins.100", id: 2))
    stage.run {
      let queue = SKPaymentQueue.default()
      queue.finishTransaction(SKPaymentTransaction(.of("coins.100", id: 1)))
      queue.finishTransaction(watcher.seen[0])
      queue.finishTransaction(watcher.seen[0])
      #expect(queue.transactions == [watcher.seen[1]])
      #expect(watcher.removed == 0)
    }
    #expect(watcher.removed == 1)
    #expect(port.log == ["observe", "finish 1"])
    #expect(stage.session.complaints == [])
  }

  @Test("Observers after the one in whose call the process died are not called")
  func deathInACall() {
    let other = Watcher()
    watcher.finishes = true
    stage.run {
      SKPaymentQueue.default().add(watcher)
      SKPaymentQueue.default().add(other)
    }
    port.diesIn = "finish"
    stage.deliver(.of("coins.100", id: 1))
    #expect(watcher.seen.count == 1)
    #expect(other.seen == [])
    #expect(watcher.removed == 0)
  }

  @Test("A payment in whose call the process died is not on the queue")
  func deathInAdd() {
    watch()
    port.diesIn = "add"
    stage.run {
      SKPaymentQueue.default().add(SKPayment(productIdentifier: "coins.100"))
      #expect(SKPaymentQueue.default().transactions == [])
      SKPaymentQueue.default().add(SKPayment())
    }
    #expect(watcher.seen == [])
    #expect(stage.session.complaints == [])
  }

  @Test("The queue of a process is one object, sells in the United States, and lets everybody pay")
  func queue() {
    stage.run {
      let queue = SKPaymentQueue.default()
      #expect(queue === SKPaymentQueue.default())
      #expect(queue.storefront?.countryCode == "USA" && queue.storefront?.identifier == "143441")
      #expect(SKPaymentQueue.canMakePayments())
      queue.presentCodeRedemptionSheet()
      queue.showPriceConsentIfNeeded()
      queue.restoreCompletedTransactions(withApplicationUsername: "anna")
    }
    #expect(port.log == ["restore"])
  }
}

@Suite("Requests, products and payments of StoreKit 1")
struct RequestRuleTests {
  let stage = Stage()
  private let asker = Asker()
  var port: FakePort { stage.port }

  @Test("A request that is cancelled and started again is answered once")
  func startedAgain() {
    var request: SKProductsRequest?
    stage.run {
      request = SKProductsRequest(productIdentifiers: ["no.ads", "coins.100"])
      request?.delegate = asker
      request?.start()
      request?.cancel()
      request?.start()
    }
    #expect(port.log == ["load", "load"])
    stage.run { port.answerProducts() }
    #expect(asker.notes == [])
    stage.run { port.answerProducts() }
    #expect(asker.notes == ["coins.100 no.ads", "finished"])
    withExtendedLifetime(request) {}
  }

  @Test("A request whose delegate kills the process tells it nothing more, and is asked no more")
  func death() {
    var request: SKProductsRequest?
    stage.run {
      request = SKProductsRequest(productIdentifiers: ["coins.100"])
      request?.delegate = asker
      request?.start()
      request?.start()
    }
    asker.port = port
    stage.run { port.answerProducts() }
    stage.run { port.answerProducts() }
    #expect(asker.notes == ["coins.100"])
    stage.run {
      request?.start()
      SKReceiptRefreshRequest().start()
    }
    #expect(port.log == ["load", "load"])
  }

  @Test("A receipt request keeps its properties, and is finished or failed")
  func receipts() {
    let request = SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
    #expect(request.receiptProperties?["expired"] as? Bool == true)
    #expect(SKReceiptRefreshRequest().receiptProperties == nil)
    for succeeds in [true, false] {
      stage.run {
        request.delegate = asker
        request.start()
      }
      stage.run { port.answerRefresh(succeeds) }
    }
    #expect(asker.notes == ["finished", "failed"])
  }

  @Test("A product shows what the catalogue has of it, and one that is none shows nothing")
  func products() {
    let product = SKProduct(port.catalogue[1])
    #expect(product.productIdentifier == "no.ads" && product.localizedTitle == "No ads")
    #expect(product.localizedDescription == "For ever")
    #expect(product.price.decimalValue == Decimal(499) / 100)
    #expect(product.priceLocale.currency?.identifier == "USD")
    let none = SKProduct()
    #expect(none.productIdentifier + none.localizedTitle + none.localizedDescription == "")
    #expect(none.price.decimalValue == 0)
    #expect(SKProductsResponse().products == [])
    #expect(SKProductsResponse().invalidProductIdentifiers == [])
    let payment = SKPayment(product: product)
    #expect(payment.productIdentifier == "no.ads" && payment.quantity == 1)
    #expect(payment.applicationUsername == nil && payment.requestData == nil)
  }

  @Test("Payments differ in whatever they ask for, and equal ones have one hash")
  func payments() {
    func payment(_ change: (SKMutablePayment) -> Void) -> SKMutablePayment {
      let payment = SKMutablePayment()
      payment.productIdentifier = "coins.100"
      change(payment)
      return payment
    }
    let one = payment { _ in }
    #expect(one.isEqual(SKPayment(productIdentifier: "coins.100")))
    #expect(one.hash == SKPayment(productIdentifier: "coins.100").hash)
    let others = [
      payment { $0.productIdentifier = "no.ads" }, payment { $0.quantity = 2 },
      payment { $0.applicationUsername = "anna" }, payment { $0.requestData = Data([1]) },
      payment { $0.simulatesAskToBuyInSandbox = true },
    ]
    #expect(!others.contains { $0 == one })
    #expect(!one.isEqual("coins.100") && !one.isEqual(nil))
    let copies = others.compactMap { $0.copy() as? SKPayment }
    #expect(copies.count == others.count)
    #expect(zip(copies, others).allSatisfy { $0.isEqual($1) })
    #expect(!copies.contains { $0 is SKMutablePayment })
    #expect(others[3].requestData == Data([1]) && others[4].simulatesAskToBuyInSandbox)
  }

  @Test("A discount stays on the payment it was set on, and reads back as it was made")
  func discounts() {
    let nonce = UUID()
    let discount = SKPaymentDiscount(
      identifier: "offer", keyIdentifier: "key", nonce: nonce, signature: "signed", timestamp: 7)
    #expect(discount.identifier == "offer" && discount.keyIdentifier == "key")
    #expect(discount.nonce == nonce && discount.signature == "signed" && discount.timestamp == 7)
    let payment = SKMutablePayment()
    payment.paymentDiscount = discount
    #expect(payment.paymentDiscount === discount)
    #expect((payment.mutableCopy() as? SKMutablePayment)?.paymentDiscount === discount)
    #expect((payment.copy() as? SKPayment)?.paymentDiscount === discount)
    #expect(SKPayment().paymentDiscount == nil)
  }

  @Test("The short names of errors stand for StoreKit's numbers, in its order")
  func codes() {
    let codes: [SKError.Code] = [
      SKError.unknown, SKError.clientInvalid, SKError.paymentCancelled, SKError.paymentInvalid,
      SKError.paymentNotAllowed, SKError.storeProductNotAvailable,
      SKError.cloudServicePermissionDenied, SKError.cloudServiceNetworkConnectionFailed,
      SKError.cloudServiceRevoked, SKError.privacyAcknowledgementRequired,
      SKError.unauthorizedRequestData, SKError.invalidOfferIdentifier, SKError.invalidSignature,
      SKError.missingOfferParams, SKError.invalidOfferPrice, SKError.overlayCancelled,
      SKError.overlayInvalidConfiguration, SKError.overlayTimeout, SKError.ineligibleForOffer,
      SKError.unsupportedPlatform, SKError.overlayPresentedInBackgroundScene,
    ]
    #expect(codes.map(\.rawValue) == Array(0...20))
    #expect(codes.map { (SKError($0) as NSError).code } == Array(0...20))
  }

  @Test("An error matches its own code only, and says in words which it is")
  func matching() {
    #expect(!(SKError.paymentCancelled ~= SKError(.paymentInvalid)))
    #expect(!(SKError.paymentCancelled ~= NSError(domain: SKErrorDomain, code: 3)))
    let error = SKError(.paymentInvalid)
    #expect(error.localizedDescription.contains("paymentInvalid"))
    #expect((error as NSError).localizedDescription == error.localizedDescription)
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == error.localizedDescription)
    let named = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "No luck", "other": 1])
    #expect(named.localizedDescription == "No luck" && named.errorUserInfo.count == 1)
    #expect(SKError.errorDomain == "SKErrorDomain")
  }
}

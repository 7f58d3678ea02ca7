import Foundation
import Testing

@testable import StoreKit

@Suite("StoreKit 1 code")
struct StoreKit1Tests {
  let stage = Stage()
  let manager = PaymentManager()
  var port: FakePort { stage.port }

  private func load() {
    stage.run {
      manager.start()
      manager.load(["coins.100", "no.ads", "nothing", "at.all"])
    }
    stage.run { port.answerProducts() }
  }

  @Test("An SKProductsRequest brings products with prices, and says which identifiers are none")
  func products() {
    load()
    #expect(manager.log == ["products loaded"])
    #expect(manager.invalid == ["at.all", "nothing"])
    stage.run {
      #expect(manager.products["coins.100"].flatMap(manager.price) == "$0.99")
    }
    #expect(port.log == ["observe", "load"])
  }

  @Test("A payment is called back as purchasing, purchased and removed")
  func purchase() {
    load()
    stage.run { manager.buy("coins.100", user: "anna") }
    #expect(manager.log.last == "purchasing coins.100")
    stage.deliver(.of("coins.100", id: 7, username: "anna"))
    #expect(
      manager.log == [
        "products loaded", "purchasing coins.100", "purchased coins.100 7", "removed coins.100",
      ])
    #expect(port.log == ["observe", "load", "add 1 coins.100 anna", "finish 7"])
    stage.run { #expect(SKPaymentQueue.default().transactions == []) }
  }

  @Test("A failed payment has an error that is an SKError and an NSError, and no identifier")
  func failure() {
    load()
    manager.onFailure = { [stage] error in
      stage.note("\((error as NSError).domain) \((error as? SKError)?.code == .unknown)")
    }
    stage.run { manager.buy("coins.100", user: "anna") }
    stage.deliver(.of("coins.100", id: 0, state: .failed, username: "anna"))
    #expect(stage.notes == ["SKErrorDomain true"])
    #expect(manager.log.suffix(2) == ["failed coins.100 0", "removed coins.100"])
    let failed = SKPaymentTransaction(.of("coins.100", id: 0, state: .failed))
    #expect(failed.transactionIdentifier == nil && failed.transactionDate == nil)
  }

  @Test("Errors of StoreKit 1 match by code, whether they come as an SKError or as an NSError")
  func errors() {
    let cancelled: any Error = SKError(.paymentCancelled)
    #expect((cancelled as NSError).code == SKError.paymentCancelled.rawValue)
    #expect(SKError.paymentCancelled ~= cancelled)
    #expect(SKError.paymentCancelled ~= NSError(domain: SKErrorDomain, code: 2))
    #expect(!(SKError.paymentCancelled ~= NSError(domain: "Other", code: 2)))
    let named = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "No luck"])
    #expect((named as NSError).localizedDescription == "No luck")
  }

  @Test(
    "What was not finished comes back after a launch, as a payment that this process did not make")
  func redelivery() {
    stage.run { manager.start() }
    var names: [String?] = []
    manager.onPurchase = { _, _ in
      names.append(SKPaymentQueue.default().transactions[0].payment.applicationUsername)
    }
    stage.deliver(.of("coins.100", id: 3, username: nil))
    stage.deliver(.of("coins.100", id: 3, username: "anna"))
    #expect(names == [nil, "anna"])
    #expect(port.log.filter { $0 == "finish 3" }.count == 2)
  }

  @Test("A transaction is one object, from purchasing until it is finished")
  func identity() {
    let observer = Keeper()
    stage.run {
      SKPaymentQueue.default().add(observer)
      SKPaymentQueue.default().add(observer)
      SKPaymentQueue.default().add(SKPayment(productIdentifier: "coins.100"))
    }
    stage.deliver(.of("coins.100", id: 4))
    stage.deliver(.of("coins.100", id: 4))
    #expect(observer.seen.count == 3)
    #expect(Set(observer.seen.map(ObjectIdentifier.init)).count == 1)
    #expect(observer.seen[0].transactionState == .purchased)
    stage.run { SKPaymentQueue.default().finishTransaction(observer.seen[0]) }
    stage.run { SKPaymentQueue.default().finishTransaction(observer.seen[0]) }
    #expect(port.log == ["observe", "add 1 coins.100 -", "finish 4"])
  }

  @Test("A restored transaction is none of the app's payments, though one for that product waits")
  func restoredBesidePayment() {
    let observer = Keeper()
    stage.run {
      SKPaymentQueue.default().add(observer)
      SKPaymentQueue.default().add(SKPayment(productIdentifier: "no.ads"))
    }
    stage.deliver(.of("no.ads", id: 9, originalID: 2, state: .restored))
    stage.deliver(.of("no.ads", id: 10))
    #expect(observer.seen.map(\.transactionState) == [.purchased, .restored, .purchased])
    #expect(observer.seen[0] === observer.seen[2])
    #expect(observer.seen[1] !== observer.seen[0])
    #expect(observer.seen[1].original?.transactionIdentifier == "2")
    stage.kill()
  }

  @Test("Restoring with StoreKit 1 ends with whether it succeeded")
  func restore() {
    stage.run {
      manager.start()
      manager.restore()
    }
    stage.deliver(.of("no.ads", id: 9, originalID: 2, state: .restored))
    stage.run { port.answerRestore(true) }
    stage.run { manager.restore() }
    stage.run { port.answerRestore(false) }
    #expect(
      manager.log == [
        "restored no.ads 2", "removed no.ads", "restore finished", "restore failed 0",
      ])
  }

  @Test("An SKReceiptRefreshRequest brings a receipt that is read from the file")
  func receipt() {
    stage.run {
      #expect(manager.receipt == nil)
      manager.refreshReceipt()
    }
    port.receipt = Data("bytes".utf8)
    stage.run { port.answerRefresh(true) }
    stage.run { #expect(manager.receipt == Data("bytes".utf8)) }
    stage.run { manager.refreshReceipt() }
    stage.run { port.answerRefresh(false) }
    #expect(manager.log == ["receipt refreshed", "request failed: SKErrorDomain 0"])
    #expect(port.log == ["receipt", "refresh", "receipt", "refresh"])
  }

  @Test("Finishing a transaction that is being bought, or buying nothing, is noted")
  func complaints() {
    stage.run {
      let queue = SKPaymentQueue.default()
      queue.add(SKPayment(productIdentifier: "coins.100"))
      queue.finishTransaction(queue.transactions[0])
      queue.add(SKPayment())
    }
    #expect(port.log == ["add 1 coins.100 -"])
    #expect(stage.session.complaints.count == 2)
    #expect(stage.session.complaints[0].hasPrefix("SKPaymentQueue.finishTransaction: the purchase"))
    #expect(stage.session.complaints[1].hasPrefix("SKPaymentQueue.add: a payment for 1 of \"\""))
  }

  @Test("An observer that is removed or gone is not called back, and the queue keeps none alive")
  func observers() {
    var gone: Keeper? = Keeper()
    stage.run {
      manager.start()
      SKPaymentQueue.default().add(gone!)
    }
    weak let last = gone
    gone = nil
    #expect(last == nil)
    stage.deliver(.of("coins.100", id: 1))
    #expect(manager.log.first == "purchased coins.100 1")
    stage.run { manager.stop() }
    let before = manager.log
    stage.deliver(.of("coins.100", id: 2))
    #expect(manager.log == before)
  }

  @Test("The phone is observed until the last observer goes, and again from the next on")
  func attachment() {
    let other = Keeper()
    stage.run {
      manager.start()
      SKPaymentQueue.default().add(other)
      manager.stop()
      manager.stop()
    }
    #expect(port.log == ["observe"])
    stage.run { SKPaymentQueue.default().remove(other) }
    stage.run { manager.start() }
    #expect(port.log == ["observe", "unobserve", "observe"])
  }

  @Test("A request that was cancelled calls nobody")
  func cancelledRequests() {
    let delegate = Delegate()
    stage.run {
      let request = SKProductsRequest(productIdentifiers: ["coins.100"])
      request.delegate = delegate
      request.start()
      request.cancel()
    }
    stage.run { port.answerProducts() }
    #expect(delegate.answers == 0)
  }

  @Test(
    "A request that the app has not kept is answered, unless the device loses it; one that it keeps always"
  )
  func unkeptRequests() {
    for (isLost, isKept) in [(false, false), (true, false), (true, true)] {
      let delegate = Delegate()
      port.losesRequest = isLost
      var kept: SKProductsRequest?
      stage.run {
        let request = SKProductsRequest(productIdentifiers: ["coins.100"])
        request.delegate = delegate
        request.start()
        if isKept { kept = request }
      }
      stage.run { port.answerProducts() }
      withExtendedLifetime(kept) {}
      #expect(delegate.answers == (isLost && !isKept ? 0 : 1), "lost \(isLost), kept \(isKept)")
    }
  }

  @Test(
    "The queue is inert from the call on that killed its process, and calls nobody in the next one")
  func death() {
    load()
    port.diesIn = "finish"
    stage.deliver(.of("coins.100", id: 1))
    #expect(manager.log == ["products loaded", "purchased coins.100 1"])
    stage.run { manager.buy("coins.100", user: "anna") }
    stage.run { manager.restore() }
    stage.deliver(.of("coins.100", id: 2))
    #expect(port.log == ["observe", "load", "finish 1"])
    stage.kill()
    #expect(manager.log == ["products loaded", "purchased coins.100 1"])

    let next = Stage()
    next.run { #expect(SKPaymentQueue.default().transactionObservers.isEmpty) }
    next.run { #expect(SKPaymentQueue.default() !== stage.session.queue) }
  }

  @Test("Payments are equal if they ask for the same")
  func payments() {
    let one = SKMutablePayment()
    one.quantity = 2
    one.applicationUsername = "anna"
    #expect(one.copy() as? SKPayment == one)
    let other = one.mutableCopy() as? SKMutablePayment
    other?.quantity = 3
    #expect(other != one && one.quantity == 2)
  }

  @Test("There is nothing to download")
  func downloads() {
    let download = SKDownload()
    #expect(SKPaymentTransaction(.of("no.ads", id: 1)).downloads == [])
    #expect(download.state == .waiting && download.progress == 0)
    #expect(download.contentURL == nil && download.error == nil)
    #expect(download.contentIdentifier + download.contentVersion == "")
    #expect(download.expectedContentLength == 0)
    #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
    #expect(download.transaction.transactionIdentifier == nil)
  }
}

/// Keeps what it is called back with, and finishes nothing.
private final class Keeper: NSObject, SKPaymentTransactionObserver {
  var seen: [SKPaymentTransaction] = []

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    seen += transactions
  }
}

private final class Delegate: NSObject, SKProductsRequestDelegate {
  var answers = 0

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    answers += 1
  }

  @Test("An NSError of StoreKit's domain becomes an SKError with its code and words")
  func bridging() {
    let words = [NSLocalizedDescriptionKey: "no"]
    let error = SKError(_nsError: NSError(domain: SKErrorDomain, code: 2, userInfo: words))
    #expect(error.code == .paymentCancelled && error.localizedDescription == "no")
    #expect(SKError(_nsError: NSError(domain: SKErrorDomain, code: 999)).code == .unknown)
    let refund: any Error = Transaction.RefundRequestError.duplicateRequest
    #expect(refund.localizedDescription == "A refund was requested before.")
  }
}

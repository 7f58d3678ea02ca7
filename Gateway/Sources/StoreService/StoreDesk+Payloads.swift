import ChaosStore
import Foundation
import Invariants

/// What the store knows, as Apple says it.
extension StoreDesk {
  func product(_ id: ProductID) -> Setup.Product { books.products[id.index] }

  /// The group of a subscription, by the first product of it; nil for what is none.
  func group(of id: ProductID) -> String? {
    guard let renewal = product(id).renewal else { return nil }
    let place = books.products.firstIndex { $0.renewal?.group == renewal.group }
    return Names.group(renewal.group == nil ? id.index : place ?? id.index)
  }

  func price(of id: ProductID) -> Int { app.prices[product(id).name] ?? 990 }

  /// Apple's name of what a product is.
  static func type(_ product: Setup.Product) -> String {
    switch product.kind {
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    case .nonRenewing: "Non-Renewing Subscription"
    case .autoRenewable: "Auto-Renewable Subscription"
    }
  }

  /// A transaction, as Apple vouches for it.
  func payload(_ purchase: VerifiedPurchase, signedMillis: Int64) -> TransactionPayload? {
    guard let charge = books.charge(purchase.transaction) else { return nil }
    let environment = purchase.environment
    let id = Names.transaction(purchase.transaction, environment)
    let isBack = purchase.refunded > 0
    let offer = purchase.offer
    return TransactionPayload(
      transactionId: id,
      originalTransactionId: Names.transaction(charge.original, environment),
      webOrderLineItemId: purchase.isSubscription ? Names.lineItem(purchase.transaction) : nil,
      bundleId: app.bundle, productId: product(purchase.product).name,
      subscriptionGroupIdentifier: group(of: purchase.product),
      purchaseDate: date(charge.chargedMillis), originalPurchaseDate: date(charge.originalMillis),
      expiresDate: charge.expiresMillis.map(date), quantity: Int(clamping: purchase.quantity),
      type: Self.type(product(purchase.product)),
      appAccountToken: names.uuid(purchase.token)?.uuidString.lowercased(),
      inAppOwnershipType: purchase.isShared ? "FAMILY_SHARED" : "PURCHASED",
      signedDate: date(signedMillis),
      revocationDate: isBack ? charge.revokedMillis.map(date) : nil,
      revocationReason: isBack ? 0 : nil,
      revocationType: !isBack
        ? nil
        : purchase.isShared
          ? "FAMILY_REVOKE" : purchase.isRefunded ? "REFUND_FULL" : "REFUND_PRORATED",
      revocationPercentage: isBack && !purchase.isShared ? purchase.refunded * 100 : nil,
      isUpgraded: charge.isUpgraded ? true : nil,
      offerType: offer.map { Int(clamping: $0.kind.rawValue) },
      offerIdentifier: offer.flatMap { name(of: $0, purchase.product) },
      offerDiscountType: offer.map { Self.discount($0.payment) }, environment: environment.name,
      storefront: purchase.isElsewhere ? "FRA" : "USA",
      storefrontId: purchase.isElsewhere ? "143442" : "143441",
      transactionReason: purchase.isRenewal ? "RENEWAL" : "PURCHASE", currency: "USD",
      price: offer?.payment == .freeTrial
        ? 0 : price(of: purchase.product) * Int(clamping: purchase.quantity),
      appTransactionId: Names.appTransaction(charge.storeAccount))
  }

  private func name(of offer: RedeemedOffer, _ id: ProductID) -> String? {
    guard let offers = product(id).renewal?.offers, offer.position > 0,
      offer.position <= offers.count
    else { return nil }
    return offers[Int(clamping: offer.position) - 1].name
  }

  private static func discount(_ payment: Setup.Product.Offer.Payment) -> String {
    switch payment {
    case .freeTrial: "FREE_TRIAL"
    case .payAsYouGo: "PAY_AS_YOU_GO"
    case .payUpFront: "PAY_UP_FRONT"
    }
  }

  /// How a subscription goes on.
  func payload(
    _ status: SubscriptionStatus, _ environment: Environment, signedMillis: Int64
  ) -> RenewalPayload {
    let charge = books.charge(status.latest)
    let offer = status.renewalOffer
    let isOver = status.state == .expired || status.state == .billingRetry
    return RenewalPayload(
      originalTransactionId: Names.transaction(status.original, environment),
      autoRenewProductId: product(status.renewalProduct).name,
      productId: product(status.product).name, autoRenewStatus: status.renews ? 1 : 0,
      renewalPrice: status.renews ? price(of: status.renewalProduct) : nil,
      currency: status.renews ? "USD" : nil,
      expirationIntent: !isOver
        ? nil : status.isUnpaid ? 2 : status.priceConsent == .pending ? 3 : 1,
      gracePeriodExpiresDate: status.state == .gracePeriod ? date(status.untilMillis) : nil,
      isInBillingRetryPeriod: status.isUnpaid ? true : nil,
      offerType: offer.map { Int(clamping: $0.kind.rawValue) },
      offerIdentifier: offer.flatMap { name(of: $0, status.renewalProduct) },
      offerDiscountType: offer.map { Self.discount($0.payment) },
      priceIncreaseStatus: status.priceConsent == .none
        ? nil : status.priceConsent == .agreed ? 1 : 0,
      recentSubscriptionStartDate: date(status.recentStartMillis),
      renewalDate: status.renews ? charge?.expiresMillis.map(date) : nil,
      signedDate: date(signedMillis), environment: environment.name,
      appAccountToken: charge.flatMap { names.uuid($0.purchase.token)?.uuidString.lowercased() },
      appTransactionId: charge.map { Names.appTransaction($0.storeAccount) })
  }

  /// A notification.
  func payload(_ notification: StoreNotification) throws -> NotificationPayload {
    let environment = notification.environment
    let millis = notification.signedMillis
    var content = NotificationPayload.Content(
      appAppleId: environment == .production ? app.id : nil, bundleId: app.bundle,
      bundleVersion: app.version, environment: environment.name)
    if notification.kind != .test,
      let transaction = payload(notification.purchase, signedMillis: millis)
    {
      content.signedTransactionInfo = try sign(transaction)
    }
    if let status = notification.status {
      content.status = Int(clamping: status.state.rawValue)
      content.signedRenewalInfo = try sign(payload(status, environment, signedMillis: millis))
    }
    if notification.kind == .consumptionRequest {
      content.consumptionRequestReason = "UNINTENDED_PURCHASE"
    }
    return NotificationPayload(
      notificationType: notification.kind.name, subtype: notification.subtype?.name,
      notificationUUID: names.notification(notification.number).uuidString.lowercased(),
      signedDate: date(millis), data: content)
  }

  /// JWSTransaction of a transaction as it stands now.
  func signedNow(_ id: TransactionID) throws -> String? {
    guard let charge = books.charge(id),
      let payload = payload(charge.purchase, signedMillis: books.now)
    else { return nil }
    return try sign(payload)
  }
}

import Invariants

extension Setup.Product {
  /// Other terms for the first periods that somebody pays for.
  ///
  /// Source: Apple, App Store Connect Help, Set up introductory offers, promotional offers, offer codes and win-back
  /// offers.
  public struct Offer: Sendable, Hashable {
    /// For whom it is, numbered as Apple's offerType.
    public enum Kind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
      /// Taken by itself in each group once, by who is not subscribed in it.
      case introductory = 1
      /// Made by the app, with a signature, to who is subscribed in the group or was.
      case promotional
      /// A code, given to anybody and redeemed in the App Store or in the app.
      case code
      /// To who was subscribed in the group and is no more.
      case winBack

      /// What a scenario file calls it.
      public var name: String {
        switch self {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .code: "code"
        case .winBack: "win-back"
        }
      }
    }

    /// How it is paid. Apple: offerDiscountType.
    public enum Payment: UInt8, Sendable, CaseIterable, BitwiseCopyable {
      /// Not at all.
      case freeTrial
      /// Less, in each period of the offer.
      case payAsYouGo
      /// Once, for all of it.
      case payUpFront

      /// What a scenario file calls it.
      public var name: String {
        switch self {
        case .freeTrial: "free-trial"
        case .payAsYouGo: "pay-as-you-go"
        case .payUpFront: "pay-up-front"
        }
      }
    }

    /// What steps and apps call it; nil for an introductory one, and only for that.
    public var name: String?
    /// For whom it is.
    public var kind: Kind
    /// How it is paid.
    public var payment: Payment
    /// How long each of its payments lasts, or what is free.
    public var period: Period
    /// How many such periods there are, one payment each; 1 unless it is paid as one goes.
    public var periods: Int

    /// An offer; of one period unless more are given.
    public init(
      _ name: String?, _ kind: Kind, _ payment: Payment, _ period: Period, periods: Int = 1
    ) {
      self.name = name
      self.kind = kind
      self.payment = payment
      self.period = period
      self.periods = periods
    }
  }
}

/// The offer with which a charge was made, or the next one will be. Apple: offerType, offerIdentifier and
/// offerDiscountType.
public struct RedeemedOffer: Equatable, Sendable, BitwiseCopyable {
  /// For whom it was.
  public let kind: Setup.Product.Offer.Kind
  /// How it is paid.
  public let payment: Setup.Product.Offer.Payment
  /// Its place among the offers of the product, from 1.
  public let position: UInt8
}

/// Offers, as the App Store makes them: it decides whose they are.
extension World {
  /// An offer of a product by its place, from 1.
  func offer(_ position: UInt8, of product: ProductID) -> Setup.Product.Offer? {
    guard position > 0, let offers = setup.products[product.index].renewal?.offers,
      position <= offers.count
    else { return nil }
    return offers[Int(position) - 1]
  }

  /// The same, as whoever looks at a charge is told of it.
  func redeemed(_ position: UInt8, of product: ProductID) -> RedeemedOffer? {
    offer(position, of: product).map {
      RedeemedOffer(kind: $0.kind, payment: $0.payment, position: position)
    }
  }

  /// Whether an offer that was asked for is for this store account.
  func isEligible(
    _ account: StoreAccountID, for position: UInt8, of product: ProductID
  ) -> Bool {
    guard let offer = offer(position, of: product) else { return false }
    let known = subscription(inGroupOf: product, of: account)
    return switch offer.kind {
    case .introductory: isNewcomer(account, inGroupOf: product)
    case .promotional: known != nil
    case .code: true
    case .winBack: known.map { !subscriptions[$0].state.isUsable } ?? false
    }
  }

  /// Whether the introductory offers of a product's group are for this store account: it is not subscribed there,
  /// and has had none.
  ///
  /// Source: Apple, Implementing introductory offers in your app.
  func isNewcomer(_ account: StoreAccountID, inGroupOf product: ProductID) -> Bool {
    var row = storeAccounts[account].first
    while row != .none {
      let purchase = purchases.at(row)
      if purchase.pointee.subscription != .none, isOneGroup(purchase.pointee.product, product) {
        if subscriptions[purchase.pointee.subscription].state.isUsable { return false }
        let taken = offer(purchase.pointee.offer, of: purchase.pointee.product)
        if taken?.kind == .introductory { return false }
      }
      row = purchase.pointee.next
    }
    return true
  }

  /// A product is charged for whose introductory offer may be for whoever pays, who asked for no other.
  mutating func takeIntroduction(_ row: TransactionID) {
    let purchase = purchases[row]
    guard purchase.offer == 0,
      let offers = setup.products[purchase.product.index].renewal?.offers,
      let place = offers.firstIndex(where: { $0.kind == .introductory }),
      isNewcomer(purchase.storeAccount, inGroupOf: purchase.product)
    else { return }
    purchases[row].offer = UInt8(place + 1)
  }

  /// Who asks for an offer that is not for them is not charged.
  mutating func refusesOffer(_ row: TransactionID, _ device: DeviceID) -> Bool {
    let purchase = purchases[row]
    guard purchase.offer > 0,
      !isEligible(purchase.storeAccount, for: purchase.offer, of: purchase.product)
    else { return false }
    purchases[row].flags.insert(.failed)
    let isKnown = offer(purchase.offer, of: purchase.product) != nil
    let error: PaymentError = isKnown ? .ineligibleForOffer : .invalidOffer
    purchases[row].error = error.rawValue
    link(row)
    announceFailure(row, device)
    return true
  }

  /// Somebody who is subscribed has redeemed an offer, with which the next periods are paid for.
  mutating func redeem(_ position: UInt8, of product: ProductID, in id: SubscriptionID) {
    subscriptions[id].nextOffer = position
    let latest = subscriptions[id].latest
    notify(.offerRedeemed, latest, product == purchases[latest].product ? nil : .downgrade)
  }

  /// How a fact says with which kind of offer a charge was made, or that somebody of the family has paid; 0 where
  /// it is neither.
  func termsAmount(_ row: TransactionID) -> UInt32 {
    if _slowPath(purchases[row].flags.contains(.shared)) { return 5 }
    guard _slowPath(makesOffers) else { return 0 }
    return UInt32(offer(purchases[row].offer, of: purchases[row].product)?.kind.rawValue ?? 0)
  }

  /// With which offer the next period is paid for; 0 for none.
  func offerOfRenewal(_ id: SubscriptionID) -> UInt8 {
    let row = subscriptions[id]
    if row.nextOffer > 0 { return row.nextOffer }
    return row.offerPeriods > 0 ? purchases[row.latest].offer : 0
  }

  /// A charge was made with an offer, or without; counts what is left of it.
  mutating func countOffer(_ position: UInt8, of product: ProductID, in id: SubscriptionID) {
    let isNew = subscriptions[id].nextOffer > 0 || subscriptions[id].offerPeriods == 0
    if isNew {
      let periods = offer(position, of: product)?.periods ?? 1
      subscriptions[id].offerPeriods = UInt8(periods - 1)
    } else {
      subscriptions[id].offerPeriods -= 1
    }
    subscriptions[id].nextOffer = 0
  }
}

extension Phone {
  /// Whether the introductory offer of a product is for whoever pays on this phone. StoreKit 2:
  /// `isEligibleForIntroOffer`.
  public func isEligibleForIntroductoryOffer(of product: ProductID) -> Bool {
    guard isAlive, world.setup.products.indices.contains(product.index),
      world.setup.products[product.index].renewal != nil
    else { return false }
    world.looksAtStore = true
    return world.isNewcomer(world.devices[device].storeAccount, inGroupOf: product)
  }
}

import Invariants

/// A subscription of a store account, with its last transaction.
///
/// StoreKit 2: `Product.SubscriptionInfo.Status`, with its renewal info.
public struct HeldSubscription: Equatable, Sendable, BitwiseCopyable {
  /// What the App Store says of it.
  public internal(set) var status: SubscriptionStatus
  /// The last transaction that was made for it.
  public internal(set) var transaction: PaymentTransaction
}

/// What the App Store has to say to an app that runs, beside transactions.
///
/// An app hears of what it follows, see ``Phone/follow(_:)``, and only while it runs. None of it comes again at the
/// next launch, but for ``billingIssue`` and ``priceIncrease`` while there is one.
public enum StoreNews: Sendable, BitwiseCopyable {
  /// Something has become of a subscription. StoreKit 2: `Product.SubscriptionInfo.Status.updates`.
  case subscription(HeldSubscription)
  /// All the money for a non-consumable or a subscription was given back. StoreKit 1:
  /// `didRevokeEntitlementsForProductIdentifiers`.
  case revoked(ProductID)
  /// A renewal cannot be paid for. StoreKit 2: a `Message` for the reason `billingIssue`.
  case billingIssue
  /// A subscription is to cost more, and whoever pays has not agreed yet. StoreKit 2: a `Message` for the reason
  /// `priceIncreaseConsent`.
  case priceIncrease
  /// Somebody has tapped a product on the app's page in the App Store, which opened the app. StoreKit 2:
  /// `PurchaseIntent`; StoreKit 1: `shouldAddStorePayment`.
  case wish(Tap)

  /// What an app can follow.
  public struct Kinds: OptionSet, Sendable, BitwiseCopyable {
    /// One bit for each kind.
    public let rawValue: UInt8
    /// The kinds with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// ``StoreNews/subscription(_:)``.
    public static let subscriptions = Kinds(rawValue: 1)
    /// ``StoreNews/revoked(_:)``.
    public static let revocations = Kinds(rawValue: 2)
    /// ``StoreNews/billingIssue``.
    public static let billingIssues = Kinds(rawValue: 4)
    /// ``StoreNews/wish(_:)``. One that came before the app followed is heard of then.
    public static let wishes = Kinds(rawValue: 8)
    /// ``StoreNews/priceIncrease``.
    public static let priceIncreases = Kinds(rawValue: 16)
  }
}

extension World {
  /// Phones of a purchase's store account whose app follows such news are told, and no others.
  mutating func tell(_ kind: StoreNews.Kinds, about row: TransactionID) {
    var device = storeAccounts[purchases[row].storeAccount].firstDevice
    while device != .none {
      if devices[device].follows.contains(kind) {
        schedule(
          .news(kind, row, to: device, life: devices[device].life),
          after: decisions.delay(.delayCallback, who(purchase: row)))
      }
      device = devices[device].nextOfAccount
    }
  }

  /// Something has become of the subscription that a charge belongs to.
  mutating func tellOfSubscription(_ row: TransactionID, isUnpaid: Bool) {
    guard purchases[row].subscription != .none else { return }
    tell(.subscriptions, about: row)
    if isUnpaid { tell(.billingIssues, about: row) }
  }

  /// An app wants to hear of more.
  mutating func follow(_ kinds: StoreNews.Kinds, _ device: DeviceID) {
    let new = kinds.subtracting(devices[device].follows)
    devices[device].follows.formUnion(kinds)
    isHeard = true
    if new.contains(.wishes), devices[device].heldWish != .none { offerWish(device) }
    if new.contains(.billingIssues) { remind(device, of: .billingIssues) { $0.isUnpaid } }
    if new.contains(.priceIncreases) {
      remind(device, of: .priceIncreases) { $0.priceConsent == .pending && $0.renews }
    }
  }

  /// What is still so is said to an app that has begun to follow it.
  private mutating func remind(
    _ device: DeviceID, of kind: StoreNews.Kinds, where isSo: (SubscriptionStatus) -> Bool
  ) {
    for held in heldSubscriptions(device) where isSo(held.status) {
      return schedule(
        .news(kind, held.transaction.row, to: device, life: devices[device].life),
        after: decisions.delay(.delayCallback, who(purchase: held.transaction.row)))
    }
  }

  /// A scripted tap on the app's page in the App Store, which opens the app. Nil if there is nothing for it to do now.
  mutating func promote(step index: StepID) -> TapCall? {
    let step = setup.steps[index.index]
    guard case .buyPromoted(let product, let account) = step.action else { return nil }
    let device = DeviceID(index: step.device)
    guard isReady(device, orAgain: .step(index)) else { return nil }
    let key = Subject.transaction(origin(ofStep: index)).key
    let call = beginTap(
      addIntent(
        key: key, device: device, account: AccountID(index: account),
        product: ProductID(index: product), quantity: 1))
    devices[device].heldWish = call.tap.intent
    if devices[device].follows.contains(.wishes) { offerWish(device) }
    return call
  }

  private mutating func offerWish(_ device: DeviceID) {
    let wish = devices[device].heldWish
    devices[device].heldWish = .none
    schedule(
      .wish(wish, to: device, life: devices[device].life),
      after: decisions.delay(.delayCallback, who(intent: wish)))
  }

  /// What an app hears now; nil where that is nothing any more.
  mutating func news(_ event: Event) -> StoreNews? {
    let kind = StoreNews.Kinds(rawValue: event.tag)
    if kind == .wishes { return .wish(tapValue(event.intent)) }
    if waits(event, for: event.phone) { return nil }
    switch kind {
    case .revocations: return .revoked(purchases[event.transaction].product)
    case .billingIssues: return .billingIssue
    case .priceIncreases: return .priceIncrease
    default:
      return heldSubscription(purchases[event.transaction].subscription).map { .subscription($0) }
    }
  }

  private mutating func heldSubscription(_ id: SubscriptionID) -> HeldSubscription? {
    guard id != .none, let status = status(ofSubscription: subscriptions[id].latest) else {
      return nil
    }
    return HeldSubscription(status: status, transaction: transaction(status.latest, .purchased))
  }

  /// The subscriptions of a phone's store account, the one that began last first.
  mutating func heldSubscriptions(_ device: DeviceID) -> [HeldSubscription] {
    var found: [SubscriptionID] = []
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .none {
      let purchase = purchases.at(row)
      let id = purchase.pointee.subscription
      if id != .none, isKnown(row, to: device), !found.contains(id) { found.append(id) }
      row = purchase.pointee.next
    }
    return found.compactMap { heldSubscription($0) }
  }
}

extension Phone {
  /// From now on, until this process ends, the app is told such news by ``PurchaseApp/heard(_:_:)``.
  public func follow(_ kinds: StoreNews.Kinds) {
    guard isAlive else { return }
    world.looksAtStore = true
    world.follow(kinds, device)
  }

  /// The subscriptions that this store account has or had, the newest first. StoreKit 2:
  /// `Product.SubscriptionInfo.status`.
  public var subscriptions: [HeldSubscription] {
    guard isAlive, world.sellsSubscriptions else { return [] }
    world.looksAtStore = true
    return world.heldSubscriptions(device)
  }

  /// Whether there can be any news beside transactions.
  package var hasNews: Bool { world.isWholeStore || world.setup.promotes }
}

import Invariants

/// What a scenario comes down to for the world: who is there, what happens, what may go wrong.
public struct Setup: Sendable, Equatable {
  /// A phone.
  public struct Device: Sendable, Equatable {
    /// The Apple account that pays on it, from 0.
    public var storeAccount: Int
    /// Who is logged in when the history begins, from 0.
    public var account: Int
    /// Whether it pays (production) or tests (sandbox).
    public var environment: Environment

    /// A phone; the first users of both kinds, and production, unless others are named.
    public init(storeAccount: Int = 0, account: Int = 0, environment: Environment = .production) {
      self.storeAccount = storeAccount
      self.account = account
      self.environment = environment
    }
  }

  /// Something that is sold.
  public struct Product: Sendable, Equatable {
    /// What becomes of it once it is bought.
    public enum Kind: Sendable, Hashable {
      /// Used up, and bought again.
      case consumable
      /// Owned for good.
      case nonConsumable
      /// A subscription that ends and is not renewed: it is bought again, and how long it lasts only whoever sells it
      /// knows. StoreKit goes on showing each purchase.
      case nonRenewing
      /// Paid for again after each period, until somebody turns that off or a payment fails.
      case autoRenewable(Renewal)
    }

    /// How a subscription is renewed.
    public struct Renewal: Sendable, Hashable {
      /// How long each payment lasts.
      public var period: Period
      /// For how many days somebody whose payment failed keeps what they had (Apple: 3, 16 or 28); 0 for none.
      public var graceDays: Int
      /// The group of which somebody has one subscription at a time; nil for one of its own.
      public var group: String?
      /// Its place in the group: 1 is the highest, and several can have one.
      public var level: Int
      /// Other terms for first periods; no two have one name, and at most one is introductory.
      public var offers: [Offer]

      /// A period, and no grace, no group, the highest level and no offers unless they are given.
      public init(
        _ period: Period, graceDays: Int = 0, group: String? = nil, level: Int = 1,
        offers: [Offer] = []
      ) {
        self.period = period
        self.graceDays = graceDays
        self.group = group
        self.level = level
        self.offers = offers
      }
    }

    /// What steps and stories call it; no two products have one name.
    public var name: String
    /// What becomes of it once it is bought.
    public var kind: Kind
    /// Whether the family of whoever buys it has it as well; only of what is owned for good or renewed.
    public var isFamilyShareable = false

    /// What a scenario file calls its kind.
    static let kindNames = ["consumable", "non-consumable", "auto-renewable", "non-renewing"]
    package var kindName: String {
      switch kind {
      case .consumable: Self.kindNames[0]
      case .nonConsumable: Self.kindNames[1]
      case .autoRenewable: Self.kindNames[2]
      case .nonRenewing: Self.kindNames[3]
      }
    }

    /// Whether it is used up and can be bought again.
    public var isConsumable: Bool { kind == .consumable }
    /// Whether it can be bought again and again, each time for itself.
    public var isRepeatable: Bool { kind == .consumable || kind == .nonRenewing }
    /// How it is renewed; nil for what is no subscription.
    public var renewal: Renewal? {
      if case .autoRenewable(let renewal) = kind { renewal } else { nil }
    }

    /// A consumable, unless it is said otherwise.
    public init(_ name: String, isConsumable: Bool = true) {
      self.init(name, isConsumable ? .consumable : .nonConsumable)
    }

    /// A product of this kind.
    public init(_ name: String, _ kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  /// Something a person does, at a fixed time.
  public struct Step: Sendable, Equatable {
    /// What the person does.
    public enum Action: Sendable, Equatable {
      /// Taps a product's button; `account` logs in first if it must.
      case buy(product: Int, quantity: UInt32, account: Int)
      /// Buys in the App Store itself, which needs no running app.
      case buyOutside(product: Int, quantity: UInt32, account: Int)
      /// Taps a product on the app's page in the App Store, which opens the app and tells it of the wish.
      case buyPromoted(product: Int, account: Int)
      /// Logs in as this user of the app, and stays.
      case logIn(account: Int)
      /// Taps 'restore purchases', where the app runs.
      case restore
      /// Deletes the app and installs it again: local data and the receipt are gone.
      case reinstall
      /// Restores the phone from its last backup.
      case restoreBackup
      /// Closes the app, which stays closed until somebody opens it.
      case quit
      /// Opens the app, unless it runs.
      case open
    }

    /// Whether it is one of the purchases that are numbered `tx1`, `tx2` and so on.
    var isPurchase: Bool {
      switch action {
      case .buy, .buyOutside, .buyPromoted: true
      case .logIn, .restore, .reinstall, .restoreBackup, .quit, .open: false
      }
    }

    /// Which offer is asked for, from 1; 0 for none.
    var offerPosition: UInt8 { UInt8(clamping: (offer ?? -1) + 1) }

    /// When, in milliseconds since the history began.
    public var atMillis: Int64
    /// On which phone, from 0.
    public var device: Int
    /// What is done.
    public var action: Action
    /// Which of the product's offers is asked for, from 0; nil for none. Only where something is bought, and not
    /// an introductory one, which is taken by itself.
    public var offer: Int?

    /// A step on the first phone, unless another is named.
    public init(atMillis: Int64, device: Int = 0, _ action: Action, offer: Int? = nil) {
      self.atMillis = atMillis
      self.device = device
      self.action = action
      self.offer = offer
    }
  }

  /// When apps are used, where they are not left open.
  public struct Sittings: Sendable, Equatable {
    /// After how many milliseconds somebody opens the app again.
    public var everyMillis: Int64
    /// After how many milliseconds they close it.
    public var forMillis: Int64

    /// So often, for so long.
    public init(everyMillis: Int64, forMillis: Int64) {
      self.everyMillis = everyMillis
      self.forMillis = forMillis
    }
  }

  /// Purchases that arrive one after the other, spread evenly over devices and time.
  public struct Arrivals: Sendable, Equatable {
    /// How many purchases there are.
    public var count: Int
    /// In how many milliseconds they arrive.
    public var overMillis: Int64

    /// So many purchases in so many milliseconds from the start.
    public init(count: Int, overMillis: Int64) {
      self.count = count
      self.overMillis = overMillis
    }
  }

  /// How many users the app has.
  public var accounts = 1
  /// How many Apple accounts pay; several users may share one.
  public var storeAccounts = 1
  /// Which Apple accounts are a family, each from 0; an account is in one at most.
  public var families: [[Int]] = []
  /// The phones.
  public var devices = [Device()]
  /// What is sold.
  public var products = [Product("coins")]
  /// What people do, by time; its purchases are `tx1`, `tx2` and so on, in this order.
  public var steps: [Step] = []
  /// Purchases in great number, made in the App Store itself; nil for none.
  public var arrivals: Arrivals?
  /// What may go wrong, how likely, and how long things take.
  public var mix = FaultMix()
  /// Whether anything becomes of a purchase after it was made, where no subscription is sold: money can be given
  /// back, and Apple's notifications go to the backend. A scenario file says so by what its mix names; see
  /// ``Fault/needsWholeStore``.
  public var isWholeStore = false
  /// The date at which a run begins, in seconds since 1970 in UTC: what the clocks of phones and backend
  /// show then, for apps that compare with a date. 14 November 2023, 22:13:20, unless it is set.
  public var beginsSeconds: Int64 = 1_700_000_000
  /// From this millisecond on no fault strikes.
  public var healMillis: Int64 = 60_000
  /// The millisecond at which the run ends, and what is left is judged.
  public var horizonMillis: Int64 = 600_000
  /// After how many milliseconds apps are closed and opened again after the heal; nil for never.
  public var reopenEveryMillis: Int64? = 60_000
  /// When apps are used, from the beginning on and with or without faults, where that takes the place of
  /// ``reopenEveryMillis``; nil where they are left open.
  public var sittings: Sittings?
  /// Whether a person opens an app again after it died.
  public var relaunches = true
  /// How often a person taps again after being told that a purchase failed.
  public var retaps: UInt32 = 1
  /// In how many milliseconds of running app, without faults, goods must come; nil for by the end.
  public var withinMillis: Int64?
  /// For how many fault-free milliseconds a person in front of a running app waits for a word.
  public var patienceMillis: Int64 = 120_000
  /// Whether a purchase belongs to whoever restores it; else to whoever tapped.
  public var transfersOnRestore = false
  /// After how many events a run is cut off, and has no verdict: it would never end.
  public var eventLimit = 100_000
  /// The position of the variant among the system's; ``Scenario`` sets it by name.
  public var variant = 0
  /// How much the backend remembers, where the system asks for it.
  public var backend = BackendKind.naive

  /// Whether somebody drives the world by hand, so that what is missing is missed from the beginning on.
  var isDriven = false

  /// One user with one phone, one product, no step and no fault.
  public init() {}

  /// Whether anything that is sold is paid for again and again.
  var sellsSubscriptions: Bool { products.contains { $0.renewal != nil } }

  /// Whether anything that somebody buys others of their family have as well.
  var sharesPurchases: Bool {
    !families.isEmpty && products.contains { $0.isFamilyShareable }
  }

  /// Whether any subscription has other terms for first periods.
  var makesOffers: Bool { products.contains { $0.renewal?.offers.isEmpty == false } }

  /// How many charges there are where purchases arrive in great number, renewals among them; nil where they do not.
  var chargesToArrive: Int? {
    guard let arrivals else { return nil }
    let renewals = products.compactMap(\.renewal).reduce(0) { sum, renewal in
      let period = max(1, (renewal.period.end(of: 1, from: beginsSeconds) - beginsSeconds) * 1000)
      return sum + arrivals.count / products.count * Int(clamping: horizonMillis / period)
    }
    return arrivals.count + min(renewals, arrivals.count) + 8
  }

  /// Whether anybody buys on the app's page in the App Store.
  var promotes: Bool {
    steps.contains { if case .buyPromoted = $0.action { true } else { false } }
  }

  /// True if apps are opened again and again up to the end, faults or not.
  var reopensApps: Bool {
    guard let every = sittings?.everyMillis ?? reopenEveryMillis else { return false }
    return healMillis <= horizonMillis - every
  }

  /// By device, until when the steps still bring a launch; -1 for a device of which they bring none.
  var lastLaunches: [Int64] {
    var launches = [Int64](repeating: -1, count: devices.count)
    var isClosed = [Bool](repeating: false, count: devices.count)
    for step in steps where devices.indices.contains(step.device) {
      switch step.action {
      case .quit: isClosed[step.device] = true
      case .open where isClosed[step.device], .reinstall, .restoreBackup:
        launches[step.device] = step.atMillis
        isClosed[step.device] = false
      default: continue
      }
    }
    return launches
  }

  /// Whether anything becomes of a purchase after it was made.
  var hasAftermath: Bool { isWholeStore || sellsSubscriptions }

  /// The faults of the mix, but for those of what this store does not do.
  var possibleFaults: [Fault] {
    mix.faults.filter {
      (sellsSubscriptions || !$0.needsSubscription) && (hasAftermath || !$0.needsWholeStore)
        && (sharesPurchases || $0 != .familyLeft)
    }
  }

  func terms(hasBackend: Bool) -> Books.Terms {
    var terms = Books.Terms(
      heal: isDriven ? .start : Instant(millis: healMillis), within: withinMillis,
      transfersOnRestore: transfersOnRestore)
    terms.patience = patienceMillis
    terms.hasBackend = hasBackend
    if sellsSubscriptions { terms.levels = products.map { $0.renewal?.level ?? 0 } }
    terms.isKeptByStore = products.map { !$0.isConsumable }
    return terms
  }
}

/// How much a backend remembers.
public enum BackendKind: String, Sendable, CaseIterable {
  /// Does what the published server does, with no memory of earlier reports.
  case naive
  /// Keeps (environment, transaction id) unique, committed together with the balance.
  case idempotent
}

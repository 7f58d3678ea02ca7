import Invariants

/// What a scenario comes down to for the world: who is there, what happens, what may go wrong.
public struct Setup: Sendable, Equatable {
  public struct Device: Sendable, Equatable {
    public var storeAccount: Int
    /// Who is logged in when the history begins.
    public var account: Int
    public var environment: Environment

    public init(storeAccount: Int = 0, account: Int = 0, environment: Environment = .production) {
      self.storeAccount = storeAccount
      self.account = account
      self.environment = environment
    }
  }

  public struct Product: Sendable, Equatable {
    public var name: String
    public var isConsumable: Bool

    public init(_ name: String, isConsumable: Bool = true) {
      self.name = name
      self.isConsumable = isConsumable
    }
  }

  /// Something a person does, at a fixed time.
  public struct Step: Sendable, Equatable {
    public enum Action: Sendable, Equatable {
      /// Taps a product's button; `account` logs in first if it must.
      case buy(product: Int, quantity: UInt32, account: Int)
      /// Buys in the App Store itself, which needs no running app.
      case buyOutside(product: Int, quantity: UInt32, account: Int)
      case logIn(account: Int)
      case restore
      case reinstall
      case restoreBackup
      case quit
      case open
    }

    /// Whether it is one of the purchases that are numbered `tx1`, `tx2` and so on.
    var isPurchase: Bool {
      switch action {
      case .buy, .buyOutside: true
      case .logIn, .restore, .reinstall, .restoreBackup, .quit, .open: false
      }
    }

    public var atMillis: Int64
    public var device: Int
    public var action: Action

    public init(atMillis: Int64, device: Int = 0, _ action: Action) {
      self.atMillis = atMillis
      self.device = device
      self.action = action
    }
  }

  /// Purchases that arrive one after the other, spread evenly over devices and time.
  public struct Arrivals: Sendable, Equatable {
    public var count: Int
    public var overMillis: Int64

    public init(count: Int, overMillis: Int64) {
      self.count = count
      self.overMillis = overMillis
    }
  }

  public var accounts = 1
  public var storeAccounts = 1
  public var devices = [Device()]
  public var products = [Product("coins")]
  public var steps: [Step] = []
  public var arrivals: Arrivals?
  public var mix = FaultMix()
  /// After this no fault strikes.
  public var healMillis: Int64 = 60_000
  /// When the run ends at the latest.
  public var horizonMillis: Int64 = 600_000
  /// How often apps are closed and opened again after the heal; nil for never.
  public var reopenEveryMillis: Int64? = 60_000
  /// Whether a person opens an app again after it died.
  public var relaunches = true
  /// How often a person taps again after being told that a purchase failed.
  public var retaps: UInt32 = 1
  public var withinMillis: Int64?
  public var transfersOnRestore = false
  public var eventLimit = 100_000
  /// Which variant of the app and of the backend is built.
  public var variant = 0
  public var backend = BackendKind.naive

  public init() {}

  var terms: Books.Terms {
    Books.Terms(
      heal: Instant(millis: healMillis), within: withinMillis,
      transfersOnRestore: transfersOnRestore)
  }
}

/// How much a backend remembers.
public enum BackendKind: String, Sendable, CaseIterable {
  /// Does what the published server does, with no memory of earlier reports.
  case naive
  /// Keeps (environment, transaction id) unique, committed together with the balance.
  case idempotent
}

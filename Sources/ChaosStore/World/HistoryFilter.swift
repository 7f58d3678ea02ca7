import Invariants

/// Which transactions a history is to have: those that fit all that is set. Source: App Store Server API, Get
/// Transaction History.
public struct HistoryFilter: Equatable, Sendable {
  /// Apple's productType, as far as this store has it.
  public enum ProductType: Sendable {
    /// AUTO_RENEWABLE.
    case autoRenewable
    /// NON_CONSUMABLE.
    case nonConsumable
    /// CONSUMABLE.
    case consumable
    /// NON_RENEWABLE.
    case nonRenewable
  }

  /// Apple's inAppOwnershipType.
  public enum Ownership: Sendable {
    /// PURCHASED: the person has paid for it.
    case purchased
    /// FAMILY_SHARED: somebody of their family has.
    case familyShared
  }

  /// productType: any of these; all where there are none.
  public var productTypes: [ProductType] = []
  /// productId: any of these; all where there are none.
  public var products: [ProductID] = []
  /// startDate: what was charged then or later, in milliseconds since the history began; nil for all.
  public var startMillis: Int64?
  /// endDate: what was charged before; nil for all.
  public var endMillis: Int64?
  /// revoked: only what was taken back, or only what was not; nil for both.
  public var isRevoked: Bool?
  /// inAppOwnershipType; nil for both.
  public var ownership: Ownership?
  /// sort: whether the newest come first (DESCENDING), and not the oldest.
  public var isDescending = false

  /// All of them, the oldest first.
  public init() {}

  /// What Apple says to it; 0 where there is nothing wrong with it.
  var status: Int32 {
    guard let startMillis, let endMillis, endMillis <= startMillis else { return 0 }
    return 4_000_013
  }
}

extension Evidence {
  private static let shortened: UInt32 = 1 << 31

  /// Of what a history is asked with: which filter, 0 for none.
  var filter: UInt32 { edition & ~Self.shortened }

  /// Of a history: consumables that were finished are left out (F64).
  var isShortened: Bool {
    get { edition & Self.shortened != 0 }
    set { edition = newValue ? edition | Self.shortened : filter }
  }
}

extension World {
  /// What stands for a filter in what Apple is asked.
  mutating func number(of filter: HistoryFilter) -> UInt32 {
    if let place = historyFilters.firstIndex(of: filter) { return UInt32(place + 1) }
    historyFilters.append(filter)
    return UInt32(historyFilters.count)
  }

  func filter(_ number: UInt32) -> HistoryFilter {
    number == 0 ? HistoryFilter() : historyFilters[Int(number) - 1]
  }

  /// Whether a filter lets a charge through.
  func lets(_ filter: HistoryFilter, _ purchase: PurchaseRow, _ isTakenBack: Bool) -> Bool {
    let type: HistoryFilter.ProductType =
      purchase.subscription != .none
      ? .autoRenewable
      : purchase.flags.contains(.nonRenewing)
        ? .nonRenewable : purchase.flags.contains(.consumable) ? .consumable : .nonConsumable
    return (filter.productTypes.isEmpty || filter.productTypes.contains(type))
      && (filter.products.isEmpty || filter.products.contains(purchase.product))
      && purchase.chargedMillis >= filter.startMillis ?? .min
      && purchase.chargedMillis < filter.endMillis ?? .max
      && filter.isRevoked ?? isTakenBack == isTakenBack
      && filter.ownership.map { ($0 == .familyShared) == purchase.flags.contains(.shared) } ?? true
  }
}

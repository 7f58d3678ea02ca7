import Foundation

/// A product of the simulated catalogue.
///
/// As in StoreKit 2 it is loaded by identifier and bought with ``purchase(options:)``. Every price is
/// in US dollars.
public struct Product: Identifiable, Sendable, Hashable {
  let store: StoreProduct

  init(_ store: StoreProduct) { self.store = store }

  /// The product identifier.
  public var id: String { store.id }
  /// Consumable, non-consumable, auto-renewable or non-renewable.
  public var type: ProductType { store.type }
  /// The name in the simulated catalogue; there is one language.
  public var displayName: String { store.displayName }
  /// The description in the simulated catalogue; there is one language.
  public var description: String { store.description }
  /// The price in US dollars.
  public var price: Decimal { store.price }
  /// The price as text, formatted for the United States.
  public var displayPrice: String { price.formatted(priceFormatStyle) }
  /// The style of ``displayPrice``.
  public var priceFormatStyle: Decimal.FormatStyle.Currency { Self.usualFormat }
  static var usualFormat: Decimal.FormatStyle.Currency {
    .currency(code: SimulatedStore.currencyCode).locale(SimulatedStore.locale)
  }
  /// How it is renewed; nil where it is no subscription.
  public var subscription: SubscriptionInfo? { store.renewal.map { SubscriptionInfo(store, $0) } }
  /// Whether the family of whoever buys it has it as well.
  public var isFamilyShareable: Bool { store.isFamilyShareable }

  /// The product as JSON. The fields are a few that Apple's has too; do not rely on others.
  public var jsonRepresentation: Data {
    SimulatedStore.json([
      "id": id, "type": type.rawValue, "displayName": displayName, "description": description,
      "price": "\(price)", "isFamilyShareable": isFamilyShareable,
    ])
  }

  /// Loads the products with these identifiers.
  ///
  /// As in StoreKit identifiers that the store does not know are missing from the answer, and there
  /// is no error for them. The order is that of the simulated catalogue; StoreKit promises none. Where
  /// the store cannot be reached this throws ``StoreKitError/networkError(_:)``; if the process ends
  /// before the answer, `CancellationError`.
  public static func products(
    for identifiers: some Collection<String>
  ) async throws -> [Product] {
    let wanted = Array(identifiers)
    let answer: [StoreProduct]? = try await StoreSession.current.answer { $0.loadProducts($1) }
    guard let loaded = answer else {
      throw StoreKitError.networkError(URLError(.notConnectedToInternet))
    }
    StoreSession.current.port.remark(askedFor: wanted, sold: loaded)
    return loaded.filter { wanted.contains($0.id) }.map(Product.init)
  }

  /// The newest transaction for this product that the device still shows.
  public var latestTransaction: VerificationResult<Transaction>? {
    get async { await Transaction.latest(for: id) }
  }

  /// The transaction that entitles to this product; nil for a consumable.
  public var currentEntitlement: VerificationResult<Transaction>? {
    get async { await Transaction.currentEntitlement(for: id) }
  }

  /// The transactions that entitle to this product; none for a consumable.
  public var currentEntitlements: Transaction.Transactions {
    Transaction.currentEntitlements(for: id)
  }
}

extension Product {
  /// What kind of product it is.
  public struct ProductType: RawRepresentable, Hashable, Sendable {
    /// The name used in signed transactions.
    public let rawValue: String
    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Used up, and bought again. Once finished it is gone from the device's history.
    public static let consumable = Self(rawValue: "Consumable")
    /// Bought once and owned for good.
    public static let nonConsumable = Self(rawValue: "Non-Consumable")
    /// A subscription that ends, and is bought again. How long it lasts only the app knows.
    public static let nonRenewable = Self(rawValue: "Non-Renewing Subscription")
    /// Paid for again after each period.
    public static let autoRenewable = Self(rawValue: "Auto-Renewable Subscription")

    /// The kind in words.
    public var localizedDescription: String { rawValue }
  }
}

extension StoreProduct {
  var type: Product.ProductType {
    if renewal != nil { return .autoRenewable }
    return isNonRenewing ? .nonRenewable : isConsumable ? .consumable : .nonConsumable
  }
}

extension Product.ProductType: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension Product: CustomDebugStringConvertible {
  /// The product as JSON text.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

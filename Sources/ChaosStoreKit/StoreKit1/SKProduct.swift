import ChaosStore
import Foundation

/// A product of the simulated catalogue, as StoreKit 1 shows it.
///
/// Every price is in US dollars. The simulated store sells no downloads.
open class SKProduct: NSObject, @unchecked Sendable {
  private let store: StoreProduct?

  /// A product that is none; for subclasses in tests of your own.
  public override init() {
    store = nil
    super.init()
  }

  init(_ store: StoreProduct) {
    self.store = store
    super.init()
  }

  /// The product identifier.
  open var productIdentifier: String { store?.id ?? "" }
  /// The name in the simulated catalogue; there is one language.
  open var localizedTitle: String { store?.displayName ?? "" }
  /// The description in the simulated catalogue; there is one language.
  open var localizedDescription: String { store?.description ?? "" }
  /// The price in the currency of ``priceLocale``.
  open var price: NSDecimalNumber { NSDecimalNumber(decimal: store?.price ?? 0) }
  /// The United States.
  open var priceLocale: Locale { SimulatedStore.locale }
  /// Whether the family of whoever buys it has it as well.
  open var isFamilyShareable: Bool { store?.isFamilyShareable ?? false }
  /// How long each payment for a subscription lasts; nil for what is none.
  open var subscriptionPeriod: SKProductSubscriptionPeriod? {
    (store?.renewal).map { SKProductSubscriptionPeriod($0.period) }
  }
  /// The group of a subscription, which is the product's own where it is in none; nil for what is no subscription.
  open var subscriptionGroupIdentifier: String? { store?.groupID }
  /// The introductory offer; nil for none. Nothing says whether it is for this person.
  open var introductoryPrice: SKProductDiscount? { offers(.introductory).first }
  /// The promotional offers.
  open var discounts: [SKProductDiscount] { offers(.promotional) }

  private func offers(_ kind: Setup.Product.Offer.Kind) -> [SKProductDiscount] {
    guard let store, let offers = store.renewal?.offers else { return [] }
    return offers.filter { $0.kind == kind }.map { SKProductDiscount($0, of: store) }
  }
  /// False: the App Store hosts no content here.
  open var isDownloadable: Bool { false }
  /// Empty: the App Store hosts no content here.
  open var downloadContentLengths: [NSNumber] { [] }
  /// Empty: the App Store hosts no content here.
  open var contentVersion: String { "" }
  /// Empty: the App Store hosts no content here.
  open var downloadContentVersion: String { "" }
}

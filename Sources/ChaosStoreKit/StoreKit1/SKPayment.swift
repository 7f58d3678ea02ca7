import Foundation

/// A wish to buy, to be put on the ``SKPaymentQueue``. Payments that ask for the same are equal.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  fileprivate(set) var fields = Fields()
  fileprivate var discount: SKPaymentDiscount?

  struct Fields: Hashable {
    var productIdentifier = ""
    var quantity = 1
    var applicationUsername: String?
    var requestData: Data?
    var simulatesAskToBuyInSandbox = false
  }

  /// A payment for nothing; the queue notes a complaint about it and buys nothing.
  public override required init() { super.init() }

  /// One of this product.
  public convenience init(product: SKProduct) {
    self.init()
    fields.productIdentifier = product.productIdentifier
  }

  /// One of the product with this identifier.
  public convenience init(productIdentifier: String) {
    self.init()
    fields.productIdentifier = productIdentifier
  }

  init(fields: Fields, discount: SKPaymentDiscount?) {
    super.init()
    self.fields = fields
    self.discount = discount
  }

  /// What to buy.
  open var productIdentifier: String { fields.productIdentifier }
  /// How many to buy at once.
  open var quantity: Int { fields.quantity }
  /// An account of the app. As with StoreKit it can be gone when the transaction comes back later.
  open var applicationUsername: String? { fields.applicationUsername }
  /// Kept, and means nothing.
  open var requestData: Data? { fields.requestData }
  /// Kept, and means nothing: Ask to Buy is not simulated yet.
  open var simulatesAskToBuyInSandbox: Bool { fields.simulatesAskToBuyInSandbox }
  /// The offer that it asks for; nil for none.
  open var paymentDiscount: SKPaymentDiscount? { discount }

  /// Whether the other payment asks for the same, with the same username and request data. An
  /// ``SKMutablePayment`` can equal a payment; a discount is not compared.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SKPayment else { return false }
    return fields == other.fields
  }

  /// The same for payments that are equal.
  open override var hash: Int { fields.hashValue }

  /// A payment that asks for the same and cannot be changed.
  open override func copy() -> Any { copy(with: nil) }
  /// The same; the zone means nothing.
  open func copy(with zone: NSZone? = nil) -> Any {
    SKPayment(fields: fields, discount: discount)
  }
  /// A payment that asks for the same and can be changed.
  open override func mutableCopy() -> Any { mutableCopy(with: nil) }
  /// The same; the zone means nothing.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    SKMutablePayment(fields: fields, discount: discount)
  }
}

/// A payment that can be changed until it is added to the queue, which takes a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
  /// What to buy.
  open override var productIdentifier: String {
    get { fields.productIdentifier }
    set { fields.productIdentifier = newValue }
  }
  /// How many to buy at once: 1 to 10. Anything else is not bought, and the run notes a complaint.
  open override var quantity: Int {
    get { fields.quantity }
    set { fields.quantity = newValue }
  }
  /// An account of the app. As with StoreKit a text that is no UUID can be gone when the
  /// transaction comes back later.
  open override var applicationUsername: String? {
    get { fields.applicationUsername }
    set { fields.applicationUsername = newValue }
  }
  /// Kept, and means nothing.
  open override var requestData: Data? {
    get { fields.requestData }
    set { fields.requestData = newValue }
  }
  /// Kept, and means nothing: Ask to Buy is not simulated yet.
  open override var simulatesAskToBuyInSandbox: Bool {
    get { fields.simulatesAskToBuyInSandbox }
    set { fields.simulatesAskToBuyInSandbox = newValue }
  }
  /// The offer that it asks for; nil for none. Of the signature nothing is checked here.
  open override var paymentDiscount: SKPaymentDiscount? {
    get { discount }
    set { discount = newValue }
  }
}

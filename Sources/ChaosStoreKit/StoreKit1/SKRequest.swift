import Foundation

/// What a request tells its delegate on the main actor. Both are optional, as in StoreKit 1.
public protocol SKRequestDelegate: NSObjectProtocol {
  /// The request was answered. It is not called after a failure.
  func requestDidFinish(_ request: SKRequest)
  /// The request failed: here only an ``SKReceiptRefreshRequest`` does, with an ``SKError``.
  func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
  /// Does nothing; for a delegate that does not ask for it.
  public func requestDidFinish(_ request: SKRequest) {}
  /// Does nothing; for a delegate that does not ask for it.
  public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// A question to the App Store. Keep it until it is answered: Apple does not say that anybody else does.
///
/// One that the app has let go of is answered all the same, as on most devices, unless F23 has it answered to
/// nobody (`lose store.request`), as on some.
open class SKRequest: NSObject, @unchecked Sendable {
  /// Whom to tell. An ``SKProductsRequest`` wants an ``SKProductsRequestDelegate`` here.
  open weak var delegate: (any SKRequestDelegate)?
  private var round = 0

  /// A question about nothing; for subclasses.
  public override init() { super.init() }

  /// Asks. Starting twice asks twice.
  open func start() {}

  /// Drops the answer; the delegate hears nothing.
  open func cancel() { round += 1 }

  /// A request under way.
  private final class UnderWay {
    var request: SKRequest?
    init(_ request: SKRequest) { self.request = request }
  }

  /// What is called with an answer: nothing, if the request was cancelled in between, or is nobody's and lost.
  final func unlessCancelled<Answer>(
    _ body: @escaping (_ session: StoreSession, _ answer: Answer) -> Void
  ) -> (Answer) -> Void {
    let session = StoreSession.current
    let kind = type(of: self)
    let underWay = UnderWay(self)
    return { [round] answer in
      guard underWay.request?.round == round, session.isAlive else { return }
      if isKnownUniquelyReferenced(&underWay.request), session.port.losesRequest {
        return session.port.remark(
          "let go of an \(kind) before it was answered: keep it until then")
      }
      withExtendedLifetime(underWay.request) { if session.isAlive { body(session, answer) } }
    }
  }
}

/// What a products request tells its delegate.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
  /// The products came, and which identifiers stand for none. `requestDidFinish` comes after it.
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// Loads products by identifier.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
  private let identifiers: Set<String>

  /// Asks for the products with these identifiers, once it is started.
  public init(productIdentifiers: Set<String>) {
    identifiers = productIdentifiers
    super.init()
  }

  /// Asks the simulated store. The delegate hears of the products, and then that it is done; or of an
  /// error, an ``SKError`` with the code `unknown`, where the store cannot be reached.
  open override func start() {
    let session = StoreSession.current
    guard session.isAlive else { return }
    session.port.loadProducts(
      unlessCancelled { [unowned self] (session, products: [StoreProduct]?) in
        guard let products else {
          delegate?.request(self, didFailWithError: SKError(.unknown))
          return
        }
        session.port.remark(askedFor: identifiers, sold: products)
        if delegate == nil {
          session.port.remark(
            "has let go of the delegate of an SKProductsRequest that was answered")
        }
        let response = SKProductsResponse(products: products, asked: identifiers)
        (delegate as? any SKProductsRequestDelegate)?.productsRequest(self, didReceive: response)
        if session.isAlive { delegate?.requestDidFinish(self) }
      })
  }
}

/// The answer to an ``SKProductsRequest``.
open class SKProductsResponse: NSObject, @unchecked Sendable {
  private let found: [SKProduct]
  private let unknown: [String]

  /// An empty answer; for subclasses in tests of your own.
  public override init() {
    found = []
    unknown = []
    super.init()
  }

  init(products: [StoreProduct], asked: Set<String>) {
    let known = products.filter { asked.contains($0.id) }
    found = known.map(SKProduct.init)
    // A set has no order; the answer has the same one in every process.
    unknown = asked.subtracting(known.map(\.id)).sorted()
    super.init()
  }

  /// What the store sells, in the order of its catalogue; StoreKit promises none.
  open var products: [SKProduct] { found }
  /// What the store does not sell, sorted; StoreKit promises no order.
  open var invalidProductIdentifiers: [String] { unknown }
}

/// Fetches the receipt anew, for `Bundle.main.appStoreReceiptURL`.
///
/// The person is asked for their password: the third time without a tap of theirs breaks `few-prompts`
/// (I26). Simulated: they may refuse and the network may fail, and both are an ``SKError`` with the code
/// `unknown`.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
  /// What the request was made with; it means nothing to the simulated store.
  open private(set) var receiptProperties: [String: Any]?

  /// A request for a receipt. In StoreKit's sandbox the properties make a receipt look revoked or
  /// expired; here they are kept and mean nothing.
  public init(receiptProperties properties: [String: Any]? = nil) {
    receiptProperties = properties
    super.init()
  }

  /// Asks the simulated store.
  open override func start() {
    let session = StoreSession.current
    guard session.isAlive else { return }
    session.port.refreshReceipt(
      unlessCancelled { [unowned self] (_, succeeded: Bool) in
        if succeeded {
          delegate?.requestDidFinish(self)
        } else {
          delegate?.request(self, didFailWithError: SKError(.unknown))
        }
      })
  }
}

// Names that are StoreKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Means nothing: the simulated store has no such property.
public let SKReceiptPropertyIsExpired = "expired"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Means nothing: the simulated store has no such property.
public let SKReceiptPropertyIsRevoked = "revoked"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Means nothing: the simulated store has no such property.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

import Invariants

/// What Apple calls an order, and tells whoever paid by e-mail: the number that they can tell whoever sells.
///
/// Apple: orderId. No app is told it, and no transaction has it.
public struct OrderID: Hashable, Sendable, BitwiseCopyable {
  /// The number of the order, as somebody reads it out; no transaction's.
  public let number: UInt32
  private static let mask: UInt32 = 0x4d56_0000

  /// An order by its number, which may be one that Apple does not know.
  public init(number: UInt32) { self.number = number }

  init(of charge: TransactionID) { number = charge.raw ^ Self.mask }

  /// The charge that was ordered, as far as there is one.
  var charge: TransactionID { TransactionID(number ^ Self.mask) }
}

/// What Apple says of an order. Source: App Store Server API, Look Up Order ID.
public struct OrderLookUp: Equatable, Sendable {
  /// status: whether it is an order of this app's (0), and not something else (1).
  public var isValid = false
  /// signedTransactions: what was bought with it, as it stands now; nothing where it is not valid.
  public var purchases: [VerifiedPurchase] = []
}

extension Server {
  /// Look Up Order ID: what was bought with the order that a customer names; answered by
  /// ``PurchaseBackend/verified(_:for:_:)``, and read by ``order(in:)``.
  ///
  /// It is not available in the sandbox (404).
  ///
  /// - Returns: the ``request`` of the work that gets the answer; nil where none will come.
  @discardableResult
  public func lookUp(_ order: OrderID, in environment: Environment = .production) -> UInt64? {
    ask(VerifierQuestion.orderLookUp.at(environment), number: order.number)
  }

  /// What an answer says to ``lookUp(_:in:)``; an order that is not valid where it was asked something else, or the
  /// answer is not valid.
  public func order(in answer: VerifierAnswer) -> OrderLookUp {
    guard answer.question.kind == .orderLookUp, answer.status == 0 else { return OrderLookUp() }
    return world.order(OrderID(number: answer.evidence.asOf))
  }

  /// The order with which a transaction was paid for, as whoever paid can read in Apple's e-mail.
  public func order(of transaction: TransactionID) -> OrderID? {
    guard world.purchases.holds(transaction) else { return nil }
    return OrderID(of: world.purchases[transaction].original)
  }

  /// Asks for something that names no transaction, but a number.
  func ask(_ question: VerifierQuestion, number: UInt32) -> UInt64? {
    ask(question, about: .none) {
      $0.evidence = Evidence()
      $0.evidence.asOf = number
    }
  }
}

extension Phone {
  /// The orders of which Apple has told whoever uses this phone by e-mail, newest first: what they can tell whoever
  /// sells. In the sandbox nothing is paid, and nobody is told.
  public var orders: [OrderID] {
    guard isAlive else { return [] }
    var found: [OrderID] = []
    var row = world.storeAccounts[world.devices[device].storeAccount].first
    world.looksAtStore = true
    while row != .none {
      let purchase = world.purchases[row]
      if purchase.flags.contains(.charged), purchase.original == row,
        purchase.environment == .production
      {
        found.append(OrderID(of: row))
      }
      row = purchase.next
    }
    return found
  }
}

extension World {
  mutating func order(_ order: OrderID) -> OrderLookUp {
    let charge = order.charge
    guard purchases.holds(charge), purchases[charge].original == charge,
      purchases[charge].flags.contains(.charged), purchases[charge].environment == .production
    else { return OrderLookUp() }
    return OrderLookUp(isValid: true, purchases: [verified(charge, hasToken: true)])
  }

  /// What a look-up of an order comes to: its transactions are signed.
  mutating func statusOfOrder(_ order: OrderID, _ who: Who) -> Int32 {
    guard self.order(order).isValid else { return 0 }
    return decisions.strikes(.failSignature, who) ? VerifierAnswer.signatureUnchecked : 0
  }
}

import Invariants

/// What is kept of a transaction whose purchase was closed, in eight bytes: enough to know the next credit for a second.
struct ClosedPurchase: Equatable {
  var isCharged = false
  var isCredited = false
  var isFinished = false
  var isVoided = false
  var isSandbox = false
  var isTraceable = false
  /// Whether it stands for another transaction, which is then named beside it.
  var isRestore = false
  var state: State = []
  /// The number of its product, of which so many are told apart.
  var product: UInt16 = 0
  static let mostProducts = 1 << 14
  /// Larger ones count as this one.
  var quantity: UInt32 = 0
  static let mostQuantity: UInt32 = 1 << 18 - 1
  /// Thousandths.
  var refunded: UInt16 = 0
  var takenBack: UInt16 = 0

  /// What is known beside what became of its money and its goods.
  struct State: OptionSet {
    let rawValue: UInt8
    /// It is of a subscription that is told by access.
    static let access = State(rawValue: 1)
    /// All had had its time when it was closed, so what was missing then was told.
    static let due = State(rawValue: 2)
    /// What was paid for was over by then.
    static let over = State(rawValue: 4)
    /// The ledger took it back because it was over.
    static let gone = State(rawValue: 8)
  }

  init() {}

  /// The lowest bit is 0, as a purchase that is open has a 1 there.
  init(bits: UInt64) {
    isCharged = bits & 2 != 0
    isCredited = bits & 4 != 0
    isFinished = bits & 8 != 0
    isVoided = bits & 16 != 0
    isSandbox = bits & 32 != 0
    isRestore = bits & 64 != 0
    isTraceable = bits & 128 != 0
    product = UInt16(bits >> 8 & 0x3fff)
    quantity = UInt32(bits >> 22 & 0x3_ffff)
    state = State(rawValue: UInt8(bits >> 40 & 0xf))
    refunded = UInt16(bits >> 44 & 0x3ff)
    takenBack = UInt16(bits >> 54 & 0x3ff)
  }

  var bits: UInt64 {
    var bits: UInt64 = 0
    if isCharged { bits |= 2 }
    if isCredited { bits |= 4 }
    if isFinished { bits |= 8 }
    if isVoided { bits |= 16 }
    if isSandbox { bits |= 32 }
    if isRestore { bits |= 64 }
    if isTraceable { bits |= 128 }
    return bits | UInt64(product) << 8 | UInt64(quantity) << 22 | UInt64(state.rawValue) << 40
      | UInt64(refunded) << 44 | UInt64(takenBack) << 54
  }
}

extension ClosedPurchase {
  init(_ charge: Books.Charge) {
    isCharged = charge.isCharged
    isCredited = charge.credits > 0
    isFinished = charge.isFinished
    isVoided = charge.isVoided
    isTraceable = charge.isTraceable
    take(charge.product, charge.quantity, charge.environment)
    refunded = min(1000, charge.refunded)
    takenBack = UInt16(clamping: max(0, min(1000, charge.takenBack)))
  }

  /// A renewal of a subscription that is told by access is no charge in the books, and one in the log.
  mutating func becomeCharged(_ renewal: Fact) {
    isCharged = true
    take(renewal.product, renewal.quantity, renewal.environment)
  }

  private mutating func take(_ id: ProductID, _ units: UInt32, _ environment: Environment) {
    product = UInt16(clamping: id.isNone ? 0 : id.index)
    quantity = min(Self.mostQuantity, units)
    isSandbox = environment == .sandbox
  }

  /// The facts that amount to it, about a transaction of this number.
  func facts(about transaction: TransactionID, at: Instant) -> [Fact] {
    func fact(_ kind: Fact.Kind, amount: UInt16 = 0) -> Fact {
      var fact = Fact(kind, at: at)
      fact.transaction = transaction
      fact.product = ProductID(UInt32(product))
      fact.quantity = quantity
      fact.amount = UInt32(amount)
      fact.environment = isSandbox ? .sandbox : .production
      return fact
    }
    var facts: [Fact] = []
    if isCharged { facts.append(fact(.charged)) }
    if isTraceable { facts.append(fact(.traceable)) }
    if isCredited { facts.append(fact(.credited)) }
    if isVoided { facts.append(fact(.voided)) }
    if isFinished { facts.append(fact(.finished)) }
    if refunded > 0 { facts.append(fact(.refunded, amount: refunded)) }
    if takenBack > 0 { facts.append(fact(.reversed, amount: takenBack)) }
    if state.isSuperset(of: [.access, .over]) { facts.append(fact(.expired)) }
    return facts
  }
}

import ChaosStore
import Invariants

/// The simulated phone under a hosted process: in the same process of the operating system, or at the
/// other end of a pipe.
///
/// What can be asked of it is in ``PhoneCalls``.
protocol PhonePort: AnyObject {
  var identity: PhoneIdentity { get }
  var isAlive: Bool { get }
  /// Who is logged in.
  var account: AccountID { get }
  /// Virtual milliseconds since the run began.
  var now: Int64 { get }
  func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer
}

extension PhonePort {
  /// Asks for what has no answer.
  func tell(_ command: some PhoneCommand) { _ = ask(command) }
}

/// What stays the same for as long as a process lives.
struct PhoneIdentity: PipeValue {
  var number: Int
  var launches: Int
  var environment: Environment
  var products: [Setup.Product]
  /// The date at which the run begins, in seconds since 1970.
  var beginsSeconds: Int64
  /// By how many seconds the phone's clock is fast.
  var clockSkewSeconds: Int64
  /// Whether anybody wants to know what the app prints.
  var keepsOutput: Bool
  /// Whether the app has a backend, or the goods are on the phone alone.
  var hasBackend: Bool
  /// Whether there can be news beside transactions.
  var hasNews: Bool

  init(_ phone: Phone, selling products: [Setup.Product]) {
    number = phone.number
    launches = phone.launches
    environment = phone.environment
    self.products = products
    beginsSeconds = phone.beginsSeconds
    clockSkewSeconds = phone.clockSkewSeconds
    keepsOutput = phone.keepsOutput
    hasBackend = phone.hasBackend
    hasNews = phone.hasNews
  }

  func product(_ product: ProductID) -> Setup.Product { products[product.index] }

  func put(into message: inout PipeMessage) {
    message.put(number)
    message.put(launches)
    message.put(environment)
    message.put(products)
    message.put(beginsSeconds)
    message.put(clockSkewSeconds)
    message.put(keepsOutput)
    message.put(hasBackend)
    message.put(hasNews)
  }

  init(from message: inout PipeMessage) throws(PipeFailure) {
    number = try message.take()
    launches = try message.take()
    environment = try message.take()
    products = try message.take()
    beginsSeconds = try message.take()
    clockSkewSeconds = try message.take()
    keepsOutput = try message.take()
    hasBackend = try message.take()
    hasNews = try message.take()
  }
}

extension Setup.Product: PipeValue {
  func put(into message: inout PipeMessage) {
    message.put(name)
    message.put(kind == .consumable)
    message.put(kind == .nonRenewing)
    message.put(isFamilyShareable)
    message.put(renewal.map { "\($0.period)" } ?? "")
    message.put(renewal?.graceDays ?? 0)
    message.put(renewal?.group)
    message.put(renewal?.level ?? 0)
    message.put(renewal?.offers ?? [])
  }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    let (name, isConsumable): (String, Bool) = (try message.take(), try message.take())
    let (isNonRenewing, isShareable): (Bool, Bool) = (try message.take(), try message.take())
    self.init(name, isNonRenewing ? .nonRenewing : isConsumable ? .consumable : .nonConsumable)
    isFamilyShareable = isShareable
    let (period, days): (String, Int) = (try message.take(), try message.take())
    let (group, level): (String?, Int) = (try message.take(), try message.take())
    let offers: [Offer] = try message.take()
    if let period = Period(parsing: period) {
      kind = .autoRenewable(
        Renewal(period, graceDays: days, group: group, level: level, offers: offers))
    }
  }
}

extension Setup.Product.Offer.Kind: PipeValue {}
extension Setup.Product.Offer.Payment: PipeValue {}

extension Setup.Product.Offer: PipeValue {
  func put(into message: inout PipeMessage) {
    message.put(name)
    message.put(kind)
    message.put(payment)
    message.put("\(period)")
    message.put(periods)
  }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    let (name, kind): (String?, Kind) = (try message.take(), try message.take())
    let (payment, period): (Payment, String) = (try message.take(), try message.take())
    self.init(
      name, kind, payment, Period(parsing: period) ?? Period(1, .month),
      periods: try message.take())
  }
}

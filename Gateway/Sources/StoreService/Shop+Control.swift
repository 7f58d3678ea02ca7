import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// What a test suite has the store do, and asks of it. `openapi.json` describes each of these calls.
extension Shop {
  // MARK: - People

  struct Account: Codable {
    var account: Int
    var appAccountToken: String
    var production: Holdings?
    var sandbox: Holdings?

    struct Holdings: Codable {
      var transactions: [String]
      var subscriptions: [Subscription]
    }

    struct Subscription: Codable {
      var originalTransactionId: String
      var latestTransactionId: String
      var productId: String
      var status: Int
      var renews: Bool
      var until: Int64
    }
  }

  func createAccount() -> Answer {
    guard accounts < settings.terms.people else {
      return .refused(
        "found \(accounts) accounts already, expected fewer: serve with more --people", status: 409)
    }
    desk.names.add(account: accounts)
    accounts += 1
    return .json(
      Account(account: accounts, appAccountToken: token(of: accounts - 1)), status: 201)
  }

  private func token(of person: Int) -> String {
    desk.names.account(person).uuidString.lowercased()
  }

  /// The position of an account by its number; throws where nobody has it.
  func person(_ account: Int?) throws(BadBody) -> Int {
    guard let account, (1...max(accounts, 1)).contains(account), account <= accounts else {
      throw BadBody(
        "account: found \(account.map(String.init) ?? "nothing"), expected "
          + (accounts == 0 ? "an account that was created" : "a number from 1 to \(accounts)"))
    }
    return account - 1
  }

  func environment(_ name: String?) throws(BadBody) -> Environment {
    guard let name else { return .production }
    guard let environment = Environment(named: name) else {
      throw BadBody("environment: found '\(name)', expected Production or Sandbox")
    }
    return environment
  }

  func known(_ text: String) throws(BadBody) -> TransactionID {
    guard let id = Names.transaction(text), store.books.charge(id) != nil else {
      throw BadBody("transactionId: found '\(text)', expected a transaction of this store")
    }
    return id
  }

  func account(_ number: Int?) throws(BadBody) -> Answer {
    catchUp()
    let person = try person(number)
    func holdings(_ environment: Environment) -> Account.Holdings {
      Account.Holdings(
        transactions: store.transactions(of: person, in: environment).map {
          Names.transaction($0, environment)
        },
        subscriptions: store.subscriptions(of: person, in: environment).compactMap {
          store.books.subscription(of: $0).map { status in
            Account.Subscription(
              originalTransactionId: Names.transaction(status.original, environment),
              latestTransactionId: Names.transaction(status.latest, environment),
              productId: desk.product(status.product).name,
              status: Int(clamping: status.state.rawValue),
              renews: status.renews, until: date(status.untilMillis))
          }
        })
    }
    return .json(
      Account(
        account: person + 1, appAccountToken: token(of: person),
        production: holdings(.production), sandbox: holdings(.sandbox)))
  }

  func receipt(_ account: Int?, _ environment: String?) throws(BadBody) -> Answer {
    do {
      let person = try person(account)
      let environment = try self.environment(environment)
      catchUp()
      guard let evidence = store.receipt(of: person, in: environment) else {
        return .refused("the phone of account \(person + 1) has no receipt", status: 404)
      }
      return .json(["receipt-data": try desk.receipt(evidence, in: environment)])
    } catch let error as BadBody {
      throw error
    } catch {
      return .text("this cannot be signed: \(error)", status: 500)
    }
  }

  func leaveFamily(_ account: Int?) async throws(BadBody) -> Answer {
    catchUp()
    let person = try person(account)
    store.note("user\(person + 1) leaves the family")
    store.leaveFamily(person)
    await settle(waits: true)
    return .json(["account": person + 1])
  }

  // MARK: - Purchases

  struct Wish: Codable {
    var account: Int
    var productId: String
    var environment: String?
    var quantity: Int?
    var offerId: String?
    var appAccountToken: String?
    var wait: Bool?
  }

  struct Purchase: Codable {
    var result: String
    var transactionId: String?
    var originalTransactionId: String?
    var orderId: String?
    var signedTransactionInfo: String?
    var transaction: TransactionPayload?
  }

  func buy(_ body: [UInt8]) async throws(BadBody) -> Answer {
    catchUp()
    let wish = try JSON.decode(
      Wish.self, from: body,
      keys: [
        "account", "productId", "environment", "quantity", "offerId", "appAccountToken", "wait",
      ])
    let person = try person(wish.account)
    let environment = try environment(wish.environment)
    let products = settings.terms.products
    guard let place = products.firstIndex(where: { $0.name == wish.productId }) else {
      throw BadBody(
        "productId: found '\(wish.productId)', expected one of "
          + products.map(\.name).joined(separator: ", "))
    }
    let quantity = wish.quantity ?? 1
    guard (1...10).contains(quantity) else {
      throw BadBody("quantity: found \(quantity), expected a whole number from 1 to 10")
    }
    var token = Token.none
    if let text = wish.appAccountToken {
      guard let uuid = UUID(uuidString: text) else {
        throw BadBody("appAccountToken: found '\(text)', expected a UUID")
      }
      token = desk.names.token(uuid)
    }
    var offer: Int?
    if let name = wish.offerId {
      let offers = products[place].renewal?.offers ?? []
      guard let found = offers.firstIndex(where: { $0.name == name }) else {
        throw BadBody(
          "offerId: found '\(name)', expected "
            + (offers.isEmpty
              ? "none: \(wish.productId) has no offers"
              : "one of \(offers.compactMap(\.name).joined(separator: ", "))"))
      }
      offer = found
    }
    store.note(
      "user\(person + 1) buys \(quantity > 1 ? "\(quantity) " : "")\(wish.productId) in "
        + environment.name)
    let result = store.buy(
      ProductID(index: place), by: person, in: environment, quantity: UInt32(clamping: quantity),
      token: token, offer: offer)
    let answer = try purchase(result, environment)
    await settle(waits: wish.wait ?? true)
    return answer
  }

  private func purchase(
    _ result: LiveStore.Purchase, _ environment: Environment
  ) throws(BadBody) -> Answer {
    let (word, id, status): (String, TransactionID?, Int) =
      switch result {
      case .charged(let id): ("charged", id, 201)
      case .returned(let id): ("returned", id, 200)
      case .refused: ("refused", nil, 200)
      }
    var purchase = Purchase(result: word)
    if let id { try fill(&purchase, id) }
    return .json(purchase, status: status)
  }

  private func fill(_ purchase: inout Purchase, _ id: TransactionID) throws(BadBody) {
    guard let charge = store.books.charge(id),
      let payload = desk.payload(charge.purchase, signedMillis: store.now)
    else { return }
    purchase.transactionId = payload.transactionId
    purchase.originalTransactionId = payload.originalTransactionId
    purchase.orderId = store.books.order(of: id).map(Names.order)
    purchase.transaction = payload
    do { purchase.signedTransactionInfo = try desk.sign(payload) } catch {
      throw BadBody("this cannot be signed: \(error)")
    }
  }

  func purchase(_ text: String) throws(BadBody) -> Answer {
    catchUp()
    let id = try known(text)
    var purchase = Purchase(result: "charged")
    try fill(&purchase, id)
    return .json(purchase)
  }

  /// What somebody does with a transaction.
  enum Deed: String, CaseIterable {
    case finish, refund
    case refundRequest = "refund-request"
    case refundReversal = "refund-reversal"
    case renewalOff = "renewal-off"
    case renewalOn = "renewal-on"
    case priceIncrease = "price-increase"
  }

  private struct Terms: Codable {
    var percent: Double?
    var wait: Bool?
  }

  func perform(_ deed: Deed, on text: String, _ body: [UInt8]) async throws(BadBody) -> Answer {
    catchUp()
    let id = try known(text)
    let terms =
      body.isEmpty ? Terms() : try JSON.decode(Terms.self, from: body, keys: ["percent", "wait"])
    let percent = terms.percent ?? 100
    guard percent > 0, percent <= 100 else {
      throw BadBody("percent: found \(percent), expected a number over 0 and up to 100")
    }
    store.note("\(deed.rawValue) of transaction \(text)")
    let isDone: Bool
    let why: String
    switch deed {
    case .finish:
      isDone = store.finish(id)
      why = "it is finished already"
    case .refund:
      isDone = store.refund(id, thousandths: max(1, Int(clamping: (percent * 10).rounded())))
      why = "its money was given back already, or was never its own"
    case .refundRequest:
      isDone = store.requestRefund(of: id) == .taken
      why = "its money was asked for already, or was never its own"
    case .refundReversal:
      isDone = store.reverseRefund(of: id)
      why = "no money of it was given back"
    case .renewalOff:
      isDone = store.setRenews(false, ofSubscription: id)
      why = "it is no subscription that is paid for and is to be renewed"
    case .renewalOn:
      isDone = store.setRenews(true, ofSubscription: id)
      why = "it is no subscription that is paid for and is not to be renewed"
    case .priceIncrease:
      isDone = store.raisePrice(ofSubscription: id)
      why = "it is no subscription that is to be renewed at the price it had"
    }
    guard isDone else { return .refused("transaction \(text): \(why)", status: 409) }
    var purchase = Purchase(result: "done")
    try fill(&purchase, id)
    await settle(waits: terms.wait ?? true)
    return .json(purchase)
  }

  // MARK: - Time

  private struct Leap: Codable {
    var days: Double?
    var hours: Double?
    var minutes: Double?
    var seconds: Double?
  }

  struct Time: Codable {
    var now: Int64
    var date: String
    var next: Int64?
    var clock: String
  }

  func time() -> Answer {
    catchUp()
    return .json(
      Time(
        now: now, date: Self.words(now), next: store.nextMillis.map(date),
        clock: settings.clock.rawValue))
  }

  static func words(_ millis: Int64) -> String {
    Date(timeIntervalSince1970: Double(millis) / 1000).formatted(.iso8601)
  }

  func pass(_ body: [UInt8]) async throws(BadBody) -> Answer {
    catchUp()
    let asked = try JSON.decode(
      Leap.self, from: body, keys: ["days", "hours", "minutes", "seconds"])
    let parts = [
      (asked.days, 86_400.0), (asked.hours, 3600), (asked.minutes, 60), (asked.seconds, 1),
    ]
    let named = parts.compactMap { part in part.0.map { $0 * part.1 } }
    let left = Double(LiveStore.horizonMillis - store.now) / 1000
    let seconds = named.reduce(0, +)
    guard !named.isEmpty, named.allSatisfy({ $0 >= 0 }), seconds <= left else {
      throw BadBody(
        "found \(named.isEmpty ? "no time" : "\(seconds) seconds"), expected days, hours, minutes or "
          + "seconds from 0, and \(Int(clamping: left)) seconds at most")
    }
    store.note("\(Int(clamping: seconds)) seconds pass")
    await leap(by: Int64(clamping: (seconds * 1000).rounded()))
    return time()
  }
}

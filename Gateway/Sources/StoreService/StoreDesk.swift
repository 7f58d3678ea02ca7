import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// Says in Apple's words what the store knows, and signs it: what a served store and one that a campaign drives have in
/// common.
public struct StoreDesk {
  /// The app that is sold in.
  public struct App: Sendable {
    /// bundleId.
    public var bundle = "com.example.app"
    /// appAppleId, which only production has.
    public var id: Int64 = 1_234_567_890
    /// bundleVersion.
    public var version = "1"
    /// What a product costs, in thousandths of the currency; one that is not named costs 990.
    public var prices: [String: Int] = [:]
    /// The password that verifyReceipt wants; nil for any.
    public var sharedSecret: String?
    /// Who may call the App Store Server API.
    public var callers: CallerCheck
    /// Whether those who call go by the store's time, and not by this machine's.
    public var callersFollow = false
    /// Which environments have an address for notifications.
    public var notified: Set<Environment> = [.production, .sandbox]

    /// An app of which nothing else is known.
    public init() { callers = CallerCheck(bundle: bundle) }
  }

  /// What the store has written down.
  public let books: StoreBooks
  /// The app that is sold in.
  public var app: App
  /// What the outside calls things.
  public let names: Names
  let signer: StoreSigner
  /// The receipts that were handed out, by their text.
  let receipts: Receipts

  /// A desk at these books.
  public init(_ books: StoreBooks, _ app: App, _ names: Names, _ signer: StoreSigner) {
    self.books = books
    self.app = app
    self.names = names
    self.signer = signer
    receipts = Receipts()
  }

  /// The store's time, in milliseconds since 1970.
  func date(_ millis: Int64) -> Int64 { books.beginsSeconds * 1000 + millis }

  var now: Int64 { date(books.now) }

  /// The present of those who call: the store's time, or this machine's.
  public var present: Date {
    app.callersFollow ? Date(timeIntervalSince1970: Double(now) / 1000) : Date()
  }

  func sign(_ payload: some Encodable) throws -> String {
    try signer.sign(try JSON.encoder.encode(payload))
  }

  /// A notification, signed by this store or by somebody else.
  public func signed(
    _ notification: StoreNotification, by signer: StoreSigner? = nil
  ) throws -> String {
    try (signer ?? self.signer).sign(try JSON.encoder.encode(try payload(notification)))
  }
}

/// The receipts that were handed out, by their text.
final class Receipts {
  var known: [String: Evidence] = [:]
}

/// What becomes of a request: an answer at once, or a question to Apple and what is made of its answer.
public enum Reaction {
  /// A question to Apple, asked at a port of the backend's.
  public typealias Ask = (Server) -> UInt64?

  /// Nobody has to be asked.
  case answer(Answer)
  /// What is asked, and what a valid answer is made of.
  case asks(Ask, (LiveStore.Answered) throws -> Answer)
  /// The same for verifyReceipt: a receipt, which environment's address, and what any answer is made of.
  case verifies(Evidence, Environment, (LiveStore.Answered) throws -> Answer)

  static func problem(_ code: Int) -> Reaction { .answer(.problem(code)) }

  /// What an answer of Apple's is made of: nothing, an error, or a body.
  ///
  /// - Parameter date: the present of whoever asks, who may be told when to ask again.
  public static func answer(
    to answered: LiveStore.Answered, at date: Date = Date(),
    _ body: (LiveStore.Answered) throws -> Answer
  ) -> Answer {
    let status = answered.answer.status
    if status == VerifierAnswer.timedOut { return .withheld }
    // The certificates of what is signed cannot be checked now: that is for the responder to say.
    guard status == 0 || status == VerifierAnswer.signatureUnchecked else {
      return .problem(Int(clamping: status), at: date)
    }
    do { return try body(answered) } catch {
      return .text("this cannot be signed: \(error)", status: 500)
    }
  }
}

/// A request to one of Apple's hosts.
public struct AppleRequest: Sendable {
  /// The method of HTTP, such as `GET`.
  public var method: String
  /// The parts of the path, decoded.
  public var path: [String]
  /// What stands behind the question mark, decoded.
  public var query: [String: [String]]
  /// The body.
  public var body: [UInt8]
  /// What stands behind `Authorization:`.
  public var authorization: String?
  /// Whose host it is.
  public var environment: Environment

  /// A request to a host, with a target such as `/inApps/v1/transactions/1?x=y`.
  ///
  /// Elsewhere than at Apple's hosts the path says which environment is meant: `/sandbox/…` is the sandbox.
  public init(
    method: String, target: String, host: String, body: [UInt8], authorization: String?
  ) {
    self.method = method
    self.body = body
    self.authorization = authorization
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = (parts.first ?? "").split(separator: "/").map {
      String($0).removingPercentEncoding ?? String($0)
    }
    query = [:]
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        let text = $0.replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
      }
      query[halves[0], default: []].append(halves.count > 1 ? halves[1] : "")
    }
    environment = host.contains("sandbox") ? .sandbox : .production
    if let first = path.first, let named = Environment(named: first) {
      environment = named
      path.removeFirst()
    }
  }
}

extension StoreDesk {
  /// What becomes of a request to one of Apple's hosts; nil where it has no such address.
  public func reaction(to request: AppleRequest) -> Reaction? {
    let environment = request.environment
    if request.path == ["verifyReceipt"] {
      return request.method == "POST" ? verifyReceipt(request.body, environment) : nil
    }
    guard request.path.first == "inApps", request.path.count >= 3 else { return nil }
    if let refusal = refusal(authorization: request.authorization) { return .answer(refusal) }
    let path = Array(request.path.dropFirst())
    let last = path[path.count - 1]
    switch (request.method, path.count, path[0], path[1]) {
    case ("GET", 3, "v1", "transactions"): return transaction(last, environment)
    case ("GET", 4, "v1", "transactions") where path[2] == "appTransactions":
      return appTransaction(last, environment)
    case ("POST", 4, "v1", "transactions") where last == "finish":
      return finish(path[2], environment)
    case ("PUT", 4, "v1", "transactions") where last == "appAccountToken":
      return setToken(path[2], request.body, environment)
    case ("PUT", 4, "v1", "transactions"), ("PUT", 4, "v2", "transactions"):
      return path[2] == "consumption" ? consumption(last, request.body, environment) : nil
    case ("GET", 3, "v1", "history"), ("GET", 3, "v2", "history"):
      return history(last, request.query, environment)
    case ("GET", 4, "v2", "refund") where path[2] == "lookup":
      return refundHistory(last, request.query, environment)
    case ("GET", 3, "v1", "subscriptions"): return statuses(last, request.query, environment)
    case ("PUT", 4, "v1", "subscriptions") where path[2] == "extend":
      return extend(last, request.body, environment)
    case ("GET", 3, "v1", "lookup"): return order(last, environment)
    case ("POST", 3, "v1", "notifications") where last == "history":
      return notifications(request.body, request.query, environment)
    case ("POST", 3, "v1", "notifications") where last == "test": return requestTest(environment)
    case ("GET", 4, "v1", "notifications") where path[2] == "test":
      return testStatus(last, environment)
    default: return nil
    }
  }

  /// What a caller is answered who may not call; nil for who may.
  func refusal(authorization: String?) -> Answer? {
    do {
      try app.callers.check(authorization: authorization, date: present)
      return nil
    } catch {
      // Apple says no more; whoever looks for the mistake finds it in a header that Apple does not send.
      var answer = Answer.problem(401)
      answer.headers["X-Chaos-Reason"] = error.description
      return answer
    }
  }
}

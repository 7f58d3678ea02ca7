import ChaosStore
import Foundation
import Invariants

/// What an app sends its backend.
public struct BackendRequest: Sendable {
  /// StoreKit 2: the signed transaction.
  public var jws: String?
  /// StoreKit 1: the contents of the receipt file.
  public var receipt: Data?
  /// The transaction that the app names, such as `Transaction.id`; nil if it only posts a receipt.
  public var transactionID: UInt64?
  /// The transaction that the app knows the request to be about and does not tell the backend.
  public var unnamedTransactionID: UInt64?
  /// The owner or order that the app names.
  public var token: UUID?
  /// The owner that the app names as StoreKit 1's applicationUsername has it, without a `token`.
  public var username: String?
  /// The product that the app names.
  public var productID: String?
  /// Whether it asks for nothing but that what it proves be noted.
  public var isProbe = false
  /// Anything else, for a backend of your own.
  public var body = Data()

  /// A request that brings this evidence and names this much; the rest is set afterwards.
  public init(
    jws: String? = nil, receipt: Data? = nil, transactionID: UInt64? = nil, token: UUID? = nil,
    productID: String? = nil, body: Data = Data()
  ) {
    self.jws = jws
    self.receipt = receipt
    self.transactionID = transactionID
    self.token = token
    self.productID = productID
    self.body = body
  }
}

/// What the backend answered.
public struct BackendResponse: Sendable {
  /// The HTTP status.
  public var status: Int
  /// What the backend says of the purchase that the request was about.
  public var outcome: Reply.Outcome
  /// What a backend of your own wrote.
  public var body: Data

  /// An answer with this outcome and the HTTP status that goes with it.
  public init(_ outcome: Reply.Outcome, body: Data = Data()) {
    self.init(status: Int(outcome.status), outcome: outcome, body: body)
  }

  init(status: Int, outcome: Reply.Outcome, body: Data) {
    self.status = status
    self.outcome = outcome
    self.body = body
  }

  /// Whether the goods are there.
  public var isDelivered: Bool { outcome == .delivered || outcome == .alreadyDelivered }
}

/// Why a request has no answer. URLSession throws a URLError at this point.
public enum BackendError: Error, Sendable, Hashable {
  /// Nothing came within the time allowed. The request may have arrived all the same.
  case timedOut
  /// The app process ended meanwhile; seen only by code that goes on after it should not.
  case processEnded
}

/// The connection between an app and its backend: each message can be lost, late or doubled.
@MainActor
public final class BackendLink {
  /// After how many seconds a request is given up; URLSession's default is 60.
  public var timeout = 60.0

  private let port: HostedPhone

  init(_ port: HostedPhone) { self.port = port }

  /// Sends a request and waits for the answer.
  public func send(_ request: BackendRequest) async throws -> BackendResponse {
    let result: Result<BackendResponse, BackendError> = await withUnsafeContinuation { waiting in
      send(request) { waiting.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Sends a request before it returns, as a data task of URLSession does that is resumed, and calls
  /// back with the answer.
  public func send(
    _ request: BackendRequest,
    completion: @escaping (Result<BackendResponse, BackendError>) -> Void
  ) {
    guard port.isAlive else { return completion(.failure(.processEnded)) }
    let tag = port.send(report(request), about: about(request)) { [port] reply in
      guard let reply else { return completion(.failure(.processEnded)) }
      completion(
        .success(
          BackendResponse(
            status: Int(reply.status), outcome: reply.outcome,
            body: port.run.payloads.payload(reply.payload) ?? Data())))
    }
    // The app may have died while it sent; then it is called back when the process is ended.
    if tag == 0 { return completion(.failure(.processEnded)) }
    port.alarm(after: Int64(timeout * 1000), for: tag) { [port] in
      if port.forget(tag) { completion(.failure(.timedOut)) }
    }
  }

  private func about(_ request: BackendRequest) -> TransactionID {
    if let id = request.transactionID ?? request.unnamedTransactionID {
      return SimulatedJWS.transaction(id)
    }
    return request.jws.map(SimulatedJWS.transaction(in:)) ?? .none
  }

  private func report(_ request: BackendRequest) -> Report {
    var evidence = Evidence()
    if let jws = request.jws {
      evidence = port.ask(PhoneCalls.EvidenceFor(transaction: SimulatedJWS.transaction(in: jws)))
    } else if let receipt = request.receipt {
      evidence = port.run.payloads.evidence(inReceipt: receipt) ?? Evidence()
    } else if let id = request.transactionID {
      evidence = port.ask(PhoneCalls.EvidenceFor(transaction: SimulatedJWS.transaction(id)))
    }
    let product = request.productID.flatMap { id in port.catalogue.firstIndex { $0.id == id } }
    return Report(
      session: port.user,
      transaction: request.transactionID.map(SimulatedJWS.transaction) ?? .none,
      token: request.token == nil
        ? SimulatedUUID.token(username: request.username, port.user)
        : SimulatedUUID.token(request.token),
      product: product.map { ProductID(index: $0) } ?? .none,
      purpose: request.isProbe ? .probe : .deliver, evidence: evidence,
      payload: request.body.isEmpty ? 0 : port.run.payloads.keep(request.body))
  }
}

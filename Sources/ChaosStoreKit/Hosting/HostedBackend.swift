import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// A backend written in Swift: a handler that is called for each request.
///
/// One is built for each process of the backend, and dropped when the process dies; what is to
/// outlive it goes to the ledger.
@MainActor
public protocol SimulatedBackend: AnyObject, Sendable {
  /// The backend's process has started; `kind` is the variant that the scenario asks for.
  init(_ kind: BackendKind)
  /// Handles a request. Suspensions are round trips; another request may be handled meanwhile.
  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse
}

/// A request as the backend sees it.
public struct ReceivedRequest: Sendable {
  /// Who was logged in on the device that sent it.
  public let account: AccountID
  /// The transaction that the app named; none if it only posted a receipt.
  public let transaction: TransactionID
  /// The owner or order that the app named.
  public let token: Token
  /// The product that the app named.
  public let product: ProductID
  /// Whether it asks for nothing but that what it proves be noted.
  public let isProbe: Bool
  /// Whether it brings a receipt file, and not one transaction.
  public let isReceipt: Bool
  /// Whatever else the app sent.
  public let body: Data
}

/// What a backend works with while it handles one request: Apple's answers, and the ledger.
@MainActor
public final class BackendServices {
  private let server: Server
  private var waiting: ((VerifierAnswer?) -> Void)?
  private var pauses: [() -> Void] = []

  init(_ server: Server) { self.server = server }

  /// Asks Apple about the evidence of the request; nil when the process has ended.
  public func verify(_ question: VerifierQuestion) async -> VerifierAnswer? {
    guard server.isAlive else { return nil }
    return await withUnsafeContinuation { continuation in
      waiting = { continuation.resume(returning: $0) }
      server.verify(question)
    }
  }

  /// What the answer proves.
  public func purchases(in answer: VerifierAnswer) -> [VerifiedPurchase] {
    Array(server.purchases(in: answer))
  }

  /// A round trip to the database, in which others may get ahead.
  public func databaseRoundTrip() async {
    guard server.isAlive else { return }
    await withUnsafeContinuation { continuation in
      pauses.append { continuation.resume() }
      server.pause(0, about: .none)
    }
  }

  /// Enters (environment, transaction id) and the credit in one commit, unless it is there.
  public func commit(_ purchase: VerifiedPurchase, to account: AccountID) -> Server.Commit {
    server.commit(purchase, to: account)
  }
  /// Credits without asking whether it was done before.
  public func credit(_ purchase: VerifiedPurchase, to account: AccountID) -> Server.Commit {
    server.credit(purchase, to: account)
  }
  /// Whether the table of credited transactions has it, and entering it in a commit of its own.
  public func isRecorded(_ purchase: VerifiedPurchase) -> Bool { server.isRecorded(purchase) }
  /// Enters a purchase in that table, in a commit of its own; nothing is credited.
  public func record(_ purchase: VerifiedPurchase) { server.record(purchase) }
  /// App Store Server API: the appAccountToken of a purchase, and whose it is.
  public func owner(of purchase: VerifiedPurchase) -> AccountID {
    server.owner(of: server.token(of: purchase))
  }
  /// Whose token an app named.
  public func owner(of token: Token) -> AccountID { server.owner(of: token) }
  /// Whether two transactions stand for one charge.
  public func isSame(_ a: TransactionID, _ b: TransactionID) -> Bool { server.isSame(a, b) }

  func verified(_ answer: VerifierAnswer) {
    let done = waiting
    waiting = nil
    done?(answer)
  }

  func resumed() { if !pauses.isEmpty { pauses.removeFirst()() } }

  /// The process is over: whoever waits is woken and finds everything inert.
  func end() {
    let done = waiting
    waiting = nil
    done?(nil)
    let all = pauses
    pauses = []
    for pause in all { pause() }
  }
}

/// Passes on to a hosted backend what happens to its process.
public struct HostedBackend<Backend: SimulatedBackend>: PurchaseBackend {
  private let run: HostedRun
  private let kind: BackendKind
  private var process: HostedServerProcess<Backend>?

  /// Called by the simulator, for a system that is a ``HostedSystem`` or a ``PipedSystem``.
  public init(_ launch: Launch) {
    guard let run = launch.shared as? HostedRun else {
      fatalError("bug: a hosted backend in a system that is no HostedSystem")
    }
    self.run = run
    kind = launch.backend
  }

  /// Called by the simulator: has the backend handle a request, and builds the backend for the
  /// first.
  public mutating func received(_ report: Report, _ server: Server) {
    let process = process ?? HostedServerProcess(run, kind)
    self.process = process
    process.received(report, server)
  }

  /// Called by the simulator: resumes the handler that waits for Apple.
  public mutating func verified(
    _ answer: VerifierAnswer, for report: Report, _ server: Server
  ) {
    process?.verified(answer, server)
  }

  /// Called by the simulator: resumes the handler that waits for its database.
  public mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
  ) {
    process?.resumed(server)
  }

  /// Called by the simulator: the process ends, and every handler that waits is woken and finds
  /// everything inert.
  public mutating func stopped() {
    process?.end()
    process = nil
  }
}

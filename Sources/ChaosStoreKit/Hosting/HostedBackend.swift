import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// A backend written in Swift: a handler that is called for each request.
///
/// One is built for each process of the backend, and dropped when the process dies; what is to
/// outlive it goes to the ledger and to tables.
@MainActor
public protocol SimulatedBackend: AnyObject, Sendable {
  /// The backend's process has started; `kind` is the variant that the scenario asks for.
  init(_ kind: BackendKind)
  /// The process runs: at the beginning, and again after it has died. What it has left to do, such as
  /// what its outbox holds, it finds in its tables; it may go on for as long as the process lives.
  func started(_ services: BackendServices) async
  /// Handles a request. Suspensions are round trips; another request may be handled meanwhile.
  ///
  /// What it returns is sent. A task that it has begun may go on with the services afterwards, for as
  /// long as the process lives.
  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse
  /// Apple says that something has happened: an App Store Server Notification. Where the answer is no success, or
  /// there is none, it comes again hours later, six times in production and once in the sandbox.
  ///
  /// It can come twice, late, in another order, or never; and it can be somebody else's who knows the address, which
  /// its signature tells. ``BackendServices/verify(_:)`` asks about its transaction.
  func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse
  /// Does what it has handed to its job queue, see ``BackendServices/enqueue(_:about:after:)``; nobody waits for an
  /// answer. It can come a second time (F54), and does where the process dies before it is done.
  func perform(_ job: BackendJob, _ services: BackendServices) async
}

/// What a backend has handed to its job queue.
public struct BackendJob: Sendable {
  /// What it is about; none for no transaction.
  public let transaction: TransactionID
  /// Whatever else is to be known for it.
  public let body: Data
}

extension SimulatedBackend {
  /// Does nothing.
  public func perform(_ job: BackendJob, _ services: BackendServices) async {}
  /// Takes note, and does nothing.
  public func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse { BackendResponse(.alreadyDelivered) }
  /// Does nothing.
  public func started(_ services: BackendServices) async { services.startsNothing() }
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

  /// Called by the simulator: builds the backend, and tells it that it runs.
  public mutating func started(_ server: Server) {
    let process = HostedServerProcess<Backend>(run, kind, server)
    self.process = process
    process.start()
  }

  /// Called by the simulator: has the backend handle a request.
  public mutating func received(_ report: Report, _ server: Server) {
    process?.received(report, server)
  }

  /// Called by the simulator: has the backend hear of what has happened at Apple's.
  public mutating func notified(_ notification: StoreNotification, _ server: Server) {
    process?.notified(notification, server)
  }

  /// Called by the simulator: resumes the handler that waits for Apple.
  public mutating func verified(
    _ answer: VerifierAnswer, for report: Report, _ server: Server
  ) {
    process?.verified(answer, server)
  }

  /// Called by the simulator: resumes the handler that waits for its database, or whoever sleeps.
  public mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
  ) {
    process?.resumed(step, transaction.raw, report, server)
  }

  /// Called by the simulator: the process ends, and every handler that waits is woken and finds
  /// everything inert.
  public mutating func stopped() {
    process?.end()
    process = nil
  }
}

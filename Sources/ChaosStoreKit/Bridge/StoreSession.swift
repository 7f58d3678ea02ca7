import ChaosHost
import ChaosStore
import Foundation

/// The façade's state of one app process: its queue, its observers, its listeners, its waiters.
///
/// It belongs to the simulation's thread, as everything of a process does; that is why it can be
/// passed to closures that Swift wants to be sendable.
final class StoreSession: @unchecked Sendable {
  let port: any StorePort
  @exclusivity(unchecked) private(set) var hasEnded = false
  /// What the app did that StoreKit answers with an exception, in the order in which it happened.
  @exclusivity(unchecked) private(set) var complaints: [String] = []

  @exclusivity(unchecked) private var lastTicket: UInt64 = 0
  @exclusivity(unchecked) private var endings: [(ticket: UInt64, end: () -> Void)] = []
  /// Not counted: who listens no more has gone from the list.
  @exclusivity(unchecked) private var listeners: [Unmanaged<UpdatesListener>] = []
  @exclusivity(unchecked) private var listenerCount = 0
  @exclusivity(unchecked) private var readers: [(ticket: UInt64, read: (StoreMessage) -> Void)] = []
  @exclusivity(unchecked) private(set) var queue: (any TransactionReceiver)?
  @exclusivity(unchecked) private var receipt = ReceiptFile()
  #if !canImport(ObjectiveC)
    /// What the Objective-C runtime would keep of the process, from when the app first has it keep anything.
    @exclusivity(unchecked) private var madeObjectiveC: ObjectiveCState?
  #endif

  init(port: any StorePort) { self.port = port }

  /// Whether the process still runs; if it does not, everything below does nothing.
  var isAlive: Bool { !hasEnded && port.isAlive }

  /// Called by the bridge: transactions are called back, in one array.
  ///
  /// Observers are called at once, because the bridge calls on the main actor; iterators of
  /// `Transaction.updates` resume when it is their turn.
  func deliver(_ transactions: [StoreTransaction]) {
    guard isAlive else { return }
    for transaction in transactions
    where transaction.state != .failed && transaction.state != .deferred {
      for listener in listeners { listener.takeUnretainedValue().receive(transaction) }
    }
    queue?.receive(transactions)
  }

  /// Called by the bridge: the App Store says something beside transactions.
  func hear(_ message: StoreMessage) {
    guard isAlive else { return }
    for reader in readers { reader.read(message) }
    queue?.hear(message)
  }

  /// Called by the bridge when the process ends: streams finish, waiters resume with an error,
  /// observers are dropped.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    while let listener = listeners.first { listener.takeUnretainedValue().finish() }
    while !endings.isEmpty { endings.removeFirst().end() }
    queue?.end()
    queue = nil
    #if !canImport(ObjectiveC)
      madeObjectiveC = nil
    #endif
    receipt.giveBack()
  }
}

#if !canImport(ObjectiveC)
  /// What the Objective-C runtime and Foundation would keep of a process.
  final class ObjectiveCState {
    /// What the app has associated with its objects.
    let associatedObjects = AssociatedObjects()
    /// Whose methods are called at notifications.
    let selectorObservers = SelectorObservers()
    /// Which methods are to be called later.
    let delayedCalls = DelayedCalls()
  }

  extension StoreSession {
    /// Nil after the end: nothing is kept for a process that is gone.
    var objectiveC: ObjectiveCState? {
      if hasEnded { return nil }
      if let madeObjectiveC { return madeObjectiveC }
      let state = ObjectiveCState()
      madeObjectiveC = state
      return state
    }
  }
#endif

// MARK: - Finding it

extension StoreSession {
  /// The session of the process whose code is running; nil outside a hosted app.
  static var running: StoreSession? {
    Host.currentContext as? StoreSession
  }

  /// The session of the process whose code is running. Outside a hosted app it is one that has ended.
  ///
  /// A `deinit` can run when its process is gone, or on a thread of the app's own. It gets no answer there.
  static var current: StoreSession { running ?? ended }

  /// Any thread may use it: after the end a session changes nothing.
  private static let ended: StoreSession = {
    let session = StoreSession(port: NoPort())
    session.end()
    return session
  }()
}

/// StoreKit 1's queue, as its session knows it.
protocol TransactionReceiver: AnyObject {
  /// The phone calls back transactions, in one array.
  func receive(_ transactions: [StoreTransaction])
  /// The App Store says something beside transactions.
  func hear(_ message: StoreMessage)
  /// The process ends: nobody is called any more.
  func end()
}

extension StoreSession {
  /// Keeps the queue of the process until its end.
  func keep(_ queue: any TransactionReceiver) { if !hasEnded { self.queue = queue } }

  /// What `Bundle.main.appStoreReceiptURL` answers: a file to which the receipt is written as it is now.
  ///
  /// As with StoreKit there is a URL even if there is no file; its name is `receipt`, or `sandboxReceipt`
  /// where no money is real. The file is brought up to date whenever the URL is asked for, and at no
  /// other time: an app that keeps the URL reads an old receipt. The bytes are the simulated store's own,
  /// and only a simulated backend understands them.
  func receiptURL() -> URL {
    let standIns = Host.current?.process?.standIns
    if isAlive {
      let bytes = port.receiptFile()
      if isAlive { receipt.replace(with: bytes, isProduction: port.isProduction, standIns) }
    }
    return receipt.url(isProduction: port.isProduction, standIns)
  }

  /// Notes what StoreKit would have raised an exception for.
  func complain(_ text: String) {
    if isAlive { complaints.append(text) }
  }
}

// MARK: - Listeners

extension StoreSession {
  /// One more observer or listener; the first makes the phone call back.
  func attach() {
    guard isAlive else { return }
    listenerCount += 1
    if listenerCount == 1 { port.observe() }
  }

  /// One less; after the last the phone calls back no more.
  func detach() {
    guard isAlive, listenerCount > 0 else { return }
    listenerCount -= 1
    if listenerCount == 0 { port.unobserve() }
  }

  func listen(_ listener: UpdatesListener) {
    listeners.append(.passUnretained(listener))
    attach()
  }

  func unlisten(_ listener: UpdatesListener) {
    guard let index = listeners.firstIndex(where: { $0.takeUnretainedValue() === listener }) else {
      return
    }
    listeners.remove(at: index)
    detach()
  }

  /// A stream of what the App Store says of one kind, beside transactions, until the process ends.
  func news<Element: Sendable>(
    _ kind: StoreNews.Kinds, _ element: @escaping (StoreMessage) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, end) = AsyncStream<Element>.makeStream()
    guard !hasEnded else {
      end.finish()
      return stream
    }
    let ticket = atEnd { end.finish() }
    readers.append((ticket, { message in if let new = element(message) { end.yield(new) } }))
    end.onTermination = { [weak self] _ in
      _ = self?.takeEnding(ticket)
      self?.readers.removeAll { $0.ticket == ticket }
    }
    if isAlive, port.hasNews { port.follow(kind) }
    return stream
  }

  /// A stream in which nothing happens until the process ends.
  func silence<Element: Sendable>(_: Element.Type) -> AsyncStream<Element> {
    news([]) { _ in nil }
  }
}

// MARK: - Waiters

// Code of a process that has died goes no further than to its next question. It waits there until the
// bridge ends the process, however often it would ask again; from then on nothing waits any more.

extension StoreSession {
  /// Suspends until the phone answers; throws `CancellationError` if the process ends before that.
  func answer<Answer: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (any StorePort, @escaping (Answer) -> Void) -> Void
  ) async throws -> Answer {
    try await withUnsafeThrowingContinuation { continuation in
      guard !hasEnded else { return continuation.resume(throwing: CancellationError()) }
      let ticket = atEnd { continuation.resume(throwing: CancellationError()) }
      ask(port) { [self] answer in
        if takeEnding(ticket) { continuation.resume(returning: answer) }
      }
    }
  }

  /// Whether the process has died and its code may go no further.
  var mustStop: Bool { !hasEnded && !port.isAlive }

  /// Suspends the code of a process that has died until it is ended.
  func stop(isolation: isolated (any Actor)? = #isolation) async {
    guard mustStop else { return }
    await withUnsafeContinuation { continuation in _ = atEnd { continuation.resume() } }
  }

  private func nextTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  private func atEnd(_ end: @escaping () -> Void) -> UInt64 {
    let ticket = nextTicket()
    endings.append((ticket, end))
    return ticket
  }

  private func takeEnding(_ ticket: UInt64) -> Bool {
    guard let index = endings.firstIndex(where: { $0.ticket == ticket }) else { return false }
    endings.remove(at: index)
    return true
  }
}

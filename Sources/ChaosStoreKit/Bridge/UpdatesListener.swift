/// What one iterator of `Transaction.updates` has not seen yet, and the code that waits for more.
///
/// It listens from when it is made until the iterator lets go of it. An `AsyncStream` would do the same;
/// a launch makes a listener and a crash ends it, so it is as small as it can be.
final class UpdatesListener: @unchecked Sendable {
  private let session: StoreSession
  @exclusivity(unchecked) private var arrived: [StoreTransaction] = []
  @exclusivity(unchecked) private var waiting: [UnsafeContinuation<StoreTransaction?, Never>] = []
  @exclusivity(unchecked) private var isOver = false

  init(_ session: StoreSession) {
    self.session = session
    if session.hasEnded { isOver = true } else { session.listen(self) }
  }

  deinit { if !isOver { session.unlisten(self) } }

  func receive(_ transaction: StoreTransaction) {
    if waiting.isEmpty {
      arrived.append(transaction)
    } else {
      waiting.removeFirst().resume(returning: transaction)
    }
  }

  /// Nothing more comes, because the process ended or the listening task was cancelled.
  func finish() {
    guard !isOver else { return }
    isOver = true
    session.unlisten(self)
    while !waiting.isEmpty { waiting.removeFirst().resume(returning: nil) }
  }

  /// The next transaction; nil after the end. A cancelled task hears nothing more, as with StoreKit.
  func next() async -> StoreTransaction? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if !arrived.isEmpty {
          continuation.resume(returning: arrived.removeFirst())
        } else if isOver {
          continuation.resume(returning: nil)
        } else {
          waiting.append(continuation)
        }
      }
    } onCancel: {
      finish()
    }
  }
}

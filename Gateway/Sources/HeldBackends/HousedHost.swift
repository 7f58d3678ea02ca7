import Foundation

/// A host, in a thread of its own.
///
/// NIO's channels without an event loop are for the thread that has made them, and whoever needs the host next may be
/// another. Whoever asks something of it waits: one thing happens at a time as before.
final class HousedHost: @unchecked Sendable {
  private let thread = OwnThread()
  // The thread's alone.
  private var host: BackendHost?

  init(_ setup: HeldSetup) throws {
    host = try thread.run { try BackendHost(setup) }
  }

  deinit { thread.run { host = nil } }

  /// Has something done in the host's thread.
  func perform<T, E: Error>(_ body: (BackendHost) throws(E) -> T) throws(E) -> T {
    try thread.run { () throws(E) in
      guard let host else { fatalError("bug: a host is asked for something after its end") }
      return try body(host)
    }
  }
}

/// Does what it is given, one thing after the other, while whoever gave it waits.
private final class OwnThread {
  /// What passes between the two threads: only one of them goes on at a time.
  private final class Passage: @unchecked Sendable {
    let begin = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    var work: (() -> Void)?

    /// Does what there is, and keeps nothing of it; whether there was anything.
    func doWork() -> Bool {
      guard let work else { return false }
      self.work = nil
      work()
      return true
    }
  }

  private let passage = Passage()
  private let thread: Thread

  init() {
    let passage = passage
    thread = Thread {
      while true {
        passage.begin.wait()
        // Whoever waits is gone, or has what it waits for once nothing of it is held here.
        guard passage.doWork() else { return }
        passage.done.signal()
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  deinit { passage.begin.signal() }

  func run<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    // What a host does may come back to it.
    if Thread.current == thread { return try body() }
    var result: Result<T, E>?
    withoutActuallyEscaping(body) { body in
      passage.work = { result = Result { () throws(E) in try body() } }
      passage.begin.signal()
      passage.done.wait()
    }
    guard let result else { fatalError("bug: a host's thread has not done what it was given") }
    return try result.get()
  }
}

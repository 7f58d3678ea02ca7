import Foundation

/// A stand-in for the lock of `os`, where there is none.
///
/// Simulated code runs on one thread, so what waits for it waits for itself: as with Apple's, that ends the
/// program.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage: @unchecked Sendable {
    let lock = NSLock()
    var state: State
    var holder: pthread_t?

    init(_ state: State) { self.state = state }

    func acquire() {
      while !acquireIfAvailable() {
        if let holder, pthread_equal(holder, pthread_self()) != 0 {
          fatalError("OSAllocatedUnfairLock is taken by a thread that has it: it is not recursive")
        }
        sched_yield()
      }
    }

    func acquireIfAvailable() -> Bool {
      guard lock.try() else { return false }
      holder = pthread_self()
      return true
    }

    func release() {
      holder = nil
      lock.unlock()
    }
  }

  private let storage: Storage

  /// A lock around a state.
  public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

  /// A lock around a state that need not be sendable.
  public init(uncheckedState: State) { storage = Storage(uncheckedState) }

  /// Works on the state while nobody else does.
  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked(body)
  }

  /// The same, for what need not be sendable.
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.acquire()
    defer { storage.release() }
    return try body(&storage.state)
  }

  /// The same if nobody else has it, and nil otherwise.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    guard storage.acquireIfAvailable() else { return nil }
    defer { storage.release() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// A lock around nothing.
  public init() { self.init(uncheckedState: ()) }

  /// Does something while nobody else does.
  public func withLock<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }

  /// Takes it, and waits for it.
  public func lock() { storage.acquire() }

  /// Gives it back.
  public func unlock() { storage.release() }

  /// Takes it if nobody has it.
  public func lockIfAvailable() -> Bool { storage.acquireIfAvailable() }
}

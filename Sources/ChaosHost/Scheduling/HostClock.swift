import Foundation

/// The virtual time of the run that is under way, as a clock to hand to code that takes one.
///
/// Needed only where ``HostCapabilities/current`` lacks ``HostCapabilities/virtualClock`` or
/// ``HostCapabilities/virtualSleep``: elsewhere the system's clocks show the same time. Such code is
/// written for `any Clock<Duration>` and gets a `ContinuousClock` in the app and this one in a
/// simulation. For code that outlives its run it stands still, and a sleep throws `CancellationError`.
public struct HostClock: Clock {
  /// A moment of the run.
  public struct Instant: InstantProtocol {
    /// How long the run had lasted.
    public let offset: Duration

    /// The moment so much later.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    /// How long it is from this moment to the other.
    public func duration(to other: Self) -> Duration { other.offset - offset }
    /// Whether one moment comes before the other.
    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  /// The clock of whatever run the thread that asks is in.
  public init() {}

  /// The present moment of the run.
  public var now: Instant {
    guard let host = Host.current else { return Instant(offset: .zero) }
    host.hasReadClock = true
    return Instant(offset: .nanoseconds(Int64(clamping: host.now)))
  }

  /// A nanosecond: virtual time is counted in them.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// What `Date()` shows at this moment where it is simulated.
  public var date: Date {
    let (seconds, attoseconds) = now.offset.components
    let start = Host.current?.shownClockStart ?? Host.usualWallClockStart
    return Date(
      timeIntervalSince1970: Double(Int64(start) + seconds)
        + Double(attoseconds) / 1e18)
  }

  /// Waits in virtual time; throws `CancellationError` if the task is cancelled or the process ends.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    let delay = nanoseconds(now.duration(to: deadline))
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { sleeper.begin($0, Host.current, delay) }
    } onCancel: {
      sleeper.end(.failure(CancellationError()))
    }
  }

  /// A task that waits, on the host's thread.
  private final class Sleeper: @unchecked Sendable {
    private var waiting: UnsafeContinuation<Void, any Error>?
    private var isOver = false

    func begin(
      _ continuation: UnsafeContinuation<Void, any Error>, _ host: Host?, _ delay: UInt64
    ) {
      guard !isOver, let host, let process = host.running else {
        return continuation.resume(throwing: CancellationError())
      }
      waiting = continuation
      let block = HostBlock { self.end(.success(())) }
      host.take(WorkItem(block: block, lane: .pool, process: process), after: delay)
    }

    func end(_ result: Result<Void, any Error>) {
      isOver = true
      waiting?.resume(with: result)
      waiting = nil
    }
  }
}

// MARK: - When a run begins

extension Host {
  /// What `Date()` shows when ``now`` is 0, in seconds since 1970, unless a run begins at another time:
  /// 14 November 2023, 22:13:20 UTC.
  package static let usualWallClockStart: UInt64 = 1_700_000_000

  /// What `DispatchTime.now()` and the clocks since the device's start show when ``now`` is 0, in
  /// seconds.
  package static let uptimeStart: UInt64 = 1_000
}

#if os(Linux)
  import Foundation

  /// The clocks of the operating system, as code on a simulated thread sees them.
  enum VirtualClock {
    private typealias ReadClock =
      @convention(c) (clockid_t, UnsafeMutablePointer<timespec>?) -> CInt
    private typealias ReadDay =
      @convention(c) (UnsafeMutablePointer<timeval>?, UnsafeMutableRawPointer?) -> CInt
    private typealias ReadTime = @convention(c) (UnsafeMutablePointer<time_t>?) -> time_t

    private typealias Nap =
      @convention(c) (UnsafePointer<timespec>?, UnsafeMutablePointer<timespec>?) -> CInt
    private typealias ShortNap = @convention(c) (UInt32) -> CInt
    private typealias LongNap = @convention(c) (UInt32) -> UInt32

    nonisolated(unsafe) private static var originalNap: Nap?
    nonisolated(unsafe) private static var originalShortNap: ShortNap?
    nonisolated(unsafe) private static var originalLongNap: LongNap?
    nonisolated(unsafe) private static var originalClock: ReadClock?
    nonisolated(unsafe) private static var originalDay: ReadDay?
    nonisolated(unsafe) private static var originalTime: ReadTime?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("clock_gettime", &originalClock, clock)
      list.add("gettimeofday", &originalDay, day)
      list.add("time", &originalTime, time)
      list.add("nanosleep", &originalNap, nap)
      list.add("usleep", &originalShortNap, shortNap)
      list.add("sleep", &originalLongNap, longNap)
    }

    /// The seconds and the rest since 1970 (`isWall`), or since the simulated device was started.
    private static func read(_ host: Host, isWall: Bool) -> (seconds: Int, nanoseconds: Int) {
      host.hasReadClock = true
      let start = isWall ? host.shownClockStart : Host.uptimeStart
      return (
        Int(start) + Int(host.now / 1_000_000_000), Int(host.now % 1_000_000_000)
      )
    }

    private static let clock: ReadClock = { clock, result in
      guard let host = CurrentHost.get(), let result, clock != CLOCK_PROCESS_CPUTIME_ID,
        clock != CLOCK_THREAD_CPUTIME_ID
      else { return originalClock?(clock, result) ?? -1 }
      let isWall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
      let (seconds, nanoseconds) = read(host, isWall: isWall)
      result.pointee = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
      return 0
    }

    private static let day: ReadDay = { result, zone in
      guard let host = CurrentHost.get(), let result else {
        return originalDay?(result, zone) ?? -1
      }
      let (seconds, nanoseconds) = read(host, isWall: true)
      result.pointee = timeval(tv_sec: seconds, tv_usec: nanoseconds / 1_000)
      return 0
    }

    private static let time: ReadTime = { result in
      guard let host = CurrentHost.get() else { return originalTime?(result) ?? -1 }
      let seconds = read(host, isWall: true).seconds
      result?.pointee = seconds
      return seconds
    }

    // A thread that sleeps lets virtual time pass, and holds up everything else meanwhile, as the main
    // thread does in reality. `Thread.sleep` asks the clock whether it has slept enough.

    private static func pass(_ duration: Duration) -> Bool {
      guard let host = CurrentHost.get() else { return false }
      // 146 years, the end of all time here, so that sums stay in their range.
      let end = host.now + min(nanoseconds(duration), (1 << 62) - min(host.now, 1 << 62))
      if let process = host.running {
        host.advance(to: end, in: process)
      } else {
        host.advance(to: end)
      }
      return true
    }

    private static let nap: Nap = { time, rest in
      let time = time?.pointee ?? timespec()
      let duration = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
      if pass(duration) { return 0 }
      var original = time
      return originalNap?(&original, rest) ?? -1
    }

    private static let shortNap: ShortNap = { microseconds in
      pass(.microseconds(microseconds)) ? 0 : originalShortNap?(microseconds) ?? -1
    }

    private static let longNap: LongNap = { seconds in
      pass(.seconds(seconds)) ? 0 : originalLongNap?(seconds) ?? 0
    }
  }
#endif

import Foundation
import Testing

@testable import HeldBackends

@Suite("The clock that a backend's processes go by", .serialized)
final class HeldClockTests {
  private let folder: String
  private let library: String

  init() throws {
    folder = NSTemporaryDirectory() + "clock-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    library = try HeldClock.build(in: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What a program prints that goes by the clock.
  private func printed(by command: [String], _ clock: HeldClock) throws -> [String] {
    let output = folder + "/output-\(UUID().uuidString)"
    let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    let tree = try ProcessTree(
      command, folder: folder, environment: clock.added(to: environment), output: output)
    let deadline = ContinuousClock.now + .seconds(20)
    while tree.isRunning, ContinuousClock.now < deadline { usleep(1000) }
    return tree.lastOutput().split(separator: "\n").map(String.init)
  }

  @Test("a program sees the time that was set, and the next when it is set")
  func time() throws {
    let clock = try HeldClock(in: folder, library)
    clock.set(1_700_000_000_250)
    let words = "+%s.%3N"
    #expect(try printed(by: ["date", words], clock) == ["1700000000.250"])
    clock.set(1_702_592_000_000)
    #expect(try printed(by: ["date", words], clock) == ["1702592000.000"])
  }

  @Test("it stands while a program sleeps, waits until a moment of it, or waits with a limit")
  func waits() throws {
    let clock = try HeldClock(in: folder, library)
    clock.set(1_700_000_000_000)
    let program = """
      import ctypes, threading, time
      class Moment(ctypes.Structure): _fields_ = [("seconds", ctypes.c_long), ("rest", ctypes.c_long)]
      def soon():
          at = time.time_ns() + 50_000_000
          return ctypes.byref(Moment(at // 10**9, at % 10**9))
      c = ctypes.CDLL(None)
      mutex, condition, semaphore = (ctypes.create_string_buffer(64) for _ in range(3))
      begun = time.monotonic()
      c.pthread_mutex_lock(mutex)
      c.pthread_cond_timedwait(condition, mutex, soon())
      c.pthread_mutex_timedlock(mutex, soon())
      c.sem_timedwait(semaphore, soon())
      c.clock_nanosleep(0, 1, soon())
      moments = time.monotonic() - begun
      time.sleep(0.05)
      threading.Event().wait(0.05)
      held = threading.Lock(); held.acquire(); held.acquire(timeout=0.05)
      passed = time.monotonic() - begun
      print(time.time(), 0.19 < moments < 5, moments + 0.14 < passed < 5)
      """
    #expect(try printed(by: ["python3", "-c", program], clock) == ["1700000000.0 True True"])
  }

  @Test("a program that loads no library is named")
  func strangers() throws {
    let clock = try HeldClock(in: folder, library)
    let output = folder + "/output"
    let with = try ProcessTree(
      ["sleep", "1000"], folder: folder, environment: clock.added(to: ["PATH": "/usr/bin:/bin"]),
      output: output)
    let without = try ProcessTree(
      ["sleep", "1000"], folder: folder, environment: ["PATH": "/usr/bin:/bin"], output: output)
    usleep(300_000)
    #expect(clock.stranger(among: with) == nil)
    #expect(clock.stranger(among: without)?.hasSuffix("sleep") == true)
    with.end()
    without.end()
  }
}

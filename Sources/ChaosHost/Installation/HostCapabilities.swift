import Dispatch
import Foundation

/// What a host can take into its hands on this platform, tried out rather than assumed.
///
/// On Linux, with the Swift libraries linked dynamically, as they are by default, that is everything
/// here. With `-static-stdlib` the runtime's hooks and the import tables are not to be found. On macOS
/// tasks are run by the host, but the clock, random numbers and Dispatch stay those of the system; what
/// is said here about macOS has not been tried by anyone yet.
public struct HostCapabilities: OptionSet, Sendable, CustomStringConvertible {
  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Tasks, actors, groups and the main actor run on the host's thread, as `choose` says.
  public static let tasks = Self(rawValue: 1)
  /// `Task.sleep` and `Clock.sleep` wait in virtual time.
  public static let virtualSleep = Self(rawValue: 2)
  /// `Date()`, `ContinuousClock`, `SuspendingClock` and `DispatchTime` show virtual time.
  public static let virtualClock = Self(rawValue: 4)
  /// `UUID()`, `SystemRandomNumberGenerator` and what draws from it come from the run's seed.
  public static let virtualRandomness = Self(rawValue: 8)
  /// `DispatchQueue.main.async`, `asyncAfter` and the other queues become work of the host.
  public static let mainQueue = Self(rawValue: 16)
  /// Each task is known to its process when it is created, so that all are cancelled at its end.
  public static let taskOwnership = Self(rawValue: 32)
  /// `UserDefaults` keeps what it is given in the simulated process.
  public static let userDefaults = Self(rawValue: 64)
  /// What code does with real files, connections, threads, run loops and programs is named as a leak;
  /// see ``PlatformUse``.
  public static let namedEscapes = Self(rawValue: 128)
  /// `Bundle.main.appStoreReceiptURL` asks the simulated process.
  public static let receipt = Self(rawValue: 256)

  /// What code prints goes to its process, and not to the terminal.
  public static let output = Self(rawValue: 512)
  /// `NotificationCenter.default` is the process's own.
  public static let notifications = Self(rawValue: 1024)

  /// All of them.
  public static let all: Self = [
    .tasks, .virtualSleep, .virtualClock, .virtualRandomness, .mainQueue, .taskOwnership,
    .userDefaults, .namedEscapes, .receipt, .output, .notifications,
  ]

  private static let texts: [(capability: Self, missing: String)] = [
    (.tasks, "tasks run on the platform's own threads: nothing is simulated"),
    (
      .virtualSleep,
      "Task.sleep waits in real time: hand your code a Clock, here HostClock, and sleep by it"
    ),
    (
      .virtualClock,
      "Date() and the system's clocks show real time: hand your code a Clock, here HostClock"
    ),
    (
      .virtualRandomness,
      "UUID() and random numbers are real: hand your code HostRandomNumberGenerator"
    ),
    (.mainQueue, "Dispatch queues run on real threads: use tasks and the main actor"),
    (.taskOwnership, "tasks started by an actor for itself may be missed when a process ends"),
    (.userDefaults, "UserDefaults is real: keep what it keeps behind a protocol of yours"),
    (
      .namedEscapes,
      "real files, connections and threads are used unseen: keep them behind protocols of yours"
    ),
    (
      .receipt,
      "Bundle.main.appStoreReceiptURL is the platform's: hand your code the receipt's bytes"
    ),
    (.output, "what your code prints stands in the middle of the report: print to a port of yours"),
    (
      .notifications,
      "NotificationCenter.default is one for all simulations: hand your code a center of its own"
    ),
  ]

  /// What is missing, a line each, with the way around it; empty if nothing is.
  public var missing: [String] {
    Self.texts.filter { !contains($0.capability) }.map(\.missing)
  }

  /// What is missing, in one text.
  public var description: String {
    missing.isEmpty ? "everything is simulated" : missing.joined(separator: "\n")
  }
}

extension HostCapabilities {
  /// What is simulated in this program, found out once by a small run.
  public static let current: HostCapabilities = Trial().capabilities
}

/// Runs code whose results show what is simulated.
private final class Trial: @unchecked Sendable {
  private let host = Host()
  private var hasTask = false
  private var hasBlock = false
  private var slept: UInt64?

  var capabilities: HostCapabilities {
    guard InstalledHooks.takeTasks else { return [] }
    var found: HostCapabilities = []
    let process = host.makeProcess()
    host.enter(process) {
      Task { hasTask = true }
      DispatchQueue.main.async { [self] in hasBlock = true }
    }
    if hasTask { found.insert(.tasks) }
    if hasBlock { found.insert(.mainQueue) }
    if InstalledHooks.seeTasksCreated { found.insert(.taskOwnership) }
    let drawn = (0..<2).map { _ in draw(process) }
    if drawn[0] == drawn[1] { found.insert(.virtualRandomness) }
    process.standIns = TrialStandIns()
    if keepsDefaults(process) { found.insert(.userDefaults) }
    if findsReceipt(process) { found.insert(.receipt) }
    process.standIns = nil
    if takesOutput(process) { found.insert(.output) }
    if hasOwnNotifications(process) { found.insert(.notifications) }
    if namesWriting(process) { found.insert(.namedEscapes) }
    if hasTask, showsVirtualTime(process) {
      found.insert(.virtualClock)
      if sleeps(process) { found.insert(.virtualSleep) }
    }
    process.end()
    return found
  }

  private func draw(_ process: HostProcess) -> String {
    host.random = HostRandom(seed: 1)
    var text = ""
    host.enter(process) { text = "\(UUID()) \(UInt64.random(in: 0...(.max)))" }
    return text
  }

  private func keepsDefaults(_ process: HostProcess) -> Bool {
    var found: String?
    host.enter(process) { found = UserDefaults.standard.string(forKey: TrialStandIns.key) }
    return found == TrialStandIns.value
  }

  private func findsReceipt(_ process: HostProcess) -> Bool {
    var found: URL?
    host.enter(process) { found = Bundle.main.appStoreReceiptURL }
    return found == TrialStandIns.receipt
  }

  private func takesOutput(_ process: HostProcess) -> Bool {
    var count = 0
    process.output = { count += $0.count }
    // Nothing is to be seen of it where it goes to the terminal.
    host.enter(process) { print("", terminator: "\0") }
    process.output = nil
    return count > 0
  }

  private func hasOwnNotifications(_ process: HostProcess) -> Bool {
    var own: NotificationCenter?
    host.enter(process) { own = NotificationCenter.default }
    return own !== NotificationCenter.default
  }

  /// Writes a file where there cannot be one.
  private func namesWriting(_ process: HostProcess) -> Bool {
    let before = host.leaks.count
    host.enter(process) { try? Data().write(to: URL(fileURLWithPath: "/dev/null/none")) }
    return host.leaks.count > before
  }

  private func showsVirtualTime(_ process: HostProcess) -> Bool {
    func read() -> (Date, ContinuousClock.Instant, SuspendingClock.Instant) {
      var time = (Date(), ContinuousClock.now, SuspendingClock.now)
      host.enter(process) { time = (Date(), ContinuousClock.now, SuspendingClock.now) }
      return time
    }
    let before = read()
    host.advance(to: host.now + 3_600_000_000_000)
    let after = read()
    return after.0.timeIntervalSince(before.0) == 3_600
      && before.1.duration(to: after.1) == .seconds(3_600)
      && before.2.duration(to: after.2) == .seconds(3_600)
  }

  private func sleeps(_ process: HostProcess) -> Bool {
    let start = host.now
    var task: Task<Void, Never>?
    host.enter(process) {
      task = Task {
        try? await Task.sleep(for: .seconds(60))
        slept = Host.current?.now
      }
    }
    guard let due = host.nextTimer(of: process), due == start + 60_000_000_000 else {
      task?.cancel()
      return false
    }
    host.advance(to: due)
    host.enter(process) {}
    return slept == due
  }
}

/// Defaults that hold one value, and a receipt that is nowhere.
private final class TrialStandIns: PlatformStandIns {
  static let key = "ChaosHost.trial"
  static let value = "kept by the process"
  static let receipt = URL(fileURLWithPath: "/dev/null/receipt")

  func defaultsValue(forKey key: String, suite: String?) -> AnyObject? {
    key == Self.key ? NSString(string: Self.value) : nil
  }
  func setDefaultsValue(_ value: AnyObject?, forKey key: String, suite: String?) {}
  func defaultsKeys(suite: String?) -> [String] { [Self.key] }
  func registerDefaults(_ values: [String: Any]) {}
  func synchronizeDefaults() {}
  func receiptURL() -> URL? { Self.receipt }
  func insteadOf(_ use: PlatformUse) -> String? { nil }
}

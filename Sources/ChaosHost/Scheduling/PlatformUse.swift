import Foundation

/// What of the platform code on a simulated thread may use for real: each is named as a leak.
///
/// Only what changes something, waits for something real or is never the same counts. Reading a file does
/// not.
public enum PlatformUse: String, CaseIterable, Sendable {
  /// `UserDefaults`, in a process that has no defaults of its own.
  case userDefaults
  /// Files and folders that are written, made, moved or removed, outside the places that the process owns: by C's
  /// functions, and by everything that comes to them, such as `FileManager`, `Data.write`, `FileHandle` and
  /// databases.
  case files
  /// Sockets, the names of hosts, and the transfers of `URLSession`.
  case network
  /// `Thread` and POSIX threads. Those of Dispatch and of the Swift runtime do not count.
  case threads
  /// Running a `RunLoop`, its sources and its observers; and Dispatch sources.
  case runLoops
  /// Other programs.
  case programs
  /// The devices that give random numbers.
  case randomness
  /// What there is once for a whole program: the working directory, the environment, the locale, the default
  /// time zone, what handles signals, what a `URLCache` keeps.
  case programState

  /// What code uses instead wherever it is hosted; nil if that depends on what hosts it.
  public var instead: String? {
    switch self {
    case .userDefaults, .files, .network, .programs, .programState: nil
    case .threads: "tasks"
    case .runLoops: "tasks and Task.sleep"
    case .randomness: "SystemRandomNumberGenerator"
    }
  }
}

/// What the code of a simulated process finds where it uses the platform; see `HostProcess.standIns`.
///
/// All of it is called on the host's thread.
package protocol PlatformStandIns: AnyObject {
  /// What `UserDefaults` keeps for a key: a property list's `NSObject`. The suite is nil for the
  /// standard defaults.
  func defaultsValue(forKey key: String, suite: String?) -> AnyObject?
  /// Sets or removes what `UserDefaults` keeps for a key.
  func setDefaultsValue(_ value: AnyObject?, forKey key: String, suite: String?)
  /// The keys for which something is kept.
  func defaultsKeys(suite: String?) -> [String]
  /// What `register(defaults:)` adds: what is found where nothing is kept, until the process ends.
  func registerDefaults(_ values: [String: Any])
  /// `synchronize()`.
  func synchronizeDefaults()
  /// Where the process finds its receipt: what `Bundle.main.appStoreReceiptURL` answers.
  func receiptURL() -> URL?
  #if os(Linux)
    /// Whether the process has files of its own.
    var hasFiles: Bool { get }
    /// What it finds in the places that an app owns, once it looks there; nil where it has no files of its own.
    var files: HostFiles? { get }
  #endif
  /// What code shall use instead of the platform, such as `device.files`; nil where nothing serves.
  func insteadOf(_ use: PlatformUse) -> String?
}

#if os(Linux)
  extension PlatformStandIns {
    package var hasFiles: Bool { false }
    package var files: HostFiles? { nil }
  }
#endif

extension Host {
  /// What stands in for the platform in the process whose code runs; nil outside one, or without any.
  static var standIns: (any PlatformStandIns)? { CurrentHost.get()?.running?.standIns }

  /// Names as a leak what the code of a simulated process does for real; outside one it does nothing.
  ///
  /// What is done again and again is named once.
  static func note(_ use: PlatformUse, _ name: @autoclosure () -> String) {
    guard let host = CurrentHost.get(), let process = host.running else { return }
    let name = name()
    let isKnown = host.leaks.suffix(16).contains {
      $0.kind == .escaped && $0.process == process.number && $0.name == name
    }
    guard !isKnown else { return }
    host.record(
      .escaped, process.number, name, instead: standIns?.insteadOf(use) ?? use.instead)
  }

  /// Does something on this thread as if no host had it: what it does for real is nobody's leak.
  ///
  /// For what belongs to the simulation itself, such as a file that is made for the code to read.
  package static func beside<Result>(_ body: () throws -> Result) rethrows -> Result {
    let previous = CurrentHost.replace(with: nil)
    defer { CurrentHost.restore(previous) }
    return try body()
  }
}

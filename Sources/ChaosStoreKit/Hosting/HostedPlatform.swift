import ChaosHost
import Foundation

/// What a hosted app finds where it uses the platform: `UserDefaults` keeps what it is given on the
/// simulated device, with the same loss in a crash as `SimulatedDevice.defaults`, and the rest is named.
extension HostedPhone: PlatformStandIns {
  /// What the keys of a suite begin with in the storage.
  ///
  /// The domain that is named after the program is that of the standard defaults.
  func part(_ suite: String?) -> String {
    guard let suite, suite != Bundle.main.bundleIdentifier else { return SimulatedDefaults.part }
    return "suite/\(suite)\0"
  }

  func defaultsValue(forKey key: String, suite: String?) -> AnyObject? {
    if let data = storage.value(part(suite) + key) { return StoredValue(encoded: data).object }
    return registeredDefaults[key]?.object
  }

  func setDefaultsValue(_ value: AnyObject?, forKey key: String, suite: String?) {
    guard let value else { return storage.set(nil, part(suite) + key, about: nil) }
    guard let stored = StoredValue(value) else {
      return note(problem: "UserDefaults raises an exception: \(key) is set to \(value)")
    }
    storage.set(stored.encoded, part(suite) + key, about: nil)
  }

  func defaultsKeys(suite: String?) -> [String] {
    let kept = storage.names(in: part(suite))
    // What is registered belongs to no suite; it is found in all of them.
    return suite == nil ? Set(kept).union(registeredDefaults.keys).sorted() : kept
  }

  func registerDefaults(_ values: [String: Any]) {
    for (key, value) in values {
      guard let stored = StoredValue(value) else {
        note(problem: "UserDefaults raises an exception: \(key) is registered as \(value)")
        continue
      }
      registeredDefaults[key] = stored
    }
  }

  func synchronizeDefaults() { storage.flush() }

  func receiptURL() -> URL? { session?.receiptURL() }

  func insteadOf(_ use: PlatformUse) -> String? {
    switch use {
    case .files: "device.files"
    case .network: "device.backend"
    case .userDefaults, .threads, .runLoops, .programs, .randomness, .programState: use.instead
    }
  }
}

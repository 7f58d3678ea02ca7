import ChaosHost
import Foundation

@testable import StoreKit

/// One hosted process with a phone of the tests' own.
final class Stage: @unchecked Sendable {
  let host = ChaosHost.Host()
  let process: HostProcess
  let port = FakePort()
  let session: StoreSession
  /// What the code on the stage noted.
  var notes: [String] = []

  init() {
    process = host.makeProcess()
    session = StoreSession(port: port)
    process.context = session
    process.standIns = StageStandIns(session)
    let session = session
    process.onEnd { session.end() }
  }

  /// Runs code of the app, and whatever it made ready.
  func enter(_ body: @MainActor () -> Void) { host.enter(process, body) }

  /// The same, for code that Swift does not know to be on the main actor.
  func run(_ body: () -> Void) { host.run(in: process, body) }

  /// Runs code of the app that waits.
  func begin(_ body: @escaping @MainActor @Sendable () async throws -> Void) {
    enter {
      Task { @MainActor in
        do { try await body() } catch { self.note("thrown: \(error)") }
      }
    }
  }

  func note(_ text: String) { notes.append(text) }

  func deliver(_ transactions: StoreTransaction...) { enter { session.deliver(transactions) } }

  /// The process dies, as the bridge has it die.
  func kill() {
    port.isAlive = false
    process.end()
  }
}

/// The receipt is the session's; `UserDefaults` are tested with a phone that is not of the tests' own.
private final class StageStandIns: PlatformStandIns {
  private let session: StoreSession

  init(_ session: StoreSession) { self.session = session }

  func receiptURL() -> URL? { session.receiptURL() }
  func defaultsValue(forKey key: String, suite: String?) -> AnyObject? { nil }
  func setDefaultsValue(_ value: AnyObject?, forKey key: String, suite: String?) {}
  func defaultsKeys(suite: String?) -> [String] { [] }
  func registerDefaults(_ values: [String: Any]) {}
  func synchronizeDefaults() {}
  func insteadOf(_ use: PlatformUse) -> String? { nil }
}

@_spi(Gateway) import ChaosRunner
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Commands of a backend's file that are waited for: what builds it, and what puts back what it keeps.
extension ProcessTree {
  /// Runs a command to its end; throws where it does not come to one in that time, or does not end with 0.
  static func perform(
    _ command: [String], folder: String, environment: [String: String], output: String,
    within limit: Duration
  ) throws {
    try? FileManager.default.removeItem(atPath: output)
    let tree = try ProcessTree(command, folder: folder, environment: environment, output: output)
    let deadline = ContinuousClock.now + limit
    while tree.isRunning {
      guard !Runner.isInterrupted else {
        throw BackendHost.Trouble("'\(command[0])' was ended, as the program was told to end", tree)
      }
      guard ContinuousClock.now < deadline else {
        throw BackendHost.Trouble(
          "'\(command[0])' does not end within \(limit.components.seconds) seconds", tree)
      }
      usleep(1000)
    }
    guard let status = tree.status, status == 0 else {
      throw BackendHost.Trouble("'\(command[0])' ended with \(tree.status ?? 0)", tree)
    }
  }
}

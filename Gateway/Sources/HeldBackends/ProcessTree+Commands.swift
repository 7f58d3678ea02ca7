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
      guard ContinuousClock.now < deadline else {
        throw BackendHost.Trouble(
          "'\(command[0])' does not end within \(limit.components.seconds) seconds", tree)
      }
      usleep(1000)
    }
    let status = tree.status
    guard status == 0 else {
      throw BackendHost.Trouble("'\(command[0])' ended with \(status)", tree)
    }
  }

  /// What its first process ended with: its status, or the number of the signal that ended it and 128, as shells count.
  private var status: Int32 {
    var info = siginfo_t()
    guard waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return 0 }
    let status = info._sifields._sigchld.si_status
    return info.si_code == Int32(CLD_EXITED) ? status : 128 + status
  }
}

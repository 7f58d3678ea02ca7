import Foundation

/// This program in a process of its own.
enum OwnProcess {
  /// What the program prints with these arguments; nil if it cannot be started or fails. What it
  /// complains of goes to the standard error of this process.
  static func output(_ arguments: [String]) -> String? {
    guard let executable = Bundle.main.executableURL else { return nil }
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do {
      try process.run()
      // Read while it runs: it would wait for ever to write more than the pipe holds.
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 0 else { return nil }
      return String(data: data, encoding: .utf8)
    } catch {
      return nil
    }
  }
}

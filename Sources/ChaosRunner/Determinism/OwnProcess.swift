import Foundation

/// This program in a process of its own.
enum OwnProcess {
  /// What the program prints with these arguments, and with this text on its standard input; nil if it
  /// cannot be started, fails, or is not waited for as this process is to end. What it complains of
  /// goes to the standard error of this process.
  static func output(_ arguments: [String], input: String? = nil) -> String? {
    guard let executable = Bundle.main.executableURL else { return nil }
    let process = Process()
    let output = Pipe()
    let text = input.map { _ in Pipe() }
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["CHAOS_IS_SECOND": "1"]) { $1 }
    if let text {
      process.standardInput = text
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.standardOutput = output
    do {
      try process.run()
      // It reads all of it before it writes anything.
      if let input {
        try? text?.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? text?.fileHandleForWriting.close()
      }
      // Read while it runs: it would wait for ever to write more than the pipe holds.
      let bytes = read(output.fileHandleForReading.fileDescriptor)
      if bytes == nil { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      guard let bytes, process.terminationReason == .exit, process.terminationStatus == 0 else {
        return nil
      }
      return String(validating: bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// All that comes; nil if this process is to end before that.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, 100)
      if Interruption.hasCome { return nil }
      guard ready > 0 else { continue }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
    }
  }
}

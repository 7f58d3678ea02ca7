import Foundation
import NIOConcurrencyHelpers
import Supervision

#if canImport(Glibc)
  import Glibc
#endif

/// A process of the backend's with all that it has started: begun, looked at, killed as one.
///
/// A supervisor stands above it, which daemons that fork twice come back to, and which kills all of them when this
/// program ends, however it does.
final class ProcessTree: Sendable {
  /// What all of it descends from.
  let supervisor: pid_t
  /// Where what it prints is kept.
  let output: String
  private let state: NIOLockedValueBox<State>

  private struct State {
    /// While it is open the processes run; less than nothing once they are to end.
    var leash: Int32
    /// Where the supervisor says what the first process has ended with.
    var statusPipe: Int32
    /// What that was; nil while it runs.
    var status: Int32?
    /// Its processes as they were last looked for, and who was the last to be begun on the machine then.
    var known: (youngest: UInt64?, members: [pid_t]) = (nil, [])
    var isOver = false
  }

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// Starts a program; what it prints goes to a file.
  init(
    _ command: [String], folder: String, environment: [String: String], output: String
  ) throws(Failed) {
    self.output = output
    // The shell becomes the program.
    let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + command
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for text in arguments { free(text) }
      for text in variables { free(text) }
    }
    var made = chaos_supervised()
    let code = chaos_supervise(output, &arguments, &variables, &made)
    guard code == 0 else {
      throw Failed(
        description:
          "'\(command.first ?? "")' cannot be started: \(String(cString: strerror(code)))")
    }
    supervisor = made.supervisor
    state = NIOLockedValueBox(State(leash: made.leash, statusPipe: made.status))
  }

  deinit { end() }

  /// Has all of it killed, and waits for nothing; from any thread.
  func cut() {
    state.withLockedValue { state in
      guard state.leash >= 0 else { return }
      close(state.leash)
      state.leash = -1
    }
  }

  /// Kills all of it, and waits until it is gone.
  func end() {
    cut()
    state.withLockedValue { state in
      guard !state.isOver else { return }
      state.isOver = true
      var status: Int32 = 0
      while waitpid(supervisor, &status, 0) < 0, errno == EINTR {}
      close(state.statusPipe)
    }
  }

  /// Whether its first process runs.
  var isRunning: Bool { state.withLockedValue { !$0.isOver && $0.leash >= 0 } && status == nil }

  /// What its first process ended with: its status, or the number of the signal that ended it and 128, as shells count;
  /// nil while it runs.
  var status: Int32? {
    state.withLockedValue { state in
      if state.status == nil, !state.isOver {
        var ended: Int32 = 0
        if Glibc.read(state.statusPipe, &ended, MemoryLayout<Int32>.size)
          == MemoryLayout<Int32>.size
        {
          let signal = ended & 0x7f
          state.status = signal == 0 ? ended >> 8 & 0xff : 128 + signal
        }
      }
      return state.status
    }
  }

  /// The first process and all that descend from it.
  var members: [pid_t] { Array(watched.dropFirst()) }

  /// The supervisor, and all that descend from it: it has something to do until it has said that a process has ended.
  ///
  /// Each thread can have begun others, and a runtime such as Java's has thirty. Where nothing was begun on this machine
  /// since they were last looked for, nobody is looked for again.
  var watched: [pid_t] {
    let youngest = Self.youngest
    let known = state.withLockedValue { $0.known }
    if let youngest, youngest == known.youngest { return known.members }
    let members = allMembers()
    state.withLockedValue { $0.known = (youngest, members) }
    return members
  }

  /// The last lines that it has printed.
  func lastOutput(_ count: Int = 20) -> String { Self.lastLines(count, of: output) }

  static func lastLines(_ count: Int = 20, of path: String) -> String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).suffix(count)
      .joined(separator: "\n")
  }
}

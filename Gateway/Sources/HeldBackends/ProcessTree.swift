import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A process of the backend's with all that it has started: begun, looked at, killed as one.
final class ProcessTree {
  let leader: pid_t
  /// Kills the group when this program ends, however it does.
  private let watchdog: pid_t
  private let leash: Int32
  /// Where what it prints is kept.
  let output: String
  /// Its processes as they were last looked for, and who was the last to be begun on the machine then.
  var known: (youngest: UInt64?, members: [pid_t]) = (nil, [])

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// Starts a program in a group of its own; what it prints goes to a file.
  init(
    _ command: [String], folder: String, environment: [String: String], output: String
  ) throws(Failed) {
    self.output = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The shell becomes the program.
    leader = try Self.spawn(
      ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + command, environment, &actions)

    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      kill(-leader, SIGKILL)
      throw Failed(description: "no pipe can be made: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var guarding = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&guarding)
    defer { posix_spawn_file_actions_destroy(&guarding) }
    posix_spawn_file_actions_adddup2(&guarding, ends[0], 0)
    do throws(Failed) {
      watchdog = try Self.spawn(
        ["/bin/sh", "-c", "read -r _; kill -9 -\(leader) 2>/dev/null"], environment, &guarding)
    } catch {
      kill(-leader, SIGKILL)
      throw error
    }
    close(ends[0])
    leash = ends[1]
  }

  private static func spawn(
    _ command: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws(Failed) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for text in arguments { free(text) }
      for text in variables { free(text) }
    }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else {
      throw Failed(
        description: "'\(command[0])' cannot be started: \(String(cString: strerror(code)))")
    }
    return pid
  }

  deinit { end() }

  private var isOver = false

  /// Kills all of it, and waits until it is gone.
  func end() {
    guard !isOver else { return }
    isOver = true
    // Whoever has left the group is still a descendant.
    for pid in allMembers() where pid != leader { kill(pid, SIGKILL) }
    kill(-leader, SIGKILL)
    kill(watchdog, SIGKILL)
    close(leash)
    var status: Int32 = 0
    waitpid(leader, &status, 0)
    waitpid(watchdog, &status, 0)
  }

  /// Whether its first process runs; what has ended of itself is waited for.
  var isRunning: Bool {
    guard !isOver else { return false }
    var info = siginfo_t()
    return waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      && info.si_signo == 0
  }

  /// The last lines that it has printed.
  func lastOutput(_ count: Int = 20) -> String {
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).suffix(count)
      .joined(separator: "\n")
  }
}

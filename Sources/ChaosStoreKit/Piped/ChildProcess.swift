import ChaosStore
import Foundation

/// An operating system process in which a hosted app runs, and the pipe to it.
final class ChildProcess {
  /// Says for which system the process was started.
  static let variable = "CHAOSSTORE_HOSTED_APP"
  /// Where it finds the pipe.
  static let descriptor: Int32 = 3

  let pipe: PipeEnd
  let process: pid_t
  private(set) var isRunning = true

  /// Starts the program and waits for it to say hello.
  init(_ program: HostedProgram, serving system: String) throws(PipeFailure) {
    let ends = try Self.makePipe(program)
    pipe = PipeEnd(ends.mine, patience: program.patience)
    let other = PipeEnd(ends.other, patience: 0)
    process = try Self.spawn(program, system, ends.other)
    other.close()
    do throws(PipeFailure) {
      let message = try pipe.receive()
      guard message.bytes.first == Self.hello.bytes.first else {
        throw .garbage("no hello at first")
      }
      guard message.bytes == Self.hello.bytes else { throw .otherBuild }
    } catch {
      let how = kill()
      guard error == .closed else { throw error }
      throw .cannotStart(
        path: program.path,
        reason: "\(how) before it said hello; its main has to call HostedProgram.serve first")
    }
  }

  deinit { kill() }

  /// What both builds must agree in: which calls there are, and how values lie in memory.
  static var hello: PipeMessage {
    func size<Call: PhoneCall>(_: Call.Type) -> Int { MemoryLayout<Call>.size }
    var message = PipeMessage(.hello)
    message.put(MemoryLayout<AppEvent>.size)
    message.put(MemoryLayout<Evidence>.size)
    for call in PhoneCalls.all {
      message.put("\(call)")
      message.put(size(call))
    }
    return message
  }

  /// Ends the process, if it has not ended by itself, and says how it ended.
  @discardableResult
  func kill() -> String {
    guard isRunning else { return "it was over" }
    isRunning = false
    pipe.close()
    // One that is exiting has closed the pipe before it can be waited for.
    var status: Int32 = 0
    _ = Foundation.kill(process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    ReceiptFolder.removeFirst(of: process)
    let signal = status & 0x7f
    return signal == 0 ? "exit code \((status >> 8) & 0xff)" : "signal \(signal)"
  }

  /// Two connected ends, of which no other process that is started meanwhile gets a copy: one that did would
  /// hold the pipe open after its own end had closed it.
  static func makePipe(_ program: HostedProgram) throws(PipeFailure)
    -> (mine: Int32, other: Int32)
  {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .cannotStart(path: program.path, reason: String(cString: strerror(errno)))
    }
    return (ends[0], ends[1])
  }

  private static func spawn(_ program: HostedProgram, _ system: String, _ end: Int32)
    throws(PipeFailure) -> pid_t
  {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, end, descriptor)
    #if canImport(Darwin)
      for standard: Int32 in 0...2 { posix_spawn_file_actions_addinherit_np(&actions, standard) }
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
    #endif
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = system
    // A backtrace takes seconds, and the app may trap in every second run.
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
    let words = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var process: pid_t = 0
    let error = withStrings([program.path] + program.arguments) { arguments in
      withStrings(words) {
        posix_spawn(&process, program.path, &actions, &attributes, arguments, $0)
      }
    }
    guard error == 0 else {
      throw .cannotStart(path: program.path, reason: String(cString: strerror(error)))
    }
    return process
  }

  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let strings = texts.map { strdup($0) }
    defer { for string in strings { free(string) } }
    return body(strings + [nil])
  }
}

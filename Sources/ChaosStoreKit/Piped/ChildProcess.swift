import ChaosHost
import ChaosStore
import Foundation

/// How a program knows which app it is to run.
struct HostedName: Hashable {
  /// The name of its system, which `HostedProgram.serve` looks for.
  var system: String
  /// The mangled name of its type, by which it is found without anybody's help; empty where it cannot be.
  var type = ""

  init(_ system: String, _ app: any SimulatedApp.Type) {
    self.system = system
    // A type that is private, or local to a function, is not found by its name.
    if let name = _mangledTypeName(app), _typeByName(name) == app { type = name }
  }
}

/// An operating system process in which launches of a hosted app run, one after the other, and the pipe to it.
final class ChildProcess {
  /// Where it finds the pipe.
  static let descriptor: Int32 = 3

  let pipe: PipeEnd
  let process: pid_t
  private(set) var isRunning = true
  /// Whether it was told that the launch is over.
  private var hasEnded = false
  #if os(Linux)
    private let template: AppTemplate
  #endif

  /// Starts the program for a launch.
  init(_ program: HostedProgram, _ app: HostedName) throws(PipeFailure) {
    #if os(Linux)
      template = try AppTemplate.of(program, app)
      let ends = try Self.makePipe(program)
      pipe = PipeEnd(ends.mine, patience: program.patience)
      process = try template.start(with: ends.other)
    #else
      let ends = try Self.makePipe(program)
      pipe = PipeEnd(ends.mine, patience: program.patience)
      process = try Self.spawn(program, app, ends.other)
      _ = Foundation.close(ends.other)
      do throws(PipeFailure) { try Self.greet(pipe) } catch {
        isRunning = false
        throw Self.cannotStart(program, Self.reap(process), error)
      }
    #endif
  }

  /// Waits for a program that was started to say hello.
  static func greet(_ pipe: PipeEnd) throws(PipeFailure) {
    let message = try pipe.receive()
    guard message.bytes.first == hello.bytes.first else { throw .garbage("no hello at first") }
    guard message.bytes == hello.bytes else { throw .otherBuild }
  }

  /// Why a program that said no hello could not be started.
  static func cannotStart(_ program: HostedProgram, _ how: String, _ error: PipeFailure)
    -> PipeFailure
  {
    guard error == .closed else { return error }
    return .cannotStart(
      path: program.path,
      reason: "\(how) before it said hello; its main has to call HostedProgram.serve first")
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

  /// Ends the process.
  func kill() {
    guard isRunning else { return }
    #if os(Linux)
      template.end(process)
    #endif
    _ = close()
    #if !os(Linux)
      _ = Self.reap(process)
    #endif
    ReceiptFolder.removeFirst(of: process)
  }

  /// The launch is over: the process is to make itself ready for another.
  func endLaunch() {
    guard isRunning, !hasEnded else { return }
    hasEnded = true
    // One that cannot be told is found not to be ready.
    do { try pipe.send(PipeMessage(.end)) } catch { kill() }
  }

  /// Waits until it is ready for another launch; false if it is not fit for one.
  func becomesReady() -> Bool {
    guard isRunning, hasEnded else { return false }
    do throws(PipeFailure) {
      while true {
        var message = try pipe.receive()
        switch try message.takeKind() {
        case .ready:
          hasEnded = false
          return try message.take()
        // What it asked and had done before it heard that the launch is over.
        case .call, .idle: break
        default: return false
        }
      }
    } catch {
      return false
    }
  }

  /// Ends the process, if it has not ended by itself, and says how it ended.
  func killAndTell() -> String {
    guard close() else { return "it was over" }
    defer { ReceiptFolder.removeFirst(of: process) }
    #if os(Linux)
      return Self.shown(template.ask(about: process))
    #else
      return Self.reap(process)
    #endif
  }

  private func close() -> Bool {
    defer { isRunning = false }
    if isRunning { pipe.close() }
    return isRunning
  }

  /// Ends a process that this one has started, and says how it ended.
  static func reap(_ process: pid_t) -> String {
    // One that is exiting has closed the pipe before it can be waited for.
    _ = Foundation.kill(process, SIGKILL)
    return shown(wait(for: process))
  }

  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func shown(_ status: Int32) -> String {
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

  /// Starts the program with one end of a pipe.
  static func spawn(_ program: HostedProgram, _ app: HostedName, _ end: Int32)
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
    #else
      // Whoever waits for the end of what this program has open would wait for that one as well.
      LinuxCalls.closeOthers(&actions, but: descriptor)
    #endif
    var environment = ProcessInfo.processInfo.environment
    environment[HostedProgram.systemVariable] = app.system
    environment[HostedProgram.typeVariable] = app.type
    // Else each copy of the program would look up the functions that it calls.
    environment["LD_BIND_NOW"] = "1"
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

#if os(Linux)
  import ChaosHost
  import Foundation
  import Synchronization

  /// A program that was started once, has run no code of an app, and is copied at each launch of one.
  ///
  /// To load a program takes some hundred times as long as to copy one that is loaded.
  final class AppTemplate: Sendable {
    private let program: HostedProgram
    private let process: pid_t
    /// One launch after the other.
    private let control: Mutex<ControlPipe>

    private struct Key: Hashable {
      var path: String
      var arguments: [String]
      /// Nil for every app that the program finds by its type.
      var system: String?

      init(_ program: HostedProgram, _ app: HostedName) {
        path = program.path
        arguments = program.arguments
        // What this program finds, a copy of it does.
        system = app.type.isEmpty || program.path != HostedProgram.this.path ? app.system : nil
      }
    }
    private static let all = Mutex<[Key: AppTemplate]>([:])

    /// The template for this app; it is started with its first launch.
    static func of(_ program: HostedProgram, _ app: HostedName) throws(PipeFailure) -> AppTemplate {
      let result = all.withLock { all -> Result<AppTemplate, PipeFailure> in
        let key = Key(program, app)
        if let known = all[key] { return .success(known) }
        do throws(PipeFailure) {
          let template = try AppTemplate(program, app)
          all[key] = template
          return .success(template)
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }

    private init(_ program: HostedProgram, _ app: HostedName) throws(PipeFailure) {
      // This process was itself started for an app, and its main does not serve it.
      if getenv(HostedProgram.systemVariable) != nil { exit(64) }
      // It would run its tests, and start itself again in them.
      if app.type.isEmpty, program.path.hasSuffix(".xctest") {
        throw .cannotStart(
          path: program.path,
          reason: "tests find an app by its type, and that of this one is private or local")
      }
      let ends = try ChildProcess.makePipe(program)
      self.program = program
      process = try ChildProcess.spawn(program, app, ends.other)
      _ = close(ends.other)
      do throws(PipeFailure) {
        // It leaves the descriptor open, which is the control pipe's from then on.
        try ChildProcess.greet(PipeEnd(dup(ends.mine), patience: program.patience))
      } catch {
        _ = close(ends.mine)
        throw ChildProcess.cannotStart(program, ChildProcess.reap(process), error)
      }
      control = Mutex(ControlPipe(descriptor: ends.mine))
    }

    /// Starts a process with one end of a pipe, which is closed here.
    func start(with end: Int32) throws(PipeFailure) -> pid_t {
      let started = control.withLock { $0.start(with: end) }
      _ = close(end)
      guard let started, started > 0 else {
        throw .cannotStart(path: program.path, reason: "the program it is copied from is gone")
      }
      return started
    }

    /// Ends a process that it has started.
    func end(_ process: pid_t) { control.withLock { $0.end(process) } }

    /// Ends a process that it has started, and says how it ended.
    func ask(about process: pid_t) -> Int32 {
      control.withLock { $0.ask(about: process) } ?? SIGKILL
    }

    /// What the program does: copies itself whenever the simulator says so. Returns in each copy, with its pipe at
    /// the usual descriptor, and nowhere else.
    static func copyOnDemand() {
      let control = ControlPipe(descriptor: ChildProcess.descriptor)
      var ended: [pid_t] = []
      while let (wish, number, end) = control.receive() {
        switch wish {
        case .start:
          // The app and the simulator take turns: on one processor that takes a fraction of the time.
          LinuxCalls.stay(on: number)
          let copy = LinuxCalls.fork()
          if copy == 0 {
            dup2(end, ChildProcess.descriptor)
            _ = close(end)
            return
          }
          _ = close(end)
          control.reply(copy)
        case .end:
          _ = kill(number, SIGKILL)
          ended.append(number)
        case .ask:
          _ = kill(number, SIGKILL)
          control.reply(ChildProcess.wait(for: number))
        }
        // To wait for one takes as long as to start one.
        ended.removeAll { waitpid($0, nil, WNOHANG) != 0 }
      }
      // The simulator is gone; so are, as they find their pipes closed, the copies.
      exit(0)
    }
  }
#endif

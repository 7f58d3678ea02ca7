#if os(Linux)
  /// Sees tasks being created on a simulated thread.
  ///
  /// Each is known to its process from its first moment, also one that an actor starts for itself, and
  /// no task from outside is taken for the host's. Each gets the host's pool as its preferred executor,
  /// so that actors run there for it, sleeps are asked of it, and whichever thread resumes it, it comes
  /// back to the pool.
  enum TaskCreation {
    private typealias Create =
      @convention(thin) (
        Int, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
      ) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer)

    /// A wish that is handed over with a new task, as the compiler lays it out for
    /// `Task(executorPreference:)`.
    private struct Option {
      var kind: Int
      var next: UnsafeRawPointer?
      var executor: UnownedTaskExecutor

      static let preference = 5
      static let ownedPreference = 6
    }

    private static func withPreference<Result>(
      after options: UnsafeRawPointer?, _ body: (UnsafeRawPointer?) -> Result
    ) -> Result {
      var option = options
      while let current = option {
        let kind = current.load(as: Int.self) & 0xFF
        if kind == Option.preference || kind == Option.ownedPreference { return body(options) }
        option = current.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer?.self)
      }
      let wish = Option(kind: Option.preference, next: options, executor: SimulatedPool.reference)
      return withUnsafePointer(to: wish) { body(UnsafeRawPointer($0)) }
    }

    @exclusivity(unchecked) nonisolated(unsafe) private static var original: Create?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("swift_task_create", &original, create)
    }

    private static let create: Create = { flags, options, result, entry, context in
      guard let original else { fatalError("bug: a task is created before the host is installed") }
      guard let host = CurrentHost.get(), let process = host.running else {
        return original(flags, options, result, entry, context)
      }
      let wasCreating = host.isCreatingTask
      host.isCreatingTask = true
      let created = withPreference(after: options) { original(flags, $0, result, entry, context) }
      host.isCreatingTask = wasCreating
      let task = RuntimeJob(address: created.0)
      if RuntimeJob.isLayoutKnown, task.mark.isNone { process.adopt(task) }
      // A loop that goes on until it is cancelled must not outlive the process that it begins after.
      if !process.isAlive { task.cancel() }
      return created
    }
  }
#endif

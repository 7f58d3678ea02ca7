import _Concurrency

/// The places where Swift's runtime lets itself be led: each hook looks whether a host has the thread,
/// and leaves everything else to the runtime.
enum RuntimeHooks {
  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
  private typealias Delay = @convention(thin) (UInt64, UnownedJob) -> Void
  private typealias DelayHook = @convention(thin) (UInt64, UnownedJob, Delay) -> Void
  private typealias Deadline =
    @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob) -> Void
  private typealias DeadlineHook =
    @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob, Deadline) -> Void
  private typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  private typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

  static func install() {
    guard let global = Symbols.address(of: "swift_task_enqueueGlobal_hook"),
      let main = Symbols.address(of: "swift_task_getMainExecutor_hook")
    else { return }
    set(global, enqueueGlobal)
    set(main, mainExecutor)
    if let delay = Symbols.address(of: "swift_task_enqueueGlobalWithDelay_hook") {
      set(delay, enqueueWithDelay)
    }
    if let deadline = Symbols.address(of: "swift_task_enqueueGlobalWithDeadline_hook") {
      set(deadline, enqueueWithDeadline)
    }
    InstalledHooks.takeTasks = true
  }

  private static func set<Hook>(_ place: UnsafeMutableRawPointer, _ hook: Hook) {
    place.assumingMemoryBound(to: Hook.self).pointee = hook
  }

  private static let enqueueGlobal: EnqueueHook = { job, original in
    let taken = RuntimeJob(job)
    if let host = CurrentHost.get() {
      if !host.take(taken, lane: .pool) { original(job) }
    } else if !ForeignInbox.takeIfMarked(taken, lane: .pool) {
      original(job)
    }
  }

  private static let enqueueWithDelay: DelayHook = { delay, job, original in
    guard let host = CurrentHost.get(), host.running != nil else { return original(delay, job) }
    host.take(RuntimeJob(job), lane: .pool, after: delay)
  }

  private static let enqueueWithDeadline: DeadlineHook = {
    seconds, rest, toleranceSeconds, toleranceRest, clock, job, original in
    guard let host = CurrentHost.get(), host.running != nil else {
      return original(seconds, rest, toleranceSeconds, toleranceRest, clock, job)
    }
    // Both clocks count from an epoch of their own; 1 is the continuous one.
    let now =
      clock == 1
      ? unsafeBitCast(ContinuousClock.now, to: Duration.self)
      : unsafeBitCast(SuspendingClock.now, to: Duration.self)
    let delay = Duration.seconds(seconds) + .nanoseconds(rest) - now
    host.take(RuntimeJob(job), lane: .pool, after: nanoseconds(delay))
  }

  private static let mainExecutor: MainExecutorHook = { original in
    guard let host = CurrentHost.uncounted else { return original() }
    return host._withUnsafeGuaranteedRef { $0.executors.main }
  }
}

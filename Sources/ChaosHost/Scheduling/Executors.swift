#if os(Linux) && compiler(>=6.3)
  @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// The main actor of all simulated threads; which host is meant, the thread says.
final class SimulatedMain: SerialExecutor {
  static let shared = SimulatedMain()
  static let reference = UnownedSerialExecutor(ordinary: shared)

  func enqueue(_ job: consuming ExecutorJob) {
    SimulatedPool.take(RuntimeJob(UnownedJob(job)), lane: .main)
  }

  func checkIsolated() {
    guard Host.current?.isOnMain == true else {
      fatalError("Not on the simulated main actor, as this code expects")
    }
  }

  func isIsolatingCurrentContext() -> Bool? { Host.current?.isOnMain == true }
}

/// The pool of all simulated threads.
final class SimulatedPool: TaskExecutor {
  static let shared = SimulatedPool()
  static let reference = UnownedTaskExecutor(ordinary: shared)

  func enqueue(_ job: consuming ExecutorJob) { Self.take(RuntimeJob(UnownedJob(job)), lane: .pool) }

  /// Takes a job that can belong to nobody but a host, from whatever thread.
  static func take(_ job: RuntimeJob, lane: Lane) {
    if let host = CurrentHost.uncounted,
      host._withUnsafeGuaranteedRef({ $0.take(job, lane: lane) })
    {
      return
    }
    ForeignInbox.deliver(
      job, lane: lane, mark: RuntimeJob.isLayoutKnown ? job.mark : TaskMark(raw: 0))
  }
}

/// Where the pool's jobs of an ended process run: a place at which no code is meant to stay.
final class SimulatedEnd: SerialExecutor {
  static let shared = SimulatedEnd()
  static let reference = UnownedSerialExecutor(ordinary: shared)

  func enqueue(_ job: consuming ExecutorJob) {
    SimulatedPool.take(RuntimeJob(UnownedJob(job)), lane: .pool)
  }
}

// MARK: - Running a job

extension RuntimeJob {
  /// Names the pool too where tasks prefer it: the runtime takes an executor that a task prefers and that
  /// is not said to be here for another place, and would suspend the task at each call of the same actor.
  func runOnMain(of host: Host) {
    if InstalledHooks.seeTasksCreated {
      unowned.runSynchronously(
        isolatedTo: host.executors.main, taskExecutor: host.executors.pool)
    } else {
      unowned.runSynchronously(on: host.executors.main)
    }
  }

  func runInPool(of host: Host) { unowned.runSynchronously(on: host.executors.pool) }

  // Code of a process that has ended is cancelled and gets no answers, so a loop that takes no notice
  // would go round without ever suspending. Here the runtime takes every call for one to another place,
  // and suspends: each is a job, and they are counted.

  func runOnMainOfEnded() { unowned.runSynchronously(on: SimulatedMain.reference) }
  func runInPoolOfEnded() { unowned.runSynchronously(on: SimulatedEnd.reference) }
}

#if os(Linux) && compiler(>=6.3)
  // Since Swift 6.3 `Task.sleep` asks the current executor; the protocol is not in Apple's SDK.

  extension SimulatedMain: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      schedule(RuntimeJob(UnownedJob(job)), lane: .main, after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      schedule(RuntimeJob(UnownedJob(job)), lane: .main, after: clock.now.duration(to: instant))
    }
  }

  extension SimulatedPool: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      schedule(RuntimeJob(UnownedJob(job)), lane: .pool, after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      schedule(RuntimeJob(UnownedJob(job)), lane: .pool, after: clock.now.duration(to: instant))
    }
  }

  private func schedule<D>(_ job: RuntimeJob, lane: Lane, after delay: D) {
    guard let host = CurrentHost.get() else {
      return SimulatedPool.take(job, lane: lane)
    }
    guard let duration = delay as? Duration else {
      host.record(.escaped, host.running?.number, "a sleep of a clock that counts in \(D.self)")
      return host.take(job, lane: lane, after: 0)
    }
    host.take(job, lane: lane, after: nanoseconds(duration))
  }
#endif

/// A duration in nanoseconds; 0 if it is negative, the greatest number if it is too long for one.
func nanoseconds(_ duration: Duration) -> UInt64 {
  let (seconds, attoseconds) = duration.components
  guard seconds >= 0, attoseconds >= 0 else { return 0 }
  let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
  let rest = (attoseconds + 999_999_999) / 1_000_000_000
  return isTooLong ? .max : whole.addingReportingOverflow(UInt64(rest)).partialValue
}

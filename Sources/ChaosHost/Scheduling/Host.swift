/// One simulated run's executor: Swift concurrency on one thread, in virtual time.
///
/// Code that runs inside ``enter(_:_:)``, and every task that comes of it, is run by the host: tasks,
/// detached tasks, groups, actors, the main actor, continuations, streams, sleeping, and work for
/// Dispatch queues. Which of several ready jobs runs next is asked of ``choose``; nothing else decides.
///
/// A host belongs to one thread at a time. Any number may exist, each on a thread of its own; tasks
/// that were not created inside a host go on beside it as if there were none.
///
/// What it cannot do is listed in ``HostCapabilities`` for the platform and in ``leaks`` for a run.
/// `UserDefaults` and files in an app's own places ask the process; other files, connections, threads, run loops, programs (``PlatformUse``) and
/// Dispatch sources are real, and to use them is a leak. What is printed goes to the process, and
/// `NotificationCenter.default` is its own. Nothing is said of globals, and of files that were opened before
/// the run. The order of a dictionary or a set comes from
/// addresses in memory: code that depends on it is not reproducible, in a host or elsewhere.
///
/// Foundation has a class of the same name: where it is imported, types are written `ChaosHost.Host`.
package final class Host {
  // One thread at a time uses it, and no property of its own is passed on to be changed while other
  // code runs; so what changes with every job goes without checks for exclusive access.

  /// Nanoseconds of virtual time since the run began.
  @exclusivity(unchecked) package private(set) var now: UInt64 = 0
  /// True once hosted code has read a clock.
  @exclusivity(unchecked) package internal(set) var hasReadClock = false
  /// What `Date()` shows when ``now`` is 0, in seconds since 1970.
  @exclusivity(unchecked) package var wallClockStart = Host.usualWallClockStart
  /// The same for the code that runs: the clock of its process may be wrong.
  var shownClockStart: UInt64 {
    guard let running else { return wallClockStart }
    return wallClockStart &+ UInt64(bitPattern: running.clockSkewSeconds)
  }

  /// Which of `count` ready jobs runs next (0 is the longest waiting); asked only where `count` > 1.
  ///
  /// Jobs that the platform would run in order of arrival, those of the main actor and those of one
  /// Dispatch queue, offer only the first. What lies outside `0..<count` counts as the nearest of it.
  @exclusivity(unchecked) package var choose: (_ count: Int) -> Int = { _ in 0 }

  /// How many jobs one ``enter(_:_:)`` may run before the host takes it that they never come to rest.
  @exclusivity(unchecked) package var jobsPerEntry = 100_000

  /// Jobs that came from foreign threads, work that escaped, what could not be ended: each named.
  @exclusivity(unchecked) package private(set) var leaks: [HostLeak] = []

  /// How many ``leaks`` there are.
  package var leakCount: Int { leaks.count }

  /// Jobs run since the host was made.
  @exclusivity(unchecked) package private(set) var jobsRun: UInt64 = 0

  let inbox: ForeignInbox
  /// The executors of all hosts. Kept here, as each look at a global asks whether it is there already.
  let executors = (main: SimulatedMain.reference, pool: SimulatedPool.reference)
  /// The random numbers of the process that runs, or those of the run where it has none of its own.
  var random: HostRandom {
    get { running?.random ?? sharedRandom }
    set {
      if let running, running.random != nil {
        running.random = newValue
      } else {
        sharedRandom = newValue
      }
    }
  }
  @exclusivity(unchecked) private var sharedRandom = HostRandom(seed: 0)
  @exclusivity(unchecked) var ready = ReadyQueue()
  @exclusivity(unchecked) var live: [HostProcess] = []
  /// What processes that have ended kept their work in.
  @exclusivity(unchecked) var spareRooms: [HostProcess.Room] = []
  /// The process of the outermost entry, not counted.
  @exclusivity(unchecked) private var entered: UnsafeMutableRawPointer?
  /// Whether the last entry has run jobs of other processes than the one that was entered.
  @exclusivity(unchecked) package private(set) var ranOthers = false
  /// The process whose job, or entry, runs now.
  var running: HostProcess? { onStack?.takeUnretainedValue() }
  /// The same, not counted: a process that runs is one of `live`.
  @exclusivity(unchecked) private var onStack: Unmanaged<HostProcess>?
  /// What marks its tasks.
  @exclusivity(unchecked) private var runningStamp: UInt64 = 0
  /// Whether what runs now stands on the main actor, or the main queue.
  @exclusivity(unchecked) var isOnMain = false
  /// The Dispatch queue whose block runs now.
  @exclusivity(unchecked) private(set) var queue: UnsafeMutableRawPointer?
  /// Queues of the blocks that are on the thread's stack below that one.
  @exclusivity(unchecked) private var outerQueues: [UnsafeMutableRawPointer] = []
  /// Whether `swift_task_create` is being called, so that a task without a mark is a new one.
  @exclusivity(unchecked) var isCreatingTask = false
  /// What the entry, or the block, that is on the stack is run for, and in which task it stands.
  @exclusivity(unchecked) private var stated: (cause: UInt64, task: UnsafeMutableRawPointer?) =
    (0, nil)
  /// The task in which the thread was when the host took it over; never one of the host's.
  @exclusivity(unchecked) var outerTask: UnsafeMutableRawPointer?
  /// Counts what was put off, to tell apart what is due at the same time.
  @exclusivity(unchecked) private var order: UInt64 = 0
  @exclusivity(unchecked) private var processes = 0
  @exclusivity(unchecked) private var depth = 0

  /// Makes a host where the hooks are installed, as `init()` sees to.
  init(inbox: ForeignInbox) {
    self.inbox = inbox
    inbox.register()
    recordMissingHooks()
  }

  deinit { inbox.unregister() }

  /// The host of the run on this thread, if code is running inside one.
  package static var current: Host? { CurrentHost.get() }

  /// How many tasks foreign threads have resumed when their host was gone; they are not run.
  package static var unclaimedJobs: Int { ForeignInbox.unclaimed }

  /// The process whose job is running, or whose entry.
  package var process: HostProcess? { running }

  /// The bridge's object for the process whose code is running on this thread.
  package static var currentContext: AnyObject? {
    CurrentHost.uncounted?._withUnsafeGuaranteedRef { host in
      host.onStack?._withUnsafeGuaranteedRef { $0.context }
    }
  }

  /// Begins a simulated process. Jobs that are enqueued while one of its jobs (or an entry) runs belong
  /// to it.
  package func makeProcess() -> HostProcess {
    processes += 1
    let process = HostProcess(
      host: self, number: processes, in: spareRooms.popLast() ?? HostProcess.Room())
    live.append(process)
    return process
  }

  /// Runs the body inside the process on the simulated main actor, as code that a handler calls; then
  /// runs ready jobs of all processes until none is ready.
  ///
  /// Called from within a job of the same host, it runs the body and leaves the jobs to the entry that
  /// is under way. In a process that has ended, nothing is run.
  package func enter(_ process: HostProcess, _ body: @MainActor () -> Void) {
    run(in: process) { MainActor.assumeIsolated(body) }
  }

  /// The same, for code that Swift does not know to be on the main actor.
  ///
  /// `cause` is a number of the caller's for what it is run for; see ``cause``.
  package func run(in process: HostProcess, cause: UInt64 = 0, _ body: () -> Void) {
    guard process.host === self else {
      fatalError("bug: a process is entered by way of a host that is not its own")
    }
    guard process.isAlive else { return }
    occupied {
      receiveForeignJobs()
      if depth == 1 {
        entered = Unmanaged.passUnretained(process).toOpaque()
        ranOthers = false
      }
      let task = depth == 1 ? outerTask : RuntimeJob.current?.address
      perform(in: process, onMain: true) { because(of: cause, in: task, body) }
      if depth == 1 { runReadyJobs() }
    }
  }

  /// What the code that runs now is run for: the number that an entry was given, or 0.
  ///
  /// Every task, child task, detached task and block for a queue that is begun under a number has it,
  /// whoever resumes it and wherever it goes on. Code that was begun for something else, such as a loop
  /// that works off what others put into a stream, has not.
  package var cause: UInt64 {
    let task = RuntimeJob.current
    if task?.address == stated.task { return stated.cause }
    guard let task, let running else { return 0 }
    return running.cause(of: task)
  }

  /// When the earliest timer of this process is due, in nanoseconds; nil if it has none.
  package func nextTimer(of process: HostProcess) -> UInt64? {
    process.timers.first.flatMap { $0.due == .max ? nil : $0.due }
  }

  /// Moves the clock on (never back) and makes due timers of all processes ready; does not run them.
  package func advance(to nanoseconds: UInt64) {
    while true {
      var earliest: HostProcess?
      for process in live {
        guard let timer = process.timers.first, timer.due <= nanoseconds else { continue }
        if let other = earliest?.timers.first, !(timer < other) { continue }
        earliest = process
      }
      guard let process = earliest else { break }
      makeReady(process.timers.removeFirst().item)
    }
    now = max(now, nanoseconds)
  }

  /// Sets the clock for this process, for which it never goes back, and makes its due timers ready: those of others
  /// are for an entry of their own.
  package func advance(to nanoseconds: UInt64, in process: HostProcess) {
    process.clock = max(process.clock, nanoseconds)
    now = process.clock
    while let timer = process.timers.first, timer.due <= now {
      makeReady(process.timers.removeFirst().item)
    }
  }

  /// Sets everything back for another run: live processes end, the clock is at 0, leaks are forgotten,
  /// and `UUID()` and `SystemRandomNumberGenerator` begin anew from the seed.
  package func reset(randomSeed: UInt64) {
    while let process = live.first { process.end() }
    receiveForeignJobs()
    random = HostRandom(seed: randomSeed)
    now = 0
    order = 0
    processes = 0
    leaks.removeAll(keepingCapacity: true)
    recordMissingHooks()
  }
}

// MARK: - Taking work

extension Host {
  /// Puts work where it is chosen from.
  func makeReady(_ item: WorkItem) {
    ready.append(item)
  }

  /// Takes a job that the runtime hands to an executor.
  ///
  /// Returns false for a job that is none of the host's and has to go to the platform.
  func take(_ job: RuntimeJob, lane: Lane) -> Bool {
    guard let onStack else { fatalError("bug: a job is taken outside every process") }
    if !RuntimeJob.isLayoutKnown || !job.isTask || job.mark.stamp == runningStamp {
      makeReady(WorkItem(job: job, lane: lane, process: onStack))
      return true
    }
    return takeUnknown(job, lane: lane, onStack)
  }

  /// Takes a task that is new, or another process's.
  private func takeUnknown(_ job: RuntimeJob, lane: Lane, _ onStack: Unmanaged<HostProcess>) -> Bool
  {
    let mark = job.mark
    if mark.isNone {
      if !isCreatingTask, !job.isChild, InstalledHooks.seeTasksCreated { return false }
      onStack.takeUnretainedValue().adopt(job)
      makeReady(WorkItem(job: job, lane: lane, process: onStack))
    } else if let owner = live.first(where: { $0.stamp == mark.stamp }) {
      makeReady(WorkItem(job: job, lane: lane, process: .passUnretained(owner)))
    } else {
      ForeignInbox.deliver(job, lane: lane, mark: mark)
    }
    return true
  }

  /// Takes a job that shall run later.
  func take(_ job: RuntimeJob, lane: Lane, after delay: UInt64) {
    guard let process = running else { fatalError("bug: a job sleeps outside every process") }
    noteCurrentTask()
    // The task that ends a sleep is the runtime's own; it belongs to the process, and is never cancelled.
    if RuntimeJob.isLayoutKnown, job.isTask, job.mark.isNone {
      job.mark = TaskMark(stamp: process.stamp, slot: nil)
    }
    take(WorkItem(job: job, lane: lane, process: .passUnretained(process)), after: delay)
  }

  /// Takes work that shall run later; in a process that ends it runs at once.
  func take(_ item: WorkItem, after delay: UInt64) {
    let process = item.process
    guard process.isAlive else { return makeReady(item) }
    let (due, isNever) = now.addingReportingOverflow(delay)
    process.timers.insert(HostTimer(due: isNever ? .max : due, order: order, item: item))
    order &+= 1
  }

  /// Remembers the task that runs now, if nothing has shown it yet.
  private func noteCurrentTask() {
    guard RuntimeJob.isLayoutKnown, let running, let task = RuntimeJob.current,
      task.address != outerTask, task.mark.isNone
    else { return }
    running.adopt(task)
  }

  /// Makes jobs ready that foreign threads have sent, and names each as a leak.
  private func receiveForeignJobs() {
    guard inbox.hasMail else { return }
    for letter in inbox.takeAll() {
      if let process = live.first(where: { $0.stamp == letter.mark.stamp }) {
        record(.foreignThread, process.number, letter.job.name)
        makeReady(
          WorkItem(job: letter.job, lane: letter.lane, process: .passUnretained(process)))
      } else {
        record(.afterTheEnd, nil, letter.job.name)
      }
    }
  }

  /// Where tasks cannot be led to the host, no run is reproducible.
  private func recordMissingHooks() {
    guard !InstalledHooks.takeTasks else { return }
    record(.escaped, nil, "every task (see HostCapabilities.current)")
  }

  func record(
    _ kind: HostLeak.Kind, _ process: Int?, _ name: String, instead: String? = nil
  ) {
    leaks.append(HostLeak(kind: kind, process: process, name: name, time: now, instead: instead))
  }
}

// MARK: - Running

extension Host {
  /// Does something with the thread in the hands of this host.
  @inline(__always)
  func occupied(_ body: () -> Void) {
    let previous = CurrentHost.replace(with: self)
    depth += 1
    if depth == 1 { outerTask = RuntimeJob.current?.address }
    body()
    depth -= 1
    CurrentHost.restore(previous)
  }

  /// Does something as a job of this process would.
  @inline(__always)
  func perform(in process: HostProcess, onMain: Bool, _ body: () -> Void) {
    let (previous, previousStamp, wasOnMain) = (onStack, runningStamp, isOnMain)
    onStack = .passUnretained(process)
    runningStamp = process.stamp
    isOnMain = onMain
    let waiting = queue
    if let waiting {
      outerQueues.append(waiting)
      queue = nil
    }
    process.isOnStack += 1
    body()
    process.isOnStack -= 1
    if let waiting {
      outerQueues.removeLast()
      queue = waiting
    }
    onStack = previous
    runningStamp = previousStamp
    isOnMain = wasOnMain
    if process.endsLater, process.isOnStack == 0 { process.tearDown() }
  }

  /// Does something that is run for this.
  @inline(__always)
  func because(
    of cause: UInt64, in task: UnsafeMutableRawPointer? = RuntimeJob.current?.address,
    _ body: () -> Void
  ) {
    let previous = stated
    stated = (cause, task)
    body()
    stated = previous
  }

  /// Does something as a block of this queue.
  func standing(on queue: UnsafeMutableRawPointer, _ body: () -> Void) {
    let previous = self.queue
    if let previous { outerQueues.append(previous) }
    self.queue = queue
    #if os(Linux)
      SessionQueues.run(body, on: queue)
    #else
      body()
    #endif
    self.queue = previous
    if previous != nil { outerQueues.removeLast() }
  }

  func isStanding(on queue: UnsafeMutableRawPointer) -> Bool {
    self.queue == queue || outerQueues.contains(queue)
  }

  private func runReadyJobs() {
    var left = max(jobsPerEntry, 1)
    while let item = ready.removeNext(choose) {
      run(item)
      left -= 1
      if left == 0, let process = ready.first?.process {
        return record(.neverRests, process.number, "\(jobsPerEntry) jobs in one entry")
      }
    }
  }

  @inline(__always)
  func run(_ item: WorkItem) {
    jobsRun &+= 1
    if !item.isOf(entered) { ranOthers = true }
    item.run(in: self)
  }
}

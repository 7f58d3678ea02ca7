import Foundation

/// A simulated process: the jobs, tasks and timers that end together when it crashes.
///
/// It owns what is enqueued while its code runs, and every task that its code creates. Memory that its
/// code shares with other processes by way of global variables is not taken apart: a `static let`
/// outlives it. Until it is ended it keeps its host in memory.
package final class HostProcess {
  /// 1 for the first process of a run, counted up.
  package let number: Int

  /// Whether it has not been ended.
  @exclusivity(unchecked) package private(set) var isAlive = true

  /// The bridge's object for this process, found through `Host.current?.process`. Let go of by `end()`.
  @exclusivity(unchecked) package var context: AnyObject?

  /// What its code finds where it uses the platform; nil for the platform itself. Let go of by `end()`.
  @exclusivity(unchecked) package var standIns: (any PlatformStandIns)?

  /// By how many seconds the clock that its code reads is fast.
  @exclusivity(unchecked) package var clockSkewSeconds: Int64 = 0

  /// What its code prints, in pieces as they come; nil to let go of it.
  @exclusivity(unchecked) package var output: ((UnsafeRawBufferPointer) -> Void)?

  /// Whether anybody reads what the code of this process prints.
  package var keepsOutput: Bool { output != nil }

  /// Tells it what hosts its code: the bridge's object, and what stands in for the platform.
  package func attach(_ context: AnyObject, _ standIns: any PlatformStandIns) {
    self.context = context
    self.standIns = standIns
  }

  /// Lets go of that, and of whoever reads what its code prints.
  package func detach() {
    context = nil
    standIns = nil
    output = nil
  }

  /// Prints as its code does.
  package func printLine(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { output?(UnsafeRawBufferPointer($0)) }
  }

  /// What its code finds as `NotificationCenter.default`. Let go of by `end()`.
  var notificationCenter: NotificationCenter {
    if let madeNotificationCenter { return madeNotificationCenter }
    let center = NotificationCenter()
    madeNotificationCenter = center
    return center
  }
  @exclusivity(unchecked) private var madeNotificationCenter: NotificationCenter?

  /// What its code finds as `OperationQueue.main`. Let go of by `end()`.
  var mainOperations: OperationQueue {
    if let madeMainOperations { return madeMainOperations }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.underlyingQueue = .main
    madeMainOperations = queue
    return queue
  }
  @exclusivity(unchecked) private var madeMainOperations: OperationQueue?

  /// What its code finds as `Thread.current.threadDictionary`. Let go of by `end()`.
  var threadDictionary: NSMutableDictionary {
    if let madeThreadDictionary { return madeThreadDictionary }
    let dictionary = NSMutableDictionary()
    madeThreadDictionary = dictionary
    return dictionary
  }
  @exclusivity(unchecked) private var madeThreadDictionary: NSMutableDictionary?

  /// How many turns, about, each task gets to come to its end in when the process has ended. What is no
  /// task has four times as many together.
  package static let turnsToEnd = 50

  /// Begins random numbers of its own, so that what other processes draw is nothing to it.
  package func drawRandomNumbers(from seed: UInt64) { random = HostRandom(seed: seed) }
  @exclusivity(unchecked) var random: HostRandom?

  let host: Host
  /// What marks tasks as belonging to this process; unique among all hosts.
  let stamp: UInt64
  @exclusivity(unchecked) var timers: TimerHeap
  /// Where the clock stood when its code ran last: later than for others, where it had its thread sleep.
  @exclusivity(unchecked) var clock: UInt64 = 0
  /// What shall run when a Dispatch group is empty.
  @exclusivity(unchecked) var notices: [(group: UnsafeMutableRawPointer, item: WorkItem)] = []
  /// The timers of its main run loop, with Core Foundation's. Let go of by `end()`.
  @exclusivity(unchecked) var loopTimers: [(core: UnsafeMutableRawPointer, timer: Timer)] = []
  /// What its timers were made with, for the methods that they call. Let go of by `end()`.
  @exclusivity(unchecked) package var timerInfos: [(timer: Timer, info: Any)] = []
  /// How often its code has tried to run a run loop.
  @exclusivity(unchecked) var loopRuns = 0
  /// How often it stands on the thread's stack.
  @exclusivity(unchecked) var isOnStack = 0
  @exclusivity(unchecked) private(set) var endsLater = false
  @exclusivity(unchecked) private var tasks: TaskSlots
  /// What tasks that have no slot are run for, by their address; of what was created last at an address.
  /// Only looked up.
  @exclusivity(unchecked) private var causes: [UnsafeMutableRawPointer: UInt64] = [:]
  @exclusivity(unchecked) private var endings: [() -> Void] = []

  /// What it keeps its work in: empty, and handed on to the next one when it ends, so that memory is not asked for
  /// at each launch.
  struct Room {
    var tasks = TaskSlots()
    var timers = TimerHeap()
  }

  init(host: Host, number: Int, in room: Room) {
    self.host = host
    self.number = number
    tasks = room.tasks
    timers = room.timers
    stamp = TaskMark.makeStamp(host: host.inbox.id)
  }

  /// Ends it, as the operating system ends a process.
  ///
  /// Its tasks are cancelled, what was registered with ``onEnd(_:)`` is called, sleeping jobs wake, and
  /// everything that is ready runs, within the bound of ``turnsToEnd``, so that the code's own memory is freed.
  /// The ports have to be inert by then. What is left, a task that waits for something that nobody
  /// sends, cannot be taken apart: it stays in memory and is named in the host's leaks.
  ///
  /// Called by one of the process's own jobs, it does all this when that job returns.
  package func end() {
    guard isAlive else { return }
    isAlive = false
    if isOnStack > 0 {
      endsLater = true
    } else {
      tearDown()
    }
  }

  /// Has the body called when the process ends, in order of registration; at once if it has ended.
  package func onEnd(_ body: @escaping () -> Void) {
    if isAlive { endings.append(body) } else { body() }
  }
}

// MARK: - Tasks

extension HostProcess {
  /// Takes a task as its own, if it was created just now or is seen for the first time.
  func adopt(_ task: RuntimeJob) {
    let cause = host.cause
    let slot = task.isChild ? nil : tasks.insert(task, for: cause)
    task.mark = TaskMark(stamp: stamp, slot: slot)
    guard slot == nil, cause != 0 || !causes.isEmpty else { return }
    causes[task.address] = cause == 0 ? nil : cause
  }

  /// What a task of this process is run for; 0 for nothing in particular.
  func cause(of task: RuntimeJob) -> UInt64 {
    guard let slot = task.slot, task.mark.stamp == stamp else { return causes[task.address] ?? 0 }
    return tasks.cause(at: slot)
  }

  /// Lets go of a task that is over.
  func release(_ task: RuntimeJob, slot: Int) { tasks.remove(slot) }
}

// MARK: - Ending

extension HostProcess {
  func tearDown() {
    endsLater = false
    host.occupied {
      var last = LastTurns(taskCount: tasks.count)
      var others = host.ready.removeAll { !$0.isOf(self) }
      host.perform(in: self, onMain: true) {
        // A copy, as what runs meanwhile may begin tasks.
        let begun = tasks
        begun.cancelAll()
        for body in endings { body() }
        endings = []
        while let timer = timers.first {
          _ = timers.removeFirst()
          host.makeReady(timer.item)
        }
        for notice in notices { host.makeReady(notice.item) }
        notices = []
      }
      runReadyJobs(&last, others: &others)
      host.perform(in: self, onMain: true) {
        madeNotificationCenter = nil
        madeMainOperations = nil
        madeThreadDictionary = nil
        #if os(Linux)
          if !loopTimers.isEmpty { RunLoopShadow.forgetTimers(of: self) }
        #endif
        timerInfos = []
      }
      runReadyJobs(&last, others: &others)
      // Frees objects of its code, whose `deinit` shall find the process as it was.
      host.perform(in: self, onMain: true) {
        leaveBehind(last.spent)
        context = nil
        standIns = nil
      }
      forgetReadyJobs(&others)
      for item in others { host.makeReady(item) }
    }
    // The host's may be the last reference to it; whoever called goes on for a moment.
    let last = host.live.firstIndex { $0 === self }.map { host.live.remove(at: $0) }
    withExtendedLifetime(last) {}
  }

  /// What is left to a process that has ended.
  private struct LastTurns {
    private var taken = 0
    private let most: Int
    /// By the task's slot, once there were so many turns that a task may have had too many. A task that a
    /// loop begins after another has its slot, and what is left of its turns.
    private var bySlot: [Int: Int] = [:]
    /// What has no turn left.
    var spent: [WorkItem] = []

    init(taskCount: Int) { most = HostProcess.turnsToEnd * (taskCount + 4) }

    mutating func take(_ item: WorkItem) -> Bool {
      guard taken < most else { return false }
      taken += 1
      guard taken > HostProcess.turnsToEnd, let slot = item.slot else { return true }
      bySlot[slot, default: 0] += 1
      return bySlot[slot, default: 0] <= HostProcess.turnsToEnd
    }
  }

  private func runReadyJobs(_ last: inout LastTurns, others: inout [WorkItem]) {
    while let item = host.ready.removeNext({ _ in 0 }) {
      if !item.isOf(self) {
        others.append(item)
      } else if last.take(item) {
        host.run(item)
      } else {
        last.spent.append(item)
      }
    }
  }

  /// Runs nothing of what the very last `deinit` has begun.
  private func forgetReadyJobs(_ others: inout [WorkItem]) {
    var left = Self.turnsToEnd
    while left > 0, let item = host.ready.removeNext({ _ in 0 }) {
      guard item.isOf(self) else {
        others.append(item)
        continue
      }
      left -= 1
      host.perform(in: self, onMain: true) { item.discard() }
    }
    _ = host.ready.removeAll { $0.isOf(self) }
  }

  /// Names what could not be ended.
  private func leaveBehind(_ spent: [WorkItem]) {
    let going = spent.isEmpty ? [] : Set(spent.compactMap(\.slot))
    for item in spent {
      host.record(.goesOn, number, item.name)
      item.discard()
    }
    var room = Room()
    swap(&room.tasks, &tasks)
    swap(&room.timers, &timers)
    room.tasks.removeAll { task in
      if task.slot.map(going.contains) != true { host.record(.notEnded, number, task.name) }
    }
    host.spareRooms.append(room)
  }
}

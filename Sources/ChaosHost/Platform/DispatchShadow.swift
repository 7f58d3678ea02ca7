#if os(Linux)
  import Dispatch

  /// Dispatch queues, as code on a simulated thread uses them: blocks become work of the host.
  ///
  /// Blocks of one queue run in the order in which they were handed in, also those of a concurrent queue
  /// that the program has made; only blocks of the global queues run in any order. Queues are told
  /// apart by themselves: a queue's target, its quality of service and its being suspended do not
  /// count.
  enum DispatchShadow {
    typealias Object = UnsafeMutableRawPointer
    typealias Block = @convention(block) () -> Void
    private typealias Async = @convention(c) (Object, @escaping Block) -> Void
    /// The queue is never nil. Were it of the same type as in `Async`, the compiler would take one function
    /// for the other where generic code is specialised for both, and say so in every build.
    private typealias Sync = @convention(c) (Object?, Block) -> Void
    private typealias After = @convention(c) (UInt64, Object, @escaping Block) -> Void
    private typealias Apply =
      @convention(c) (Int, Object?, @convention(block) (Int) -> Void) -> Void
    private typealias Check = @convention(c) (Object) -> Void
    private typealias Specific = @convention(c) (UnsafeRawPointer) -> UnsafeMutableRawPointer?
    private typealias QueueSpecific =
      @convention(c) (Object, UnsafeRawPointer) -> UnsafeMutableRawPointer?
    private typealias CountReferences = @convention(c) (Object) -> Void
    private typealias GlobalQueue = @convention(c) (Int, UInt) -> Object?
    private typealias IsMainThread = @convention(thin) () -> Bool

    nonisolated(unsafe) private static var originalAsync: Async?
    nonisolated(unsafe) private static var originalBarrierAsync: Async?
    nonisolated(unsafe) private static var originalSync: Sync?
    nonisolated(unsafe) private static var originalBarrierSync: Sync?
    nonisolated(unsafe) private static var originalAfter: After?
    nonisolated(unsafe) private static var originalApply: Apply?
    nonisolated(unsafe) private static var originalAssert: Check?
    nonisolated(unsafe) private static var originalAssertBarrier: Check?
    nonisolated(unsafe) private static var originalAssertNot: Check?
    nonisolated(unsafe) private static var originalSpecific: Specific?
    nonisolated(unsafe) private static var originalIsMainThread: IsMainThread?
    nonisolated(unsafe) private static var queueSpecific: QueueSpecific?
    nonisolated(unsafe) private static var retain: CountReferences?
    nonisolated(unsafe) private static var release: CountReferences?
    nonisolated(unsafe) private static var mainQueue: Object?
    nonisolated(unsafe) private static var globalQueues: Set<Object> = []

    /// Libraries whose own use of queues stays as it is.
    static let exempt = ["libdispatch.", "libswift_Concurrency."]

    static func addReplacements(to list: inout ReplacementList) {
      mainQueue = Symbols.address(of: "_dispatch_main_q")
      retain = Symbols.function("dispatch_retain", as: CountReferences.self)
      release = Symbols.function("dispatch_release", as: CountReferences.self)
      queueSpecific = Symbols.function("dispatch_queue_get_specific", as: QueueSpecific.self)
      findGlobalQueues()
      SessionQueues.find()
      list.add("dispatch_async", &originalAsync, async, exempt: exempt)
      list.add("dispatch_barrier_async", &originalBarrierAsync, barrierAsync, exempt: exempt)
      list.add("dispatch_sync", &originalSync, sync, exempt: exempt)
      list.add("dispatch_barrier_sync", &originalBarrierSync, barrierSync, exempt: exempt)
      list.add("dispatch_after", &originalAfter, after, exempt: exempt)
      list.add("dispatch_apply", &originalApply, apply, exempt: exempt)
      list.add("dispatch_assert_queue", &originalAssert, assert, exempt: exempt)
      list.add(
        "dispatch_assert_queue_barrier", &originalAssertBarrier, assertBarrier, exempt: exempt)
      list.add("dispatch_assert_queue_not", &originalAssertNot, assertNot, exempt: exempt)
      list.add("dispatch_get_specific", &originalSpecific, specific, exempt: exempt)
      // Foundation.Thread.isMainThread
      list.add("$s10Foundation6ThreadC06isMainB0SbvgZ", &originalIsMainThread, isMainThread)
    }

    private static func findGlobalQueues() {
      guard let globalQueue = Symbols.function("dispatch_get_global_queue", as: GlobalQueue.self)
      else { return }
      let services = [0x21, 0x19, 0x15, 0x11, 0x09, 0x05, 2, 0, -2, Int(Int16.min)]
      let overcommit: UInt = 2
      for service in services {
        for flags in [0, overcommit] {
          if let queue = globalQueue(service, flags) { globalQueues.insert(queue) }
        }
      }
    }

    private static func lane(of queue: Object) -> Lane {
      if queue == mainQueue { return .main }
      return globalQueues.contains(queue) ? .pool : Lane(queue: queue)
    }

    /// What a block for a queue is for the host.
    static func item(_ queue: Object, _ process: HostProcess, _ body: @escaping () -> Void)
      -> WorkItem
    {
      let block = HostBlock(
        queue: queue, retain: { retain?($0) }, release: { release?($0) }, body: body)
      return WorkItem(block: block, lane: lane(of: queue), process: process)
    }

    /// The same for a block that the main run loop is given, which is run as one of the main queue's.
    static func mainItem(_ process: HostProcess, _ body: @escaping () -> Void) -> WorkItem? {
      mainQueue.map { item($0, process, body) }
    }

    private static func takeNow(_ queue: Object, _ block: @escaping Block) -> Bool {
      guard let host = CurrentHost.get(), let process = host.running else { return false }
      host.makeReady(item(queue, process, block))
      return true
    }

    private static let async: Async = { queue, block in
      if !takeNow(queue, block) { originalAsync?(queue, block) }
    }

    private static let barrierAsync: Async = { queue, block in
      if !takeNow(queue, block) { originalBarrierAsync?(queue, block) }
    }

    private static let after: After = { time, queue, block in
      guard let host = CurrentHost.get(), let process = host.running else {
        originalAfter?(time, queue, block)
        return
      }
      host.take(item(queue, process, block), after: delay(until: time, host))
    }

    /// How long it is until a `dispatch_time_t`: counted from the device's start, or, with its highest
    /// bits set, down from zero for the time since 1970.
    private static func delay(until time: UInt64, _ host: Host) -> UInt64 {
      guard time != .max else { return .max }
      let uptime = Host.uptimeStart * 1_000_000_000 + host.now
      switch time >> 62 {
      case 0b11:
        let wall = host.shownClockStart * 1_000_000_000 + host.now
        let due = UInt64(bitPattern: -Int64(bitPattern: time))
        return due > wall ? due - wall : 0
      case 0b10:
        let due = time & ~(1 << 63)
        return due > uptime ? due - uptime : 0
      default:
        return time > uptime ? time - uptime : 0
      }
    }

    /// Runs what waits in the queue's lane, then the block, all before it returns.
    private static func runNow(_ queue: Object, _ body: () -> Void) -> Bool {
      guard let host = CurrentHost.get(), let process = host.running else { return false }
      let lane = lane(of: queue)
      if host.isStanding(on: queue) || (lane == .main && host.isOnMain) {
        host.record(.blocks, process.number, "DispatchQueue.sync onto the queue it stands on")
      } else if lane != .pool {
        while let item = host.ready.removeFirst(of: lane) { host.run(item) }
      }
      // The thread that waits is lent to the block, so what stood on the main queue still does.
      host.perform(in: process, onMain: lane == .main || host.isOnMain) {
        host.standing(on: queue, body)
      }
      return true
    }

    private static let sync: Sync = { queue, block in
      if let queue, runNow(queue, block) { return }
      originalSync?(queue, block)
    }

    private static let barrierSync: Sync = { queue, block in
      if let queue, runNow(queue, block) { return }
      originalBarrierSync?(queue, block)
    }

    private static let apply: Apply = { count, queue, block in
      guard CurrentHost.get()?.running != nil else {
        originalApply?(count, queue, block)
        return
      }
      for index in 0..<max(count, 0) { block(index) }
    }

    // What code asks about the queue it stands on. An assertion that does not hold ends the process with
    // Dispatch's own message, for on a simulated thread it is right about every queue.

    private static func isOn(_ queue: Object, _ host: Host) -> Bool {
      queue == mainQueue ? host.isOnMain : host.isStanding(on: queue)
    }

    private static let assert: Check = { queue in
      if let host = CurrentHost.get(), isOn(queue, host) { return }
      originalAssert?(queue)
    }

    private static let assertBarrier: Check = { queue in
      if let host = CurrentHost.get(), isOn(queue, host) { return }
      originalAssertBarrier?(queue)
    }

    private static let assertNot: Check = { queue in
      if let host = CurrentHost.get(), isOn(queue, host) {
        originalAssert?(queue)
      } else {
        originalAssertNot?(queue)
      }
    }

    private static let specific: Specific = { key in
      guard let host = CurrentHost.get() else { return originalSpecific?(key) }
      let queue = host.queue ?? (host.isOnMain ? mainQueue : nil)
      return queue.flatMap { queueSpecific?($0, key) }
    }

    private static let isMainThread: IsMainThread = {
      CurrentHost.get()?.isOnMain ?? originalIsMainThread?() ?? false
    }
  }
#endif

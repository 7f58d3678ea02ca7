#if os(Linux)
  /// Groups and semaphores of Dispatch, and what else would block the simulated thread.
  ///
  /// A group counts as it does in reality; what shall be told when it is empty is kept by the host.
  /// To wait for something that is not there yet would stop the only thread: it is named as a leak, and
  /// the wait ends as if its time were over. A source is real, and a leak; its timer never fires.
  enum DispatchWaiting {
    private typealias Object = DispatchShadow.Object
    private typealias Block = DispatchShadow.Block
    private typealias GroupBlock = @convention(c) (Object, Object, @escaping Block) -> Void
    private typealias Count = @convention(c) (Object) -> Void
    private typealias Wait = @convention(c) (Object, UInt64) -> Int
    private typealias MakeSource =
      @convention(c) (UnsafeRawPointer?, UInt, UInt, Object?) -> Object?

    private typealias SetTimer = @convention(c) (Object, UInt64, UInt64, UInt64) -> Void

    nonisolated(unsafe) private static var originalGroupAsync: GroupBlock?
    nonisolated(unsafe) private static var originalNotify: GroupBlock?
    nonisolated(unsafe) private static var originalLeave: Count?
    nonisolated(unsafe) private static var originalGroupWait: Wait?
    nonisolated(unsafe) private static var originalSemaphoreWait: Wait?
    nonisolated(unsafe) private static var originalSource: MakeSource?
    nonisolated(unsafe) private static var originalSetTimer: SetTimer?
    nonisolated(unsafe) private static var enter: Count?

    static func addReplacements(to list: inout ReplacementList) {
      let exempt = DispatchShadow.exempt
      enter = Symbols.function("dispatch_group_enter", as: Count.self)
      list.add("dispatch_group_async", &originalGroupAsync, groupAsync, exempt: exempt)
      list.add("dispatch_group_notify", &originalNotify, notify, exempt: exempt)
      list.add("dispatch_group_leave", &originalLeave, leave, exempt: exempt)
      list.add("dispatch_group_wait", &originalGroupWait, groupWait, exempt: exempt)
      list.add("dispatch_semaphore_wait", &originalSemaphoreWait, semaphoreWait, exempt: exempt)
      list.add("dispatch_source_create", &originalSource, makeSource, exempt: exempt)
      list.add("dispatch_source_set_timer", &originalSetTimer, setTimer, exempt: exempt)
    }

    private static func isEmpty(_ group: Object) -> Bool { originalGroupWait?(group, 0) == 0 }

    private static let groupAsync: GroupBlock = { group, queue, block in
      guard let host = CurrentHost.get(), let process = host.running else {
        originalGroupAsync?(group, queue, block)
        return
      }
      enter?(group)
      host.makeReady(
        DispatchShadow.item(queue, process) {
          block()
          leave(group)
        })
    }

    private static let notify: GroupBlock = { group, queue, block in
      guard let host = CurrentHost.get(), let process = host.running else {
        originalNotify?(group, queue, block)
        return
      }
      let item = DispatchShadow.item(queue, process, block)
      if isEmpty(group) { host.makeReady(item) } else { process.notices.append((group, item)) }
    }

    private static let leave: Count = { group in
      originalLeave?(group)
      guard let host = CurrentHost.get(), let process = host.running, !process.notices.isEmpty,
        isEmpty(group)
      else { return }
      let due = process.notices.filter { $0.group == group }
      process.notices.removeAll { $0.group == group }
      for notice in due { host.makeReady(notice.item) }
    }

    private static func wait(_ object: Object, _ time: UInt64, _ original: Wait?, _ name: String)
      -> Int
    {
      guard let host = CurrentHost.get(), let process = host.running else {
        return original?(object, time) ?? 0
      }
      let result = original?(object, 0) ?? 0
      if result != 0, time != 0, process.isAlive { host.record(.blocks, process.number, name) }
      return result
    }

    private static let groupWait: Wait = { group, time in
      wait(group, time, originalGroupWait, "DispatchGroup.wait")
    }

    private static let semaphoreWait: Wait = { semaphore, time in
      wait(semaphore, time, originalSemaphoreWait, "DispatchSemaphore.wait")
    }

    private static let makeSource: MakeSource = { kind, handle, mask, queue in
      Host.note(.runLoops, "a Dispatch source")
      return originalSource?(kind, handle, mask, queue)
    }

    // Virtual times mean nothing to a real timer: most are long over.
    private static let setTimer: SetTimer = { source, start, interval, leeway in
      guard CurrentHost.get()?.running != nil else {
        originalSetTimer?(source, start, interval, leeway)
        return
      }
      Host.note(.runLoops, "a Dispatch source")
      originalSetTimer?(source, .max, interval, leeway)
    }
  }
#endif

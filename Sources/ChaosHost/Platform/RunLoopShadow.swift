#if os(Linux)
  import Foundation

  /// Run loops, as code on a simulated thread uses them: what the main one shall do becomes work of the host.
  ///
  /// Only the main run loop runs by itself. A timer that code off the main queue adds to the loop of its thread
  /// is never fired, as on Apple's platforms.
  enum RunLoopShadow {
    private typealias Object = UnsafeMutableRawPointer
    private typealias Block = @convention(block) () -> Void
    private typealias FindLoop = @convention(c) () -> Object?
    private typealias AddToLoop = @convention(c) (Object?, Object?, Object?) -> Void
    private typealias Perform = @convention(c) (Object?, Object?, @escaping Block) -> Void
    private typealias RunInMode = @convention(c) (Object?, Double, UInt8) -> Int32
    private typealias RunSpecific = @convention(c) (Object?, Object?, Double, UInt8) -> Int32
    private typealias DateOfTimer = @convention(c) (Object) -> Double
    private typealias MoveTimer = @convention(c) (Object, Double) -> Void
    private typealias ContextOfTimer = @convention(c) (Object, Object) -> Void

    /// `CFRunLoopTimerContext`: version, whose timer it is, and functions that count its references.
    private struct Context {
      var version = 0
      var info: Object?
      var functions: (Object?, Object?, Object?) = (nil, nil, nil)
    }

    nonisolated(unsafe) private static var originalCurrent: FindLoop?
    nonisolated(unsafe) private static var originalAddTimer: AddToLoop?
    nonisolated(unsafe) private static var originalAddSource: AddToLoop?
    nonisolated(unsafe) private static var originalAddObserver: AddToLoop?
    nonisolated(unsafe) private static var originalIsFinished: IsFinished?
    nonisolated(unsafe) private static var originalPerform: Perform?
    nonisolated(unsafe) private static var originalRunInMode: RunInMode?
    nonisolated(unsafe) private static var originalRunSpecific: RunSpecific?
    nonisolated(unsafe) private static var originalMove: MoveTimer?
    nonisolated(unsafe) private static var date: DateOfTimer?
    nonisolated(unsafe) private static var context: ContextOfTimer?
    nonisolated(unsafe) private static var mainLoop: Object?

    private typealias IsFinished = @convention(c) (Object?, Object?) -> UInt8

    /// `Timer.userInfo`, which is always nil in Foundation on Linux.
    private struct UserInfo {
      let function: () -> Any?
    }

    @inline(never)
    private static func userInfo(of object: AnyObject) -> UserInfo {
      UserInfo { CurrentHost.get()?.running?.timerInfos.first { $0.timer === object }?.info }
    }

    static func addReplacements(to list: inout ReplacementList) {
      date = Symbols.function("CFRunLoopTimerGetNextFireDate", as: DateOfTimer.self)
      context = Symbols.function("CFRunLoopTimerGetContext", as: ContextOfTimer.self)
      mainLoop = Symbols.function("CFRunLoopGetMain", as: FindLoop.self)?()
      // Foundation's Swift calls its own C part through the import table.
      list.add("CFRunLoopGetCurrent", &originalCurrent, current)
      list.add("CFRunLoopAddTimer", &originalAddTimer, addTimer)
      list.add("CFRunLoopTimerSetNextFireDate", &originalMove, moveTimer)
      let userInfoName = "$s10Foundation5TimerC8userInfoypSgvg"
      if let code = MethodCode.ofMade(userInfo), let original = Symbols.address(of: userInfoName) {
        ClassTable(Timer.self).replace(original, with: code)
      }
      list.add("CFRunLoopPerformBlock", &originalPerform, perform)
      list.add("CFRunLoopAddSource", &originalAddSource, addSource)
      list.add("CFRunLoopAddObserver", &originalAddObserver, addObserver)
      list.add("_CFRunLoopFinished", &originalIsFinished, isFinished)
      list.add("CFRunLoopRunInMode", &originalRunInMode, runInMode)
      list.add("CFRunLoopRunSpecific", &originalRunSpecific, runSpecific)
    }

    // MARK: - Whose loop it is

    /// On the main queue the main loop, whichever thread simulates it; elsewhere one that nobody runs.
    private static let current: FindLoop = {
      guard let host = CurrentHost.get(), host.running != nil else { return originalCurrent?() }
      return host.isOnMain ? mainLoop : idleLoop.loop
    }

    private struct IdleLoop: @unchecked Sendable {
      var loop: Object?
    }

    /// The loop of a thread that has ended.
    private static let idleLoop: IdleLoop = Host.beside {
      nonisolated(unsafe) var made = IdleLoop()
      let isMade = DispatchSemaphore(value: 0)
      Thread {
        made.loop = originalCurrent?()
        if let loop = made.loop { _ = Unmanaged<AnyObject>.fromOpaque(loop).retain() }
        isMade.signal()
      }.start()
      isMade.wait()
      return made
    }

    // MARK: - Timers

    private static let addTimer: AddToLoop = { loop, timer, mode in
      guard let host = CurrentHost.get(), let process = host.running else {
        originalAddTimer?(loop, timer, mode)
        return
      }
      guard loop == mainLoop, let timer, let object = object(of: timer), object.isValid else {
        return
      }
      if !process.hasLoopTimer(timer) { process.loopTimers.append((timer, object)) }
      schedule(timer, process, host)
    }

    private static let moveTimer: MoveTimer = { timer, date in
      originalMove?(timer, date)
      guard let host = CurrentHost.get(), let process = host.running else { return }
      if process.hasLoopTimer(timer) { schedule(timer, process, host) }
    }

    /// Foundation's object for a timer: it is what Core Foundation calls back.
    private static func object(of timer: Object) -> Timer? {
      guard let ask = Self.context else { return nil }
      var context = Context()
      withUnsafeMutablePointer(to: &context) { ask(timer, $0) }
      return context.info.map { Unmanaged<Timer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func schedule(_ timer: Object, _ process: HostProcess, _ host: Host) {
      let body = { [unowned(unsafe) process, unowned(unsafe) host] in fire(timer, process, host) }
      guard let item = DispatchShadow.mainItem(process, body) else { return }
      host.take(item, after: delay(of: timer, host))
    }

    /// Fires a timer that is due. One that was moved meanwhile has other work to come; of a process that ends each
    /// is fired once more, as what waits for it shall come to its end.
    private static func fire(_ timer: Object, _ process: HostProcess, _ host: Host) {
      guard let object = process.loopTimers.first(where: { $0.core == timer })?.timer else {
        return
      }
      guard object.isValid else { return forget(timer, process) }
      let isLast = !process.isAlive
      guard isLast || delay(of: timer, host) == 0 else { return }
      let interval = object.timeInterval
      guard interval > 0, !isLast else {
        object.fire()
        object.invalidate()
        return forget(timer, process)
      }
      // The app may set another date while it runs.
      if let date, let originalMove { originalMove(timer, date(timer) + interval) }
      object.fire()
      if object.isValid { schedule(timer, process, host) } else { forget(timer, process) }
    }

    /// Foundation on Linux counts a reference too many for each timer, and so keeps it for ever.
    private static let keepsTimers: Bool = Host.beside {
      weak var kept: Timer?
      do {
        let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        kept = timer
        timer.invalidate()
      }
      return kept != nil
    }

    private static func forget(_ timer: Object, _ process: HostProcess) {
      guard let index = process.loopTimers.firstIndex(where: { $0.core == timer }) else { return }
      let object = process.loopTimers.remove(at: index).timer
      process.timerInfos.removeAll { $0.timer === object }
      if keepsTimers { Unmanaged.passUnretained(object).release() }
    }

    /// Gives up all timers of a process that has ended.
    static func forgetTimers(of process: HostProcess) {
      while let last = process.loopTimers.last {
        last.timer.invalidate()
        forget(last.core, process)
      }
    }

    /// How many nanoseconds it is until a timer is due, in whole microseconds, as dates are no more exact.
    private static func delay(of timer: Object, _ host: Host) -> UInt64 {
      guard let date else { return .max }
      let now = Double(host.shownClockStart) + Double(host.now) / 1e9
      let seconds = date(timer) + Date.timeIntervalBetween1970AndReferenceDate - now
      guard seconds < 1e9 else { return .max }
      return seconds > 0 ? UInt64((seconds * 1e6).rounded()) * 1000 : 0
    }

    // MARK: - Blocks, and what is not simulated

    private static let perform: Perform = { loop, mode, block in
      guard let host = CurrentHost.get(), let process = host.running else {
        originalPerform?(loop, mode, block)
        return
      }
      guard loop == mainLoop, let item = DispatchShadow.mainItem(process, block) else { return }
      host.makeReady(item)
    }

    private static let addSource: AddToLoop = { loop, source, mode in
      Host.note(.runLoops, "a source of a RunLoop")
      originalAddSource?(loop, source, mode)
    }

    private static let addObserver: AddToLoop = { loop, observer, mode in
      Host.note(.runLoops, "an observer of a RunLoop, such as NotificationQueue's,")
      originalAddObserver?(loop, observer, mode)
    }

    /// How often a process may run a run loop before it is told that this is in vain.
    private static let patience = 1_000_000

    /// What is asked before a loop is run: as the thread cannot wait, it has nothing to do.
    private static let isFinished: IsFinished = { loop, mode in
      guard let process = CurrentHost.get()?.running else {
        return originalIsFinished?(loop, mode) ?? 1
      }
      Host.note(.runLoops, "running a RunLoop")
      process.loopRuns += 1
      guard process.loopRuns < patience else {
        fatalError(
          """
          Hosted code waits by running a run loop on the only thread there is, so nothing that it waits for \
          can happen. Await the result in its place.
          """)
      }
      return 1
    }

    private static let runInMode: RunInMode = { mode, seconds, returnsAfterSource in
      Host.note(.runLoops, "running a RunLoop")
      return originalRunInMode?(mode, seconds, returnsAfterSource) ?? 0
    }

    private static let runSpecific: RunSpecific = { loop, mode, seconds, returnsAfterSource in
      Host.note(.runLoops, "running a RunLoop")
      return originalRunSpecific?(loop, mode, seconds, returnsAfterSource) ?? 0
    }
  }

  extension HostProcess {
    fileprivate func hasLoopTimer(_ core: UnsafeMutableRawPointer) -> Bool {
      loopTimers.contains { $0.core == core }
    }
  }
#endif

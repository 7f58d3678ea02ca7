#if os(Linux)
  /// Sees threads and programs being started, and run loops being used, by code on a simulated thread.
  enum RealThreads {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias MakeThread = @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?) -> CInt
    private typealias Spawn =
      @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?, Pointer?, Pointer?) -> CInt
    private typealias Fork = @convention(c) () -> CInt
    private typealias RunCommand = @convention(c) (UnsafePointer<CChar>?) -> CInt
    private typealias OpenCommand =
      @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Pointer?
    private typealias AddToLoop = @convention(c) (Pointer?, Pointer?, Pointer?) -> Void
    private typealias RunInMode = @convention(c) (Pointer?, Double, UInt8) -> Int32
    private typealias RunSpecific = @convention(c) (Pointer?, Pointer?, Double, UInt8) -> Int32

    nonisolated(unsafe) private static var originalMakeThread: MakeThread?
    nonisolated(unsafe) private static var originalSpawn: Spawn?
    nonisolated(unsafe) private static var originalSpawnFound: Spawn?
    nonisolated(unsafe) private static var originalFork: Fork?
    nonisolated(unsafe) private static var originalRunCommand: RunCommand?
    nonisolated(unsafe) private static var originalOpenCommand: OpenCommand?
    nonisolated(unsafe) private static var originalAddTimer: AddToLoop?
    nonisolated(unsafe) private static var originalAddSource: AddToLoop?
    nonisolated(unsafe) private static var originalAddObserver: AddToLoop?
    nonisolated(unsafe) private static var originalPerform: AddToLoop?
    nonisolated(unsafe) private static var originalRunInMode: RunInMode?
    nonisolated(unsafe) private static var originalRunSpecific: RunSpecific?

    static func addReplacements(to list: inout ReplacementList) {
      // What these start serves real work, and is started at whatever moment they lack it.
      list.add(
        "pthread_create", &originalMakeThread, makeThread, exempt: DispatchShadow.exempt)
      list.add("posix_spawn", &originalSpawn, spawn)
      list.add("posix_spawnp", &originalSpawnFound, spawnFound)
      list.add("fork", &originalFork, fork)
      list.add("system", &originalRunCommand, runCommand)
      list.add("popen", &originalOpenCommand, openCommand)
      // Foundation's Swift calls its own C part through the import table.
      list.add("CFRunLoopAddTimer", &originalAddTimer, addTimer)
      list.add("CFRunLoopAddSource", &originalAddSource, addSource)
      list.add("CFRunLoopAddObserver", &originalAddObserver, addObserver)
      list.add("CFRunLoopPerformBlock", &originalPerform, perform)
      list.add("CFRunLoopRunInMode", &originalRunInMode, runInMode)
      list.add("CFRunLoopRunSpecific", &originalRunSpecific, runSpecific)
    }

    private static let makeThread: MakeThread = { thread, attributes, body, argument in
      Host.note(.threads, "starting a thread")
      return originalMakeThread?(thread, attributes, body, argument) ?? -1
    }

    private static func noteProgram(_ path: Pointer?) {
      Host.note(
        .programs,
        "starting \(path.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? "?")")
    }

    private static let spawn: Spawn = { id, path, actions, attributes, arguments, environment in
      noteProgram(path)
      return originalSpawn?(id, path, actions, attributes, arguments, environment) ?? -1
    }

    private static let spawnFound: Spawn = {
      id, path, actions, attributes, arguments, environment in
      noteProgram(path)
      return originalSpawnFound?(id, path, actions, attributes, arguments, environment) ?? -1
    }

    private static let fork: Fork = {
      Host.note(.programs, "forking the process")
      return originalFork?() ?? -1
    }

    private static let runCommand: RunCommand = { command in
      noteProgram(UnsafeMutableRawPointer(mutating: command))
      return originalRunCommand?(command) ?? -1
    }

    private static let openCommand: OpenCommand = { command, mode in
      noteProgram(UnsafeMutableRawPointer(mutating: command))
      return originalOpenCommand?(command, mode)
    }

    private static let addTimer: AddToLoop = { loop, timer, mode in
      Host.note(.runLoops, "a Timer on a RunLoop")
      originalAddTimer?(loop, timer, mode)
    }

    private static let addSource: AddToLoop = { loop, source, mode in
      Host.note(.runLoops, "a source of a RunLoop")
      originalAddSource?(loop, source, mode)
    }

    private static let addObserver: AddToLoop = { loop, observer, mode in
      Host.note(.runLoops, "an observer of a RunLoop, such as NotificationQueue's,")
      originalAddObserver?(loop, observer, mode)
    }

    private static let perform: AddToLoop = { loop, mode, block in
      Host.note(.runLoops, "RunLoop.perform")
      originalPerform?(loop, mode, block)
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
#endif

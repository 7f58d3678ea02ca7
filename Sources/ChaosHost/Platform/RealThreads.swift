#if os(Linux)
  /// Sees threads and programs being started by code on a simulated thread.
  enum RealThreads {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias MakeThread = @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?) -> CInt
    private typealias Spawn =
      @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?, Pointer?, Pointer?) -> CInt
    private typealias Fork = @convention(c) () -> CInt
    private typealias RunCommand = @convention(c) (UnsafePointer<CChar>?) -> CInt
    private typealias OpenCommand =
      @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Pointer?

    nonisolated(unsafe) private static var originalMakeThread: MakeThread?
    nonisolated(unsafe) private static var originalSpawn: Spawn?
    nonisolated(unsafe) private static var originalSpawnFound: Spawn?
    nonisolated(unsafe) private static var originalFork: Fork?
    nonisolated(unsafe) private static var originalRunCommand: RunCommand?
    nonisolated(unsafe) private static var originalOpenCommand: OpenCommand?

    static func addReplacements(to list: inout ReplacementList) {
      // What these start serves real work, and is started at whatever moment they lack it.
      list.add(
        "pthread_create", &originalMakeThread, makeThread, exempt: DispatchShadow.exempt)
      list.add("posix_spawn", &originalSpawn, spawn)
      list.add("posix_spawnp", &originalSpawnFound, spawnFound)
      list.add("fork", &originalFork, fork)
      list.add("system", &originalRunCommand, runCommand)
      list.add("popen", &originalOpenCommand, openCommand)
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
  }
#endif

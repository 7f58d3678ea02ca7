#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What the C library has and Swift has not.
  package enum LinuxCalls {
    /// `fork`; -1 where there is none.
    package static func fork() -> pid_t {
      Symbols.function("fork", as: (@convention(c) () -> pid_t).self)?() ?? -1
    }

    /// The processor on which this thread runs; -1 where that is not known.
    package static var processor: Int32 {
      Symbols.function("sched_getcpu", as: (@convention(c) () -> Int32).self)?() ?? -1
    }

    /// How much of this process is in memory; 0 where that is not known.
    package static var residentBytes: Int {
      guard let file = fopen("/proc/self/statm", "r") else { return 0 }
      defer { fclose(file) }
      var text = [CChar](repeating: 0, count: 128)
      guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
      let pages = text.prefix { $0 != 0 }.split(separator: 0x20).dropFirst().first
      let digits = pages.map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
      return (digits.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Lets a program that is started have no open file of this one but for the first three and the one at `kept`.
    package static func closeOthers(
      _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, but kept: Int32
    ) {
      typealias Call = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
      for file in 3..<kept { posix_spawn_file_actions_addclose(actions, file) }
      let call = Symbols.function("posix_spawn_file_actions_addclosefrom_np", as: Call.self)
      _ = call?(actions, kept + 1)
    }

    /// Keeps this thread on a processor.
    package static func stay(on processor: Int32) {
      // Where the program may run is asked before that is changed.
      var set = [UInt64](repeating: 0, count: everywhere.count)
      guard processor >= 0, Int(processor) < set.count * 64 else { return }
      set[Int(processor) / 64] = 1 << UInt64(processor % 64)
      stay(on: set)
    }

    /// Lets this thread run wherever the program may.
    package static func stayNowhere() { stay(on: everywhere) }

    /// A bit for each processor that the program may run on, of the first 1024; none where that is not known.
    private static let everywhere: [UInt64] = {
      typealias Call = @convention(c) (pid_t, Int, UnsafeMutablePointer<UInt64>) -> Int32
      var set = [UInt64](repeating: 0, count: 16)
      guard let call = Symbols.function("sched_getaffinity", as: Call.self),
        call(0, set.count * MemoryLayout<UInt64>.size, &set) == 0
      else { return [] }
      return set
    }()

    private static func stay(on set: [UInt64]) {
      typealias Call = @convention(c) (pid_t, Int, UnsafePointer<UInt64>) -> Int32
      guard !set.isEmpty, let call = Symbols.function("sched_setaffinity", as: Call.self) else {
        return
      }
      _ = call(0, set.count * MemoryLayout<UInt64>.size, set)
    }
  }
#endif

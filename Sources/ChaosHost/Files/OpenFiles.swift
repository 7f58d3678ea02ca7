#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization

  /// The operating system's own functions, as what stands in for them needs them.
  enum FileCalls {
    typealias Open = @convention(c) (UnsafePointer<CChar>?, CInt, UInt32) -> CInt
    typealias Close = @convention(c) (CInt) -> CInt
    private typealias Make = @convention(c) (UnsafePointer<CChar>?, UInt32) -> CInt

    private static let openCall = Symbols.function("open", as: Open.self)
    private static let closeCall = Symbols.function("close", as: Close.self)
    private static let makeCall = Symbols.function("memfd_create", as: Make.self)

    /// Found before any code runs that is not to be told of it.
    static func prepare() { _ = (openCall, closeCall, makeCall) }

    static func open(_ path: String, _ flags: CInt) -> CInt { openCall?(path, flags, 0) ?? -1 }

    static func close(_ file: CInt) { _ = closeCall?(file) }

    /// A file without a name.
    static func makeMemory() -> CInt { makeCall?("simulated", 1) ?? -1 }

    /// Opens a file without a name once more.
    static func open(_ memory: CInt, _ flags: CInt) -> CInt {
      let kept = flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECTORY)
      return open("/proc/self/fd/\(memory)", kept | O_CLOEXEC)
    }

    /// Makes it hold these bytes alone.
    static func fill(_ memory: CInt, with bytes: Data) {
      _ = ftruncate(memory, 0)
      bytes.withUnsafeBytes { buffer in
        var done = 0
        while done < buffer.count {
          let more = pwrite(memory, buffer.baseAddress! + done, buffer.count - done, off_t(done))
          if more <= 0 { break }
          done += more
        }
      }
    }
  }

  /// Files without a name that nobody writes to, one for each content, however many processes read it.
  enum SharedMemory {
    private static let known = Mutex<[Data: CInt]>([:])
    private static let most = 64

    /// Opens the one with these bytes to read it; -1 with the operating system's error where that fails.
    static func open(_ bytes: Data, _ flags: CInt) -> CInt {
      known.withLock { known in
        if let memory = known[bytes] { return FileCalls.open(memory, flags) }
        if known.count == most {
          for memory in known.values { FileCalls.close(memory) }
          known = [:]
        }
        let memory = FileCalls.makeMemory()
        guard memory >= 0 else { return -1 }
        FileCalls.fill(memory, with: bytes)
        known[bytes] = memory
        return FileCalls.open(memory, flags)
      }
    }
  }

  /// Which descriptors of the program are files of simulated processes.
  enum OpenFiles {
    struct Entry: Sendable {
      let node: FileNode
      weak let files: HostFiles?
      let isWriter: Bool
    }

    private struct Table {
      var entries: [CInt: Entry] = [:]
      /// Those of processes that have ended, from the oldest on.
      var leftOver: [CInt] = []
    }

    private static let table = Mutex(Table())
    /// Until the first is opened, nothing is looked up.
    private static let isUsed = Atomic(false)
    /// How many stay open for whoever may close them after the end of their process.
    private static let mostLeftOver = 64

    static func add(_ file: CInt, _ entry: Entry) {
      isUsed.store(true, ordering: .relaxed)
      table.withLock { $0.entries[file] = entry }
    }

    /// The file of the process whose code runs; nil for any other.
    static func find(_ file: CInt) -> Entry? {
      guard isUsed.load(ordering: .relaxed) else { return nil }
      return table.withLock { $0.entries[file] }
    }

    /// It is about to be closed.
    static func remove(_ file: CInt) -> Entry? {
      guard isUsed.load(ordering: .relaxed) else { return nil }
      return table.withLock { table in
        if let place = table.leftOver.firstIndex(of: file) { table.leftOver.remove(at: place) }
        return table.entries.removeValue(forKey: file)
      }
    }

    /// The process has ended, and nobody may close what it left open.
    static func leave(by files: HostFiles) {
      guard isUsed.load(ordering: .relaxed) else { return }
      let tooMany = table.withLock { table in
        let left = table.entries.filter { $0.value.files === files }
        for entry in left.values { entry.node.leave() }
        table.leftOver += left.keys.sorted()
        let tooMany = table.leftOver.prefix(max(0, table.leftOver.count - mostLeftOver))
        table.leftOver.removeFirst(tooMany.count)
        for file in tooMany { table.entries[file] = nil }
        return Array(tooMany)
      }
      for file in tooMany { FileCalls.close(file) }
    }
  }
#endif

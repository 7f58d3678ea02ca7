#if canImport(Glibc)
  import Glibc
#endif

/// Whether the processes are quiet, as the kernel sees their threads.
///
/// Each look reads a few short files of `/proc` for each thread, of which a runtime such as Java's has thirty: paths are
/// put together, and what is read is looked at, without a `String`.
extension ProcessTree {
  /// The last process or thread that was begun on this machine; nil where nobody says so.
  static var youngest: UInt64? {
    var found: UInt64?
    read(AT_FDCWD, "/proc/loadavg") { text in
      found = text.split(separator: UInt8(ascii: " ")).last.map(number)
    }
    // Where the kernel is somebody's imitation it may count none.
    return found == 0 ? nil : found
  }

  func allMembers() -> [pid_t] {
    var found = [supervisor]
    var place = 0
    while place < found.count {
      Self.eachThread(of: found[place]) { threads, thread in
        Self.read(threads, thread, "/children") { text in
          for child in text.split(separator: UInt8(ascii: " ")) where !child.isEmpty {
            found.append(pid_t(clamping: Self.number(child)))
          }
        }
        return true
      }
      place += 1
    }
    return found
  }

  /// What all its threads have done so far, in one number, whatever they are at.
  ///
  /// Only a look that asks that as well, ``work()``, says whether it is quiet: where it finds what this one had found.
  func progress() -> UInt64 {
    var sum = Self.nothing
    for pid in watched {
      Self.eachThread(of: pid) { threads, thread in
        Self.add(threads, thread, to: &sum)
        return true
      }
    }
    return sum
  }

  /// What all its threads have done so far, in one number; nil while any of them has something to do.
  ///
  /// Equal numbers at two looks, and nothing in between that could have woken a thread: it is quiet. What a thread has done
  /// is read after what it is at: who has woken another before it fell asleep itself has done more than at the look before.
  func work() -> UInt64? {
    var sum = Self.nothing
    for pid in watched {
      let isIdle = Self.eachThread(of: pid) { threads, thread in
        guard Self.isIdle(threads, thread) else { return false }
        Self.add(threads, thread, to: &sum)
        return true
      }
      guard isIdle else { return nil }
    }
    return sum
  }

  private static let nothing: UInt64 = 1_469_598_103_934_665_603

  private static func add(_ threads: Int32, _ thread: ThreadName, to sum: inout UInt64) {
    // How long it has run, how long it had to wait for that, and how often.
    read(threads, thread, "/schedstat") { text in
      for byte in text { sum = (sum ^ UInt64(truncatingIfNeeded: byte)) &* 1_099_511_628_211 }
    }
    sum = (sum ^ thread.number) &* 1_099_511_628_211
  }

  /// Whether a thread waits for somebody else, and will not wake of itself.
  private static func isIdle(_ threads: Int32, _ thread: ThreadName) -> Bool {
    var state = UInt8(ascii: "X")
    read(threads, thread, "/stat") { text in
      // Behind the name, which stands in brackets and can have any in it.
      guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.endIndex else { return }
      state = text[end + 2]
    }
    if state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") { return true }
    // Who waits for memory or a disk goes on of itself, and be it in the middle of waiting for a message.
    guard state == UInt8(ascii: "S") else { return false }
    var isIdle = true
    read(threads, thread, "/syscall") { text in
      // It may have been woken since. Who sleeps for a while will wake of itself.
      isIdle = text.first != UInt8(ascii: "r") && !sleeps.contains(number(text))
    }
    return isIdle
  }

  #if arch(arm64)
    /// nanosleep and clock_nanosleep.
    private static let sleeps: [UInt64] = [101, 115]
  #else
    /// nanosleep and clock_nanosleep.
    private static let sleeps: [UInt64] = [35, 230]
  #endif

  /// A thread, as its folder is called.
  private struct ThreadName {
    var digits: UnsafePointer<CChar>
    var number: UInt64 {
      ProcessTree.number(
        UnsafeRawBufferPointer(start: digits, count: strlen(digits)))
    }
  }

  private static func number(_ text: some Sequence<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    for byte in text {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
      number = number &* 10 &+ UInt64(truncatingIfNeeded: byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// Goes through the threads of a process until it is told to stop; whether it went to the end.
  @discardableResult
  private static func eachThread(of pid: pid_t, _ body: (Int32, ThreadName) -> Bool) -> Bool {
    guard let folder = opendir("/proc/\(pid)/task") else { return true }
    defer { closedir(folder) }
    let file = dirfd(folder)
    while let entry = readdir(folder) {
      let goesOn = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          name[0] == CChar(bitPattern: UInt8(ascii: ".")) || body(file, ThreadName(digits: name))
        }
      }
      guard goesOn else { return false }
    }
    return true
  }

  /// Hands over what stands in a file of a thread's; nothing where it is gone.
  private static func read(
    _ threads: Int32, _ thread: ThreadName, _ name: StaticString,
    _ body: (Slice<UnsafeRawBufferPointer>) -> Void
  ) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      guard let path = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      strcpy(path, thread.digits)
      name.withUTF8Buffer {
        guard let start = UnsafeRawPointer($0.baseAddress) else { return }
        _ = strncat(path, start.assumingMemoryBound(to: CChar.self), $0.count)
      }
      read(threads, path, body)
    }
  }

  private static func read(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ body: (Slice<UnsafeRawBufferPointer>) -> Void
  ) {
    let file = openat(folder, path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { buffer in
      let count = Glibc.read(file, buffer.baseAddress, buffer.count)
      if count > 0 { body(UnsafeRawBufferPointer(buffer)[..<count]) }
    }
  }
}

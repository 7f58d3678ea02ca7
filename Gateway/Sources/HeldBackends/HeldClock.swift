import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The calendar's clock that a backend's processes go by: it stands at the run's virtual time.
///
/// They are started with a small library that is loaded before all others and reads the time where this writes it. Debian
/// has one that does as much, libfaketime; that of Debian 12 makes Python's `time.sleep` fail where other clocks are left
/// alone (wolfcw/libfaketime#426), and it reads a file each time.
final class HeldClock {
  /// Where the time is written: nanoseconds since 1970.
  private let time: UnsafeMutablePointer<Int64>
  private let path: String
  private let library: String

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// Builds the library that processes are started with; what has the machine's C compiler do it says where it failed.
  static func build(in folder: String) throws -> String {
    let source = folder + "/clock.c"
    let library = folder + "/clock.so"
    try Data(PackageResources.clock_c).write(to: URL(filePath: source))
    var said = "there is none: cc, clang and gcc were looked for"
    for compiler in ["cc", "clang", "gcc"] {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"]
      process.standardError = output
      try process.run()
      let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      if process.terminationStatus == 0 { return library }
      // What `env` ends with where there is no such program.
      if process.terminationStatus != 127 { said = "\(compiler): \(words)" }
    }
    throw Failed(description: "clock: a C compiler is needed for a virtual one; \(said)")
  }

  /// A clock whose file lies in a folder, for processes that load this library.
  init(in folder: String, _ library: String) throws {
    self.library = library
    path = folder + "/clock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, ftruncate(file, 8) == 0,
      let page = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), page != MAP_FAILED
    else { throw Failed(description: "no clock can be made: \(String(cString: strerror(errno)))") }
    time = page.bindMemory(to: Int64.self, capacity: 1)
  }

  deinit { munmap(time, 8) }

  /// From now on it is that late, in milliseconds since 1970.
  func set(_ millis: Int64) { time.pointee = millis &* 1_000_000 }

  /// An environment whose processes go by it.
  func added(to environment: [String: String]) -> [String: String] {
    var environment = environment
    let before = environment["LD_PRELOAD"] ?? ""
    environment["LD_PRELOAD"] = before.isEmpty ? library : "\(library):\(before)"
    environment["CHAOS_CLOCK"] = path
    return environment
  }

  /// The program of a process that does not go by it; nil where all do.
  func stranger(among tree: ProcessTree) -> String? {
    for pid in tree.members {
      // Read bit by bit: such a file has no length, and what reads whole files takes the first page for all of it.
      guard let file = FileHandle(forReadingAtPath: "/proc/\(pid)/maps"),
        let maps = try? file.readToEnd(), maps.range(of: Data(library.utf8)) == nil
      else { continue }
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"))
        ?? "process \(pid)"
    }
    return nil
  }
}

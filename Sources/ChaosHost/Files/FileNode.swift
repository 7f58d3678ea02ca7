#if os(Linux)
  import Foundation
  import Glibc

  /// A file or folder of a simulated process.
  ///
  /// What a file holds is a value until it is opened; then it is memory that the operating system knows as a file
  /// without a name, so that whoever has opened it reads and writes it as any other.
  final class FileNode: @unchecked Sendable {
    fileprivate(set) weak var parent: FileNode?
    fileprivate(set) var name: String
    let isFolder: Bool
    /// What `stat` calls its number.
    let number: UInt
    private(set) var children: [String: FileNode] = [:]
    var mode: UInt32
    /// Virtual nanoseconds since 1970.
    var modified: Int
    /// What the keeper knows of it; nil if it was told nothing, or what it was told does not count any more.
    var kept: Data?
    /// Whether the keeper has something under its path that has to go with it.
    var isKnown = false
    /// Made under a name that was made up: it counts from when it has another, or the code comes to rest.
    var isTemporary = false
    /// Whether somebody has waited for it to be on the disk while it counted for nothing.
    var isAwaited = false
    /// Whether it is the system's, which is replaced and not written to.
    var isShown = false
    /// Who has opened it, and who of them to write.
    private(set) var users = 0
    private(set) var writers = 0
    /// Whether one of them may have changed it.
    private var wasWritten = false
    /// What it holds while nobody has opened it.
    private var closed: Data
    private var memory: CInt = -1

    init(
      _ name: String, isFolder: Bool, number: UInt, modified: Int, holding bytes: Data = Data(),
      isKnown: Bool = false
    ) {
      self.name = name
      self.isFolder = isFolder
      self.number = number
      self.modified = modified
      mode = isFolder ? 0o755 : 0o644
      closed = bytes
      self.isKnown = isKnown
      kept = isKnown ? bytes : nil
    }

    deinit { if memory >= 0 { FileCalls.close(memory) } }

    // MARK: - The tree

    /// In the order of their names.
    var sorted: [FileNode] { children.values.sorted { $0.name < $1.name } }

    func child(_ name: String) -> FileNode? { children[name] }

    func add(_ node: FileNode, as name: String) {
      node.name = name
      node.parent = self
      children[name] = node
    }

    func remove() {
      parent?.children[name] = nil
      parent = nil
    }

    /// Where it is below a folder without a name; nil for what was removed.
    var path: String? {
      guard let parent else { return name.isEmpty ? "" : nil }
      guard let before = parent.path else { return nil }
      return before.isEmpty ? name : before + "/" + name
    }

    /// It and all that lies in it, each folder before what it holds.
    var all: [FileNode] { [self] + sorted.flatMap(\.all) }

    // MARK: - What it holds

    var size: Int {
      memory < 0 ? closed.count : max(0, lseek(memory, 0, SEEK_END))
    }

    var bytes: Data {
      guard memory >= 0 else { return closed }
      var bytes = Data(count: size)
      let count = bytes.withUnsafeMutableBytes { buffer in
        var done = 0
        while done < buffer.count {
          let more = pread(memory, buffer.baseAddress! + done, buffer.count - done, off_t(done))
          if more <= 0 { break }
          done += more
        }
        return done
      }
      return bytes.prefix(count)
    }

    /// Makes it hold this, whoever has opened it.
    func replace(with bytes: Data) {
      closed = bytes
      if memory >= 0 { fill() }
    }

    func cut(to size: Int) {
      if memory >= 0 {
        wasWritten = true
        _ = ftruncate(memory, off_t(size))
      } else {
        closed = closed.prefix(size) + Data(count: max(0, size - closed.count))
      }
    }

    private func fill() { FileCalls.fill(memory, with: closed) }

    /// Opens it once more; -1 with the operating system's error where that fails.
    func open(_ flags: CInt) -> CInt {
      let isReader = flags & (O_ACCMODE | O_TRUNC) == O_RDONLY
      let file: CInt
      if isShown, isReader, memory < 0 {
        file = SharedMemory.open(closed, flags)
      } else {
        if memory < 0 {
          memory = FileCalls.makeMemory()
          guard memory >= 0 else { return -1 }
          fill()
        }
        file = FileCalls.open(memory, flags)
      }
      guard file >= 0 else { return -1 }
      users += 1
      if flags & O_ACCMODE != O_RDONLY { writers += 1 }
      wasWritten = wasWritten || !isReader
      return file
    }

    /// The process has ended; who has opened it and not closed it has what it held.
    func leave() {
      if memory >= 0 { FileCalls.close(memory) }
      memory = -1
    }

    /// One of those who have opened it has closed it.
    func letGo(isWriter: Bool) {
      users -= 1
      if isWriter { writers -= 1 }
      guard users == 0, memory >= 0 else { return }
      if wasWritten { closed = bytes }
      wasWritten = false
      FileCalls.close(memory)
      memory = -1
    }
  }
#endif

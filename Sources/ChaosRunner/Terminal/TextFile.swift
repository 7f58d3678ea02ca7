import Foundation

/// Files and folders as they are found, and why they cannot be read.
enum TextFile {
  /// No file of this program's is near it, and what has no end is noticed.
  static let mostBytes = 64 << 20

  /// What stands for standard input.
  static let standardInput = "-"

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// The content of a file, of a pipe or, for `-`, of standard input; nil where there is nothing.
  static func contents(of path: String, atMost most: Int = mostBytes) throws(Unreadable) -> String?
  {
    guard path != standardInput else { return try text(from: 0, atMost: most) }
    var descriptor = open(path, O_RDONLY | O_CLOEXEC)
    while descriptor < 0, errno == EINTR, !Interruption.hasCome {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      let error = errno
      if error == ENOENT, isMissing(path) { return nil }
      throw failure(error, path)
    }
    defer { close(descriptor) }
    return try text(from: descriptor, atMost: most)
  }

  /// The names of what is in a folder; nil where there is none.
  static func names(in folder: String) throws(Unreadable) -> [String]? {
    guard let stream = opendir(folder) else {
      let error = errno
      if error == ENOENT, isMissing(folder) { return nil }
      throw failure(error, folder)
    }
    closedir(stream)
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw Unreadable(description: error.localizedDescription)
    }
  }

  /// Whether it can be read once and no more: a pipe, a terminal, standard input.
  static func isStream(_ path: String) -> Bool {
    if path == standardInput { return true }
    var found = stat()
    guard stat(path, &found) == 0 else { return false }
    return found.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/")
      || path.hasPrefix("/proc/")
  }

  // MARK: -

  private static func text(from descriptor: Int32, atMost most: Int) throws(Unreadable) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
        guard bytes.count <= most else {
          throw Unreadable(description: "it is larger than \(size(most)), the most that is read")
        }
      } else if errno != EINTR {
        throw Unreadable(description: String(cString: strerror(errno)))
      }
      if Interruption.hasCome { throw Unreadable(description: "interrupted while it was read") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Unreadable(description: "it cannot be read as text: it is not UTF-8")
    }
    return text
  }

  private static func size(_ bytes: Int) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  /// Whether there is nothing at all; a link that leads nowhere is something.
  private static func isMissing(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) != 0 && errno == ENOENT
  }

  private static func failure(_ error: Int32, _ path: String) -> Unreadable {
    guard error == ENOENT else { return Unreadable(description: String(cString: strerror(error))) }
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "another"
    return Unreadable(description: "it is a link to '\(target)', which is not there")
  }
}

import Foundation

/// Reads a file, a pipe or standard input line by line, in large pieces.
///
/// A line is good until the next one is asked for; sixteen bytes behind its end can be read, which mean nothing.
final class LineReader {
  /// A longer line is damaged: no fact is near it.
  static let longestLine = 1 << 20

  /// What its name is on the command line.
  let path: String
  /// The number of the line that was read last, from 1.
  private(set) var number = 0
  /// Why nothing more could be read; nil where the file has come to its end.
  private(set) var failure: String?

  private let descriptor: Int32
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var here = 0
  private var filled = 0
  private var isAtEnd = false

  /// A line: where it begins and how many bytes it has; `isTooLong` where that is only its beginning.
  struct Line {
    var start: UnsafePointer<UInt8>
    var count: Int
    var isTooLong = false
  }

  init(path: String) throws(Failure) {
    self.path = path
    if path == TextFile.standardInput {
      descriptor = 0
    } else {
      var found = stat()
      guard stat(path, &found) == 0 else {
        throw .noVerdict("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      guard found.st_mode & S_IFMT != S_IFDIR else {
        throw .noVerdict("\(path) cannot be read: it is a folder, expected a file of facts")
      }
      var opened = open(path, O_RDONLY | O_CLOEXEC)
      while opened < 0, errno == EINTR, !Interruption.hasCome {
        opened = open(path, O_RDONLY | O_CLOEXEC)
      }
      guard opened >= 0 else {
        throw .noVerdict("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      descriptor = opened
    }
    capacity = Self.longestLine * 2
    buffer = .allocate(capacity: capacity + 16)
    buffer.initialize(repeating: 0, count: capacity + 16)
  }

  deinit {
    if descriptor != 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// The next line without its end; nil where there is none.
  func next() -> Line? {
    var searched = here
    while true {
      if let end = memchr(buffer + searched, 10, filled - searched) {
        let start = here
        let count = UnsafePointer(end.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
        here = count + 1
        number += 1
        return line(start, count)
      }
      searched = filled
      if isAtEnd {
        guard here < filled else { return nil }
        let start = here
        here = filled
        number += 1
        return line(start, filled)
      }
      if filled - here > Self.longestLine { return tooLong() }
      if here > 0 {
        memmove(buffer, buffer + here, filled - here)
        searched -= here
        filled -= here
        here = 0
      }
      fill()
    }
  }

  private func line(_ start: Int, _ end: Int) -> Line {
    var start = start
    // A mark of the order of bytes at the beginning of a file is none of its text.
    if number == 1, end - start >= 3, buffer[start] == 0xef, buffer[start + 1] == 0xbb,
      buffer[start + 2] == 0xbf
    {
      start += 3
    }
    var count = end - start
    if count > 0, buffer[end - 1] == 13 { count -= 1 }
    return Line(
      start: UnsafePointer(buffer) + start, count: count, isTooLong: count > Self.longestLine)
  }

  /// Gives the beginning of a line that has no end in sight, and goes on behind it.
  private func tooLong() -> Line {
    let kept = 64
    memmove(buffer, buffer + here, kept)
    (here, filled) = (kept, kept)
    number += 1
    while !isAtEnd {
      fill()
      if let end = memchr(buffer + kept, 10, filled - kept) {
        here = UnsafePointer(end.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer) + 1
        return Line(start: UnsafePointer(buffer), count: kept, isTooLong: true)
      }
      filled = kept
    }
    return Line(start: UnsafePointer(buffer), count: kept, isTooLong: true)
  }

  private func fill() {
    while true {
      let count = read(descriptor, buffer + filled, capacity - filled)
      if count > 0 {
        filled += count
        return
      }
      if count == 0 || failure != nil {
        isAtEnd = true
        return
      }
      if errno == EINTR, !Interruption.hasCome { continue }
      failure = errno == EINTR ? "interrupted" : String(cString: strerror(errno))
      isAtEnd = true
      return
    }
  }
}

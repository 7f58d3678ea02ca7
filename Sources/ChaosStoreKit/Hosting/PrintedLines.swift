/// Puts together what code prints in pieces, and hands it on a line at a time.
struct PrintedLines {
  private var line: [UInt8] = []

  /// Longer lines are handed on in parts.
  private static let longest = 10_000

  mutating func add(_ bytes: UnsafeRawBufferPointer, _ done: (String) -> Void) {
    for byte in bytes {
      guard byte != UInt8(ascii: "\n") else {
        end(done)
        continue
      }
      line.append(byte)
      if line.count == Self.longest { end(done) }
    }
  }

  /// What has no end yet counts as a line, if there is any.
  mutating func finish(_ done: (String) -> Void) {
    if !line.isEmpty { end(done) }
  }

  private mutating func end(_ done: (String) -> Void) {
    done(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }
}

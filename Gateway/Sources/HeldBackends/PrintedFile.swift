import Foundation

/// What a backend prints, as it grows.
struct PrintedFile {
  let path: String
  /// How much of it was read, of whole lines.
  private var offset: UInt64 = 0

  init(path: String) { self.path = path }

  /// The whole lines that are new since it was last asked, without empty ones.
  mutating func newLines() -> [Substring] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.readToEnd(),
      let end = data.lastIndex(of: UInt8(ascii: "\n"))
    else { return [] }
    offset += UInt64(clamping: data.distance(from: data.startIndex, to: end)) + 1
    return String(decoding: data[...end], as: UTF8.self).split(separator: "\n")
  }

  /// What was printed so far is not asked for.
  mutating func skip() { _ = newLines() }
}

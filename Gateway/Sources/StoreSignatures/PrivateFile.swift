import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A file that nobody but its owner can read, from its first byte on.
package enum PrivateFile {
  /// Writes a text to a path, in the place of what is there.
  package static func write(_ text: String, to path: String) throws {
    let new = "\(path).\(getpid())"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw problem(new) }
    do {
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
      guard rename(new, path) == 0 else { throw problem(path) }
    } catch {
      unlink(new)
      throw error
    }
  }

  /// True if others than its owner may read or write it.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & 0o077 != 0
  }

  private static func problem(_ path: String) -> CocoaError {
    CocoaError(
      .fileWriteUnknown,
      userInfo: [
        NSLocalizedDescriptionKey: "\(path): \(String(cString: strerror(errno)))"
      ])
  }
}

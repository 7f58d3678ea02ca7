#if os(Linux)
  import Foundation
  import Glibc

  /// What code on a simulated thread does with files that it has opened: a file of its own is told to its device
  /// when it is closed, and waits for the disk where the code does.
  enum FileClosing {
    private typealias Stream = UnsafeMutableRawPointer
    private typealias Close = @convention(c) (CInt) -> CInt
    private typealias CloseStream = @convention(c) (Stream?) -> CInt
    private typealias Map =
      @convention(c) (UnsafeMutableRawPointer?, Int, CInt, CInt, CInt, Int) ->
      UnsafeMutableRawPointer?

    nonisolated(unsafe) private static var originalClose: Close?
    nonisolated(unsafe) private static var originalWait: Close?
    nonisolated(unsafe) private static var originalWaitForData: Close?
    nonisolated(unsafe) private static var originalCloseStream: CloseStream?
    nonisolated(unsafe) private static var originalMap: Map?
    nonisolated(unsafe) private static var number: (@convention(c) (Stream?) -> CInt)?

    static func addReplacements(to list: inout ReplacementList) {
      number = Symbols.function("fileno", as: (@convention(c) (Stream?) -> CInt).self)
      list.add("close", &originalClose, close)
      list.add("fsync", &originalWait, wait)
      list.add("fdatasync", &originalWaitForData, waitForData)
      list.add("fclose", &originalCloseStream, closeStream)
      list.add("mmap", &originalMap, map)
      list.add("mmap64", &originalMap, map)
    }

    /// Nothing is told by the code of another process, or of none.
    private static func isOwn(_ entry: OpenFiles.Entry) -> HostFiles? {
      guard let files = entry.files, files === Host.standIns?.files else { return nil }
      return files
    }

    private static func end(_ entry: OpenFiles.Entry?) {
      guard let entry else { return }
      if let files = isOwn(entry) { files.close(entry.node, isWriter: entry.isWriter) }
    }

    private static let close: Close = { file in
      let entry = OpenFiles.remove(file)
      let result = originalClose?(file) ?? -1
      end(entry)
      return result
    }

    private static let closeStream: CloseStream = { stream in
      let entry = stream.flatMap { stream in number.map { $0(stream) } }.flatMap(OpenFiles.remove)
      let result = originalCloseStream?(stream) ?? -1
      end(entry)
      return result
    }

    private static func waits(for file: CInt) -> Bool {
      guard let entry = OpenFiles.find(file), let files = isOwn(entry) else { return false }
      files.wait(for: entry.node)
      return true
    }

    private static let wait: Close = { file in
      waits(for: file) ? 0 : originalWait?(file) ?? -1
    }

    private static let waitForData: Close = { file in
      waits(for: file) ? 0 : originalWaitForData?(file) ?? -1
    }

    /// Nobody sees what is written into memory.
    private static let map: Map = { start, count, protection, flags, file, offset in
      if file >= 0, protection & PROT_WRITE != 0, flags & MAP_SHARED != 0,
        let entry = OpenFiles.find(file)
      {
        Host.note(
          .files, "writing the file \(HostFiles.home)/\(entry.node.path ?? "?") by way of memory")
      }
      return originalMap?(start, count, protection, flags, file, offset)
    }
  }
#endif

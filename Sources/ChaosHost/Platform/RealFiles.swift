#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Sees files being changed by code on a simulated thread. What lies in the places that an app owns is left to
  /// ``OwnFiles``.
  ///
  /// Whoever writes a file has opened it first, so calls of `write` are not looked at: what was opened
  /// before the run, or by another thread, goes unseen. What opens for reading is left alone, but for
  /// the system's random numbers.
  enum RealFiles {
    private typealias Path = UnsafePointer<CChar>
    private typealias Open = @convention(c) (Path?, CInt, UInt32) -> CInt
    private typealias OpenAt = @convention(c) (CInt, Path?, CInt, UInt32) -> CInt
    private typealias OpenStream = @convention(c) (Path?, Path?) -> UnsafeMutableRawPointer?
    private typealias Make = @convention(c) (Path?, UInt32) -> CInt
    private typealias MakeTemporary = @convention(c) (UnsafeMutablePointer<CChar>?) -> CInt
    private typealias Remove = @convention(c) (Path?) -> CInt
    private typealias RemoveAt = @convention(c) (CInt, Path?, CInt) -> CInt
    private typealias Move = @convention(c) (Path?, Path?) -> CInt
    private typealias MoveAt = @convention(c) (CInt, Path?, CInt, Path?) -> CInt
    private typealias Cut = @convention(c) (Path?, Int) -> CInt

    nonisolated(unsafe) private static var originalOpen: Open?
    nonisolated(unsafe) private static var originalOpenAt: OpenAt?
    nonisolated(unsafe) private static var originalOpenStream: OpenStream?
    nonisolated(unsafe) private static var originalCreate: Make?
    nonisolated(unsafe) private static var originalMakeFolder: Make?
    nonisolated(unsafe) private static var originalMakeTemporary: MakeTemporary?
    nonisolated(unsafe) private static var originalUnlink: Remove?
    nonisolated(unsafe) private static var originalRemove: Remove?
    nonisolated(unsafe) private static var originalRemoveFolder: Remove?
    nonisolated(unsafe) private static var originalUnlinkAt: RemoveAt?
    nonisolated(unsafe) private static var originalRename: Move?
    nonisolated(unsafe) private static var originalRenameAt: MoveAt?
    nonisolated(unsafe) private static var originalLink: Move?
    nonisolated(unsafe) private static var originalSymlink: Move?
    nonisolated(unsafe) private static var originalTruncate: Cut?

    static func addReplacements(to list: inout ReplacementList) {
      // With 64 bits the names that end so mean the same functions.
      for bits in ["", "64"] {
        list.add("open" + bits, &originalOpen, open)
        list.add("openat" + bits, &originalOpenAt, openAt)
        list.add("fopen" + bits, &originalOpenStream, openStream)
        list.add("creat" + bits, &originalCreate, create)
        list.add("mkstemp" + bits, &originalMakeTemporary, makeTemporary)
        list.add("truncate" + bits, &originalTruncate, truncate)
      }
      list.add("mkdir", &originalMakeFolder, makeFolder)
      list.add("unlink", &originalUnlink, unlink)
      list.add("remove", &originalRemove, remove)
      list.add("rmdir", &originalRemoveFolder, removeFolder)
      list.add("unlinkat", &originalUnlinkAt, unlinkAt)
      list.add("rename", &originalRename, rename)
      list.add("renameat", &originalRenameAt, renameAt)
      list.lead("renameat", of: "libFoundation.", to: replaceAt)
      list.add("link", &originalLink, link)
      list.add("symlink", &originalSymlink, symlink)
    }

    private static func text(_ path: UnsafePointer<CChar>?) -> String {
      path.map { String(cString: $0) } ?? "?"
    }

    /// Devices that keep nothing.
    private static let devices: Set<String> = [
      "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
      "/dev/stdout", "/dev/stderr",
    ]

    private static func noteWriting(_ path: Path?) {
      guard CurrentHost.get()?.running != nil else { return }
      let path = text(path)
      if !devices.contains(path) { Host.note(.files, "writing the file \(path)") }
    }

    /// Of all that can be read, random numbers are the one thing that is never the same.
    private static func noteReading(_ path: Path?) {
      guard let path, strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0 else {
        return
      }
      Host.note(.randomness, "reading \(text(path))")
    }

    private static func noteOpening(_ path: Path?, _ flags: CInt) {
      if flags & O_ACCMODE != O_RDONLY || flags & (O_CREAT | O_TRUNC) != 0 {
        noteWriting(path)
      } else {
        noteReading(path)
      }
    }

    private static let open: Open = { path, flags, mode in
      if let file = OwnFiles.open(path, flags, mode) { return file }
      noteOpening(path, flags)
      return originalOpen?(path, flags, mode) ?? -1
    }

    private static let openAt: OpenAt = { folder, path, flags, mode in
      if let file = OwnFiles.open(path, flags, mode, in: folder) { return file }
      noteOpening(path, flags)
      return originalOpenAt?(folder, path, flags, mode) ?? -1
    }

    private static let openStream: OpenStream = { path, mode in
      if let stream = OwnFiles.openStream(path, mode) { return stream.pointer }
      if let mode, strpbrk(mode, "wa+") != nil {
        noteWriting(path)
      } else {
        noteReading(path)
      }
      return originalOpenStream?(path, mode)
    }

    private static let create: Make = { path, mode in
      if let file = OwnFiles.open(path, O_CREAT | O_WRONLY | O_TRUNC, mode) { return file }
      noteWriting(path)
      return originalCreate?(path, mode) ?? -1
    }

    private static let makeTemporary: MakeTemporary = { path in
      if let file = OwnFiles.makeTemporary(path) { return file }
      noteWriting(path)
      return originalMakeTemporary?(path) ?? -1
    }

    private static let truncate: Cut = { path, length in
      if let result = OwnFiles.change(
        path, { files, path throws(FileError) in try files.cut(path, to: length) })
      {
        return result
      }
      noteWriting(path)
      return originalTruncate?(path, length) ?? -1
    }

    private static let makeFolder: Make = { path, mode in
      if let result = OwnFiles.change(
        path, { files, path throws(FileError) in try files.makeFolder(path) })
      {
        return result
      }
      Host.note(.files, "making the folder \(text(path))")
      return originalMakeFolder?(path, mode) ?? -1
    }

    private static let unlink: Remove = { path in
      if let result = OwnFiles.remove(path, .file) { return result }
      Host.note(.files, "removing \(text(path))")
      return originalUnlink?(path) ?? -1
    }

    private static let remove: Remove = { path in
      if let result = OwnFiles.remove(path, .any) { return result }
      Host.note(.files, "removing \(text(path))")
      return originalRemove?(path) ?? -1
    }

    private static let removeFolder: Remove = { path in
      if let result = OwnFiles.remove(path, .folder) { return result }
      Host.note(.files, "removing \(text(path))")
      return originalRemoveFolder?(path) ?? -1
    }

    private static let unlinkAt: RemoveAt = { folder, path, flags in
      let kind: OwnFiles.Kind = flags & CInt(AT_REMOVEDIR) != 0 ? .folder : .file
      if let result = OwnFiles.remove(path, kind, in: folder) { return result }
      Host.note(.files, "removing \(text(path))")
      return originalUnlinkAt?(folder, path, flags) ?? -1
    }

    private static let rename: Move = { old, new in
      if let result = OwnFiles.move(old, new) { return result }
      Host.note(.files, "renaming \(text(old)) to \(text(new))")
      return originalRename?(old, new) ?? -1
    }

    private static let renameAt: MoveAt = { oldFolder, old, newFolder, new in
      if let result = OwnFiles.move(old, new, from: oldFolder, to: newFolder) { return result }
      Host.note(.files, "renaming \(text(old)) to \(text(new))")
      return originalRenameAt?(oldFolder, old, newFolder, new) ?? -1
    }

    /// `FileManager.replaceItemAt` calls it with the two the wrong way round.
    private static let replaceAt: MoveAt = { oldFolder, old, newFolder, new in
      OwnFiles.replace(old, with: new) ?? renameAt(oldFolder, old, newFolder, new)
    }

    private static let link: Move = { old, new in
      Host.note(.files, "linking \(text(old)) as \(text(new))")
      return OwnFiles.link(new) ?? originalLink?(old, new) ?? -1
    }

    private static let symlink: Move = { old, new in
      Host.note(.files, "linking \(text(old)) as \(text(new))")
      return OwnFiles.link(new) ?? originalSymlink?(old, new) ?? -1
    }
  }
#endif

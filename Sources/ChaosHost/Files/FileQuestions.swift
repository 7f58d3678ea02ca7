#if os(Linux)
  import Foundation
  import Glibc

  /// What code on a simulated thread asks about files, and does with those it has opened: of its own files the
  /// process knows the answer.
  enum FileQuestions {
    private typealias Path = UnsafePointer<CChar>
    private typealias Text = UnsafeMutablePointer<CChar>
    typealias Status = UnsafeMutablePointer<stat>
    private typealias Ask = @convention(c) (Path?, Status?) -> CInt
    private typealias AskOpen = @convention(c) (CInt, Status?) -> CInt
    private typealias AskAt = @convention(c) (CInt, Path?, Status?, CInt) -> CInt
    private typealias Check = @convention(c) (Path?, CInt) -> CInt
    private typealias CheckAt = @convention(c) (CInt, Path?, CInt, CInt) -> CInt
    private typealias ReadLink = @convention(c) (Path?, Text?, Int) -> Int
    private typealias RealPath = @convention(c) (Path?, Text?) -> Text?
    private typealias SetMode = @convention(c) (Path?, UInt32) -> CInt
    private typealias SetModeOpen = @convention(c) (CInt, UInt32) -> CInt
    private typealias SetOwner = @convention(c) (Path?, UInt32, UInt32) -> CInt
    private typealias SetTimes = @convention(c) (Path?, UnsafePointer<timeval>?) -> CInt
    private typealias SetTimesAt =
      @convention(c) (CInt, Path?, UnsafePointer<timespec>?, CInt) -> CInt
    private typealias SetTimesOpen = @convention(c) (CInt, UnsafePointer<timespec>?) -> CInt
    private typealias ListMarks = @convention(c) (Path?, Text?, Int) -> Int
    private typealias AskVolume = @convention(c) (Path?, UnsafeMutablePointer<statvfs>?) -> CInt
    private typealias MakeName = @convention(c) (Text?) -> Text?

    nonisolated(unsafe) private static var originalAsk: Ask?
    nonisolated(unsafe) private static var originalAskLink: Ask?
    nonisolated(unsafe) private static var originalAskOpen: AskOpen?
    nonisolated(unsafe) private static var originalAskAt: AskAt?
    nonisolated(unsafe) private static var originalCheck: Check?
    nonisolated(unsafe) private static var originalCheckAt: CheckAt?
    nonisolated(unsafe) private static var originalReadLink: ReadLink?
    nonisolated(unsafe) private static var originalRealPath: RealPath?
    nonisolated(unsafe) private static var originalSetMode: SetMode?
    nonisolated(unsafe) private static var originalSetModeOpen: SetModeOpen?
    nonisolated(unsafe) private static var originalSetOwner: SetOwner?
    nonisolated(unsafe) private static var originalSetTimes: SetTimes?
    nonisolated(unsafe) private static var originalSetTimesAt: SetTimesAt?
    nonisolated(unsafe) private static var originalSetTimesOpen: SetTimesOpen?
    nonisolated(unsafe) private static var originalListMarks: ListMarks?
    nonisolated(unsafe) private static var originalAskVolume: AskVolume?
    nonisolated(unsafe) private static var originalMakeName: MakeName?
    nonisolated(unsafe) private static var originalMakeFolderName: MakeName?

    static func addReplacements(to list: inout ReplacementList) {
      for bits in ["", "64"] {
        list.add("stat" + bits, &originalAsk, ask)
        list.add("lstat" + bits, &originalAskLink, askLink)
        list.add("fstat" + bits, &originalAskOpen, askOpen)
        list.add("fstatat" + bits, &originalAskAt, askAt)
        list.add("statvfs" + bits, &originalAskVolume, askVolume)
      }
      list.add("access", &originalCheck, check)
      list.add("faccessat", &originalCheckAt, checkAt)
      list.add("readlink", &originalReadLink, readLink)
      list.add("realpath", &originalRealPath, realPath)
      list.add("chmod", &originalSetMode, setMode)
      list.add("fchmod", &originalSetModeOpen, setModeOpen)
      list.add("chown", &originalSetOwner, setOwner)
      list.add("utimes", &originalSetTimes, setTimes)
      list.add("utimensat", &originalSetTimesAt, setTimesAt)
      list.add("futimens", &originalSetTimesOpen, setTimesOpen)
      list.add("listxattr", &originalListMarks, listMarks)
      list.add("mktemp", &originalMakeName, makeName)
      list.add("mkdtemp", &originalMakeFolderName, makeFolderName)
    }

    private static let owner = (user: getuid(), group: getgid())

    /// What is said of a file.
    static func fill(_ status: Status?, _ node: FileNode, _ files: HostFiles?) {
      files?.noteChange(node)
      var found = stat()
      found.st_dev = 1
      found.st_ino = node.number
      found.st_mode = (node.isFolder ? S_IFDIR : S_IFREG) | node.mode
      found.st_nlink = 1
      found.st_uid = owner.user
      found.st_gid = owner.group
      found.st_size = node.isFolder ? 0 : node.size
      found.st_blksize = 4_096
      found.st_blocks = (found.st_size + 511) / 512
      let time = timespec(
        tv_sec: node.modified / 1_000_000_000, tv_nsec: node.modified % 1_000_000_000)
      (found.st_atim, found.st_mtim, found.st_ctim) = (time, time, time)
      status?.pointee = found
    }

    private static func answer(
      _ path: Path?, _ status: Status?, in folder: CInt = AT_FDCWD
    ) -> CInt? {
      OwnFiles.change(path, in: folder) { files, path throws(FileError) in
        fill(status, try files.node(path), files)
      }
    }

    private static let ask: Ask = { path, status in
      answer(path, status) ?? originalAsk?(path, status) ?? -1
    }

    private static let askLink: Ask = { path, status in
      answer(path, status) ?? originalAskLink?(path, status) ?? -1
    }

    private static let askAt: AskAt = { folder, path, status, flags in
      answer(path, status, in: folder) ?? originalAskAt?(folder, path, status, flags) ?? -1
    }

    private static let askOpen: AskOpen = { file, status in
      guard let entry = OpenFiles.find(file) else { return originalAskOpen?(file, status) ?? -1 }
      fill(status, entry.node, entry.files)
      return 0
    }

    private static let check: Check = { path, mode in
      OwnFiles.change(path) { files, path throws(FileError) in _ = try files.node(path) }
        ?? originalCheck?(path, mode) ?? -1
    }

    private static let checkAt: CheckAt = { folder, path, mode, flags in
      OwnFiles.change(path, in: folder) { files, path throws(FileError) in
        _ = try files.node(path)
      } ?? originalCheckAt?(folder, path, mode, flags) ?? -1
    }

    /// There are no links here.
    private static let readLink: ReadLink = { path, text, count in
      let found = OwnFiles.change(path) { files, path throws(FileError) in
        _ = try files.node(path)
        throw FileError(EINVAL)
      }
      return found.map { Int($0) } ?? originalReadLink?(path, text, count) ?? -1
    }

    private static let realPath: RealPath = { path, text in
      var plain: String?
      guard
        let found = OwnFiles.change(
          path, { files, path throws(FileError) in plain = try files.plain(path) })
      else { return originalRealPath?(path, text) }
      guard found == 0, let plain else { return nil }
      guard let text else { return strdup(plain) }
      return strcpy(text, plain)
    }

    // MARK: - Changing

    private static let setMode: SetMode = { path, mode in
      OwnFiles.change(path) { files, path throws(FileError) in
        try files.node(path).mode = mode & 0o7777
      } ?? originalSetMode?(path, mode) ?? -1
    }

    private static let setModeOpen: SetModeOpen = { file, mode in
      guard let entry = OpenFiles.find(file) else { return originalSetModeOpen?(file, mode) ?? -1 }
      entry.node.mode = mode & 0o7777
      return 0
    }

    private static let setOwner: SetOwner = { path, user, group in
      OwnFiles.change(path) { files, path throws(FileError) in _ = try files.node(path) }
        ?? originalSetOwner?(path, user, group) ?? -1
    }

    private static let setTimes: SetTimes = { path, times in
      OwnFiles.change(path) { files, path throws(FileError) in
        let node = try files.node(path)
        let given = times.map { $0[1].tv_sec * 1_000_000_000 + $0[1].tv_usec * 1_000 }
        node.modified = given ?? files.now()
      } ?? originalSetTimes?(path, times) ?? -1
    }

    private static func set(
      _ node: FileNode, _ files: HostFiles?, _ times: UnsafePointer<timespec>?
    ) {
      // UTIME_NOW and UTIME_OMIT.
      guard let time = times?[1], time.tv_nsec != (1 << 30) - 1 else {
        node.modified = files?.now() ?? node.modified
        return
      }
      if time.tv_nsec == (1 << 30) - 2 { return }
      node.modified = time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static let setTimesAt: SetTimesAt = { folder, path, times, flags in
      OwnFiles.change(path, in: folder) { files, path throws(FileError) in
        set(try files.node(path), files, times)
      } ?? originalSetTimesAt?(folder, path, times, flags) ?? -1
    }

    private static let setTimesOpen: SetTimesOpen = { file, times in
      guard let entry = OpenFiles.find(file) else {
        return originalSetTimesOpen?(file, times) ?? -1
      }
      set(entry.node, entry.files, times)
      return 0
    }

    /// Files have no attributes but these.
    private static let listMarks: ListMarks = { path, text, count in
      let found = OwnFiles.change(path) { files, path throws(FileError) in _ = try files.node(path)
      }
      return found.map { Int($0) } ?? originalListMarks?(path, text, count) ?? -1
    }

    /// 64 GB, half of them free, on every machine.
    private static let askVolume: AskVolume = { path, result in
      OwnFiles.change(path) { files, path throws(FileError) in
        _ = try files.node(path)
        var volume = statvfs()
        (volume.f_bsize, volume.f_frsize) = (4_096, 4_096)
        (volume.f_blocks, volume.f_bfree, volume.f_bavail) = (1 << 24, 1 << 23, 1 << 23)
        (volume.f_files, volume.f_ffree, volume.f_favail) = (1 << 20, 1 << 19, 1 << 19)
        volume.f_namemax = 255
        result?.pointee = volume
      } ?? originalAskVolume?(path, result) ?? -1
    }

    private static let makeName: MakeName = { path in
      guard let isMade = OwnFiles.makeUp(path) else { return originalMakeName?(path) }
      if !isMade { path?.pointee = 0 }
      return path
    }

    private static let makeFolderName: MakeName = { path in
      guard let isMade = OwnFiles.makeUp(path) else {
        if let path { Host.note(.files, "making the folder \(String(cString: path))") }
        return originalMakeFolderName?(path)
      }
      let result = OwnFiles.change(path) { files, path throws(FileError) in
        try files.makeFolder(path)
      }
      return isMade && result == 0 ? path : nil
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Glibc

  /// C's functions for files, where they are asked for what lies in the places that an app owns: each answers nil
  /// for every other path, outside simulated processes and where those have no files.
  enum OwnFiles {
    typealias Path = UnsafePointer<CChar>

    /// A path in a process's own home.
    struct Place {
      let files: HostFiles
      let path: String
    }

    private static let home = Array(HostFiles.home.utf8CString)

    /// What is written out in full, or begins in a folder that has been opened.
    @inline(__always)
    static func place(_ path: Path?, in folder: CInt = AT_FDCWD) -> Place? {
      guard let path else { return nil }
      if path.pointee == 47 {
        let length = home.count - 1
        guard strncmp(path, home, length) == 0, path[length] == 0 || path[length] == 47,
          let files = Host.standIns?.files
        else { return nil }
        return Place(files: files, path: String(cString: path + length))
      }
      guard folder >= 0, let entry = OpenFiles.find(folder), let files = entry.files,
        files === Host.standIns?.files, let before = entry.node.path
      else { return nil }
      return Place(files: files, path: before + "/" + String(cString: path))
    }

    /// What C's functions answer.
    static func answer(_ body: () throws(FileError) -> CInt) -> CInt {
      do throws(FileError) {
        return try body()
      } catch {
        errno = error.code
        return -1
      }
    }

    static func change(
      _ path: Path?, in folder: CInt = AT_FDCWD,
      _ body: (HostFiles, String) throws(FileError) -> Void
    ) -> CInt? {
      guard let place = place(path, in: folder) else { return nil }
      return answer { () throws(FileError) in
        try body(place.files, place.path)
        return 0
      }
    }

    // MARK: - Opening

    static func open(_ path: Path?, _ flags: CInt, _ mode: UInt32, in folder: CInt = AT_FDCWD)
      -> CInt?
    {
      guard let place = place(path, in: folder) else { return nil }
      return answer { () throws(FileError) in
        let (file, node) = try place.files.open(place.path, flags, mode)
        OpenFiles.add(
          file,
          .init(node: node, files: place.files, isWriter: flags & O_ACCMODE != O_RDONLY))
        return file
      }
    }

    struct Stream {
      var pointer: UnsafeMutableRawPointer?
    }

    static func openStream(_ path: Path?, _ mode: Path?) -> Stream? {
      guard let mode, place(path) != nil else { return nil }
      let isUpdate = strchr(mode, 43) != nil
      var flags: CInt = isUpdate ? O_RDWR : O_WRONLY
      switch UInt8(bitPattern: mode.pointee) {
      case UInt8(ascii: "r"): flags = isUpdate ? O_RDWR : O_RDONLY
      case UInt8(ascii: "w"): flags |= O_CREAT | O_TRUNC
      default: flags |= O_CREAT | O_APPEND
      }
      if strchr(mode, 120) != nil { flags |= O_EXCL }
      guard let file = open(path, flags, 0o666) else { return nil }
      return Stream(
        pointer: file < 0 ? nil : fdopen(file, mode).map { UnsafeMutableRawPointer($0) })
    }

    /// Makes up the end of a name, in place.
    static func makeUp(_ path: UnsafeMutablePointer<CChar>?) -> Bool? {
      guard let path, let place = place(path) else { return nil }
      guard place.path.hasSuffix("XXXXXX") else {
        errno = EINVAL
        return false
      }
      let name = place.files.makeUp(place.path).suffix(6)
      let end = path + strlen(path) - 6
      for (index, byte) in name.utf8.enumerated() { end[index] = CChar(bitPattern: byte) }
      return true
    }

    static func makeTemporary(_ path: UnsafeMutablePointer<CChar>?) -> CInt? {
      guard let isMade = makeUp(path) else { return nil }
      return isMade ? open(path, O_RDWR | O_CREAT | O_EXCL, 0o600) : -1
    }

    // MARK: - Removing and moving

    enum Kind { case file, folder, any }

    static func remove(_ path: Path?, _ kind: Kind, in folder: CInt = AT_FDCWD) -> CInt? {
      change(path, in: folder) { files, path throws(FileError) in
        let isFolder =
          switch kind {
          case .file: false
          case .folder: true
          case .any: try files.node(path).isFolder
          }
        if isFolder { try files.removeFolder(path) } else { try files.removeFile(path) }
      }
    }

    /// Puts what is new in the place of what is old; nil where they are not both there.
    static func replace(_ old: Path?, with new: Path?) -> CInt? {
      guard let place = place(old), place.files.find(place.path) != nil,
        let other = self.place(new),
        other.files.find(other.path) != nil
      else { return nil }
      return move(new, old)
    }

    /// There are no links here: to make one is a leak, and fails.
    static func link(_ path: Path?) -> CInt? {
      change(path) { _, _ throws(FileError) in throw FileError(ENOTSUP) }
    }

    /// From elsewhere, and to elsewhere, is as from one disk to another: it is copied and removed.
    static func move(
      _ old: Path?, _ new: Path?, from oldFolder: CInt = AT_FDCWD, to newFolder: CInt = AT_FDCWD
    ) -> CInt? {
      let (old, new) = (place(old, in: oldFolder), place(new, in: newFolder))
      guard old != nil || new != nil else { return nil }
      return answer { () throws(FileError) in
        guard let old, let new else { throw FileError(EXDEV) }
        try old.files.move(old.path, to: new.path)
        return 0
      }
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization

  /// Reading folders: those of a simulated process are read in the order of the names, on every machine.
  enum FolderReading {
    private typealias Path = UnsafePointer<CChar>
    private typealias Folder = UnsafeMutableRawPointer
    private typealias Open = @convention(c) (Path?) -> Folder?
    private typealias Read = @convention(c) (Folder?) -> UnsafeMutablePointer<dirent>?
    private typealias Close = @convention(c) (Folder?) -> CInt
    private typealias Rewind = @convention(c) (Folder?) -> Void

    nonisolated(unsafe) private static var originalOpen: Open?
    nonisolated(unsafe) private static var originalRead: Read?
    nonisolated(unsafe) private static var originalClose: Close?
    nonisolated(unsafe) private static var originalRewind: Rewind?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("opendir", &originalOpen, open)
      list.add("readdir", &originalRead, read)
      list.add("readdir64", &originalRead, read)
      list.add("closedir", &originalClose, close)
      list.add("rewinddir", &originalRewind, rewind)
    }

    /// What stands for a folder that was opened; its address is what the code has.
    private final class Listing {
      let entries: [(name: String, node: FileNode)]
      var next = 0
      let entry = UnsafeMutablePointer<dirent>.allocate(capacity: 1)

      init(_ folder: FileNode) {
        let own = [(".", folder), ("..", folder.parent ?? folder)]
        entries = own + folder.sorted.map { ($0.name, $0) }
      }

      deinit { entry.deallocate() }

      func read() -> UnsafeMutablePointer<dirent>? {
        guard next < entries.count else { return nil }
        let (name, node) = entries[next]
        next += 1
        entry.pointee = dirent()
        entry.pointee.d_ino = node.number
        entry.pointee.d_off = next
        entry.pointee.d_reclen = UInt16(MemoryLayout<dirent>.size)
        entry.pointee.d_type = node.isFolder ? UInt8(DT_DIR) : UInt8(DT_REG)
        withUnsafeMutableBytes(of: &entry.pointee.d_name) { place in
          place.copyBytes(from: name.utf8.prefix(place.count - 1))
        }
        return entry
      }
    }

    /// Addresses of those that are open.
    private static let known = Mutex<Set<UInt>>([])
    private static let isUsed = Atomic(false)

    private static func listing(_ folder: Folder?) -> Listing? {
      guard isUsed.load(ordering: .relaxed), let folder,
        known.withLock({ $0.contains(UInt(bitPattern: folder)) })
      else { return nil }
      return Unmanaged<Listing>.fromOpaque(folder).takeUnretainedValue()
    }

    private static let open: Open = { path in
      guard let place = OwnFiles.place(path) else { return originalOpen?(path) }
      do throws(FileError) {
        let node = try place.files.node(place.path)
        guard node.isFolder else { throw FileError(ENOTDIR) }
        let listing = Unmanaged.passRetained(Listing(node)).toOpaque()
        isUsed.store(true, ordering: .relaxed)
        known.withLock { _ = $0.insert(UInt(bitPattern: listing)) }
        return listing
      } catch {
        errno = error.code
        return nil
      }
    }

    private static let read: Read = { folder in
      guard let listing = listing(folder) else { return originalRead?(folder) }
      return listing.read()
    }

    private static let close: Close = { folder in
      guard let folder, listing(folder) != nil else { return originalClose?(folder) ?? -1 }
      known.withLock { _ = $0.remove(UInt(bitPattern: folder)) }
      Unmanaged<Listing>.fromOpaque(folder).release()
      return 0
    }

    private static let rewind: Rewind = { folder in
      guard let listing = listing(folder) else {
        originalRewind?(folder)
        return
      }
      listing.next = 0
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization

  /// C's walks through folders and all that lies in them (`fts_open`), which `FileManager` uses to list, copy and
  /// remove: through those of a simulated process it goes in the order of the names.
  enum FolderWalks {
    private typealias Text = UnsafeMutablePointer<CChar>
    private typealias Walk = UnsafeMutableRawPointer
    private typealias Compare = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> CInt
    private typealias Open =
      @convention(c) (UnsafePointer<Text?>?, CInt, Compare?) -> Walk?
    private typealias Read = @convention(c) (Walk?) -> UnsafeMutableRawPointer?
    private typealias Set = @convention(c) (Walk?, UnsafeMutableRawPointer?, CInt) -> CInt
    private typealias Close = @convention(c) (Walk?) -> CInt

    nonisolated(unsafe) private static var originalOpen: Open?
    nonisolated(unsafe) private static var originalRead: Read?
    nonisolated(unsafe) private static var originalSet: Set?
    nonisolated(unsafe) private static var originalClose: Close?

    static func addReplacements(to list: inout ReplacementList) {
      for bits in ["", "64"] {
        list.add("fts\(bits)_open", &originalOpen, open)
        list.add("fts\(bits)_read", &originalRead, read)
        list.add("fts\(bits)_set", &originalSet, set)
        list.add("fts\(bits)_close", &originalClose, close)
      }
    }

    /// `FTSENT`, which the C library's headers keep from Swift.
    private struct Entry {
      var cycle: UnsafeMutableRawPointer?
      var parent: UnsafeMutableRawPointer?
      var link: UnsafeMutableRawPointer?
      var number = 0
      var pointer: UnsafeMutableRawPointer?
      var accessPath: Text?
      var path: Text?
      var error: CInt = 0
      var symbolicFile: CInt = 0
      var pathLength: UInt16 = 0
      var nameLength: UInt16 = 0
      var inode: UInt = 0
      var device: UInt64 = 1
      var links: UInt64 = 1
      var level: Int16 = 0
      var info: UInt16 = 0
      var flags: UInt16 = 0
      var instruction: UInt16 = 3  // FTS_NOINSTR
      var status: UnsafeMutablePointer<stat>?
    }

    private enum Info {
      static let folder: UInt16 = 1  // FTS_D
      static let folderAfter: UInt16 = 6  // FTS_DP
      static let file: UInt16 = 8  // FTS_F
      static let missing: UInt16 = 10  // FTS_NS
    }

    private final class Steps {
      /// What comes next: an entry, and whether it is a folder that was gone through.
      var steps: [(entry: UnsafeMutableRawPointer, info: UInt16)] = []
      var next = 0
      private var made: [UnsafeMutableRawPointer] = []

      init(_ paths: [(OwnFiles.Place, String)]) {
        let top = make("", "", nil, nil, level: -1)
        for (place, path) in paths {
          if let node = place.files.find(place.path) {
            add(node, node.name, path, place.files, above: top, level: 0)
          } else {
            let entry = make(path, path, nil, nil, level: 0)
            entry.assumingMemoryBound(to: Entry.self).pointee.error = ENOENT
            steps.append((entry, Info.missing))
          }
        }
      }

      deinit {
        for entry in made {
          let known = entry.assumingMemoryBound(to: Entry.self).pointee
          free(known.path)
          known.status?.deallocate()
          entry.deallocate()
        }
      }

      private func add(
        _ node: FileNode, _ name: String, _ path: String, _ files: HostFiles,
        above: UnsafeMutableRawPointer, level: Int16
      ) {
        let entry = make(name, path, node, files, level: level)
        entry.assumingMemoryBound(to: Entry.self).pointee.parent = above
        steps.append((entry, node.isFolder ? Info.folder : Info.file))
        guard node.isFolder else { return }
        for child in node.sorted {
          let before = path.hasSuffix("/") ? path : path + "/"
          add(child, child.name, before + child.name, files, above: entry, level: level + 1)
        }
        steps.append((entry, Info.folderAfter))
      }

      private func make(
        _ name: String, _ path: String, _ node: FileNode?, _ files: HostFiles?, level: Int16
      ) -> UnsafeMutableRawPointer {
        // The name lies directly behind, as many bytes as it has.
        let start = MemoryLayout<Entry>.size
        let place = UnsafeMutableRawPointer.allocate(
          byteCount: start + name.utf8.count + 1, alignment: 16)
        made.append(place)
        var entry = Entry()
        entry.path = strdup(path)
        entry.accessPath = entry.path
        entry.pathLength = UInt16(clamping: path.utf8.count)
        entry.nameLength = UInt16(clamping: name.utf8.count)
        entry.level = level
        if let node {
          entry.inode = node.number
          entry.status = .allocate(capacity: 1)
          FileQuestions.fill(entry.status, node, files)
        }
        place.initializeMemory(as: Entry.self, to: entry)
        _ = name.withCString { strcpy((place + start).assumingMemoryBound(to: CChar.self), $0) }
        return place
      }

      func read() -> UnsafeMutableRawPointer? {
        guard next < steps.count else { return nil }
        let (entry, info) = steps[next]
        next += 1
        entry.assumingMemoryBound(to: Entry.self).pointee.info = info
        return entry
      }

      /// Leaves out what lies in a folder; it is gone through at once.
      func skip(_ entry: UnsafeMutableRawPointer) {
        guard let end = steps[next...].firstIndex(where: { $0.entry == entry }) else { return }
        next = end
      }
    }

    private static let known = Mutex<Swift.Set<UInt>>([])
    private static let isUsed = Atomic(false)

    private static func steps(_ walk: Walk?) -> Steps? {
      guard isUsed.load(ordering: .relaxed), let walk,
        known.withLock({ $0.contains(UInt(bitPattern: walk)) })
      else { return nil }
      return Unmanaged<Steps>.fromOpaque(walk).takeUnretainedValue()
    }

    private static let open: Open = { paths, flags, compare in
      var places: [(OwnFiles.Place, String)] = []
      var path = paths
      while let text = path?.pointee {
        guard let place = OwnFiles.place(text) else { return originalOpen?(paths, flags, compare) }
        places.append((place, String(cString: text)))
        path = path?.advanced(by: 1)
      }
      guard !places.isEmpty else { return originalOpen?(paths, flags, compare) }
      let walk = Unmanaged.passRetained(Steps(places)).toOpaque()
      isUsed.store(true, ordering: .relaxed)
      known.withLock { _ = $0.insert(UInt(bitPattern: walk)) }
      return walk
    }

    private static let read: Read = { walk in
      guard let steps = steps(walk) else { return originalRead?(walk) }
      errno = 0
      return steps.read()
    }

    private static let set: Set = { walk, entry, instruction in
      guard let steps = steps(walk) else { return originalSet?(walk, entry, instruction) ?? -1 }
      // FTS_SKIP
      if instruction == 4, let entry { steps.skip(entry) }
      return 0
    }

    private static let close: Close = { walk in
      guard let walk, steps(walk) != nil else { return originalClose?(walk) ?? -1 }
      known.withLock { _ = $0.remove(UInt(bitPattern: walk)) }
      Unmanaged<Steps>.fromOpaque(walk).release()
      return 0
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Glibc

  /// Where the files of a simulated process outlive it.
  package protocol FileKeeper: AnyObject {
    /// A file holds this now; nil if it is gone.
    func keep(_ bytes: Data?, file path: String)
    /// There is a folder, or there is none any more.
    func keep(_ isThere: Bool, folder path: String)
    /// Waits until everything is on the disk.
    func synchronizeFiles()
  }

  /// What C's functions call an error.
  struct FileError: Error {
    var code: CInt
    init(_ code: CInt) { self.code = code }
  }

  /// The files of one simulated process, in memory: what it finds in the places that an app owns.
  ///
  /// It belongs to the host's thread. Paths are those below ``home``, without a `/` at either end.
  package final class HostFiles: @unchecked Sendable {
    /// What the home of every simulated process is called; a folder that no machine has.
    package static let home = "/var/mobile"
    package static let documents = "Documents"
    package static let caches = "Library/Caches"
    package static let support = "Library/Application Support"
    package static let temporary = "tmp"

    /// Everything, once somebody has looked for more than what is shown.
    private var tree: FileNode?
    private let began: Int
    /// It holds on to these files, and has them ended; a weak reference would slow down all others to it.
    private unowned(unsafe) var keeper: (any FileKeeper)?
    let now: () -> Int
    private var lastNumber: UInt = 1
    private var lastName = 0
    /// What somebody may be writing, and what was made under a name that was made up.
    private var pending: [FileNode] = []
    /// What is shown while nobody has looked for anything else: most apps have no file but their receipt.
    private var shown: (path: String, bytes: Data, modified: Int)?
    /// The names that were made up.
    private var madeUp: Set<String> = []

    /// The folders that an app finds when it was installed. `now` is virtual nanoseconds since 1970.
    package init(_ keeper: any FileKeeper, now: @escaping () -> Int) {
      self.keeper = keeper
      self.now = now
      began = now()
    }

    private var root: FileNode { tree ?? grown() }

    private func grown() -> FileNode {
      let root = FileNode("", isFolder: true, number: 1, modified: began)
      tree = root
      for parts in Self.installed { _ = folder(parts, began) }
      if let shown { place(shown.bytes, at: shown.path, modified: shown.modified) }
      shown = nil
      return root
    }

    private static let installed = [documents, "Library/Preferences", caches, temporary].map(parts)

    /// A folder that is kept.
    package func add(folder path: String, modified: Int) {
      folder(Self.parts(path), modified)?.isKnown = true
    }

    /// A file that is kept; false where there is no place for it.
    @discardableResult
    package func add(file path: String, holding bytes: Data, modified: Int) -> Bool {
      var parts = Self.parts(path)
      guard let name = parts.popLast(), let folder = folder(parts, modified) else { return false }
      if let known = folder.child(name) {
        guard !known.isFolder else { return false }
        known.replace(with: bytes)
        known.modified = modified
        (known.kept, known.isKnown) = (bytes, true)
        return true
      }
      folder.add(
        FileNode(
          name, isFolder: false, number: nextNumber(), modified: modified, holding: bytes,
          isKnown: true),
        as: name)
      return true
    }

    /// A file that is the system's and not the app's: it is there, and nobody keeps it. Without bytes there is none.
    /// Another takes its place when it changes, so that whoever has opened it reads what it held.
    package func show(file path: String, holding bytes: Data?) {
      if tree == nil, shown == nil || shown?.path == path {
        if shown?.bytes != bytes { shown = bytes.map { (path, $0, now()) } }
      } else {
        place(bytes, at: path, modified: now())
      }
    }

    private func place(_ bytes: Data?, at path: String, modified: Int) {
      var parts = Self.parts(path)
      guard let name = parts.popLast(), let folder = folder(parts, modified) else { return }
      if let known = folder.child(name) {
        guard known.kept != bytes else { return }
        known.remove()
      }
      guard let bytes else { return }
      let node = FileNode(
        name, isFolder: false, number: nextNumber(), modified: modified, holding: bytes)
      node.kept = bytes
      node.isShown = true
      folder.add(node, as: name)
    }

    /// Somebody else has removed what was kept of a file.
    package func forget(file path: String) {
      guard let node = find(path), !node.isFolder else { return }
      node.remove()
    }

    private func folder(_ parts: some Sequence<String>, _ modified: Int) -> FileNode? {
      var node = root
      for part in parts {
        if let next = node.child(part) {
          guard next.isFolder else { return nil }
          node = next
        } else {
          let next = FileNode(part, isFolder: true, number: nextNumber(), modified: modified)
          node.add(next, as: part)
          node = next
        }
      }
      return node
    }

    private func nextNumber() -> UInt {
      lastNumber += 1
      return lastNumber
    }

    static func parts(_ path: String) -> [String] {
      var parts: [String] = []
      for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
        let part = Substring(bytes)
        if part == "." { continue }
        if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
      }
      return parts
    }

    // MARK: - Finding

    func find(_ path: String) -> FileNode? { try? node(path) }

    /// What a file holds; nil where there is none.
    func bytes(of path: Substring) -> Data? {
      if let shown, shown.path == path { return shown.bytes }
      guard let node = find(String(path)), !node.isFolder else { return nil }
      return node.bytes
    }

    func node(_ path: String) throws(FileError) -> FileNode {
      var node = root
      for part in Self.parts(path) {
        guard node.isFolder else { throw FileError(ENOTDIR) }
        guard let next = node.child(part) else { throw FileError(ENOENT) }
        node = next
      }
      return node
    }

    /// The folder in which something lies, or would.
    private func place(_ path: String) throws(FileError) -> (folder: FileNode, name: String) {
      var parts = Self.parts(path)
      guard let name = parts.popLast() else { throw FileError(EBUSY) }
      let folder = try node(parts.joined(separator: "/"))
      guard folder.isFolder else { throw FileError(ENOTDIR) }
      return (folder, name)
    }

    /// The path as it would be without detours.
    func plain(_ path: String) throws(FileError) -> String {
      _ = try node(path)
      return ([Self.home] + Self.parts(path)).joined(separator: "/")
    }

    // MARK: - Files

    /// Opens a file, and makes it where that is asked for.
    func open(_ path: String, _ flags: CInt, _ mode: UInt32) throws(FileError) -> (CInt, FileNode) {
      let isWriter = flags & O_ACCMODE != O_RDONLY
      let node: FileNode
      if let known = try existing(path, flags) {
        node = known
        if node.isFolder, isWriter || flags & O_CREAT != 0 { throw FileError(EISDIR) }
        if !node.isFolder, flags & O_DIRECTORY != 0 { throw FileError(ENOTDIR) }
        if flags & O_TRUNC != 0 { node.kept = nil }
      } else {
        node = try make(path, mode)
      }
      let file = node.open(flags)
      guard file >= 0 else { throw FileError(errno) }
      if isWriter || flags & O_TRUNC != 0 { note(node) }
      return (file, node)
    }

    private func existing(_ path: String, _ flags: CInt) throws(FileError) -> FileNode? {
      do throws(FileError) {
        let node = try node(path)
        if flags & O_CREAT != 0, flags & O_EXCL != 0 { throw FileError(EEXIST) }
        return node
      } catch {
        guard error.code == ENOENT, flags & O_CREAT != 0 else { throw error }
        return nil
      }
    }

    private func make(_ path: String, _ mode: UInt32) throws(FileError) -> FileNode {
      let (folder, name) = try place(path)
      let node = FileNode(name, isFolder: false, number: nextNumber(), modified: now())
      node.mode = mode & 0o7777 & ~0o022
      folder.add(node, as: name)
      folder.modified = now()
      node.isTemporary = madeUp.remove(Self.parts(path).joined(separator: "/")) != nil
      note(node)
      return node
    }

    /// The process has ended: nothing is kept any more.
    package func end() {
      OpenFiles.leave(by: self)
      keeper = nil
    }

    private func note(_ node: FileNode) {
      if !node.isFolder, !pending.contains(where: { $0 === node }) { pending.append(node) }
    }

    /// Fills in the X at the end of a path: with no name that there is, and the same in every run.
    func makeUp(_ path: String) -> String {
      while true {
        var (name, number) = ("", lastName)
        lastName += 1
        for _ in 0..<6 {
          name = String(UnicodeScalar(UInt8(97 + number % 26))) + name
          number /= 26
        }
        let path = path.dropLast(6) + name
        guard find(String(path)) == nil else { continue }
        madeUp.insert(Self.parts(String(path)).joined(separator: "/"))
        return String(path)
      }
    }

    func cut(_ path: String, to size: Int) throws(FileError) {
      let node = try node(path)
      guard !node.isFolder else { throw FileError(EISDIR) }
      node.cut(to: size)
      node.kept = nil
      handOver(node)
    }

    func removeFile(_ path: String) throws(FileError) {
      let node = try node(path)
      guard !node.isFolder else { throw FileError(EISDIR) }
      node.parent?.modified = now()
      let plain = node.path
      node.remove()
      if node.isKnown, let plain { keeper?.keep(nil, file: plain) }
    }

    // MARK: - Folders

    func makeFolder(_ path: String) throws(FileError) {
      if find(path) != nil { throw FileError(EEXIST) }
      let (parent, name) = try place(path)
      let node = FileNode(name, isFolder: true, number: nextNumber(), modified: now())
      parent.add(node, as: name)
      parent.modified = now()
      node.isKnown = true
      if let path = node.path { keeper?.keep(true, folder: path) }
    }

    func removeFolder(_ path: String) throws(FileError) {
      let node = try node(path)
      guard node.isFolder else { throw FileError(ENOTDIR) }
      guard node.children.isEmpty else { throw FileError(ENOTEMPTY) }
      guard node.parent != nil, let plain = node.path else { throw FileError(EBUSY) }
      node.parent?.modified = now()
      node.remove()
      if node.isKnown { keeper?.keep(false, folder: plain) }
    }

    /// What lies in a folder, in the order of the names.
    func contents(_ path: String) throws(FileError) -> [FileNode] {
      let node = try node(path)
      guard node.isFolder else { throw FileError(ENOTDIR) }
      return node.sorted
    }

    // MARK: - Moving

    func move(_ old: String, to new: String) throws(FileError) {
      let node = try node(old)
      let (folder, name) = try place(new)
      if let other = folder.child(name) {
        if other === node { return }
        if node.isFolder, !other.isFolder { throw FileError(ENOTDIR) }
        if !node.isFolder, other.isFolder { throw FileError(EISDIR) }
        if !other.children.isEmpty { throw FileError(ENOTEMPTY) }
      }
      guard node.parent != nil, node.path != nil else { throw FileError(EBUSY) }
      var above: FileNode? = folder
      while let next = above {
        if next === node { throw FileError(EINVAL) }
        above = next.parent
      }
      let before = node.all.map { ($0, $0.path ?? "") }
      folder.child(name)?.remove()
      node.parent?.modified = now()
      folder.modified = now()
      node.remove()
      folder.add(node, as: name)
      node.isTemporary = false
      tellMoved(before)
    }

    /// What was moved is told at its new place before it is gone from the old one.
    private func tellMoved(_ before: [(FileNode, String)]) {
      var isAwaited = false
      for (node, _) in before {
        guard let path = node.path else { continue }
        if node.isFolder {
          keeper?.keep(true, folder: path)
        } else {
          node.kept = nil
          isAwaited = isAwaited || node.isAwaited
          node.isAwaited = false
          let wasKnown = node.isKnown
          handOver(node)
          // Only what was known before is known at the old place.
          node.isKnown = wasKnown
        }
      }
      for (node, path) in before.reversed() where node.isKnown {
        if node.isFolder {
          keeper?.keep(false, folder: path)
        } else {
          keeper?.keep(nil, file: path)
        }
      }
      for (node, _) in before { node.isKnown = true }
      if isAwaited { keeper?.synchronizeFiles() }
    }

    // MARK: - Keeping

    /// Tells what has changed and was not told: called whenever the code comes to rest.
    package func handOver() {
      guard !pending.isEmpty else { return }
      let nodes = pending
      pending = []
      for node in nodes {
        node.isTemporary = false
        handOver(node)
        if node.isAwaited { wait(for: node) }
        if node.writers > 0 { note(node) }
      }
    }

    private func handOver(_ node: FileNode) {
      guard !node.isFolder, !node.isTemporary, let path = node.path else { return }
      let bytes = node.bytes
      guard bytes != node.kept else { return }
      node.kept = bytes
      node.isKnown = true
      node.modified = now()
      keeper?.keep(bytes, file: path)
    }

    /// Somebody waits until a file is on the disk.
    func wait(for node: FileNode) {
      node.isAwaited = node.isTemporary
      guard !node.isTemporary else { return }
      handOver(node)
      if node.path != nil { keeper?.synchronizeFiles() }
    }

    func close(_ node: FileNode, isWriter: Bool) {
      if isWriter { handOver(node) }
      node.letGo(isWriter: isWriter)
      if !node.isTemporary, node.writers == 0 { pending.removeAll { $0 === node } }
    }

    /// The time at which somebody has set it, or a change was seen.
    func noteChange(_ node: FileNode) {
      if node.writers > 0, node.size != node.kept?.count ?? 0 { node.modified = now() }
    }
  }
#endif

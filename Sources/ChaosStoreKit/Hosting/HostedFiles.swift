import ChaosHost
import Foundation

/// What the app's files are called in the storage: a value for each, under its path in the documents folder.
enum StoredFile {
  static let part = "files/"
  /// Folders that the app has made, by their path in its home.
  static let folders = "folder/"
  private static let documents = "Documents"

  /// The key of what `device.files` calls so.
  static func key(named name: String) -> String {
    // Most names have no folder in them.
    name.utf8.contains(UInt8(ascii: "/")) ? key(at: path(named: name)) : part + name
  }

  /// The path in the home of what `device.files` calls so.
  static func path(named name: String) -> String {
    var parts = [documents]
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  /// The key of what is there in the home.
  static func key(at path: String) -> String {
    path.hasPrefix(documents + "/")
      ? part + path.dropFirst(documents.count + 1) : part + "../" + path
  }
}

#if os(Linux)
  /// The app's own places: what it writes there is kept on the simulated device, with the same loss in a crash as
  /// `SimulatedDevice.files`.
  extension HostedPhone: FileKeeper {
    var hasFiles: Bool { true }

    var files: HostFiles? {
      if let madeFiles { return madeFiles }
      let host = run.host
      let files = HostFiles(self) { Self.nanoseconds(host, Int(host.now)) }
      madeFiles = files
      run.hasFiles = true
      guard isAlive else { return files }
      let kept = storage.records()
      for (name, payload) in kept where name.hasPrefix(StoredFile.folders) {
        files.add(
          folder: String(name.dropFirst(StoredFile.folders.count)), modified: date(of: payload))
      }
      for (name, payload) in kept where name.hasPrefix(StoredFile.part) {
        guard let bytes = storage.value(name) else { continue }
        let path = StoredFile.path(named: String(name.dropFirst(StoredFile.part.count)))
        files.add(file: path, holding: bytes, modified: date(of: payload))
      }
      return files
    }

    /// When a file was written, in nanoseconds since 1970.
    private func date(of payload: UInt32) -> Int {
      Self.nanoseconds(run.host, Int(run.payloads.time(of: payload)) * 1_000_000)
    }

    /// Nanoseconds since 1970, of those since the run began.
    private static func nanoseconds(_ host: ChaosHost.Host, _ sinceStart: Int) -> Int {
      Int(host.wallClockStart) * 1_000_000_000 + sinceStart
    }

    func keep(_ bytes: Data?, file path: String) {
      storage.set(bytes, StoredFile.key(at: path), about: nil)
    }

    func keep(_ isThere: Bool, folder path: String) {
      storage.set(isThere ? Data() : nil, StoredFile.folders + path, about: nil)
    }

    func synchronizeFiles() { storage.flush() }

    /// `device.files` has changed a file.
    func changedFile(_ name: String) {
      guard let madeFiles else { return }
      let path = StoredFile.path(named: name)
      if let bytes = storage.value(StoredFile.key(at: path)) {
        madeFiles.add(
          file: path, holding: bytes, modified: Self.nanoseconds(run.host, Int(run.host.now)))
      } else {
        madeFiles.forget(file: path)
      }
    }

    /// What the app has written and not closed is on the device as well once the app comes to rest.
    func handOverFiles() { if let madeFiles, isAlive { madeFiles.handOver() } }
  }
#else
  extension HostedPhone {
    func changedFile(_ name: String) {}
    func handOverFiles() {}
  }
#endif

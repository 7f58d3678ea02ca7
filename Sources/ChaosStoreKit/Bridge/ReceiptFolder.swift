import ChaosHost
import Foundation
import Synchronization

/// A temporary folder with a receipt in it.
///
/// Making one takes longer than a simulated run. So simulated processes use the folders of those that
/// have ended, and a file that is as it should be is not written again. The last to end, the operating
/// system's process, takes all of them away.
final class ReceiptFolder: @unchecked Sendable {
  private struct Pool {
    var made = 0
    var free: [ReceiptFolder] = []
  }

  private static let pool = Mutex(Pool())

  /// A folder that is never made.
  static let nowhere = ReceiptFolder(place(of: ProcessInfo.processInfo.processIdentifier, 0))

  private let urls: (production: URL, sandbox: URL)
  private let folder: URL
  private var isMade = false
  /// What the two files hold, as far as anyone here has written them.
  private var held: (production: Data?, sandbox: Data?)

  private init(_ folder: URL) {
    self.folder = folder
    urls = (folder.appending(path: "receipt"), folder.appending(path: "sandboxReceipt"))
  }

  static func take() -> ReceiptFolder {
    pool.withLock { pool in
      if let folder = pool.free.popLast() { return folder }
      if pool.made == 0 { atexit { ReceiptFolder.removeAll() } }
      pool.made += 1
      return ReceiptFolder(place(of: ProcessInfo.processInfo.processIdentifier, pool.made))
    }
  }

  func giveBack() { Self.pool.withLock { $0.free.append(self) } }

  func url(_ isProduction: Bool) -> URL { isProduction ? urls.production : urls.sandbox }

  /// Makes a file hold these bytes, or takes it away.
  func hold(_ bytes: Data?, _ isProduction: Bool) {
    guard bytes != (isProduction ? held.production : held.sandbox) else { return }
    if isProduction { held.production = bytes } else { held.sandbox = bytes }
    // A file of the simulation's, and none of the app's.
    Host.beside { write(bytes, to: url(isProduction)) }
  }

  private func write(_ bytes: Data?, to url: URL) {
    do {
      if let bytes {
        if !isMade {
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        isMade = true
        // Nothing that must survive the machine: `Data.write` would wait for the disk.
        guard let file = fopen(url.path, "w") else { throw CocoaError(.fileWriteUnknown) }
        let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
      } else {
        try FileManager.default.removeItem(at: url)
      }
    } catch {
      fatalError("bug: the simulated receipt cannot be kept at \(url.path): \(error)")
    }
  }

  private static func place(of process: Int32, _ number: Int) -> URL {
    temporary.appending(path: "ChaosStoreKit-\(process)-\(number)")
  }

  /// The machine's, where the code of an app would find one of its own.
  private static let temporary = Host.beside { FileManager.default.temporaryDirectory }

  /// Takes away, once, what processes have left that were killed and are no more.
  static let removeForgotten: Void = {
    let folder = temporary
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix("ChaosStoreKit-") {
      guard let process = name.split(separator: "-").dropFirst().first.flatMap({ Int32($0) }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }()

  private static func removeAll() {
    let made = pool.withLock { $0.made }
    removeAll(of: ProcessInfo.processInfo.processIdentifier, 1...max(made, 1))
  }

  /// Takes away what a process of one app launch has left behind, which had no time to.
  static func removeFirst(of process: Int32) { removeAll(of: process, 1...1) }

  private static func removeAll(of process: Int32, _ numbers: ClosedRange<Int>) {
    for number in numbers { try? FileManager.default.removeItem(at: place(of: process, number)) }
  }
}

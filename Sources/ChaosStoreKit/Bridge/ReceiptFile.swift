import Foundation
import Synchronization

/// The file in which a process finds its receipt, in a temporary folder that goes with the process.
struct ReceiptFile {
  private static let last = Atomic(0)

  private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  private var isOnDisk = false
  private var bytes: Data?

  private var folder: URL {
    Self.folder(of: ProcessInfo.processInfo.processIdentifier, number)
  }

  private static func folder(of process: Int32, _ number: Int) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "ChaosStoreKit-\(process)-\(number)")
  }

  /// Takes away what a process of one app launch has left behind, which had no time to.
  static func removeFirst(of process: Int32) {
    try? FileManager.default.removeItem(at: folder(of: process, 1))
  }

  /// Apple calls the file `receipt`, and `sandboxReceipt` where no money is real.
  func url(isProduction: Bool) -> URL {
    folder.appending(path: isProduction ? "receipt" : "sandboxReceipt")
  }

  /// Makes the file hold these bytes, or takes it away.
  mutating func replace(with bytes: Data?, isProduction: Bool) {
    guard bytes != self.bytes else { return }
    self.bytes = bytes
    let url = url(isProduction: isProduction)
    guard let bytes else {
      try? FileManager.default.removeItem(at: url)
      return
    }
    isOnDisk = true
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: url)
    } catch {
      fatalError("bug: the simulated receipt cannot be written to \(url.path): \(error)")
    }
  }

  mutating func remove() {
    guard isOnDisk else { return }
    isOnDisk = false
    bytes = nil
    try? FileManager.default.removeItem(at: folder)
  }
}

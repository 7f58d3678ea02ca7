import ChaosHost
import Foundation
import Synchronization

/// The file in which a process finds its receipt, in a temporary folder that goes with the process.
struct ReceiptFile {
  private static let last = Atomic(0)

  private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  private var isOnDisk = false
  private var bytes: Data?

  private lazy var folder =
    FileManager.default.temporaryDirectory
    .appending(path: "ChaosStoreKit-\(ProcessInfo.processInfo.processIdentifier)-\(number)")
  private lazy var production = folder.appending(path: "receipt")
  private lazy var sandbox = folder.appending(path: "sandboxReceipt")

  /// Apple calls the file `receipt`, and `sandboxReceipt` where no money is real.
  mutating func url(isProduction: Bool) -> URL { isProduction ? production : sandbox }

  /// Makes the file hold these bytes, or takes it away.
  mutating func replace(with bytes: Data?, isProduction: Bool) {
    guard bytes != self.bytes else { return }
    self.bytes = bytes
    let url = url(isProduction: isProduction)
    if bytes != nil { isOnDisk = true }
    // A file of the simulation's, and none of the app's.
    Host.beside { write(bytes, to: url) }
  }

  private mutating func write(_ bytes: Data?, to url: URL) {
    guard let bytes else {
      try? FileManager.default.removeItem(at: url)
      return
    }
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
    Host.beside { try? FileManager.default.removeItem(at: folder) }
  }
}

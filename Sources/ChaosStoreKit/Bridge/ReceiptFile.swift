import ChaosHost
import Foundation

/// The file in which a process finds its receipt: one of its own files where it has any, or else one on the disk.
struct ReceiptFile {
  private var folder: ReceiptFolder?
  private var isOver = false

  #if os(Linux)
    private static func url(of path: String) -> URL {
      URL(filePath: "\(HostFiles.home)/\(path)", directoryHint: .notDirectory)
    }

    private static let own = (production: "StoreKit/receipt", sandbox: "StoreKit/sandboxReceipt")
    private static let ownURLs = (
      production: url(of: own.production), sandbox: url(of: own.sandbox)
    )
  #endif

  /// Where the file is, or would be. Apple calls it `receipt`, and `sandboxReceipt` where no money is
  /// real. After the end it is nowhere.
  mutating func url(isProduction: Bool, _ standIns: (any PlatformStandIns)?) -> URL {
    #if os(Linux)
      if standIns?.hasFiles == true {
        return isProduction ? Self.ownURLs.production : Self.ownURLs.sandbox
      }
    #endif
    return isOver ? ReceiptFolder.nowhere.url(isProduction) : taken().url(isProduction)
  }

  /// Makes the file hold these bytes, or takes it away.
  mutating func replace(
    with bytes: Data?, isProduction: Bool, _ standIns: (any PlatformStandIns)?
  ) {
    #if os(Linux)
      if standIns?.hasFiles == true {
        guard let files = standIns?.files else { return }
        return files.show(
          file: isProduction ? Self.own.production : Self.own.sandbox, holding: bytes)
      }
    #endif
    taken().hold(bytes, isProduction)
    taken().hold(nil, !isProduction)
  }

  /// The process has ended; what is on the disk is another's from now on.
  mutating func giveBack() {
    folder?.giveBack()
    folder = nil
    isOver = true
  }

  private mutating func taken() -> ReceiptFolder {
    let folder = folder ?? .take()
    self.folder = folder
    return folder
  }
}

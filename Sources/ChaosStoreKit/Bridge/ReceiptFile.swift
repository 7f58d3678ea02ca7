import Foundation

/// The file in which a process finds its receipt.
struct ReceiptFile {
  private var folder: ReceiptFolder?
  private var isOver = false

  /// Where the file is, or would be. Apple calls it `receipt`, and `sandboxReceipt` where no money is
  /// real. After the end it is nowhere.
  mutating func url(isProduction: Bool) -> URL {
    isOver ? ReceiptFolder.nowhere.url(isProduction) : taken().url(isProduction)
  }

  /// Makes the file hold these bytes, or takes it away.
  mutating func replace(with bytes: Data?, isProduction: Bool) {
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

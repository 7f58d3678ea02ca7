import Foundation
import Testing

@testable import StoreKit

@Suite("The receipt file")
struct ReceiptTests {
  let stage = Stage()
  var port: FakePort { stage.port }

  private func url() throws -> URL {
    var url: URL?
    stage.enter { url = Bundle.main.appStoreReceiptURL }
    return try #require(url)
  }

  @Test("is at Foundation's own address, holds what the phone says, and goes with the process")
  func receipt() throws {
    #expect(ReceiptURL.isSimulated)
    let url = try url()
    #expect(url.lastPathComponent == "receipt")
    #expect(!FileManager.default.fileExists(atPath: url.path))
    port.receipt = Data("one".utf8)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try Data(contentsOf: self.url()) == Data("one".utf8))
    port.receipt = nil
    #expect(try !FileManager.default.fileExists(atPath: self.url().path))
    port.receipt = Data("two".utf8)
    #expect(try Data(contentsOf: self.url()) == Data("two".utf8))
    stage.kill()
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    #expect(stage.host.leaks == [], "the simulation's own file is nobody's leak")
  }

  @Test("has another name in the sandbox, as apps that look for it expect")
  func sandbox() throws {
    port.isProduction = false
    #expect(try url().lastPathComponent == "sandboxReceipt")
  }

  @Test("is a file of its own for each process")
  func processes() throws {
    let other = ReceiptTests()
    #expect(try url() != other.url())
  }

  @Test("is nowhere outside a simulated process, as Foundation has it on Linux")
  func outside() {
    #if os(Linux)
      #expect(Bundle.main.appStoreReceiptURL == nil)
    #endif
  }
}

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

  @Test("The receipt file is at Foundation's own address and holds what the phone says")
  func receipt() throws {
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
    #expect(stage.host.leaks == [], "the simulation's own file is nobody's leak")
  }

  @Test("The receipt of a process that has ended is found by none that comes after it")
  func gone() throws {
    port.receipt = Data("one".utf8)
    let url = try url()
    stage.kill()
    for isProduction in [false, true] {
      let later = ReceiptTests()
      later.port.isProduction = isProduction
      let receipt = try later.url()
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: receipt.deletingLastPathComponent().path)
      #expect(names ?? [] == [])
      later.port.receipt = Data("two".utf8)
      #expect(try Data(contentsOf: later.url()) == Data("two".utf8))
      later.stage.kill()
    }
    #expect(url.lastPathComponent == "receipt")
  }

  @Test("The receipt has another name in the sandbox, as apps that look for it expect")
  func sandbox() throws {
    port.isProduction = false
    #expect(try url().lastPathComponent == "sandboxReceipt")
  }

  @Test("Each process has a receipt file of its own")
  func processes() throws {
    let other = ReceiptTests()
    #expect(try url() != other.url())
  }

  @Test("Outside a simulated process there is no receipt, as Foundation has it on Linux")
  func outside() {
    #if os(Linux)
      #expect(Bundle.main.appStoreReceiptURL == nil)
    #endif
  }
}

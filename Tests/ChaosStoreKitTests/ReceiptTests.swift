import Foundation
import Testing

@testable import StoreKit

/// Not yet inside a host: one session at a time, on the main actor.
@Suite("The receipt file", .serialized)
@MainActor
struct ReceiptTests {
  let port = FakePort()
  let session: StoreSession

  init() {
    let session = StoreSession(port: port)
    self.session = session
    StoreSession.lookup = { session }
  }

  @Test("is at Foundation's own address, and is what the phone says at that moment")
  func receipt() throws {
    #expect(ReceiptURL.isSimulated)
    let url = try #require(Bundle.main.appStoreReceiptURL)
    #expect(url.lastPathComponent == "receipt")
    #expect((try? Data(contentsOf: url)) == nil)
    port.receipt = Data("one".utf8)
    #expect((try? Data(contentsOf: url)) == nil)
    #expect(try Data(contentsOf: #require(Bundle.main.appStoreReceiptURL)) == Data("one".utf8))
    session.end()
    #expect((try? Data(contentsOf: url)) == nil)
  }
}

import Crypto
import Foundation
import StoreSignatures
import Testing

@testable import StoreService

@Suite("What a runtime is told")
struct RuntimesTests {
  @Test("the files that the settings name are there, and what options there were stay")
  func files() throws {
    let folder = NSTemporaryDirectory() + "runtimes-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let runtimes = Runtimes(folder: folder, proxy: 81, secure: 82, trustsOthers: false)
    let chain = try SigningChain(responder: "http://127.0.0.1/ocsp")
    try runtimes.write(chain)
    let environment = runtimes.added(to: ["NODE_OPTIONS": "--trace-warnings", "HOME": "/root"])
    #expect(environment["NODE_OPTIONS"] == "--trace-warnings --require \(folder)/preload.cjs")
    #expect(environment["HOME"] == "/root")
    #expect(environment["HTTPS_PROXY"] == "http://127.0.0.1:81")
    #expect(environment["JAVA_TOOL_OPTIONS"]?.contains("-Dhttps.proxyPort=81 ") == true)
    for name in ["preload.cjs", "root.pem", "root.der", "roots.pem", "trust.jks"] {
      #expect(FileManager.default.fileExists(atPath: folder + "/" + name), "\(name)")
    }
    #expect(try String(contentsOfFile: folder + "/roots.pem", encoding: .utf8) == chain.rootPEM)
    let preload = try String(contentsOfFile: folder + "/preload.cjs", encoding: .utf8)
    #expect(preload.contains("port: 82"))
    #expect(preload.contains("'api.storekit.apple.com'"))
  }

  @Test("a key store of Java's names one certificate, and its digest is of all of it")
  func keyStore() {
    let bytes = Runtimes.keyStore([1, 2, 3])
    #expect(bytes.prefix(12) == [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 1])
    let content = bytes.dropLast(20)
    #expect(content.suffix(7) == [0, 0, 0, 3, 1, 2, 3])
    let word = "changeit".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let digest = Insecure.SHA1.hash(data: word + Array("Mighty Aphrodite".utf8) + content)
    #expect(Array(bytes.suffix(20)) == Array(digest))
  }
}

import Foundation
import Testing

@testable import StoreSignatures

@Suite("A chain that a folder keeps")
struct KeptChainTests {
  private let folder = NSTemporaryDirectory() + "chain-\(UUID().uuidString)"

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func kept() throws -> [UInt8] {
    try SigningChain.kept(in: folder, responder: "http://127.0.0.1:1/ocsp").rootDER
  }

  @Test("its keys are its owner's alone, git ignores it, and the next start finds it again")
  func keeps() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let root = try kept()
    #expect(try mode("chain.pem") == 0o600)
    #expect(try mode("") == 0o700)
    #expect(try String(contentsOfFile: folder + "/.gitignore", encoding: .utf8) == "*\n")
    #expect(try kept() == root)
  }

  @Test("what is signed holds at any run's time, and the server's certificate only in the present")
  func holds() throws {
    let chain = try SigningChain(responder: "http://127.0.0.1:1/ocsp", holdsAlways: true)
    for one in [chain.root, chain.intermediate, chain.leaf] {
      #expect(one.certificate.notValidBefore == Date(timeIntervalSince1970: 0))
      #expect(one.certificate.notValidAfter > Date(timeIntervalSince1970: 4_000_000_000))
    }
    let server = chain.server.certificate
    #expect(server.notValidBefore > Date(timeIntervalSinceNow: -2 * 365 * 86_400))
    #expect(server.notValidAfter < Date(timeIntervalSinceNow: 2 * 365 * 86_400))
  }

  @Test("keys that an earlier version left open to others are closed")
  func closes() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let root = try kept()
    let path = folder + "/chain.pem"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try kept() == root)
    #expect(try mode("chain.pem") == 0o600)
  }

  @Test("in a folder in which something else lies git ignores the keys alone")
  func spares() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder + "/shop.py"))
    _ = try kept()
    func ignored() throws -> String {
      try String(contentsOfFile: folder + "/.gitignore", encoding: .utf8)
    }
    #expect(try ignored() == "chain.pem\n")
    _ = try kept()
    #expect(try ignored() == "chain.pem\n")
    try Data("*.log".utf8).write(to: URL(filePath: folder + "/.gitignore"))
    _ = try kept()
    #expect(try ignored() == "*.log\nchain.pem\n")
    let latin = Data([0x63, 0x61, 0x66, 0xe9])
    try latin.write(to: URL(filePath: folder + "/.gitignore"))
    _ = try kept()
    #expect(
      try Data(contentsOf: URL(filePath: folder + "/.gitignore"))
        == latin + Data("\nchain.pem\n".utf8))
    #expect(try mode("chain.pem") == 0o600)
  }
}

import Crypto
import Foundation
import SwiftASN1
import X509

/// A chain that lasts: whoever has trusted its root once need not do it again.
extension SigningChain {
  /// A text that is no chain, or one of another responder.
  public struct Unreadable: Error, CustomStringConvertible {
    /// What was found, and what was expected.
    public var description: String
  }

  private static let marker = "Revocation: "

  /// All of it as PEM, private keys included: for ``init(pem:)``, and for nobody else to see.
  public func pem(responder: String) throws -> String {
    var text = Self.marker + responder + "\n"
    for one in identities {
      text += try one.certificate.serializeAsPEM().pemString + "\n"
      text += one.key.pemRepresentation + "\n"
    }
    return text
  }

  private var identities: [Identity] {
    [root, intermediate, leaf, rootResponder, intermediateResponder, server]
  }

  /// Reads what ``pem(responder:)`` wrote; throws where it is that of another responder, or nothing that can be read.
  public init(pem text: String, responder: String) throws {
    guard text.hasPrefix(Self.marker + responder + "\n") else {
      throw Unreadable(description: "found the chain of another responder, expected \(responder)")
    }
    let documents = try PEMDocument.parseMultiple(pemString: text)
    guard documents.count == 12 else {
      throw Unreadable(
        description: "found \(documents.count) parts, expected 6 certificates, each with its key")
    }
    let identities = try stride(from: 0, to: 12, by: 2).map { place in
      Identity(
        certificate: try Certificate(pemDocument: documents[place]),
        key: try P256.Signing.PrivateKey(pemRepresentation: documents[place + 1].pemString))
    }
    self.init(identities)
  }

  /// The chain that a folder keeps, or a new one, which the folder keeps from now on.
  ///
  /// Only the owner can read the keys, and git ignores them: the whole folder if nothing else lies in it.
  public static func kept(
    in folder: String, responder: String, date: Date = Date()
  ) throws -> SigningChain {
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let ignore = folder + "/.gitignore"
    let names = try files.contentsOfDirectory(atPath: folder)
    // As bytes: a file that is not UTF-8 keeps what it has.
    let ignored = files.contents(atPath: ignore) ?? Data()
    let lines = String(decoding: ignored, as: UTF8.self).split(whereSeparator: \.isNewline)
    if !lines.contains(where: { ["*", "chain.pem"].contains($0.trimmingPrefix("/")) }) {
      let added = names.allSatisfy(fileNames.contains) && ignored.isEmpty ? "*" : "chain.pem"
      let end = ignored.isEmpty || ignored.last == UInt8(ascii: "\n") ? "" : "\n"
      try (ignored + Data("\(end)\(added)\n".utf8)).write(to: URL(filePath: ignore))
    }
    let path = folder + "/chain.pem"
    if let text = try? String(contentsOfFile: path, encoding: .utf8),
      let chain = try? SigningChain(pem: text, responder: responder)
    {
      // Earlier versions wrote it before they closed it to others.
      if PrivateFile.isOpenToOthers(path) { try PrivateFile.write(text, to: path) }
      return chain
    }
    let chain = try SigningChain(responder: responder, date: date)
    try PrivateFile.write(try chain.pem(responder: responder), to: path)
    return chain
  }

  /// What lies in the folder of a store: the chain, and the files that have runtimes trust it.
  package static let fileNames: Set = [
    ".gitignore", "chain.pem", "root.pem", "root.der", "roots.pem", "trust.jks", "preload.cjs",
  ]

  /// The root as PEM, as runtimes want what they are to trust.
  public var rootPEM: String {
    do { return try root.certificate.serializeAsPEM().pemString + "\n" } catch {
      fatalError("bug: a certificate that was made cannot be written: \(error)")
    }
  }

  /// The root as DER, as Apple's libraries want it.
  public var rootDER: [UInt8] {
    do { return try root.der() } catch {
      fatalError("bug: a certificate that was made cannot be written: \(error)")
    }
  }
}

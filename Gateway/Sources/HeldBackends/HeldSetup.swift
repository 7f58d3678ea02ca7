import Foundation
import NIOSSL
import StoreSignatures

#if canImport(Glibc)
  import Glibc
#endif

/// What all runs of a campaign are set up with.
public struct HeldSetup: Sendable {
  /// What says how the backend is started and spoken to.
  public var file: BackendFile
  /// What Apple signs with here, and what somebody else does.
  let chain: SigningChain
  let signer: StoreSigner
  let forger: StoreSigner
  let tls: NIOSSLContext
  /// Where what is made for it lies: certificates, databases, what it prints.
  let folder: String
  /// Where what the file has built lies.
  let built: String
  /// What the processes' clock is read by; nil where it is the machine's.
  let clockLibrary: String?
  /// How long it may have something to do without an end, and how long its start may take.
  var patience: Duration = .seconds(5)

  /// Sets a campaign up; what it makes lies in a folder until ``clear()``.
  public init(_ file: BackendFile) throws {
    self.file = file
    Self.clearOrphans()
    let folder = NSTemporaryDirectory() + "chaos-gateway-\(getpid())"
    self.folder = folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var isWhole = false
    defer { if !isWhole { Self.remove(folder) } }
    built = folder + "/built"
    try Self.build(file, in: folder, into: built)
    // Nobody's name: whoever looks for it asks the proxy.
    let responder = "http://ocsp.chaosstore.invalid/ocsp"
    clockLibrary = file.clock == "virtual" ? try HeldClock.build(in: folder) : nil
    // A verifier checks what is signed at the run's time, which can be any that a scenario names; a client
    // checks the server at the time of its own clock.
    chain = try SigningChain(
      responder: responder, holdsAlways: true, serverHoldsAlways: clockLibrary != nil)
    signer = try StoreSigner(chain)
    forger = try StoreSigner(SigningChain(responder: responder, holdsAlways: true))
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: try chain.server.der(), format: .der))
      ],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(chain.server.key.derRepresentation), format: .der)))
    configuration.applicationProtocols = ["http/1.1"]
    tls = try NIOSSLContext(configuration: configuration)
    isWhole = true
  }

  /// Has the backend built, where its file says how.
  private static func build(_ file: BackendFile, in folder: String, into built: String) throws {
    guard let command = file.build else { return }
    try FileManager.default.createDirectory(atPath: built, withIntermediateDirectories: true)
    do {
      try ProcessTree.perform(
        command.map { $0.filled([BackendFile.Place.built: built].named) }, folder: file.place,
        environment: ProcessInfo.processInfo.environment, output: folder + "/build",
        within: .seconds(1200))
    } catch {
      throw BackendFile.Problem(description: "\(file.path): build: \(error)")
    }
  }

  /// Removes what programs have left that were killed before they could.
  private static func clearOrphans() {
    let place = NSTemporaryDirectory()
    let prefix = "chaos-gateway-"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    where name.hasPrefix(prefix) {
      guard let program = pid_t(name.dropFirst(prefix.count), radix: 10), kill(program, 0) != 0,
        errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(atPath: place + name)
    }
  }

  /// Removes what was made.
  public func clear() { Self.remove(folder) }

  private static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }
}

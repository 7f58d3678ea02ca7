import Crypto
import Foundation
import StoreSignatures

/// What a backend's runtime is told, so that a backend that knows Apple's addresses alone comes here without a change.
///
/// Facts: Node's own requests and `fetch` ask no proxy, but both connect by `tls.connect`; Java reads no proxy from the
/// environment, but properties from `JAVA_TOOL_OPTIONS`, and trusts what a key store names.
public struct Runtimes: Sendable {
  /// Where the files are that ``write(_:)`` makes.
  public let folder: String
  /// The port of the proxy.
  public let proxy: Int
  /// The port at which Apple's hosts speak TLS.
  public let secure: Int

  /// Whether whom this machine trusts is trusted as well.
  let trustsOthers: Bool

  /// Settings for a store that is at these ports; where nobody else can be reached, nobody else need be trusted.
  public init(folder: String, proxy: Int, secure: Int, trustsOthers: Bool = true) {
    self.folder = folder
    self.proxy = proxy
    self.secure = secure
    self.trustsOthers = trustsOthers
  }

  /// Writes the files that the settings name: certificates, and what Node loads first.
  public func write(_ chain: SigningChain) throws {
    let folder = URL(filePath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let root = chain.rootPEM
    for (name, bytes) in [
      ("root.pem", Data(root.utf8)), ("root.der", Data(chain.rootDER)),
      ("roots.pem", Data(((trustsOthers ? Self.systemRoots() : "") + root).utf8)),
      ("trust.jks", Data(Self.keyStore(chain.rootDER))), ("preload.cjs", Data(preload.utf8)),
    ] { try bytes.write(to: folder.appending(path: name)) }
  }

  /// The variables of Python's `requests`, `urllib` and whoever does as they do.
  public var python: [(name: String, value: String)] {
    [
      ("HTTPS_PROXY", "http://127.0.0.1:\(proxy)"), ("HTTP_PROXY", "http://127.0.0.1:\(proxy)"),
      ("NO_PROXY", "127.0.0.1,localhost"), ("REQUESTS_CA_BUNDLE", folder + "/roots.pem"),
      ("SSL_CERT_FILE", folder + "/roots.pem"),
    ]
  }

  /// Those of Node.
  public var node: [(name: String, value: String)] {
    [
      ("NODE_OPTIONS", "--require \(folder)/preload.cjs"),
      ("NODE_EXTRA_CA_CERTS", folder + "/root.pem"),
    ]
  }

  /// Those of Java.
  public var java: [(name: String, value: String)] {
    let properties = [
      ("https.proxyHost", "127.0.0.1"), ("https.proxyPort", "\(proxy)"),
      ("http.proxyHost", "127.0.0.1"), ("http.proxyPort", "\(proxy)"),
      ("javax.net.ssl.trustStore", folder + "/trust.jks"),
      ("javax.net.ssl.trustStorePassword", Self.word),
    ]
    return [("JAVA_TOOL_OPTIONS", properties.map { "-D\($0.0)=\($0.1)" }.joined(separator: " "))]
  }

  /// An environment with all of these; what options it names already it keeps.
  public func added(to environment: [String: String]) -> [String: String] {
    var environment = environment
    for (name, value) in python + node + java {
      let before = name.hasSuffix("_OPTIONS") ? environment[name] : nil
      environment[name] = before.map { "\($0) \(value)" } ?? value
    }
    environment["http_proxy"] = environment["HTTP_PROXY"]
    return environment
  }

  // MARK: - Files

  /// Whom this machine trusts anyway.
  private static func systemRoots() -> String {
    for path in ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"] {
      if let text = try? String(contentsOfFile: path, encoding: .utf8) { return text }
    }
    return ""
  }

  /// What takes connections to Apple's hosts here.
  private var preload: String {
    let hosts = SigningChain.appleHosts.map { "'\($0)'" }.joined(separator: ", ")
    return """
      // Takes connections to Apple's hosts to the simulated App Store.
      const tls = require('tls');
      const hosts = new Set([\(hosts)]);
      const connect = tls.connect;
      tls.connect = function (...parameters) {
        const place = parameters.findIndex((one) => one !== null && typeof one === 'object');
        const options = parameters[place];
        const host = options && (options.servername || options.hostname || options.host);
        if (hosts.has(host)) {
          parameters[place] = {
            ...options, servername: host, host: '127.0.0.1', hostname: '127.0.0.1', port: \(secure),
          };
        }
        return connect.apply(this, parameters);
      };

      """
  }

  private static let word = "changeit"

  /// A key store of Java's own kind, JKS, that trusts one certificate.
  ///
  /// Source: OpenJDK, `sun.security.provider.JavaKeyStore`.
  static func keyStore(_ certificate: [UInt8]) -> [UInt8] {
    func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian, Array.init)
    }
    func text(_ text: String) -> [UInt8] {
      number(UInt16(clamping: text.utf8.count)) + Array(text.utf8)
    }
    var bytes = number(0xfeed_feed as UInt32) + number(2 as UInt32) + number(1 as UInt32)
    // A certificate that is trusted, by its name, of no date.
    bytes += number(2 as UInt32) + text("chaosstore") + number(0 as UInt64) + text("X.509")
    bytes += number(UInt32(clamping: certificate.count)) + certificate
    let salt = word.utf16.flatMap { number($0) } + Array("Mighty Aphrodite".utf8)
    return bytes + Array(Insecure.SHA1.hash(data: salt + bytes))
  }
}

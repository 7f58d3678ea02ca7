import Foundation
import Invariants
import StoreService
import StoreSignatures

/// What whoever starts the store has to know.
struct Greeting {
  let settings: Shop.Settings
  let ports: StoreServer.Ports
  let folder: String
  let chain: SigningChain

  var text: String {
    """
    The App Store of \(settings.app.bundle) is open at http://127.0.0.1:\(ports.plain)

      drive it       http://127.0.0.1:\(ports.plain)/chaos/v1/store, openapi.json beside it
      production     http://127.0.0.1:\(ports.plain)/inApps/…, /verifyReceipt
      sandbox        http://127.0.0.1:\(ports.plain)/sandbox/inApps/…, /sandbox/verifyReceipt
      notifications  \(notifications)
      time           \(settings.clock == .following ? "follows the clock" : "stands until you let it pass")

    To have your backend believe it, give its verifier this root in the place of Apple's:
      \(folder)/root.der

    To have it call here without a change, start it with:
      Python   HTTPS_PROXY=\(proxy) NO_PROXY=127.0.0.1,localhost \\
               REQUESTS_CA_BUNDLE=\(folder)/roots.pem SSL_CERT_FILE=\(folder)/roots.pem
      Node     NODE_OPTIONS="--require \(folder)/preload.cjs" NODE_EXTRA_CA_CERTS=\(folder)/root.pem
      Java     JAVA_TOOL_OPTIONS="-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=\(ports.proxy) \\
               -Djavax.net.ssl.trustStore=\(folder)/trust.p12 -Djavax.net.ssl.trustStorePassword=changeit"
               after: keytool -importcert -noprompt -alias chaos -storetype PKCS12 -storepass changeit \\
               -keystore \(folder)/trust.p12 -file \(folder)/root.pem
      others   Apple's hosts in /etc/hosts, port 443 led to \(ports.secure), and root.pem among the roots they trust

    """
  }

  private var proxy: String { "http://127.0.0.1:\(ports.proxy)" }

  private var notifications: String {
    let production = settings.notificationURLs[.production]
    let sandbox = settings.notificationURLs[.sandbox]
    guard production != nil || sandbox != nil else { return "none: nobody said where (--notify)" }
    if production == sandbox { return "to \(production ?? "")" }
    return "to \(production ?? "nobody"), of the sandbox to \(sandbox ?? "nobody")"
  }

  /// What takes Apple's hosts to the store in Node, whose own requests ask no proxy.
  static func preload(_ ports: StoreServer.Ports) -> String {
    let hosts = SigningChain.appleHosts.map { "'\($0)'" }.joined(separator: ", ")
    return """
      // Takes connections to Apple's hosts to the simulated App Store.
      const tls = require('tls');
      const hosts = new Set([\(hosts)]);
      const connect = tls.connect;
      tls.connect = function (...parameters) {
        const options = parameters.find((one) => one !== null && typeof one === 'object');
        const host = options && (options.servername || options.host);
        if (hosts.has(host)) {
          options.servername = host;
          options.host = '127.0.0.1';
          options.port = \(ports.secure);
        }
        return connect.apply(this, parameters);
      };

      """
  }
}

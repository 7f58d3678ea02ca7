import Invariants
import StoreService

/// What whoever starts the store has to know.
struct Greeting {
  let settings: Shop.Settings
  let ports: StoreServer.Ports
  let runtimes: Runtimes

  var text: String {
    """
    The App Store of \(settings.app.bundle) is open at http://127.0.0.1:\(ports.plain)

      drive it       http://127.0.0.1:\(ports.plain)/chaos/v1/store, openapi.json beside it
      production     http://127.0.0.1:\(ports.plain)/inApps/…, /verifyReceipt
      sandbox        http://127.0.0.1:\(ports.plain)/sandbox/inApps/…, /sandbox/verifyReceipt
      notifications  \(notifications)
      time           \(settings.clock == .following ? "follows the clock" : "stands until you let it pass")

    To have your backend believe it, give its verifier this root in the place of Apple's:
      \(runtimes.folder)/root.der

    To have it call here without a change, start it with:
      Python   \(words(runtimes.python))
      Node     \(words(runtimes.node))
      Java     \(words(runtimes.java))
      others   Apple's hosts in /etc/hosts, port 443 led to \(ports.secure), and root.pem among the roots they trust

    """
  }

  /// As they are written before a command.
  private func words(_ variables: [(name: String, value: String)]) -> String {
    variables.map { name, value in
      let isPlain = !value.contains(" ")
      return "\(name)=" + (isPlain ? value : "\"\(value)\"")
    }.joined(separator: " \\\n" + String(repeating: " ", count: 11))
  }

  private var notifications: String {
    let production = settings.notificationURLs[.production]
    let sandbox = settings.notificationURLs[.sandbox]
    guard production != nil || sandbox != nil else { return "none: nobody said where (--notify)" }
    if production == sandbox { return "to \(production ?? "")" }
    return "to \(production ?? "nobody"), of the sandbox to \(sandbox ?? "nobody")"
  }
}

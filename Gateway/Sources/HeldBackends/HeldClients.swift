import ChaosStore
import Foundation
import Invariants

/// The apps that can send reports to a real backend, and what they do there.
public enum HeldClients {
  /// The app that is taken where nobody names one.
  public static let usual = "exactly-once"

  private static let all: [(name: String, system: @Sendable () -> AnySystem)] = [
    (usual, { AnySystem(WithRealBackend<ExactlyOnce>.self) })
  ]

  /// Their names.
  public static var names: [String] { all.map(\.name) }

  /// The system of a name, which can be made once ``Held/setup`` is there; nil where there is none.
  public static func system(_ name: String) -> (() -> AnySystem)? {
    all.first { $0.name == name }?.system
  }

  /// Starts the backend once; what is wrong where it does not come up.
  public static func tryOut() -> String? {
    guard let setup = Held.setup else { return "no backend was named" }
    do {
      let host = try BackendHost(setup)
      try host.tryOut()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The processes of one database run one run at a time, unless somebody says otherwise.
  public static func jobs(for arguments: [String]) -> [String] {
    let takesJobs =
      arguments.isEmpty || ["explore", "run", "power"].contains(arguments[0])
      || arguments[0].hasPrefix("-")
    return takesJobs ? ["--jobs", "1"] : []
  }

  /// Ends every process that was started.
  public static func endAll() { BackendHost.endAll() }

  /// What a real backend can be hit by: what reaches it, and what it asks.
  private static let faults: [String] = [
    "request-lost", "response-lost", "concurrent-duplicate", "reordering", "app-crash",
    "server-crash", "duplicate-callback", "replay-finished", "verifier-outage", "verifier-busy",
    "transaction-unknown",
  ]
  private static let newsFaults: [String] = [
    "notification-lost", "notification-twice", "notification-repeated", "notification-overtaken",
    "refund", "refund-reversed",
  ]

  /// The scenarios that are run where nobody names a file.
  public static func scenarios(_ file: BackendFile) -> String {
    let name = file.title
    let isTold = file.notifications != nil
    let faults = (Self.faults + (isTold ? newsFaults : []))
      .map { "\"\($0)\": {\"chance\": \"1/10\"}" }.joined(separator: ", ")
    let products =
      file.products.flatMap { try? JSONEncoder.plain.encode($0) }
      .map { String(decoding: $0, as: UTF8.self) }
      ?? #"[{"name": "coins"}, {"name": "map", "kind": "non-consumable"}]"#
    let first = file.products?.firstName ?? "coins"
    func scenario(_ short: String, _ about: String, _ world: String, _ steps: String) -> String {
      """
      {"name": "\(name)/\(short)", "system": "\(name)", "about": "\(about)",
       "products": \(products), \(world), "steps": [\(steps)],
       "heal": "60s", "horizon": "600s", "sometimes": ["credited"], "faults": {\(faults)}, "seeds": 300}
      """
    }
    let one = #"{"at": "1s", "buy": "\#(first)"}"#
    let two =
      #"{"at": "1s", "buy": "\#(first)", "device": "phone1"}, "#
      + #"{"at": "3s", "buy": "\#(first)", "device": "phone2"}"#
    return """
      {"version": 1, "scenarios": [
      \(scenario("one", "One purchase, and what can strike it.", "\"accounts\": 1", one)),
      \(scenario(
        "two", "Two users of one app, each on a phone of their own.",
        "\"accounts\": 2, \"storeAccounts\": 2, \"devices\": 2", two))
      ]}
      """
  }
}

extension JSONTemplate {
  /// The name of the first of a list of products.
  var firstName: String? {
    guard case .list(let list) = self, case .object(let object)? = list.first,
      case .text(let name)? = object["name"]
    else { return nil }
    return name
  }
}

@_spi(Gateway) import ChaosRunner
import ChaosStore
import Foundation
import Invariants
import NIOConcurrencyHelpers

#if canImport(Glibc)
  import Glibc
#endif

/// Campaigns with a real backend: what `chaos-gateway run` does, for a program with apps of its own as well.
public enum BackendCampaign {
  /// The app that is taken where a file names none.
  static let usual = "exactly-once"

  /// Runs the campaign that a backend's file and the arguments after it ask for, and ends the process.
  ///
  ///     @main enum Main {
  ///       static func main() { BackendCampaign.main(clients: [AnySystem(CoinShop.self)]) }
  ///     }
  ///
  /// The first argument is the file, in which `client` names one of the clients, or a built-in design.
  public static func main(clients: [AnySystem]) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let program = URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent
    guard let path = arguments.first, !path.hasPrefix("-") else {
      complain("found no file, expected a backend's, and what is to be done with it", program)
      exit(ExitCode.usage.rawValue)
    }
    do {
      let file = try BackendFile(path: path)
      exit(
        try run(
          file, Array(arguments.dropFirst()), clients: clients, program: program, own: [path]))
    } catch {
      complain(error.description, program)
      exit(ExitCode.usage.rawValue)
    }
  }

  /// Runs a campaign, and says what the process is to end with.
  ///
  /// - Parameters:
  ///   - file: The backend's.
  ///   - arguments: What chaos-runner takes.
  ///   - clients: Whose apps can send reports, beside the built-in designs.
  ///   - program: What a person types before the file's path.
  ///   - own: The arguments of this program with which another process of it comes here as well.
  public static func run(
    _ file: BackendFile, _ arguments: [String], clients: [AnySystem] = [], program: String,
    own: [String]
  ) throws(BackendFile.Problem) -> Int32 {
    let all = clients + BuiltIn.systems
    let name = file.client ?? usual
    guard let client = all.first(where: { $0.entry.name == name }) else {
      throw BackendFile.Problem(
        description: "\(file.path): client: found '\(name)', expected one of "
          + all.map(\.entry.name).joined(separator: ", "))
    }
    Runner.watchSignals()
    Self.endInTime(program)
    let setup: HeldSetup
    do { setup = try HeldSetup(file) } catch {
      complain("\(error)", program)
      return ExitCode.noVerdict.rawValue
    }
    Held.setup = setup
    defer {
      BackendHost.endAll()
      setup.clear()
    }
    do { try BackendHost.tryOut(setup) } catch {
      complain("\(file.path): \(error)", program)
      return ExitCode.noVerdict.rawValue
    }
    let system = withRealBackend(client.type)
    if searches(arguments),
      let purchase = QuietPurchase(
        file, system, scenarios: values(of: "scenarios", in: arguments).last,
        patterns: values(of: "scenario", in: arguments), builtIn: scenarios(file)),
      let complaint = purchase.complaint({ BackendHost.firstOutput(setup) })
    {
      complain("\(file.path): \(complaint)", program)
      return ExitCode.noVerdict.rawValue
    }
    let code = Runner.run(
      arguments: arguments + jobs(for: arguments), program: "\(program) \(file.path)",
      scenarios: scenarios(file), regressions: file.regressions, systems: [system], own: own)
    told.withLockedValue { $0 = code }
    return code
  }

  /// What the process is to end with, once all is said that was found.
  private static let told = NIOLockedValueBox<Int32?>(nil)

  /// Has this process end within two seconds once it is told to, with what it has found, whatever it waits for.
  private static func endInTime(_ program: String) {
    Thread.detachNewThread {
      while !Runner.isInterrupted { usleep(20_000) }
      // Who waits for a process of the backend's waits no longer.
      BackendHost.cutAll()
      usleep(1_500_000)
      let code = told.withLockedValue { $0 }
      if code == nil {
        complain("ended, as it was told to, before it could say what it had found", program)
      }
      Held.setup?.clear()
      _exit(code ?? ExitCode.noVerdict.rawValue)
    }
  }

  /// Whether many runs are asked for, and not the one of a seed or a plan.
  private static func searches(_ arguments: [String]) -> Bool {
    isCampaign(arguments)
      && !arguments.contains {
        ["-h", "--help", "--version"].contains($0) || $0.hasPrefix("--plan") || $0 == "--seed"
          || $0.hasPrefix("--seed=")
      }
  }

  private static func isCampaign(_ arguments: [String]) -> Bool {
    arguments.isEmpty || ["explore", "run", "power"].contains(arguments[0])
      || arguments[0].hasPrefix("-")
  }

  /// What an option is given, as `--name value` and `--name=value`.
  private static func values(of option: String, in arguments: [String]) -> [String] {
    arguments.indices.compactMap { place in
      if arguments[place] == "--" + option { return arguments.dropFirst(place + 1).first }
      let start = "--\(option)="
      return arguments[place].hasPrefix(start)
        ? String(arguments[place].dropFirst(start.count)) : nil
    }
  }

  private static func withRealBackend<System: PurchaseSystem>(_ system: System.Type) -> AnySystem {
    AnySystem(WithRealBackend<System>.self)
  }

  /// The processes of one database run one run at a time, unless somebody says otherwise.
  private static func jobs(for arguments: [String]) -> [String] {
    isCampaign(arguments) && !arguments.contains("--jobs") ? ["--jobs", "1"] : []
  }

  private static func complain(_ text: String, _ program: String) {
    // What a backend has printed may color a terminal, or worse.
    let plain = text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").unicodeScalars.filter {
      $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
    }
    FileHandle.standardError.write(Data("\(program): \(String(plain))\n".utf8))
  }

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
  static func scenarios(_ file: BackendFile) -> String {
    let name = file.title
    let products =
      file.products.flatMap { try? JSONEncoder.plain.encode($0) }
      .map { String(decoding: $0, as: UTF8.self) }
      ?? #"[{"name": "coins"}, {"name": "map", "kind": "non-consumable"}]"#
    let first = file.products?.firstName ?? "coins"
    func scenario(
      _ short: String, _ about: String, _ world: String, _ steps: String,
      _ faults: [String] = faults
    ) -> String {
      let mix = faults.map { "\"\($0)\": {\"chance\": \"1/10\"}" }.joined(separator: ", ")
      return """
        {"name": "\(name)/\(short)", "system": "\(name)", "about": "\(about)",
         "products": \(products), \(world), "steps": [\(steps)],
         "sometimes": ["credited"], "faults": {\(mix)}, "seeds": 300}
        """
    }
    let one = #"{"at": "1s", "buy": "\#(first)"}"#
    let two =
      #"{"at": "1s", "buy": "\#(first)", "device": "phone1"}, "#
      + #"{"at": "3s", "buy": "\#(first)", "device": "phone2"}"#
    let minutes = #""heal": "60s", "horizon": "600s""#
    var all = [
      scenario(
        "one", "One purchase, and what can strike it.", #""accounts": 1, \#(minutes)"#, one),
      scenario(
        "two", "Two users of one app, each on a phone of their own.",
        #""accounts": 2, "storeAccounts": 2, "devices": 2, \#(minutes)"#, two),
    ]
    if file.notifications != nil {
      all.append(
        scenario(
          "months",
          "Two purchases, one of them outside the app, and what Apple does in the weeks after.",
          #""accounts": 1, "heal": "30d", "horizon": "60d", "sittings": {"every": "3d", "for": "5m"}"#,
          one + #", {"at": "1h", "buyOutside": "\#(first)"}"#, faults + newsFaults))
    }
    return #"{"version": 1, "scenarios": [\#(all.joined(separator: ",\n"))]}"#
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

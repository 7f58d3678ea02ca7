import ArgumentParser
import ChaosStore
import Crypto
import Foundation
import Invariants
import StoreService
import StoreSignatures

/// `chaos-gateway serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves a simulated App Store over HTTP.",
    discussion: """
      Serves the App Store Server API of production and sandbox, verifyReceipt, and an interface for whoever drives the \
      store: creates accounts, buys, refunds, lets time pass, switches faults on, reads the history and the verdict. \
      Sends App Store Server Notifications to your backend.

      What is sold is read from a file: a StoreKit configuration file as Xcode writes it, or
        {"products": [{"name": "coins"},
                      {"name": "pro", "kind": "auto-renewable", "period": "P1M", "graceDays": 16}]}
      Without one it sells coins, a map, and a subscription called pro.
      """)

  @Argument(help: "The file that says what is sold, or a StoreKit configuration file.")
  var file: String?

  @Option(help: "The bundle identifier of the app.")
  var bundle = "com.example.app"

  @Option(help: "The app's Apple ID, a number.")
  var appleID: Int64 = 1_234_567_890

  @Option(help: "Where notifications go, such as http://127.0.0.1:5000/notifications.")
  var notify: String?

  @Option(help: "Where those of the sandbox go; where --notify says unless it is given.")
  var notifySandbox: String?

  @Option(
    help: "A host beside this machine that notifications may go to; can be given several times.")
  var notifyHost: [String] = []

  @Option(help: "The seed by which everything is chosen that happens by chance.")
  var seed: String?

  @Option(help: "How many people can have an account, from 1 to 500000.")
  var people: Int?

  @Option(help: "How time passes: following the wall clock, or standing until you let it pass.")
  var clock = Shop.Clock.following

  @Option(
    help: "The HTTP port; 0 for any that is free. HTTPS is at the next one, the proxy behind it.")
  var port = 8181

  @Option(help: "The folder that keeps the certificates, and the files to trust them with.")
  var folder = ".chaos-gateway"

  @Option(help: "The issuer that callers' tokens must name; any, unless it is given.")
  var issuer: String?

  @Option(help: "The key that callers' tokens must name; any, unless it is given.")
  var keyID: String?

  @Option(
    help:
      "A PEM file with the key that callers sign with, public or private; unless it is given signatures are not looked at."
  )
  var callerKey: String?

  @Option(help: "The shared secret that verifyReceipt wants; any, unless it is given.")
  var sharedSecret: String?

  func run() async throws {
    let settings = try settings()
    let ports = try ports()
    let runtimes = Runtimes(
      folder: URL(filePath: folder).path, proxy: ports.proxy, secure: ports.secure)
    let chain = try chain(ports, runtimes)
    if let taken = ports.taken {
      complain(
        "port \(taken): found another program that listens there, expected a free one; --port chooses the first of "
          + "the three that are needed")
      throw ExitCode(2)
    }
    let server: StoreServer
    do { server = try StoreServer(settings, chain, ports) } catch let error as ScenarioError {
      throw ValidationError("\(file ?? "the store"): \(error)")
    }
    let greeting = Greeting(
      settings: settings, ports: ports, runtimes: runtimes)
    do {
      // At once, whoever reads it: a test suite waits for it in a pipe.
      try await server.run { FileHandle.standardOutput.write(Data((greeting.text + "\n").utf8)) }
    } catch {
      complain("the store cannot be served at port \(ports.plain): \(error)")
      throw ExitCode(2)
    }
  }

  private func settings() throws -> Shop.Settings {
    var settings = Shop.Settings(terms: try terms())
    settings.app.bundle = bundle
    settings.app.id = appleID
    settings.clock = clock
    settings.app.sharedSecret = sharedSecret
    settings.app.callers = CallerCheck(
      bundle: bundle, issuer: issuer, keyID: keyID, key: try callerKey.map(Self.key))
    settings.notifiedHosts = Set(notifyHost.map { $0.lowercased() })
    for (environment, option, text) in [
      (Environment.production, "--notify", notify),
      (.sandbox, notifySandbox == nil ? "--notify" : "--notify-sandbox", notifySandbox ?? notify),
    ] {
      if let text,
        let problem = NotificationTarget.problem(with: text, allowing: settings.notifiedHosts)
      {
        throw ValidationError("\(option): \(problem)")
      }
      settings.notificationURLs[environment] = text
    }
    return settings
  }

  private func terms() throws -> LiveStore.Terms {
    var terms = LiveStore.Terms(products: [
      Setup.Product("coins"), Setup.Product("map", .nonConsumable),
      Setup.Product("pro", .autoRenewable(.init(Period(1, .month), graceDays: 16))),
    ])
    var saysWhen = false
    if let file {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw ValidationError("\(file): found no file that can be read, expected what is sold")
      }
      do { terms = try LiveStore.Terms(json: text) } catch {
        throw ValidationError("\(file): \(error)")
      }
      saysWhen = text.contains("\"begins\"")
      for remark in terms.remarks { complain("\(file): \(remark)") }
    }
    if !saysWhen { terms.beginsSeconds = Int64(clamping: Date().timeIntervalSince1970) }
    if let people {
      guard (1...500_000).contains(people) else {
        throw ValidationError("--people: found \(people), expected a number from 1 to 500000")
      }
      terms.people = people
    }
    if let seed {
      let digits = seed.hasPrefix("0x") ? seed.dropFirst(2) : seed[...]
      guard let number = UInt64(digits, radix: seed.hasPrefix("0x") ? 16 : 10) else {
        throw ValidationError("--seed: found '\(seed)', expected a number such as 42 or 0x2a")
      }
      terms.seed = number
    }
    return terms
  }

  private func ports() throws -> StoreServer.Ports {
    guard (0...65_533).contains(port) else {
      throw ValidationError("--port: found \(port), expected a number from 0 to 65533")
    }
    return try StoreServer.Ports(
      plain: port, secure: port == 0 ? 0 : port + 1, proxy: port == 0 ? 0 : port + 2)
  }

  /// The chain of the last time, where it is of the same port; what trusts it is written in any case.
  private func chain(
    _ ports: StoreServer.Ports, _ runtimes: Runtimes
  ) throws -> SigningChain {
    do {
      let chain = try SigningChain.kept(in: runtimes.folder, responder: ports.responder)
      try runtimes.write(chain)
      return chain
    } catch {
      throw ValidationError(
        "--folder: '\(folder)' cannot be written: \(error.localizedDescription)")
    }
  }

  private static func key(_ path: String) throws -> P256.Signing.PublicKey {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ValidationError("--caller-key: found no file '\(path)' that can be read")
    }
    if let key = try? P256.Signing.PublicKey(pemRepresentation: text) { return key }
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) { return key.publicKey }
    throw ValidationError("--caller-key: found no P-256 key in '\(path)', expected PEM")
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data("chaos-gateway: \(text)\n".utf8))
  }
}

extension Shop.Clock: ExpressibleByArgument {}

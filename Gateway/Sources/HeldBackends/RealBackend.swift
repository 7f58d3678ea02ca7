import ChaosStore
import Foundation
import Invariants

/// Where systems that are types find what a campaign was set up with.
public enum Held {
  /// Set once, before anything runs.
  nonisolated(unsafe) public static var setup: HeldSetup?
}

/// A design's app with a real backend in the place of its own.
public enum WithRealBackend<System: PurchaseSystem>: PurchaseSystem {
  public typealias App = System.App
  public typealias Backend = RealBackend
  public typealias Variant = System.Variant

  public static var entry: SystemEntry {
    SystemEntry(
      name: Held.setup?.file.title ?? "backend",
      summary: "A real backend, and the app of \(System.entry.name).",
      about: "The processes that the file starts, held at each request and each question to Apple.",
      source: Held.setup?.file.path ?? "", backends: [.naive])
  }

  public static func makeShared() -> AnyObject? { System.makeShared() }
}

/// Why there is no host.
private final class Missing {
  let why: String
  init(_ why: String) { self.why = why }
}

/// A real process in the place of a simulated one: hands what happens to the host, which has it done.
public struct RealBackend: PurchaseBackend {
  public static var isReplicated: Bool { Held.setup?.file.processes == 2 }

  private let shared: AnyObject?
  private var host: HousedHost? { (shared as? BackendHost.Lease)?.host }

  public static var isCostly: Bool { true }

  public static func makeShared() -> AnyObject? {
    guard let setup = Held.setup else { return nil }
    do { return try BackendHost.Lease(setup) } catch { return Missing("\(error)") }
  }

  public init(_ launch: Launch) { shared = launch.sharedByBackend }

  public mutating func started(_ server: Server) {
    guard let host else {
      return server.makeUnfit((shared as? Missing)?.why ?? "no backend was named")
    }
    host.perform { $0.started(server) }
  }

  public mutating func received(_ report: Report, _ server: Server) {
    host?.perform { $0.received(report, server) }
  }

  public mutating func verified(
    _ answer: VerifierAnswer, for report: Report, _ server: Server
  ) {
    host?.perform { $0.verified(answer, server) }
  }

  public mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
  ) {
    host?.perform { $0.resumed(at: step, server) }
  }

  public mutating func notified(_ notification: StoreNotification, _ server: Server) {
    host?.perform { $0.notified(notification, server) }
  }
}

extension BackendFile {
  /// What it is called.
  var title: String {
    name ?? URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// Where it is started.
  var place: String {
    let own = URL(filePath: path).deletingLastPathComponent()
    let place = folder.map { URL(filePath: $0, relativeTo: own).path } ?? own.path
    return place.isEmpty ? "." : place
  }

  /// Where its plan files are kept: beside it.
  public var regressions: String {
    (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".regressions"
  }
}

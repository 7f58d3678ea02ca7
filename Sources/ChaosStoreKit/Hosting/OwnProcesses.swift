import ChaosHost
import ChaosStore
import Foundation
import Invariants
import Synchronization

/// Where the launches of a hosted app run.
public enum OwnProcesses: Sendable {
  /// In operating system processes of their own if the app keeps an object in a global or static variable, such
  /// as `static let shared`, or ends its own process; in the simulator's otherwise.
  ///
  /// What the app keeps is found by trying it out, once: it is launched in a process of its own, with a
  /// person who buys something. It is not found on macOS. A process serves one launch after the other, and the
  /// variables of the program are put back in between.
  case whereNeeded
  /// Each in a new operating system process: for what is kept in libraries that are loaded, or in variables of C.
  case always
  /// Always in the simulator's: globals are shared by all launches, phones and runs.
  case never
}

/// A system whose app is a ``HostedApp``.
protocol RunsHostedApp {
  static var hosted: any SimulatedApp.Type { get }
}

extension HostedApp: RunsHostedApp, HostsApp {
  static var hosted: any SimulatedApp.Type { Hosted.self }
}

/// What an app shows when it is tried out: it is launched in a process of its own, where somebody buys.
final class Trial: @unchecked Sendable {
  /// Variables that held objects when the process ended.
  private(set) var kept: Set<String> = []
  /// The process ended by itself.
  var hasDied = false

  /// The trial under way on this thread.
  @TaskLocal private static var current: Trial?
  static var underWay: Trial? { current }

  /// Whether a run without faults comes to the same in the simulator's process.
  private(set) var comesToTheSameHere = false

  /// What the app sells.
  fileprivate let products: [Setup.Product]
  /// Whether the run under way is the one in the simulator's process.
  fileprivate private(set) var isHere = false

  init<App: SimulatedApp>(of app: App.Type, selling products: [Setup.Product]) {
    self.products = products
    Self.$current.withValue(self) {
      guard let scenario = try? PropertyTest.scenario(for: TriedSystem<App>.self, faults: []) else {
        return
      }
      let there = Simulation(scenario).run(plan: Plan())
      guard !hasDied, kept.isEmpty else { return }
      isHere = true
      comesToTheSameHere = Simulation(scenario).run(plan: Plan()) == there
    }
  }

  func look(at child: ChildProcess) {
    guard child.isRunning else { return }
    let variables = ProgramVariables.ofOthers
    var message = PipeMessage(.look)
    message.put(variables.flatMap { [$0.offset, $0.size] })
    do throws(PipeFailure) {
      try child.pipe.send(message)
      var answer = try child.pipe.receive()
      guard try answer.takeKind() == .idle else { throw .garbage("no answer") }
      let places = Set(try answer.take([Int64].self))
      for variable in variables where places.contains(variable.offset) {
        kept.insert(variable.name)
      }
    } catch {
      // What cannot be looked at keeps nothing that is known.
    }
  }
}

/// The app with a backend that does nothing, so that no code of its own system runs.
private enum TriedSystem<Tried: SimulatedApp>: PurchaseSystem {
  typealias App = HostedApp<Tried>
  typealias Backend = SilentBackend
  static var entry: SystemEntry {
    SystemEntry(
      name: "\(Tried.self)", summary: "An app on trial.", products: Trial.underWay?.products ?? [])
  }

  static func makeShared() -> AnyObject? {
    if Trial.underWay?.isHere == true { return HostedRun() }
    var place = RemoteApp.Place(program: .this, app: HostedName(entry.name, Tried.self))
    place.program.patience = 5
    place.trial = Trial.underWay
    return HostedRun(place: place)
  }
}

private struct SilentBackend: PurchaseBackend {
  init(_ launch: Launch) {}
  mutating func received(_ report: Report, _ server: Server) { server.reply(.retry) }
  mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {}
}

extension OwnProcesses {
  /// What is known of each app that was tried out.
  private static let known = Mutex<[ObjectIdentifier: Finding]>([:])

  private enum Finding {
    case runsHere
    /// As above, and its launches come to the same in processes of their own.
    case runsAnywhere
    case needsItsOwn
  }

  /// Where the launches of this system's app run, nil for the simulator's own process; and where they run once it has
  /// left too much behind there.
  static func places<System: HostedSystem>(for system: System.Type) -> (
    now: RemoteApp.Place?, later: RemoteApp.Place?
  ) {
    guard let app = (System.App.self as? any RunsHostedApp.Type)?.hosted else { return (nil, nil) }
    var here = RemoteApp.Place(program: .this, app: HostedName(System.entry.name, app))
    switch System.ownProcesses {
    case .never: return (nil, nil)
    case .always: return (here, nil)
    case .whereNeeded:
      // Where its type is not found in another process there is no trying it out.
      if here.app.type.isEmpty || !HostedProgram.findsTypes { return (nil, nil) }
      here.isReused = true
      let finding = known.withLock { known in
        if let finding = known[ObjectIdentifier(app)] { return finding }
        let finding = tryOut(app, System.entry)
        known[ObjectIdentifier(app)] = finding
        return finding
      }
      switch finding {
      case .runsHere: return (nil, nil)
      case .runsAnywhere: return (nil, here)
      case .needsItsOwn: return (here, nil)
      }
    }
  }

  private static func tryOut<App: SimulatedApp>(_ app: App.Type, _ entry: SystemEntry) -> Finding {
    if ProgramVariables.ofOthers.isEmpty { return .runsHere }
    let trial = Trial(of: app, selling: entry.products)
    guard trial.hasDied || !trial.kept.isEmpty else {
      return trial.comesToTheSameHere ? .runsAnywhere : .runsHere
    }
    // The process that this one is compared with has said it.
    if ProcessInfo.processInfo.environment["CHAOS_IS_SECOND"] != nil {
      return .needsItsOwn
    }
    let reason =
      trial.hasDied
      ? "it ended its process when it was tried out"
      : trial.kept.sorted().prefix(3).joined(separator: ", ") + " would outlive its launches in one"
    let text = """
      note: \(entry.name) runs in operating system processes of its own, as \(reason). Where that does not matter, say \
      `static var ownProcesses: OwnProcesses { .never }` in the system: runs are faster then.

      """
    FileHandle.standardError.write(Data(text.utf8))
    return .needsItsOwn
  }
}

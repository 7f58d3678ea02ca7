import ChaosStore
import Foundation

/// An executable in which the app of a `PipedSystem` runs: it is started anew for every launch.
///
/// Its `main` calls ``serve(_:)`` before anything else. It may be the executable that also runs the
/// simulations, which is what ``this`` is, or one for nothing but this.
public struct HostedProgram: Sendable, Hashable {
  /// The path of the executable.
  public var path: String
  /// What it is started with.
  public var arguments: [String]
  /// How many seconds of real time the app may take to handle one event.
  public var patience: Int

  /// An executable at a path. Patience is in seconds of real time, at least one.
  public init(path: String, arguments: [String] = [], patience: Int = 30) {
    self.path = path
    self.arguments = arguments
    self.patience = max(1, patience)
  }

  /// The executable that runs now.
  public static var this: HostedProgram { HostedProgram(path: ownPath) }

  /// The executable of this name that was built together with what runs now, be it a test.
  public static func named(_ name: String) -> HostedProgram {
    var folder = URL(fileURLWithPath: ownPath).deletingLastPathComponent()
    // On macOS tests are run by a tool of Xcode's, and their bundle lies with the products.
    if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      folder = bundle.bundleURL.deletingLastPathComponent()
    }
    return HostedProgram(path: folder.appendingPathComponent(name).path)
  }

  private static var ownPath: String {
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        return path
      }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }

  /// In which ways apps ended their process by themselves, each once.
  ///
  /// The simulation takes it as a crash at that point.
  public static var deaths: [String] { OwnDeaths.all }

  /// Runs the app if the simulator started this process for one of these systems, and does not
  /// return then. Otherwise it does nothing.
  public static func serve(_ systems: any PipedSystem.Type...) {
    guard let name = ProcessInfo.processInfo.environment[ChildProcess.variable] else { return }
    unsetenv(ChildProcess.variable)
    guard let system = systems.first(where: { $0.entry.name == name }) else {
      let known = systems.map { $0.entry.name }.joined(separator: ", ")
      FileHandle.standardError.write(
        Data("HostedProgram.serve was given no system '\(name)', only: \(known)\n".utf8))
      exit(64)
    }
    run(system)
  }

  private static func run<System: PipedSystem>(_ system: System.Type) {
    let pipe = PipeEnd(ChildProcess.descriptor, patience: 0)
    orEnd { () throws(PipeFailure) -> Void in
      try pipe.send(ChildProcess.hello)
      var message = try pipe.receive()
      guard try message.takeKind() == .launch else { throw .garbage("no launch at first") }
      let served = try ServedApp<System.Hosted>(&message, pipe)
      while true {
        try pipe.send(PipeMessage(.idle))
        message = try pipe.receive()
        try served.handle(&message)
      }
    }
  }
}

/// The app in its own process: events come in, and the façade does the rest.
private struct ServedApp<App: SimulatedApp> {
  private let phone: PipedPhone
  private var client: HostedApp<App>

  init(_ message: inout PipeMessage, _ pipe: PipeEnd) throws(PipeFailure) {
    phone = try PipedPhone(&message, pipe)
    client = HostedApp(HostedRun(at: phone))
    client.begin(phone)
  }

  func handle(_ message: inout PipeMessage) throws(PipeFailure) {
    let kind = try message.takeKind()
    guard kind == .event else { throw .garbage("\(kind), which is no event") }
    try phone.begin(&message)
    client.handle(try message.take())
  }
}

import ChaosHost
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

  /// Says for which system the simulator started a process.
  static let systemVariable = "CHAOSSTORE_HOSTED_APP"
  /// Says of which type its app is.
  static let typeVariable = "CHAOSSTORE_HOSTED_TYPE"

  /// Whether a copy of the program that runs finds an app by its type, without a word in its `main`.
  static var findsTypes: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Runs the app if the simulator started this process for one of these systems, and does not
  /// return then. Otherwise it does nothing.
  public static func serve(_ systems: any PipedSystem.Type...) {
    guard let name = ProcessInfo.processInfo.environment[systemVariable] else { return }
    guard let system = systems.first(where: { $0.entry.name == name }) else {
      let known = systems.map { $0.entry.name }.joined(separator: ", ")
      FileHandle.standardError.write(
        Data("HostedProgram.serve was given no system '\(name)', only: \(known)\n".utf8))
      exit(64)
    }
    serveApp(of: system)
  }

  private static func serveApp<System: PipedSystem>(of _: System.Type) {
    AppServer.serve(System.Hosted.self)
  }

  #if os(Linux)
    /// Runs before `main`: in a process that the simulator started for an app whose type is found here, nothing
    /// else ever does.
    #if compiler(>=6.3)
      @used @section(".init_array")
    #else
      @_used @_section(".init_array")
    #endif
    private static let beforeMain: @convention(c) () -> Void = {
      guard let name = getenv(HostedProgram.typeVariable),
        AppServer.app(named: String(cString: name)) != nil
      else { return }
      AppServer.serve(nil)
    }
  #endif
}

/// What a process does that the simulator started for an app.
private enum AppServer {
  static func app(named name: String) -> (any SimulatedApp.Type)? {
    name.isEmpty ? nil : _typeByName(name) as? any SimulatedApp.Type
  }

  /// Runs the app, or the one that the simulator names, and does not return.
  static func serve(_ app: (any SimulatedApp.Type)?) -> Never {
    // What the app starts is not for the simulator.
    unsetenv(HostedProgram.systemVariable)
    unsetenv(HostedProgram.typeVariable)
    unsetenv("LD_BIND_NOW")
    // An interruption at the terminal is for the simulator, which ends this process when it is through.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    let pipe = PipeEnd(ChildProcess.descriptor, patience: 0)
    orEnd { () throws(PipeFailure) in try pipe.send(ChildProcess.hello) }
    let variables = SavedVariables()
    #if os(Linux)
      WarmUp.run()
      AppTemplate.copyOnDemand()
    #endif
    orEnd { () throws(PipeFailure) in
      var room = Room()
      while true {
        var message = try pipe.receive()
        guard try message.takeKind() == .launch else { throw .garbage("no launch at first") }
        room.stay(on: try message.take())
        let name: String = try message.take()
        guard let app = app ?? self.app(named: name) else { throw .garbage("an unknown app") }
        try run(app, &message, pipe)
        variables.restore()
        var ready = PipeMessage(.ready)
        ready.put(room.isThereMore())
        try pipe.send(ready)
      }
    }
    exit(0)
  }

  /// Runs one launch of the app to its end.
  private static func run<App: SimulatedApp>(
    _: App.Type, _ message: inout PipeMessage, _ pipe: PipeEnd
  ) throws(PipeFailure) {
    var served = try ServedApp<App>(&message, pipe)
    var idle = PipeMessage(.idle)
    while served.isAlive {
      try pipe.send(idle)
      message = try pipe.receive()
      idle = PipeMessage(.idle)
      try served.handle(&message, &idle)
    }
    served.end()
  }
}

/// Where a process that serves launches runs, and how much it has taken up.
private struct Room {
  private var processor: Int32 = -1
  private var launches = 0
  private var first = 0

  /// What a launch leaves behind, such as the objects in the app's variables, comes to no more than this, in bytes.
  private static let most = 64 << 20

  /// The app and the simulator take turns: on one processor that takes a fraction of the time.
  mutating func stay(on processor: Int32) {
    guard processor != self.processor else { return }
    self.processor = processor
    #if os(Linux)
      LinuxCalls.stay(on: processor)
    #endif
  }

  /// Whether there is room for another launch.
  mutating func isThereMore() -> Bool {
    #if os(Linux)
      launches += 1
      // To ask takes as long as to serve some events.
      guard launches % 16 == 1 else { return true }
      let now = LinuxCalls.residentBytes
      if first == 0 { first = now }
      return now - first < Self.most
    #else
      return false
    #endif
  }
}

/// The app in its own process: events come in, and the façade does the rest.
private struct ServedApp<App: SimulatedApp> {
  private let phone: PipedPhone
  private let run: HostedRun
  private var client: HostedApp<App>

  init(_ message: inout PipeMessage, _ pipe: PipeEnd) throws(PipeFailure) {
    phone = try PipedPhone(&message, pipe)
    run = HostedRun(at: phone)
    client = HostedApp(run)
    run.payloads.advance(to: phone.lastPayload)
    client.begin(phone)
  }

  /// Whether the launch is not over.
  var isAlive: Bool { phone.isAlive }

  /// Lets go of everything, as where the simulator runs apps itself.
  mutating func end() { client.stopped() }

  func handle(_ message: inout PipeMessage, _ idle: inout PipeMessage) throws(PipeFailure) {
    switch try message.takeKind() {
    case .end: phone.end()
    case .event:
      try phone.begin(&message)
      run.payloads.advance(to: phone.lastPayload)
      client.handle(try message.take())
    case .look:
      let variables: [Int64] = try message.take()
      idle.put(ProgramVariables.thatHoldObjects(variables))
    case let kind: throw .garbage("\(kind), which is no event")
    }
  }
}

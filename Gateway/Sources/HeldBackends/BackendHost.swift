@_spi(Gateway) import ChaosRunner
@_spi(Gateway) import ChaosStore
import Foundation
import Invariants
import NIOConcurrencyHelpers
import StoreService
import StoreSignatures

#if canImport(Glibc)
  import Glibc
#endif

/// The real processes in the place of a simulation's backend, and all that they speak to.
///
/// One thing happens at a time: the world hands something over, and nothing else happens in it until the processes
/// are quiet again. What they have asked meanwhile waits until the world says that it is its time.
final class BackendHost {
  let setup: HeldSetup
  var file: BackendFile { setup.file }
  /// The folder of this host, and its database in it.
  let folder: String
  let database: String
  /// What this host's copy of the PostgreSQL database is called.
  let copyName: String
  let plain: (file: Int32, port: Int)
  let proxy: (file: Int32, port: Int)
  let secure: (file: Int32, port: Int)
  /// What the backend's runtime is told, so that it finds Apple here.
  let runtimes: Runtimes
  let responder: RevocationResponder
  /// The clock that the processes go by; nil where it is the machine's.
  let clock: HeldClock?

  var trees: [Int: (tree: ProcessTree, port: Int)] = [:]
  var connections: [Int32: Connection] = [:]
  var isKept = false
  var live: SQLite?
  var kept: SQLite?
  var postgres: Postgres?
  /// Where each process finds its PostgreSQL, and its connections to it.
  var doors: [Int: (file: Int32, port: Int)] = [:]
  var links: [(link: DatabaseLink, process: Int)] = []
  /// The processes whose round trips go through: those that are starting.
  var isFree: Set<Int> = []
  /// The connections whose round trip goes through now.
  var through: Set<Int32> = []
  var desk: StoreDesk?
  /// Whether a process has closed a connection since it does not trust our certificate.
  var isDistrusted = false

  /// A request of the app's or a notification of Apple's that the backend is at.
  final class Open {
    let server: Server
    let connection: Connection
    let process: Int
    let isNotification: Bool

    init(_ server: Server, _ connection: Connection, isNotification: Bool) {
      self.server = server
      self.connection = connection
      process = server.process.number
      self.isNotification = isNotification
    }
  }

  /// A question to Apple that the backend waits for.
  struct Question {
    let connection: Connection
    let cause: Open
    /// What Apple's answer is made of.
    let answer: (LiveStore.Answered) -> Answer
  }

  /// A round trip to the database that the world has not let go yet, or whose answer it has not let in.
  struct Trip {
    let link: DatabaseLink
    let cause: Open
    let isAnswer: Bool
  }

  /// What a process has said before it died, which reaches the database in its own time.
  struct LateTrip {
    let link: DatabaseLink
    let process: Int
    /// When it does, in milliseconds since the run began.
    let at: Int64
  }

  /// The late ones by the step at which they arrive.
  var late: [UInt8: LateTrip] = [:]
  var trips: [UInt8: Trip] = [:]
  var lastStep: UInt8 = 0
  /// The trips that were let go and wait for a lock, by the client's file.
  var locked: [Int32: Open] = [:]
  var open: [Int32: Open] = [:]
  var questions: [UInt64: Question] = [:]
  var ledger = LedgerView()
  /// Where credits are seen in what it prints.
  let log: CreditLog?
  /// What it prints, for whoever reads a run's story.
  private var printed: PrintedFile
  /// How long the run at work has taken.
  var time: RunTime
  /// Whether a process starts, which does not count.
  private var isStarting = false
  /// What a backend's connection to PostgreSQL asked for and cannot have here; nil for nothing.
  var refused: String?
  /// Whether its credits are asked for now, of which nothing is held.
  var isLooking = false
  /// Why nothing can be run; nil while it can.
  var broken: String?

  struct Started: @unchecked Sendable {
    var count = 0
    var trees: [ProcessTree] = []
    var copies: [Postgres] = []
    /// Those that no simulation has now.
    var free: [HousedHost] = []
    /// Why nothing can be said of a run, for each of those.
    var givenUp: [String] = []
    /// True if a backend was not quiet within its time limit in one of those runs.
    var isRestless = false
  }
  // What is started is ended by whoever ends all of it, under the lock.
  static let all = NIOLockedValueBox(Started())

  /// Has every process killed that any host has started, and waits for nothing; from any thread.
  static func cutAll() {
    for tree in all.withLockedValue({ $0.trees }) { tree.cut() }
  }

  /// Ends every process that any host has started, and drops what they had.
  static func endAll() {
    let all = all.withLockedValue { all in
      defer { all.free = [] }
      return all
    }
    for tree in all.trees { tree.end() }
    for copy in all.copies { copy.drop() }
  }

  /// The last lines that the backend of the first host has printed, which is that of the first run.
  static func firstOutput(_ setup: HeldSetup) -> String {
    ProcessTree.lastLines(of: setup.folder + "/1/output")
  }

  init(_ setup: HeldSetup) throws {
    self.setup = setup
    responder = RevocationResponder(setup.chain)
    time = RunTime(limit: .seconds(setup.file.runLimit ?? BackendFile.usualRunLimit))
    let number = Self.all.withLockedValue {
      $0.count += 1
      return $0.count
    }
    folder = setup.folder + "/\(number)"
    copyName = "chaos_\(getpid())_\(number)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    database =
      folder + "/"
      + (setup.file.state?.sqlite.map { URL(filePath: $0).lastPathComponent } ?? "none")
    let folder = folder
    clock = try setup.clockLibrary.map { try HeldClock(in: folder, $0) }
    clock?.set(Setup().beginsSeconds * 1000)
    plain = try Sockets.listen()
    proxy = try Sockets.listen()
    secure = try Sockets.listen()
    runtimes = Runtimes(
      folder: folder, proxy: proxy.port, secure: secure.port, trustsOthers: false)
    try runtimes.write(setup.chain)
    let output = folder + "/output"
    log = try setup.file.credits.log.map { try CreditLog(output: output, pattern: $0) }
    printed = PrintedFile(path: output)
  }

  deinit {
    for (_, one) in trees { one.tree.end() }
    connections = [:]
    close(plain.file)
    close(proxy.file)
    close(secure.file)
    for door in doors.values { close(door.file) }
    closeLinks { _ in true }
    postgres?.drop()
  }

  // MARK: - Processes

  /// A process of the backend is to run: at the beginning of a run, and again after it has died.
  func started(_ server: Server) {
    let (number, life) = server.process
    if number == 0, life == 1, server.now == 0 { beginRun(server) }
    if halts(server) { return }
    if let broken { return server.makeUnfit(broken) }
    let givenUp = Self.all.withLockedValue { $0.givenUp }
    if givenUp.count >= Self.mostGivenUp, let last = givenUp.last {
      return server.makeUnfit(
        "no further run is begun after \(givenUp.count) of which nothing can be said; the last: "
          + last)
    }
    setClock(server)
    guard trees[number] == nil else { return }
    do {
      try start(number)
      awaitLate(of: number, server)
    } catch {
      if halts(server) { return }
      broken = "\(error)"
      server.makeUnfit("\(error)")
    }
  }

  /// Whether nothing is waited for any more: the program is told to end, or the run has taken too long.
  var isHalted: Bool { Runner.isInterrupted || !isStarting && time.isOver }

  /// Ends the run where nothing is waited for any more; whether that is so.
  func halts(_ server: Server) -> Bool {
    if Runner.isInterrupted {
      end()
      server.interrupt()
      return true
    }
    guard !isStarting, time.isOver else { return false }
    giveUp(server, time.complaint)
    return true
  }

  /// Nothing can be said of what such a backend does.
  func giveUp(_ server: Server, _ why: String) {
    tellPrinted(server)
    let trouble = Trouble(why, trees[server.process.number]?.tree).description
    Self.all.withLockedValue { $0.givenUp.append(trouble) }
    server.makeUnfit(trouble)
    end()
  }

  /// Starts it once, to see whether it comes up; whoever needs a host first gets this one.
  static func tryOut(_ setup: HeldSetup) throws {
    let host = try HousedHost(setup)
    try host.perform { try $0.start(0) }
    all.withLockedValue { $0.free.append(host) }
  }

  /// A host for one simulation, which leaves its processes to the next: they take long to start.
  final class Lease {
    let host: HousedHost

    init(_ setup: HeldSetup) throws {
      host = try all.withLockedValue { $0.free.popLast() } ?? HousedHost(setup)
    }

    deinit {
      guard host.perform({ $0.broken == nil }) else { return }
      let host = host
      all.withLockedValue { $0.free.append(host) }
    }
  }

  func beginRun(_ server: Server) {
    let names = Names(seed: 0)
    for account in 0..<server.books.accountCount { names.add(account: account) }
    desk = StoreDesk(server.books, app, names, setup.signer)
    let isAtWork = !open.isEmpty || !questions.isEmpty || !trips.isEmpty || !locked.isEmpty
    time = RunTime(limit: time.limit)
    refused = nil
    forget()
    // What is still at something of the run before would do it in this one.
    if isAtWork || file.state?.restart == true { end() }
    ledger = LedgerView()
    log?.begin()
    if server.keepsOutput { printed.skip() }
    lastStep = 0
    do { try putBack() } catch {
      broken = "what the backend keeps cannot be put back: \(error)"
    }
  }

  /// Tells what it has printed, where somebody wants to know.
  func tellPrinted(_ server: Server) {
    guard server.keepsOutput else { return }
    for line in printed.newLines() { server.note(output: String(line)) }
  }

  var app: StoreDesk.App {
    var app = StoreDesk.App()
    app.bundle = file.bundle ?? app.bundle
    app.callers = CallerCheck(bundle: app.bundle)
    if file.notifications == nil { app.notified = [] }
    app.callersFollow = clock != nil
    return app
  }

  func forget() {
    open = [:]
    questions = [:]
    trips = [:]
    locked = [:]
    late = [:]
    for connection in connections.values { connection.close() }
    connections = [:]
    isDistrusted = false
  }

  func end() {
    for (_, one) in trees { one.tree.end() }
    trees = [:]
    closeLinks { _ in true }
  }

  /// Closes connections to the database, and waits until nobody there works for them any more.
  func closeLinks(where isMeant: (Int) -> Bool) {
    let closed = links.filter { isMeant($0.process) }
    guard !closed.isEmpty else { return }
    links.removeAll { isMeant($0.process) }
    for one in closed { one.link.close() }
    let files = Set(closed.map(\.link.client))
    trips = trips.filter { !files.contains($0.value.link.client) }
    through.subtract(files)
    locked = locked.filter { !files.contains($0.key) }
    awaitEnd(of: closed.map(\.link.process))
  }

  /// Kills the process that a port belongs to, with all that it was at.
  func kill(_ process: Int) {
    trees.removeValue(forKey: process)?.tree.end()
    for (file, one) in open where one.process == process {
      one.connection.close()
      open[file] = nil
    }
    questions = questions.filter { $0.value.cause.process != process }
    closeLinks { $0 == process }
    connections = connections.filter { !$0.value.isClosed }
    // What it had begun to say to Apple is said no more.
    if trees.isEmpty {
      for connection in connections.values { connection.close() }
      connections = [:]
    }
  }

  func values(_ port: Int, _ process: Int = 0) -> [String: String] {
    var url = file.state?.postgres ?? ""
    if let door = doors[process], var parts = URLComponents(string: url) {
      parts.host = "127.0.0.1"
      parts.port = door.port
      parts.path = "/" + copyName
      url = parts.string ?? url
    }
    let apple = "http://127.0.0.1:\(plain.port)"
    let values: [BackendFile.Place: String] = [
      .databaseURL: url, .port: "\(port)", .database: database, .folder: folder, .apple: apple,
      .appleSandbox: apple + "/sandbox", .proxy: "http://127.0.0.1:\(proxy.port)",
      .root: folder + "/root.der", .rootPEM: folder + "/root.pem", .built: setup.built,
    ]
    return values.named
  }

  func start(_ number: Int) throws {
    isStarting = true
    time.awaited = "the backend to start"
    let begun = ContinuousClock.now
    defer {
      isStarting = false
      time.leaveOut(ContinuousClock.now - begun)
    }
    let port = try Sockets.freePort()
    if let url = file.state?.postgres, doors[number] == nil {
      doors[number] = try Sockets.listen()
      if postgres == nil {
        let copy = try Postgres(copyOf: url, named: copyName)
        postgres = copy
        Self.all.withLockedValue { $0.copies.append(copy) }
      }
    }
    isFree.insert(number)
    defer { isFree.remove(number) }
    let values = values(port, number)
    var environment = runtimes.added(to: ProcessInfo.processInfo.environment)
    for (name, value) in [
      ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONHASHSEED", "0"), ("PYTHONUNBUFFERED", "1"),
      ("PORT", "\(port)"),
    ] { environment[name] = value }
    for (name, value) in file.environment ?? [:] { environment[name] = value.filled(values) }
    environment = clock?.added(to: environment) ?? environment
    let tree = try ProcessTree(
      file.start.map { $0.filled(values) }, folder: file.place, environment: environment,
      output: folder + "/output")
    trees[number] = (tree, port)
    Self.all.withLockedValue { $0.trees.append(tree) }
    do { try awaitReady(tree, port) } catch {
      if let refused { throw Trouble(refused, tree) }
      throw error
    }
    guard settle() != nil else {
      throw Trouble(
        Runner.isInterrupted ? Trouble.toldToEnd : "the backend is never quiet after its start",
        tree)
    }
    if let refused { throw Trouble(refused, tree) }
    if let stranger = clock?.stranger(among: tree) {
      throw Trouble(
        "clock: '\(stranger)' loads no library that others name (it may be linked statically, as programs in Go are), so "
          + "its clock is the machine's", tree)
    }
    guard !isKept else { return }
    isKept = true
    if file.state?.sqlite != nil { try keep() }
    try postgres?.keep()
  }

  struct Trouble: Error, CustomStringConvertible {
    static let toldToEnd = "the program was told to end"

    var description: String

    init(_ what: String, _ tree: ProcessTree?) {
      let output = tree?.lastOutput() ?? ""
      description =
        what + (output.isEmpty ? "; it has printed nothing" : "; its last lines:\n" + output)
    }
  }

  func awaitReady(_ tree: ProcessTree, _ port: Int) throws {
    let within = file.ready?.within ?? 20
    let deadline = ContinuousClock.now + .seconds(within)
    var asking: Connection?
    while ContinuousClock.now < deadline {
      guard !Runner.isInterrupted else { throw Trouble(Trouble.toldToEnd, tree) }
      guard tree.isRunning else { throw Trouble("the backend ends as soon as it is started", tree) }
      letThrough()
      if let connection = asking {
        if case .response(let status, _)? = connection.receive(nil).first,
          (200..<300).contains(status)
        {
          return
        }
        if connection.isClosed { asking = nil }
      } else if let socket = Sockets.connect(port) {
        guard let path = file.ready?.path else {
          close(socket)
          return
        }
        asking = try Connection(socket, .request, port: port, tls: nil)
        asking?.ask("GET", path, headers: [:], body: nil)
      }
      usleep(1000)
    }
    throw Trouble("the backend is not ready after \(within) seconds", tree)
  }

  /// Serves what a process asks for while it starts, when nothing is held.
  func letThrough() {
    var arrivals: [Arrival] = []
    for file in Sockets.readable(files, within: 1).sorted() { receive(file, &arrivals) }
    for case .question(let connection, _, _) in arrivals {
      connection.answer(.text("nothing is asked before the backend is ready", status: 503))
    }
  }

  // MARK: - What it keeps

  /// The first process has made its tables: that is what each run begins with.
  func keep() throws {
    let live = try SQLite(database)
    let kept = try SQLite(":memory:")
    try kept.become(live)
    self.live = live
    self.kept = kept
  }

  func putBack() throws {
    if let live, let kept { try live.become(kept) }
    try postgres?.putBack()
    guard let command = file.state?.command else { return }
    try ProcessTree.perform(
      command.map { $0.filled(values(0)) },
      folder: URL(filePath: file.path).deletingLastPathComponent().path,
      environment: ProcessInfo.processInfo.environment, output: folder + "/put-back",
      within: .seconds(20))
  }
}

extension JSONEncoder {
  static let plain: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}

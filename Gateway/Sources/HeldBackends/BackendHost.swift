import ChaosStore
import Foundation
import Invariants
import NIOConcurrencyHelpers
import NIOSSL
import StoreService
import StoreSignatures

#if canImport(Glibc)
  import Glibc
#endif

/// What all runs of a campaign are set up with.
public struct HeldSetup: Sendable {
  /// What says how the backend is started and spoken to.
  public var file: BackendFile
  /// What Apple signs with here, and what somebody else does.
  let chain: SigningChain
  let signer: StoreSigner
  let forger: StoreSigner
  let tls: NIOSSLContext
  /// Where what is made for it lies: certificates, databases, what it prints.
  let folder: String
  /// How long it may have something to do without an end, and how long its start may take.
  var patience: Duration = .seconds(5)

  /// Sets a campaign up; what it makes lies in a folder until ``clear()``.
  public init(_ file: BackendFile) throws {
    self.file = file
    folder = NSTemporaryDirectory() + "chaos-gateway-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Nobody's name: whoever looks for it asks the proxy.
    let responder = "http://ocsp.chaosstore.invalid/ocsp"
    chain = try SigningChain(responder: responder)
    signer = try StoreSigner(chain)
    forger = try StoreSigner(SigningChain(responder: responder))
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: try chain.server.der(), format: .der))
      ],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(chain.server.key.derRepresentation), format: .der)))
    configuration.applicationProtocols = ["http/1.1"]
    tls = try NIOSSLContext(configuration: configuration)
    try Data(chain.rootPEM.utf8).write(to: URL(filePath: folder + "/root.pem"))
    try Data(chain.rootDER).write(to: URL(filePath: folder + "/root.der"))
  }

  /// Removes what was made.
  public func clear() { try? FileManager.default.removeItem(atPath: folder) }
}

/// The real processes in the place of a simulation's backend, and all that they speak to.
///
/// One thing happens at a time: the world hands something over, and nothing else happens in it until the processes
/// are quiet again. What they have asked meanwhile waits until the world says that it is its time.
final class BackendHost {
  let setup: HeldSetup
  private var file: BackendFile { setup.file }
  /// The folder of this host, and its database in it.
  private let folder: String
  private let database: String
  /// What this host's copy of the PostgreSQL database is called.
  private let copyName: String
  private let plain: (file: Int32, port: Int)
  private let proxy: (file: Int32, port: Int)
  private let responder: RevocationResponder

  private var trees: [Int: (tree: ProcessTree, port: Int)] = [:]
  private var connections: [Int32: Connection] = [:]
  private var isKept = false
  private var live: SQLite?
  private var kept: SQLite?
  private var postgres: Postgres?
  /// Where each process finds its PostgreSQL, and its connections to it.
  private var doors: [Int: (file: Int32, port: Int)] = [:]
  private var links: [(link: DatabaseLink, process: Int)] = []
  /// The processes whose round trips go through: those that are starting.
  private var isFree: Set<Int> = []
  /// The connections whose round trip goes through now.
  private var through: Set<Int32> = []
  private var desk: StoreDesk?

  /// A request of the app's or a notification of Apple's that the backend is at.
  private final class Open {
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
  private struct Question {
    let connection: Connection
    let cause: Open
    let body: (LiveStore.Answered) throws -> Answer
    /// Whether the body is made of whatever the answer says.
    let takesAnyStatus: Bool
  }

  /// A round trip to the database that the world has not let go yet, or whose answer it has not let in.
  private struct Trip {
    let link: DatabaseLink
    let cause: Open
    let isAnswer: Bool
  }

  private var trips: [UInt8: Trip] = [:]
  private var lastStep: UInt8 = 0
  /// The trips that were let go and wait for a lock, by the client's file.
  private var locked: [Int32: Open] = [:]
  private var open: [Int32: Open] = [:]
  private var questions: [UInt64: Question] = [:]
  private var ledger = LedgerView()
  /// Why nothing can be run; nil while it can.
  private var broken: String?

  private struct Started: @unchecked Sendable {
    var count = 0
    var trees: [ProcessTree] = []
  }
  // What is started is ended by whoever ends all of it, under the lock.
  private static let all = NIOLockedValueBox(Started())

  /// Ends every process that any host has started.
  static func endAll() {
    for tree in all.withLockedValue(\.trees) { tree.end() }
  }

  init(_ setup: HeldSetup) throws {
    self.setup = setup
    responder = RevocationResponder(setup.chain)
    let number = Self.all.withLockedValue {
      $0.count += 1
      return $0.count
    }
    folder = setup.folder + "/\(number)"
    copyName = "chaos_\(getpid())_\(number)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    database = folder + "/" + (setup.file.state?.sqlite.map { URL(filePath: $0).lastPathComponent } ?? "none")
    plain = try Sockets.listen()
    proxy = try Sockets.listen()
  }

  deinit {
    for (_, one) in trees { one.tree.end() }
    connections = [:]
    close(plain.file)
    close(proxy.file)
    for door in doors.values { close(door.file) }
    closeLinks { _ in true }
    postgres?.drop()
  }

  // MARK: - Processes

  /// A process of the backend is to run: at the beginning of a run, and again after it has died.
  func started(_ server: Server) {
    let (number, life) = server.process
    if number == 0, life == 1, server.now == 0 { beginRun(server) }
    if let broken { return server.makeUnfit(broken) }
    guard trees[number] == nil else { return }
    do {
      try start(number)
    } catch {
      broken = "\(error)"
      server.makeUnfit("\(error)")
    }
  }

  /// Starts it once, to see whether it comes up.
  func tryOut() throws {
    try start(0)
    end()
  }

  private func beginRun(_ server: Server) {
    let names = Names(seed: 0)
    for account in 0..<server.books.accountCount { names.add(account: account) }
    desk = StoreDesk(server.books, app, names, setup.signer)
    let isAtWork = !open.isEmpty || !questions.isEmpty || !trips.isEmpty || !locked.isEmpty
    forget()
    // What is still at something of the run before would do it in this one.
    if isAtWork { end() }
    ledger = LedgerView()
    lastStep = 0
    do { try putBack() } catch {
      broken = "what the backend keeps cannot be put back: \(error)"
    }
  }

  private var app: StoreDesk.App {
    var app = StoreDesk.App()
    app.bundle = file.bundle ?? app.bundle
    app.callers = CallerCheck(bundle: app.bundle)
    if file.notifications == nil { app.notified = [] }
    return app
  }

  private func forget() {
    open = [:]
    questions = [:]
    trips = [:]
    locked = [:]
    for connection in connections.values { connection.close() }
    connections = [:]
  }

  private func end() {
    for (_, one) in trees { one.tree.end() }
    trees = [:]
    closeLinks { _ in true }
  }

  /// Closes connections to the database, and waits until nobody there works for them any more.
  private func closeLinks(where isMeant: (Int) -> Bool) {
    let closed = links.filter { isMeant($0.process) }
    guard !closed.isEmpty else { return }
    links.removeAll { isMeant($0.process) }
    for one in closed { one.link.close() }
    let files = Set(closed.map(\.link.client))
    trips = trips.filter { !files.contains($0.value.link.client) }
    locked = locked.filter { !files.contains($0.key) }
    let processes = closed.map(\.link.process).filter { $0 > 0 }
    guard let postgres, !processes.isEmpty else { return }
    let deadline = ContinuousClock.now + .seconds(2)
    while (try? postgres.isAny(processes)) == true, ContinuousClock.now < deadline { usleep(500) }
  }

  /// Kills the process that a port belongs to, with all that it was at.
  private func kill(_ process: Int) {
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

  private func values(_ port: Int, _ process: Int = 0) -> [String: String] {
    var url = file.state?.postgres ?? ""
    if let door = doors[process], var parts = URLComponents(string: url) {
      parts.host = "127.0.0.1"
      parts.port = door.port
      parts.path = "/" + copyName
      url = parts.string ?? url
    }
    return [
      "databaseURL": url, "port": "\(port)", "database": database, "folder": folder,
      "apple": "http://127.0.0.1:\(plain.port)",
      "appleSandbox": "http://127.0.0.1:\(plain.port)/sandbox",
      "proxy": "http://127.0.0.1:\(proxy.port)", "root": setup.folder + "/root.der",
      "rootPEM": setup.folder + "/root.pem",
    ]
  }

  private func start(_ number: Int) throws {
    let port = try Sockets.freePort()
    if let url = file.state?.postgres, doors[number] == nil {
      doors[number] = try Sockets.listen()
      if postgres == nil { postgres = try Postgres(copyOf: url, named: copyName) }
    }
    isFree.insert(number)
    defer { isFree.remove(number) }
    let values = values(port, number)
    var environment = ProcessInfo.processInfo.environment
    for (name, value) in [
      ("HTTPS_PROXY", "{proxy}"), ("HTTP_PROXY", "{proxy}"), ("http_proxy", "{proxy}"),
      ("NO_PROXY", "127.0.0.1,localhost"),
      ("REQUESTS_CA_BUNDLE", "{rootPEM}"), ("SSL_CERT_FILE", "{rootPEM}"),
      ("NODE_EXTRA_CA_CERTS", "{rootPEM}"), ("PYTHONDONTWRITEBYTECODE", "1"),
      ("PYTHONHASHSEED", "0"), ("PYTHONUNBUFFERED", "1"), ("PORT", "{port}"),
    ] { environment[name] = value.filled(values) }
    for (name, value) in file.environment ?? [:] { environment[name] = value.filled(values) }
    let own = URL(filePath: file.path).deletingLastPathComponent()
    let place = file.folder.map { URL(filePath: $0, relativeTo: own).path } ?? own.path
    let tree = try ProcessTree(
      file.start.map { $0.filled(values) }, folder: place.isEmpty ? "." : place,
      environment: environment, output: folder + "/output")
    trees[number] = (tree, port)
    Self.all.withLockedValue { $0.trees.append(tree) }
    try awaitReady(tree, port)
    guard settle(nil) != nil else { throw Trouble("the backend is never quiet after its start", tree) }
    guard !isKept else { return }
    isKept = true
    if file.state?.sqlite != nil { try keep() }
    try postgres?.keep()
  }

  struct Trouble: Error, CustomStringConvertible {
    var description: String

    init(_ what: String, _ tree: ProcessTree?) {
      let output = tree?.lastOutput() ?? ""
      description = what + (output.isEmpty ? "; it has printed nothing" : "; its last lines:\n" + output)
    }
  }

  private func awaitReady(_ tree: ProcessTree, _ port: Int) throws {
    let within = file.ready?.within ?? 20
    let deadline = ContinuousClock.now + .seconds(within)
    var asking: Connection?
    while ContinuousClock.now < deadline {
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
  private func letThrough() {
    var arrivals: [Arrival] = []
    for file in Sockets.readable(files, within: 1).sorted() { receive(file, &arrivals) }
    for case .question(let connection, _, _) in arrivals {
      connection.answer(.text("nothing is asked before the backend is ready", status: 503))
    }
  }

  // MARK: - What it keeps

  /// The first process has made its tables: that is what each run begins with.
  private func keep() throws {
    let live = try SQLite(database)
    let kept = try SQLite(":memory:")
    try kept.become(live)
    self.live = live
    self.kept = kept
  }

  private func putBack() throws {
    if let live, let kept { try live.become(kept) }
    try postgres?.putBack()
    guard let command = file.state?.command else { return }
    let tree = try ProcessTree(
      command.map { $0.filled(values(0)) },
      folder: URL(filePath: file.path).deletingLastPathComponent().path,
      environment: ProcessInfo.processInfo.environment, output: folder + "/output")
    let deadline = ContinuousClock.now + .seconds(20)
    while tree.isRunning {
      guard ContinuousClock.now < deadline else {
        throw Trouble("the command does not end within 20 seconds", tree)
      }
      usleep(1000)
    }
  }

  /// What the backend's ledger has now that it had not, or has no more, becomes a part of the history.
  private func look(_ server: Server) {
    do {
      guard let query = file.credits.sql,
        let rows = try live?.rows(query) ?? postgres?.rows(query)
      else { return }
      try ledger.update(rows, desk?.names, server)
    } catch {
      server.makeUnfit("its credits cannot be seen: \(error)")
    }
  }

  // MARK: - What the world hands over

  /// A report of an app's.
  func received(_ report: Report, _ server: Server) {
    let request: BackendFile.Request?
    switch report.purpose {
    case .deliver: request = file.report
    case .probe: request = file.probe
    }
    // What the backend has no address for it does not hear of.
    guard let request else { return server.reply(.alreadyDelivered) }
    do {
      let values = try reportValues(report, server)
      let body = try request.json.map { try JSONEncoder.plain.encode($0.filled(values)) }
      var headers = (request.headers ?? [:]).mapValues { $0.filled(values) }
      headers["X-Chaos-Time"] = "\(date(server.now, server))"
      ask(
        request.method ?? "POST", request.path.filled(values), headers, body.map(Array.init), server,
        isNotification: false)
    } catch {
      server.makeUnfit("a report cannot be written: \(error)")
    }
  }

  /// A notification of Apple's.
  func notified(_ notification: StoreNotification, _ server: Server) {
    guard let path = file.notifications, let desk else { return server.reply(.serverError) }
    do {
      let signed = try desk.signed(notification, by: notification.isSigned ? nil : setup.forger)
      ask(
        "POST", path, ["X-Chaos-Time": "\(date(server.now, server))"],
        Array(try JSONEncoder.plain.encode(["signedPayload": signed])), server, isNotification: true)
    } catch {
      server.makeUnfit("a notification cannot be signed: \(error)")
    }
  }

  private func date(_ millis: Int64, _ server: Server) -> Int64 {
    server.beginsSeconds * 1000 + millis
  }

  private func ask(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?,
    _ server: Server, isNotification: Bool
  ) {
    guard broken == nil, let (tree, port) = trees[server.process.number] else { return }
    guard tree.isRunning, let socket = Sockets.connect(port),
      let connection = try? Connection(socket, .request, port: port, tls: nil)
    else { return died(server) }
    connections[socket] = connection
    let one = Open(server, connection, isNotification: isNotification)
    open[socket] = one
    connection.ask(method, path, headers: headers, body: body)
    drive(one)
  }

  /// Apple has answered what the backend had asked.
  func verified(_ answer: VerifierAnswer, _ server: Server) {
    guard let question = questions.removeValue(forKey: server.request) else { return }
    let answered = LiveStore.Answered(answer, server)
    let said: Answer
    if question.takesAnyStatus {
      said = (try? question.body(answered)) ?? .withheld
    } else {
      said = Reaction.answer(to: answered, question.body)
    }
    if said.isWithheld {
      // Whoever waits for longer than that has given up.
      question.connection.close()
    } else {
      question.connection.answer(said)
    }
    drive(question.cause)
  }

  /// It is the time of a round trip to the database, or of the answer to one.
  func resumed(at step: UInt8, _ server: Server) {
    guard let trip = trips.removeValue(forKey: step) else { return }
    if trip.isAnswer {
      trip.link.hand()
      return drive(trip.cause)
    }
    guard server.reachesDatabase() else { return kill(server.process.number) }
    trip.link.letGo()
    guard awaitAnswer(of: trip.link) else {
      broken = "the database does not answer within \(setup.patience)"
      return server.makeUnfit(broken ?? "")
    }
    look(server)
    guard server.hearsOfDatabase() else { return kill(server.process.number) }
    if trip.link.hasAnswer {
      trip.link.hand()
    } else if !trip.link.isClosed {
      locked[trip.link.client] = trip.cause
    }
    drive(trip.cause)
  }

  /// Waits until the database has answered a trip, or has it wait for a lock; false where neither happens.
  private func awaitAnswer(of link: DatabaseLink) -> Bool {
    let deadline = ContinuousClock.now + setup.patience
    while link.isUnderWay, !link.isClosed {
      let files = links.map(\.link.server)
      let readable = Sockets.readable(files, within: 2)
      for one in links where readable.contains(one.link.server) { one.link.receiveFromServer() }
      if readable.isEmpty, (try? postgres?.waitsForLock(link.process)) == true { return true }
      guard ContinuousClock.now < deadline else { return false }
    }
    return true
  }

  /// The process has ended of itself.
  private func died(_ server: Server) {
    kill(server.process.number)
    server.end()
  }

  // MARK: - Until it is quiet

  private enum Arrival {
    case response(Open, status: Int, body: [UInt8])
    case lost(Open)
    case question(Connection, AppleRequest, String)
    /// A round trip that waits to be let go.
    case trip(DatabaseLink, String)
    /// The answer to one that had waited for a lock.
    case freed(DatabaseLink)

    /// Whether it asks about certificates, which a library remembers the answer to from run to run.
    var isOfRevocation: Bool {
      if case .question(_, let request, _) = self { request.path.first == "ocsp" } else { false }
    }

    /// What it says, so that what comes at once always comes in one order.
    var content: String {
      switch self {
      case .response(_, let status, let body): "a\(status)\(String(decoding: body, as: UTF8.self))"
      case .lost: "b"
      case .question(_, let request, let target): "c\(request.method) \(target)"
      case .trip(_, let words): "d\(words)"
      case .freed: "e"
      }
    }
  }

  /// Lets the processes do what they have been given, and hands what comes of it to the world.
  private func drive(_ cause: Open) {
    var isDone = false
    while !isDone {
      guard let arrivals = settle(cause) else {
        let tree = trees[cause.process]?.tree
        broken =
          Trouble("the backend is not quiet after \(setup.patience)", tree).description
        cause.server.makeUnfit(broken ?? "")
        end()
        return
      }
      look(cause.server)
      isDone = true
      for arrival in arrivals {
        if !arrival.isOfRevocation { cause.server.note(content: arrival.content) }
        switch arrival {
        case .response(let one, let status, let body): answered(one, status, body)
        case .lost(let one):
          // Nobody hears from it any more.
          if one.server.isAlive, trees[one.process]?.tree.isRunning == false { died(one.server) }
        case .question(let connection, let request, let target):
          if asked(connection, request, target, cause) { isDone = false }
        case .trip(let link, _): hold(Trip(link: link, cause: cause, isAnswer: false))
        case .freed(let link):
          let cause = locked.removeValue(forKey: link.client) ?? cause
          hold(Trip(link: link, cause: cause, isAnswer: true))
        }
        guard trees[cause.process] != nil else { return }
      }
    }
  }

  /// From now on the world says when it goes on.
  private func hold(_ trip: Trip) {
    repeat { lastStep &+= 1 } while trips[lastStep] != nil
    trips[lastStep] = trip
    trip.cause.server.beginTrip(lastStep)
  }

  private func answered(_ one: Open, _ status: Int, _ body: [UInt8]) {
    if one.isNotification {
      one.server.reply((200...206).contains(status) ? .delivered : .serverError)
    } else {
      one.server.reply(meaning(status, body).outcome)
    }
    if !one.server.isAlive { kill(one.process) }
  }

  private func meaning(_ status: Int, _ body: [UInt8]) -> Meaning {
    let object = (try? JSONDecoder().decode([String: JSONTemplate].self, from: Data(body))) ?? [:]
    for reading in file.answers ?? [] {
      let fits =
        (reading.status ?? status) == status
        && (reading.json ?? [:]).allSatisfy { object[$0.key] == $0.value }
      if fits { return Meaning(rawValue: reading.means) ?? .error }
    }
    switch status {
    case 200..<300: return .delivered
    case 409: return .alreadyDelivered
    case 401: return .unauthorized
    case 400..<500: return .refused
    default: return .error
    }
  }

  /// The backend asks Apple; whether it was answered at once.
  private func asked(
    _ connection: Connection, _ request: AppleRequest, _ target: String, _ cause: Open
  ) -> Bool {
    if request.path.first == "ocsp" {
      let answer = try? responder.answer(request.body, mode: .good, date: Date())
      connection.answer(
        Answer(status: answer == nil ? 400 : 200, body: answer ?? [], type: "application/ocsp-response"))
      return true
    }
    switch desk?.reaction(to: request) {
    case nil:
      connection.answer(.text("Not found", status: 404))
      return true
    case .answer(let answer):
      connection.answer(answer)
      return true
    case .asks(let question, let body):
      wait(question(cause.server), connection, cause, body, takesAnyStatus: false)
    case .verifies(let receipt, let environment, let body):
      let question: VerifierQuestion =
        environment == .production ? .productionReceipt : .sandboxReceipt
      wait(
        cause.server.verify(question, receipt: receipt), connection, cause, body,
        takesAnyStatus: true)
    }
    return false
  }

  private func wait(
    _ request: UInt64?, _ connection: Connection, _ cause: Open,
    _ body: @escaping (LiveStore.Answered) throws -> Answer, takesAnyStatus: Bool
  ) {
    if let request {
      questions[request] = Question(
        connection: connection, cause: cause, body: body, takesAnyStatus: takesAnyStatus)
    }
    // It may have died before it asked, or after.
    if !cause.server.isAlive { kill(cause.process) }
  }

  /// Waits until no process has anything to do; nil where that takes too long.
  private func settle(_ cause: Open?) -> [Arrival]? {
    var arrivals: [Arrival] = []
    let deadline = ContinuousClock.now + setup.patience
    var before: UInt64?
    while true {
      let files = files
      let readable = Sockets.readable(files, within: 0)
      if !readable.isEmpty {
        before = nil
        for file in readable.sorted() { receive(file, &arrivals) }
        continue
      }
      let work = isAnyUnderWay ? nil : work()
      if let work, work == before { break }
      guard ContinuousClock.now < deadline else { return nil }
      before = work
      // Long enough for a thread that was woken to be seen awake.
      _ = Sockets.readable(files, within: work == nil ? 1 : 0)
      if work != nil { usleep(50) }
    }
    for one in links where one.link.hasAnswer && locked[one.link.client] != nil {
      arrivals.append(.freed(one.link))
    }
    return arrivals.count > 1 ? arrivals.sorted { $0.content < $1.content } : arrivals
  }

  private var files: [Int32] {
    [plain.file, proxy.file] + connections.keys + doors.values.map(\.file)
      + links.flatMap { [$0.link.client, $0.link.server] }
  }

  /// Whether the database is at anything that waits for no lock, and be it somebody's first words.
  private var isAnyUnderWay: Bool {
    links.contains {
      !$0.link.isOpen
        || $0.link.isUnderWay && (try? postgres?.waitsForLock($0.link.process)) != true
    }
  }

  private func work() -> UInt64? {
    var sum: UInt64 = 0
    for (_, one) in trees {
      guard let work = one.tree.work() else { return nil }
      sum = sum &* 31 &+ work
    }
    return sum
  }

  private func receive(_ file: Int32, _ arrivals: inout [Arrival]) {
    if file == plain.file || file == proxy.file {
      guard let socket = Sockets.accept(file) else { return }
      let isProxy = file == proxy.file
      if let connection = try? Connection(
        socket, isProxy ? .proxy : .apple, port: isProxy ? proxy.port : plain.port, tls: setup.tls)
      {
        connections[socket] = connection
      }
      return
    }
    if let (process, _) = doors.first(where: { $0.value.file == file }) {
      return openLink(process, file)
    }
    if let place = links.firstIndex(where: { $0.link.client == file || $0.link.server == file }) {
      return receive(links[place].link, of: links[place].process, file, &arrivals)
    }
    guard let connection = connections[file] else { return }
    for message in connection.receive(setup.tls) {
      switch message {
      case .request(let request, let target):
        arrivals.append(.question(connection, request, target))
      case .response(let status, let body):
        guard let one = open.removeValue(forKey: file) else { continue }
        arrivals.append(.response(one, status: status, body: body))
      }
    }
    guard connection.isClosed else { return }
    connections[file] = nil
    if let one = open.removeValue(forKey: file) { arrivals.append(.lost(one)) }
  }

  /// A process connects to its database.
  private func openLink(_ process: Int, _ door: Int32) {
    guard let client = Sockets.accept(door) else { return }
    let url = file.state?.postgres.flatMap(URL.init(string:))
    guard let server = Sockets.connect(url?.port ?? 5432) else {
      close(client)
      return
    }
    links.append((DatabaseLink(client: client, server: server), process))
  }

  private func receive(
    _ link: DatabaseLink, of process: Int, _ file: Int32, _ arrivals: inout [Arrival]
  ) {
    if file == link.server {
      link.receiveFromServer()
      // What goes through is handed over at once.
      if link.hasAnswer, locked[link.client] == nil, isFree.contains(process) || goesThrough(link) {
        through.remove(link.client)
        link.hand()
      }
    } else if let words = link.receiveFromClient() {
      let isBackground = (self.file.background ?? []).contains { words.contains($0) }
      if isFree.contains(process) || isBackground {
        through.insert(link.client)
        link.letGo()
      } else {
        arrivals.append(.trip(link, words))
      }
    }
    if link.isClosed { links.removeAll { $0.link === link } }
  }

  private func goesThrough(_ link: DatabaseLink) -> Bool { through.contains(link.client) }

  // MARK: - What a report says

  private func reportValues(_ report: Report, _ server: Server) throws -> [String: String] {
    guard let desk else { return [:] }
    let claim = server.claim(report)
    let account = report.session.isNone ? 0 : report.session.index
    var values = [
      "account": "user\(account + 1)", "accountNumber": "\(account + 1)",
      "appAccountToken": desk.names.text(of: .account(report.session)) ?? "",
      "orderToken": desk.names.text(of: report.token) ?? "",
      "productId": report.product.isNone ? "" : server.books.products[report.product.index].name,
      "quantity": "\(claim.quantity)", "transactionId": "", "originalTransactionId": "",
      "signedTransactionInfo": "", "receipt": "",
      "purpose": report.purpose == .deliver ? "deliver" : "probe",
    ]
    values["environment"] = claim.environment == .production ? "Production" : "Sandbox"
    if report.evidence.isReceipt {
      values["receipt"] = try desk.receipt(report.evidence, in: claim.environment)
    }
    if let said = try desk.said(of: claim.transaction) {
      values["transactionId"] = said.id
      values["originalTransactionId"] = said.original
      values["signedTransactionInfo"] = said.signed
      values["productId"] = said.product
    } else if !report.evidence.isNone {
      let invented = try desk.invented(values["productId"] ?? "", by: setup.forger)
      values["transactionId"] = invented.id
      values["originalTransactionId"] = invented.id
      values["signedTransactionInfo"] = invented.signed
    }
    return values
  }
}

extension JSONEncoder {
  static let plain: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}

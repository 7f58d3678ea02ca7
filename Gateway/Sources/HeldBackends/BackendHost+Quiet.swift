import ChaosStore
import Foundation
import Invariants
import StoreService

/// Has the processes do what they were given, until they are quiet.
extension BackendHost {
  enum Arrival {
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

    /// What it says, so that what comes at once always comes in one order; of answers without what may vary.
    func content(without varying: [String] = []) -> String {
      switch self {
      case .response(_, let status, let body):
        "a\(status)\(JSONTemplate.text(of: body, without: varying))"
      case .lost: "b"
      case .question(_, let request, let target): "c\(request.method) \(target)"
      case .trip(_, let words): "d\(words)"
      case .freed: "e"
      }
    }

    /// The same for a person.
    var words: String {
      switch self {
      case .response(_, let status, let body):
        "answers \(status) \(String(decoding: body, as: UTF8.self))"
      case .lost: "closes the connection without an answer"
      case .question(_, let request, let target): "asks Apple: \(request.method) \(target)"
      case .trip(_, let words): "asks its database: \(words)"
      case .freed: "has the lock that it waited for"
      }
    }
  }

  /// How often a backend may ask what is answered at once, and how many connections it may have open, in one step.
  private static let mostAnswers = 300
  private static let mostConnections = 500

  /// Lets the processes do what they have been given, and hands what comes of it to the world.
  func drive(_ cause: Open) {
    var isDone = false
    var answers = 0
    while !isDone {
      let settled = settle()
      if halts(cause.server) { return }
      if let refused { return giveUp(cause.server, refused) }
      guard let arrivals = settled else {
        let earlier =
          patience < setup.patience ? ", in an earlier run not after \(setup.patience)" : ""
        giveUp(cause.server, "the backend is not quiet after \(patience)\(earlier)")
        return Self.all.withLockedValue { $0.isRestless = true }
      }
      guard !isDistrusted else {
        isDistrusted = false
        return giveUp(
          cause.server,
          "the backend does not trust the certificate of the store in Apple's place: its runtime or its "
            + "client has to trust the root at {rootPEM}, as Docs/BACKENDS.md says")
      }
      answers += arrivals.count
      guard answers <= Self.mostAnswers else {
        return giveUp(
          cause.server, "the backend asks for more than \(Self.mostAnswers) things at once")
      }
      guard connections.count + links.count <= Self.mostConnections else {
        return giveUp(
          cause.server, "the backend has more than \(Self.mostConnections) connections open")
      }
      look(cause.server)
      tellPrinted(cause.server)
      isDone = true
      for arrival in arrivals {
        if !arrival.isOfRevocation {
          cause.server.note(
            content: arrival.content(without: file.varying ?? []), as: arrival.words)
        }
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

  /// After so many runs that nothing can be said of no further one is begun: each takes seconds.
  static let mostGivenUp = 3

  /// From now on the world says when it goes on.
  func hold(_ trip: Trip) {
    let step = nextStep()
    trips[step] = trip
    trip.cause.server.beginTrip(step)
  }

  func nextStep() -> UInt8 {
    repeat { lastStep &+= 1 } while trips[lastStep] != nil || late[lastStep] != nil
    return lastStep
  }

  func answered(_ one: Open, _ status: Int, _ body: [UInt8]) {
    if one.isNotification {
      one.server.reply((200...206).contains(status) ? .delivered : .serverError)
    } else {
      one.server.reply(meaning(status, body).outcome)
    }
    if !one.server.isAlive { kill(one.process) }
  }

  func meaning(_ status: Int, _ body: [UInt8]) -> Meaning {
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
  func asked(
    _ connection: Connection, _ request: AppleRequest, _ target: String, _ cause: Open
  ) -> Bool {
    if request.path.first == "ocsp" {
      let answer = try? responder.answer(
        request.body, mode: .good, date: desk?.present ?? Date())
      connection.answer(
        Answer(
          status: answer == nil ? 400 : 200, body: answer ?? [], type: "application/ocsp-response"))
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
      wait(question(cause.server), connection, cause) { [desk] in
        Reaction.answer(to: $0, at: desk?.present ?? Date(), body)
      }
    case .verifies(let receipt, let environment, let body):
      let question: VerifierQuestion =
        environment == .production ? .productionReceipt : .sandboxReceipt
      wait(cause.server.verify(question, receipt: receipt), connection, cause) {
        (try? body($0)) ?? .withheld
      }
    }
    return false
  }

  func wait(
    _ request: UInt64?, _ connection: Connection, _ cause: Open,
    _ answer: @escaping (LiveStore.Answered) -> Answer
  ) {
    if let request {
      questions[request] = Question(connection: connection, cause: cause, answer: answer)
    }
    // It may have died before it asked, or after.
    if !cause.server.isAlive { kill(cause.process) }
  }

  /// Waits until no process has anything to do; nil where that takes too long.
  func settle() -> [Arrival]? {
    var arrivals: [Arrival] = []
    let isQuiet = untilQuiet { receive($0, &arrivals) }
    guard isQuiet else { return nil }
    for one in links where one.link.hasAnswer && locked[one.link.client] != nil {
      arrivals.append(.freed(one.link))
    }
    return arrivals.count > 1 ? arrivals.sorted { $0.content() < $1.content() } : arrivals
  }

  /// Takes what comes until no process has anything to do; false where that takes too long.
  ///
  /// - Parameters:
  ///   - further: files that are looked at beside those that always are.
  ///   - isOver: whether nothing else is waited for.
  func untilQuiet(
    _ further: [Int32] = [], isOver: () -> Bool = { false }, _ take: (Int32) -> Void
  ) -> Bool {
    let deadline = ContinuousClock.now + patience
    var before: UInt64?
    while !isOver() {
      guard !isHalted else { return false }
      let files = files + further
      let readable = Sockets.readable(files, within: 0)
      if !readable.isEmpty {
        before = nil
        for file in readable.sorted() { take(file) }
        // Who says something all the time is not quiet either.
        guard ContinuousClock.now < deadline else { return false }
        continue
      }
      // The first look need not say whether anybody is at something: the second does.
      let isAtDatabase = isAnyUnderWay
      let work = isAtDatabase ? nil : before == nil ? progress() : work()
      // Somebody may have come and gone between the two looks, and have said something on the way.
      if let work, work == before, Sockets.readable(files, within: 0).isEmpty { break }
      guard ContinuousClock.now < deadline else { return false }
      before = work
      if isAtDatabase {
        _ = Sockets.readable(files, within: 1)
      } else {
        // Long enough for a thread that was woken to be seen awake, and for one that is at something to get on with it.
        usleep(work == nil ? 200 : 50)
      }
    }
    return true
  }

  /// The time limit for a backend to become quiet in one step, shorter once a run has exceeded it.
  var patience: Duration {
    Self.all.withLockedValue { $0.isRestless } ? min(.seconds(1), setup.patience) : setup.patience
  }

  var files: [Int32] {
    [plain.file, proxy.file, secure.file] + connections.keys + doors.values.map(\.file)
      + links.flatMap { [$0.link.client, $0.link.server] }
  }

  /// Whether the database is at anything that waits for no lock, and be it somebody's first words.
  var isAnyUnderWay: Bool {
    links.contains {
      !$0.link.isOpen
        || $0.link.isUnderWay && (try? postgres?.waitsForLock($0.link.process)) != true
    }
  }

  func progress() -> UInt64 {
    trees.values.reduce(0) { $0 &* 31 &+ $1.tree.progress() }
  }

  func work() -> UInt64? {
    var sum: UInt64 = 0
    for (_, one) in trees {
      guard let work = one.tree.work() else { return nil }
      sum = sum &* 31 &+ work
    }
    return sum
  }

  /// The port that is listened at for Apple's callers with this file, and how they speak there; nil for any other file.
  private func appleDoor(_ file: Int32) -> (port: Int, role: Connection.Role)? {
    switch file {
    case plain.file: (plain.port, .apple)
    case proxy.file: (proxy.port, .proxy)
    case secure.file: (secure.port, .secureApple)
    default: nil
    }
  }

  func receive(_ file: Int32, _ arrivals: inout [Arrival]) {
    if let (port, role) = appleDoor(file) {
      guard let socket = Sockets.accept(file) else { return }
      if let connection = try? Connection(socket, role, port: port, tls: setup.tls) {
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
    if connection.isDistrusted { isDistrusted = true }
    connections[file] = nil
    if let one = open.removeValue(forKey: file) { arrivals.append(.lost(one)) }
  }

  /// A process connects to its database.
  func openLink(_ process: Int, _ door: Int32) {
    guard let client = Sockets.accept(door) else { return }
    let url = file.state?.postgres.flatMap(URL.init(string:))
    guard let server = Sockets.connect(url?.port ?? 5432) else {
      close(client)
      return
    }
    links.append((DatabaseLink(client: client, server: server), process))
  }

  func receive(
    _ link: DatabaseLink, of process: Int, _ file: Int32, _ arrivals: inout [Arrival]
  ) {
    if file == link.server {
      link.receiveFromServer()
      // What goes through is handed over at once.
      if link.hasAnswer, locked[link.client] == nil,
        isFree.contains(process) || isLooking || through.contains(link.client)
      {
        through.remove(link.client)
        link.hand()
      }
    } else if let words = link.receiveFromClient() {
      let isBackground = (self.file.background ?? []).contains { words.contains($0) }
      if isFree.contains(process) || isLooking || isBackground {
        through.insert(link.client)
        link.letGo()
      } else {
        arrivals.append(.trip(link, words))
      }
    }
    refused = refused ?? link.refusal
    if link.isClosed { links.removeAll { $0.link === link } }
  }
}

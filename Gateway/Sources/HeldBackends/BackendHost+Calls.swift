@_spi(Gateway) import ChaosRunner
import ChaosStore
import Foundation
import Invariants
import StoreService

/// What the world hands over to the processes.
extension BackendHost {
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
        request.method ?? "POST", request.path.filled(values), headers, body.map(Array.init),
        server,
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
        Array(try JSONEncoder.plain.encode(["signedPayload": signed])), server, isNotification: true
      )
    } catch {
      server.makeUnfit("a notification cannot be signed: \(error)")
    }
  }

  func date(_ millis: Int64, _ server: Server) -> Int64 {
    server.beginsSeconds * 1000 + millis
  }

  /// Has the processes' clock show the present, before anything is handed to them.
  func setClock(_ server: Server) { clock?.set(date(server.now, server)) }

  func ask(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?,
    _ server: Server, isNotification: Bool
  ) {
    if halts(server) { return }
    guard broken == nil, let (tree, port) = trees[server.process.number] else { return }
    guard tree.isRunning, let socket = Sockets.connect(port),
      let connection = try? Connection(socket, .request, port: port, tls: nil)
    else { return died(server) }
    setClock(server)
    connections[socket] = connection
    let one = Open(server, connection, isNotification: isNotification)
    open[socket] = one
    time.awaited = "the backend to be quiet after \(method) \(path)"
    connection.ask(method, path, headers: headers, body: body)
    drive(one)
  }

  /// Apple has answered what the backend had asked.
  func verified(_ answer: VerifierAnswer, _ server: Server) {
    if halts(server) { return }
    guard let question = questions.removeValue(forKey: server.request) else { return }
    time.awaited = "the backend to be quiet after Apple's answer"
    setClock(server)
    let said = question.answer(LiveStore.Answered(answer, server))
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
    if halts(server) { return }
    setClock(server)
    if let late = late.removeValue(forKey: step) { return arrives(late, server) }
    guard let trip = trips.removeValue(forKey: step) else { return }
    if trip.isAnswer {
      trip.link.hand()
      return drive(trip.cause)
    }
    switch server.reachesDatabase() {
    case .arrives: break
    case .isLost: return kill(server.process.number)
    case .arrivesLate(let millis):
      // The database hears nothing of its end until then.
      links.removeAll { $0.link === trip.link }
      trip.link.abandon()
      late[nextStep()] = LateTrip(
        link: trip.link, process: server.process.number, at: server.now + millis)
      return kill(server.process.number)
    }
    time.awaited = "PostgreSQL to answer"
    trip.link.letGo()
    guard awaitAnswer(of: trip.link) else {
      if halts(server) { return }
      broken = "the database does not answer within \(setup.patience)"
      return server.makeUnfit(broken ?? "")
    }
    look(server)
    time.awaited = "the backend to be quiet after an answer of PostgreSQL"
    guard server.hearsOfDatabase() else { return kill(server.process.number) }
    if trip.link.hasAnswer {
      trip.link.hand()
    } else if !trip.link.isClosed {
      locked[trip.link.client] = trip.cause
    }
    drive(trip.cause)
  }

  /// A process that has died before is back: what the dead one has said is still under way.
  func awaitLate(of process: Int, _ server: Server) {
    for (step, one) in late.sorted(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
    where one.process == process {
      server.wake(after: one.at - server.now, step)
    }
  }

  /// What a dead process has said reaches the database; nobody waits for its answer.
  private func arrives(_ late: LateTrip, _ server: Server) {
    server.note(content: "late")
    links.append((late.link, late.process))
    late.link.letGo()
    let isAnswered = awaitAnswer(of: late.link)
    links.removeAll { $0.link === late.link }
    late.link.close()
    if halts(server) { return }
    guard isAnswered else { return server.makeUnfit("the database does not answer what came late") }
    // What is not committed is undone, now that the connection has ended.
    awaitEnd(of: [late.link.process])
    look(server)
    // Who had waited for what it held goes on.
    if let cause = locked.min(by: { $0.key < $1.key })?.value { drive(cause) }
  }

  /// Waits until nobody at the database works for these any more.
  func awaitEnd(of processes: [Int32]) {
    let processes = processes.filter { $0 > 0 }
    guard let postgres, !processes.isEmpty else { return }
    let deadline = ContinuousClock.now + .seconds(2)
    while !Runner.isInterrupted, (try? postgres.isAny(processes)) == true,
      ContinuousClock.now < deadline
    { usleep(500) }
  }

  /// Waits until the database has answered a trip, or has it wait for a lock; false where neither happens.
  func awaitAnswer(of link: DatabaseLink) -> Bool {
    let deadline = ContinuousClock.now + setup.patience
    while link.isUnderWay, !link.isClosed {
      guard !isHalted else { return false }
      let files = links.map(\.link.server)
      let readable = Sockets.readable(files, within: 2)
      for one in links where readable.contains(one.link.server) { one.link.receiveFromServer() }
      if readable.isEmpty, (try? postgres?.waitsForLock(link.process)) == true { return true }
      guard ContinuousClock.now < deadline else { return false }
    }
    return true
  }

  /// The process has ended of itself.
  func died(_ server: Server) {
    kill(server.process.number)
    server.end()
  }
}

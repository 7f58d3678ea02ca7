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

  func ask(
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
  func awaitAnswer(of link: DatabaseLink) -> Bool {
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
  func died(_ server: Server) {
    kill(server.process.number)
    server.end()
  }
}

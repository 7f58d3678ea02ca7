import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// One process of a hosted backend, and what it waits for.
class BackendProcess {
  let run: HostedRun
  let process: HostProcess
  /// Who waits for the database, by the number of the ticket.
  @exclusivity(unchecked) private var forDatabase: [(ticket: UInt32, done: () -> Void)] = []
  @exclusivity(unchecked) private var forApple:
    [(request: UInt64, question: VerifierQuestion, done: (VerifierAnswer?) -> Void)] = []
  @exclusivity(unchecked) private var tickets: UInt32 = 0
  /// What nobody works at any more.
  @exclusivity(unchecked) fileprivate var over: [Server] = []
  /// What it does of its own accord.
  let own: Server
  @exclusivity(unchecked) fileprivate var printed = PrintedLines()
  /// When the simulator will wake it for whoever sleeps; `.max` for never.
  @exclusivity(unchecked) private var armed = Int64.max

  enum Step {
    static let ticket: UInt8 = 0
    static let timer: UInt8 = 1
    static let job: UInt8 = 2
  }

  init(_ run: HostedRun, _ server: Server) {
    self.run = run
    run.begin(server)
    process = run.host.makeProcess()
    process.drawRandomNumbers(
      from: ~HostedRun.seed ^ (UInt64(server.number) << 32 | UInt64(server.starts)))
    own = server.held()
    guard own.keepsOutput else { return }
    process.output = { [unowned self] bytes in printed.add(bytes, own.note(output:)) }
  }

  /// Asks about the evidence of the work.
  func wait(
    for question: VerifierQuestion, _ work: HeldWork, done: @escaping (VerifierAnswer?) -> Void
  ) {
    forApple.append((work.server.request, question, done))
    work.server.verify(question)
  }

  /// Asks for something else; `ask` says which request gets the answer, nil where none will.
  func wait(
    for question: VerifierQuestion, _ ask: () -> UInt64?, done: @escaping (VerifierAnswer?) -> Void
  ) {
    guard let request = ask() else { return done(nil) }
    forApple.append((request, question, done))
  }

  func waitForDatabase(_ work: HeldWork, done: @escaping () -> Void) {
    tickets &+= 1
    forDatabase.append((tickets, done))
    work.server.wait(forDatabase: tickets)
  }

  func verified(_ answer: VerifierAnswer, _ server: Server) {
    let asked = forApple.firstIndex {
      $0.request == server.request && $0.question == answer.question
    }
    guard let asked else { return }
    let done = forApple.remove(at: asked).done
    enter(server.time) { done(answer) }
  }

  func resumed(_ step: UInt8, _ ticket: UInt32, _ server: Server) {
    if step == Step.timer {
      if armed <= server.time { armed = .max }
      return enter(server.time) {}
    }
    guard let place = forDatabase.firstIndex(where: { $0.ticket == ticket }) else { return }
    let done = forDatabase.remove(at: place).done
    enter(server.time, done)
  }

  /// Whoever waits is woken and finds everything inert.
  func endWaits() {
    let (apple, database) = (forApple, forDatabase)
    forApple = []
    forDatabase = []
    for wait in apple { wait.done(nil) }
    for wait in database { wait.done() }
  }

  /// Runs code of the backend, and whatever it made ready.
  func enter(_ now: Int64, _ body: () -> Void) {
    run.enter(process, now: now, body)
    for server in over { server.release() }
    over.removeAll(keepingCapacity: true)
    arm(now)
  }

  /// Has the simulator wake the process when its next sleeper is due.
  private func arm(_ now: Int64) {
    guard let due = run.host.nextTimer(of: process) else { return }
    let millis = Int64((due + 999_999) / 1_000_000)
    guard millis < armed else { return }
    armed = millis
    own.wake(after: millis - now, Step.timer)
  }
}

/// Something that a process works at, for as long as anybody has it.
final class HeldWork {
  let server: Server
  let process: BackendProcess
  var payloads: Payloads { process.run.payloads }

  init(_ server: Server, _ process: BackendProcess) {
    self.server = server.held()
    self.process = process
  }

  deinit { process.over.append(server) }

  /// What stands for bytes in a row.
  func number(of value: Data) -> UInt64 { UInt64(payloads.keep(value)) }

  /// What stands for the key of a row, which can be read again.
  func key(_ name: String) -> UInt64 {
    let key = Server.Table.key(name)
    payloads.keep(storedName: name, key)
    return key
  }
}

/// A process that runs a backend of this type.
final class HostedServerProcess<Backend: SimulatedBackend>: BackendProcess, @unchecked Sendable {
  private let kind: BackendKind
  @exclusivity(unchecked) private var backend: Backend?

  init(_ run: HostedRun, _ kind: BackendKind, _ server: Server) {
    self.kind = kind
    super.init(run, server)
  }

  func start() {
    enter(own.now) {
      let backend = onMain(Backend.init, kind)
      self.backend = backend
      guard run.startsBackends else { return }
      let services = BackendServices(HeldWork(own, self))
      _ = Task { @MainActor in await backend.started(services) }
    }
  }

  func received(_ report: Report, _ server: Server) {
    let request = ReceivedRequest(
      account: report.session, transaction: report.transaction, token: report.token,
      product: report.product, isProbe: report.purpose == .probe,
      isReceipt: report.evidence.isReceipt,
      body: run.payloads.payload(report.payload) ?? Data())
    handle(server) { await $0.handle(request, $1) }
  }

  func notified(_ notification: StoreNotification, _ server: Server) {
    handle(server) { await $0.notified(notification, $1) }
  }

  func resumed(_ step: UInt8, _ ticket: UInt32, _ report: Report, _ server: Server) {
    guard step == Step.job else { return resumed(step, ticket, server) }
    let job = BackendJob(
      transaction: report.transaction, body: run.payloads.payload(report.payload) ?? Data())
    enter(server.time) {
      guard let backend else { return }
      let services = BackendServices(HeldWork(server, self))
      _ = Task { @MainActor in await backend.perform(job, services) }
    }
  }

  private func handle(
    _ server: Server,
    _ body: @escaping @MainActor @Sendable (Backend, BackendServices) async -> BackendResponse
  ) {
    enter(server.time) {
      guard let backend else { return }
      let services = BackendServices(HeldWork(server, self))
      nonisolated(unsafe) let server = server
      _ = Task { @MainActor [run] in
        let response = await body(backend, services)
        guard server.isAlive else { return }
        server.reply(
          response.outcome,
          payload: response.body.isEmpty ? 0 : run.payloads.keep(response.body))
      }
    }
  }

  func end() {
    process.onEnd { [self] in
      endWaits()
      backend = nil
    }
    process.end()
    printed.finish(own.note(output:))
    process.detach()
    run.end(self)
  }
}

import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// One process of a hosted backend, and the requests it is at.
final class HostedServerProcess<Backend: SimulatedBackend>: @unchecked Sendable {
  private let run: HostedRun
  private let process: HostProcess
  private let kind: BackendKind
  private var backend: Backend?
  /// By the simulator's number of the request; looked up, never gone through but in order.
  private var open: [UInt64: BackendServices] = [:]

  init(_ run: HostedRun, _ kind: BackendKind) {
    self.run = run
    self.kind = kind
    process = run.host.makeProcess()
  }

  func received(_ report: Report, _ server: Server) {
    let request = ReceivedRequest(
      account: report.session, transaction: report.transaction, token: report.token,
      product: report.product, isProbe: report.purpose == .probe,
      isReceipt: report.evidence.isReceipt,
      body: run.payloads.payload(report.payload) ?? Data())
    let number = server.request
    nonisolated(unsafe) let server = server
    enter(server) {
      MainActor.assumeIsolated {
        let services = BackendServices(server)
        open[number] = services
        let backend = backend ?? Backend(kind)
        self.backend = backend
        _ = Task { @MainActor [self] in
          let response = await backend.handle(request, services)
          open[number] = nil
          guard server.isAlive else { return }
          server.reply(
            response.outcome,
            payload: response.body.isEmpty ? 0 : run.payloads.keep(response.body))
        }
      }
    }
  }

  func verified(_ answer: VerifierAnswer, _ server: Server) {
    guard let services = open[server.request] else { return }
    enter(server) { MainActor.assumeIsolated { services.verified(answer) } }
  }

  func resumed(_ server: Server) {
    guard let services = open[server.request] else { return }
    enter(server) { MainActor.assumeIsolated { services.resumed() } }
  }

  func end() {
    let services = open.sorted { $0.key < $1.key }.map(\.value)
    open = [:]
    _ = process.onEnd { [self] in
      MainActor.assumeIsolated { for service in services { service.end() } }
      backend = nil
    }
    process.end()
    run.tellLeaks()
  }

  private func enter(_ server: Server, _ body: () -> Void) {
    run.enter(process, now: server.now, body)
  }
}

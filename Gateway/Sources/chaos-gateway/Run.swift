import ArgumentParser
import ChaosRunner
import ChaosStore
import Foundation
import HeldBackends

/// `chaos-gateway run`
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs campaigns with your backend in the place of the simulated one.",
    discussion: """
      A small file says how your backend is started and spoken to. What follows it is what chaos-runner takes: \
      explore, shrink, replay, explain and so on; nothing searches as 'run' does there.

        chaos-gateway run backend.json
        chaos-gateway run backend.json explore exhaustive --faults 1
        chaos-gateway run backend.json --seed 0x2a
      """)

  @Argument(help: "The file that says how your backend is started and spoken to.")
  var file: String

  @Argument(parsing: .captureForPassthrough, help: "What chaos-runner takes.")
  var rest: [String] = []

  func run() throws {
    let backend: BackendFile
    do { backend = try BackendFile(path: file) } catch {
      throw ValidationError(error.description)
    }
    guard let client = HeldClients.system(backend.client ?? HeldClients.usual) else {
      throw ValidationError(
        "\(file): client: found '\(backend.client ?? "")', expected one of "
          + HeldClients.names.joined(separator: ", "))
    }
    let setup: HeldSetup
    do { setup = try HeldSetup(backend) } catch {
      complain("\(error)")
      throw ExitCode(2)
    }
    Held.setup = setup
    if let problem = HeldClients.tryOut() {
      complain("\(file): \(problem)")
      setup.clear()
      throw ExitCode(2)
    }
    let code = Runner.run(
      arguments: rest + (rest.contains("--jobs") ? [] : HeldClients.jobs(for: rest)),
      program: "chaos-gateway run \(file)", scenarios: HeldClients.scenarios(backend),
      systems: [client()], own: ["run", file])
    HeldClients.endAll()
    setup.clear()
    throw ExitCode(code)
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data("chaos-gateway: \(text)\n".utf8))
  }
}

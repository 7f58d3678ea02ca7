import ArgumentParser
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
    let code: Int32
    do {
      code = try BackendCampaign.run(
        try BackendFile(path: file), rest, program: "chaos-gateway run", own: ["run", file])
    } catch {
      throw ValidationError(error.description)
    }
    throw ExitCode(code)
  }
}

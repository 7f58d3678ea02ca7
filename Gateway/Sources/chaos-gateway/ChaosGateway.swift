import ArgumentParser

/// The App Store in a box.
@main
struct ChaosGateway: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chaos-gateway",
    abstract:
      "An App Store that runs here, that Apple's libraries believe, and that fails on purpose.",
    subcommands: [Serve.self, Run.self])
}

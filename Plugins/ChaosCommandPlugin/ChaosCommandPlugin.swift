import Foundation
import PackagePlugin

/// `swift package chaos`: runs campaigns of a package's own systems.
///
/// It builds the package's program that runs campaigns, which is an executable that depends on ChaosRunner, optimised,
/// and hands everything else over to it:
///
///     swift package chaos                              # its campaign
///     swift package chaos explore exhaustive --faults 1
///     swift package chaos --product my-chaos -- --seed 42
@main
struct ChaosCommandPlugin: CommandPlugin {
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = arguments
    var asked: String?
    if arguments.first == "--product" {
      guard arguments.count > 1 else {
        throw Refusal(description: "--product: found nothing, expected the name of an executable")
      }
      asked = arguments[1]
      arguments.removeFirst(2)
    }
    if arguments.first == "--" { arguments.removeFirst() }
    let name = try program(of: context.package, asked)
    var parameters = PackageManager.BuildParameters()
    parameters.configuration = .release
    parameters.echoLogs = false
    let build = try packageManager.build(.product(name), parameters: parameters)
    guard build.succeeded,
      let program = build.builtArtifacts.first(where: { $0.kind == .executable })
    else {
      throw Refusal(description: "'\(name)' cannot be built:\n\(build.logText)")
    }
    let process = Process()
    process.executableURL = program.url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // Who calls this wants the runner's exit code, and its report is all that there is to say.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  /// The executable that runs campaigns; the one that was asked for where somebody says which.
  private func program(of package: Package, _ asked: String?) throws -> String {
    let programs = package.products(ofType: ExecutableProduct.self)
      .filter { $0.mainTarget.runsCampaigns }.map(\.name).sorted()
    if let asked {
      guard programs.contains(asked) else {
        throw Refusal(
          description:
            "--product: found '\(asked)', expected an executable that depends on ChaosRunner: "
            + (programs.isEmpty ? "there is none" : programs.joined(separator: ", ")))
      }
      return asked
    }
    guard let first = programs.first else {
      throw Refusal(
        description:
          "found no executable that depends on ChaosRunner, expected one that runs campaigns; "
          + "'chaos-runner new' writes a package with one")
    }
    guard programs.count == 1 else {
      throw Refusal(
        description: "found \(programs.joined(separator: ", ")), expected --product and one of them"
      )
    }
    return first
  }
}

extension Target {
  /// Whether it is linked to what runs campaigns.
  fileprivate var runsCampaigns: Bool {
    recursiveTargetDependencies.contains { $0.name == "ChaosRunner" }
  }
}

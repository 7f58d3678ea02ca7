import ChaosStore
import Foundation

/// All of `chaos-runner`, for any list of systems.
///
/// An executable for systems of your own is three lines:
///
///     import ChaosRunner
///     import ChaosStore
///     Runner.main(systems: [AnySystem(MyShop.self)] + BuiltIn.systems)
public enum Runner {
  public static let version = Model.toolVersion

  /// Reads the command line, does what it says and ends the process with the exit code.
  public static func main(systems: [AnySystem] = BuiltIn.systems) -> Never {
    let path = CommandLine.arguments.first ?? "chaos-runner"
    let program = path.split(separator: "/").last.map(String.init) ?? "chaos-runner"
    StandardStream.prepare()
    Interruption.watch()
    exit(
      run(
        arguments: Array(CommandLine.arguments.dropFirst()), console: .process(of: program),
        world: Surroundings(
          systems: systems, program: program,
          secondProcess: { OwnProcess.output($0) },
          secondProcessReading: { OwnProcess.output($0, input: $1) })))
  }

  /// What `main` does, with everything outside the process handed in.
  static func run(arguments: [String], console: Console, world: Surroundings) -> Int32 {
    do {
      switch try Request(arguments: arguments) {
      case .help: console.out(Help.text(program: world.program))
      case .version: console.out("\(world.program) \(version)\n")
      case .run(let options): return try RunCommand(options, console, world).run().rawValue
      case .explore(let strategy, let options):
        return try RunCommand(options, console, world, exploring: strategy).run().rawValue
      case .power(let strategy, let options):
        return try PowerCommand(strategy, options, console, world).run().rawValue
      case .list(let what, let options):
        console.out(try ListCommand(world, console, options).text(what))
      case .explain(let name, let options):
        console.out(try ExplainCommand(world, console, options).text(name))
      case .replay(let path, let options):
        return try ReplayCommand(path, options, console, world).run().rawValue
      case .regress(let options): return try RegressCommand(options, console, world).run().rawValue
      case .check(let path): console.out(try CheckCommand(world, console).text(path))
      case .trace(let options): try TraceCommand(options, console, world).run()
      case .verifyDeterminism(let options):
        return try VerifyDeterminismCommand(options, console, world).run().rawValue
      }
      return ExitCode.asExpected.rawValue
    } catch {
      console.err("\(world.program): \(error.message)\n")
      if error.code == .usage { console.err("See '\(world.program) --help'.\n") }
      return error.code.rawValue
    }
  }
}

/// What the process ends with.
enum ExitCode: Int32 {
  /// Every verdict is as expected.
  case asExpected = 0
  /// Something broke that should not, or did not break that should.
  case red = 1
  /// Nothing can be said.
  case noVerdict = 2
  /// The command line makes no sense.
  case usage = 64
  /// What there is to say cannot be written to standard output; sysexits.h calls it EX_IOERR.
  case output = 74
}

/// Why a command could not be carried out.
struct Failure: Error {
  var code: ExitCode
  /// What happened, where, and what to do.
  var message: String

  static func usage(_ message: String) -> Failure { Failure(code: .usage, message: message) }
  static func noVerdict(_ message: String) -> Failure {
    Failure(code: .noVerdict, message: message)
  }
}

/// What a command works with besides its options.
struct Surroundings {
  var systems: [AnySystem]
  /// Systems with a planted defect, for `power`.
  var targets = MutantBank.mutants.map(Target.init)
  /// The name of the executable, for lines to paste.
  var program = "chaos-runner"
  /// The text of the scenarios that come with ChaosStore.
  var builtIn = BuiltInScenarios.json
  /// Reads a scenario file.
  var parse: (String, [AnySystem]) throws(ScenarioError) -> [Scenario] = {
    (text, systems) throws(ScenarioError) in
    try ScenarioFile.scenarios(fromJSON: text, systems: systems)
  }
  /// Runs this program with other arguments in a process of its own and returns its output; nil
  /// where that fails. There is none in a test, whose process is another program.
  var secondProcess: (([String]) -> String?)?
  /// The same for arguments that name standard input, with what is to come from there.
  var secondProcessReading: (([String], String) -> String?)?
}

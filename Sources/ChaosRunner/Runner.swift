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
  /// The version of this program, which plan files and JSON reports have too.
  public static let version = Model.toolVersion

  /// Reads the command line, does what it says and ends the process with the exit code.
  ///
  /// - Parameters:
  ///   - systems: What scenarios may name. One of your own that no scenario names is run in a
  ///     default world.
  ///   - strategies: What `explore` and `power` choose among; `run` searches with
  ///     `Strategies.usual` in any case.
  ///   - reporters: What `--format` chooses among; the first one is used where nothing is said.
  ///   - targets: Systems with a planted defect, among which `power` chooses.
  public static func main(
    systems: [AnySystem] = BuiltIn.systems, strategies: [any Strategy] = Strategies.all,
    reporters: [any Reporter] = Reporters.builtIn, targets: [Target] = Target.builtIn
  ) -> Never {
    let path = CommandLine.arguments.first ?? "chaos-runner"
    let program = path.split(separator: "/").last.map(String.init) ?? "chaos-runner"
    StandardStream.prepare()
    Interruption.watch()
    exit(
      run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        in: RunnerEnvironment(
          systems: systems, strategies: strategies, reporters: reporters, targets: targets,
          program: program,
          secondProcess: { OwnProcess.output($0) },
          secondProcessReading: { OwnProcess.output($0, input: $1) }),
        on: .process(of: program)))
  }

  /// The same as a part of another program, which has found the arguments among its own.
  ///
  /// - Parameters:
  ///   - arguments: What follows the name of the program.
  ///   - program: What a person types to come here, for lines to paste.
  ///   - scenarios: The text of the scenario file that is run where no other is named.
  ///   - regressions: The folder in which plan files of these scenarios are kept, which each run replays first.
  ///   - systems: What scenarios may name.
  ///   - own: The arguments of that program before these, with which another process of it comes here as well.
  /// - Returns: what the process is to end with.
  public static func run(
    arguments: [String], program: String, scenarios: String, regressions: String,
    systems: [AnySystem], own: [String]
  ) -> Int32 {
    StandardStream.prepare()
    Interruption.watch()
    var environment = RunnerEnvironment(
      systems: systems, targets: [], program: program,
      secondProcess: { OwnProcess.output(own + $0) },
      secondProcessReading: { OwnProcess.output(own + $0, input: $1) })
    environment.builtIn = scenarios
    environment.ownRegressions = regressions
    return run(arguments: arguments, in: environment, on: .process(of: program))
  }

  /// What `main` does, with everything outside the process handed in.
  static func run(
    arguments: [String], in environment: RunnerEnvironment, on console: Console
  ) -> Int32 {
    do {
      let words = try Words(arguments)
      let help = HelpText(environment)
      if words.wantsHelp {
        // 'help explore --help' is about 'explore'.
        let about = try words.operands.first.flatMap { (word) throws(Failure) in
          words.command == HelpCommand.self ? try Commands.named(word) : nil
        }
        console.out(help.text(about ?? words.named))
        return ExitCode.asExpected.rawValue
      }
      if words.wantsVersion {
        return VersionCommand().run(in: environment, on: console).rawValue
      }
      try environment.refuseTwins()
      return try words.command.init(parsing: words, in: environment)
        .run(in: environment, on: console).rawValue
    } catch {
      console.err("\(environment.program): \(error.message)\n")
      if error.code == .usage { console.err(hint(arguments, environment)) }
      return error.code.rawValue
    }
  }

  /// Where the help is that belongs to the words.
  private static func hint(_ arguments: [String], _ environment: RunnerEnvironment) -> String {
    let named = arguments.lazy.filter { !$0.hasPrefix("-") }.first
      .flatMap { word in Commands.all.first { $0.name == word } }
    let command = named.map { $0 == HelpCommand.self ? "" : " \($0.name)" } ?? ""
    return "See '\(environment.program)\(command) --help'.\n"
  }
}

/// What the process ends with.
public enum ExitCode: Int32, Sendable {
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

extension RunnerEnvironment {
  /// Each thing that is chosen by its name has one, and no other has it.
  fileprivate func refuseTwins() throws(Failure) {
    let kinds = [
      ("system", systems.map(\.entry.name)), ("strategy", strategies.map(\.name)),
      ("reporter", reporters.map(\.name)),
    ]
    for (kind, names) in kinds {
      var seen = Set<String>()
      for name in names where name.isEmpty || !seen.insert(name).inserted {
        throw .usage("found a second \(kind) called '\(name)', expected a name of its own for each")
      }
    }
    if strategies.isEmpty { throw .usage("found no strategy, expected at least one") }
    if reporters.isEmpty { throw .usage("found no reporter, expected at least one") }
  }
}

/// What a command works with besides its options and the terminal.
struct RunnerEnvironment {
  var systems: [AnySystem]
  var strategies: [any Strategy] = Strategies.all
  /// What `--format` chooses among; the first is the default.
  var reporters: [any Reporter] = Reporters.builtIn
  /// Systems with a planted defect, for `power`.
  var targets = Target.builtIn
  /// The name of the executable, for lines to paste.
  var program = "chaos-runner"
  /// The text of the scenarios that come with ChaosStore.
  var builtIn = BuiltInScenarios.json
  /// Where the plan files of those are kept, if a program has scenarios of its own; nil where a scenario file in the
  /// current folder takes their place, where nobody names one.
  var ownRegressions: String?
  var looksForFile: Bool { ownRegressions == nil }
  /// Reads a scenario file, and the files that it names.
  var parse:
    (String, [AnySystem], @escaping (_ path: String) throws -> String?) throws(ScenarioError)
      -> [Scenario] = { (text, systems, contents) throws(ScenarioError) in
        try ScenarioFile.scenarios(fromJSON: text, systems: systems, contents: contents)
      }
  /// Runs this program with other arguments in a process of its own and returns its output; nil
  /// where that fails. There is none in a test, whose process is another program.
  var secondProcess: (([String]) -> String?)?
  /// The variables of the process, among which batch systems say which of many jobs it is.
  var variables: [String: String] = ProcessInfo.processInfo.environment
  /// The same for arguments that name standard input, with what is to come from there.
  var secondProcessReading: (([String], String) -> String?)?
}

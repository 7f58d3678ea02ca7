import ChaosStore

/// `explore`: searches with one strategy and shows all it finds.
struct ExploreCommand: Command {
  static let name = "explore"
  static let kind: CommandResult.Kind? = .campaign
  static let summary = "search with one strategy, and show all it finds, made as small as can be"
  static let discussion = """
    Runs one strategy alone on each scenario and prints what was run, every invariant that broke \
    with the small plans that its failures come down to, and what is proved or ruled out where \
    nothing broke. Expected violations are shown as well.
    """
  static let options =
    ScenarioOptions.options + [
      RunSelection.seeds,
      Option("faults", "N", "the most faults of a plan, 0 to 8, for an exhaustive search (2)"),
      Option(
        "moves", "N",
        "the most messages of a plan that arrive later within their usual time, 0 to 8 (as --faults)"
      ),
      Option(
        "lates", "N",
        "up to how many decisions of a plan a fault that delays a message is tried with each order of "
          + "events to which it leads, and not with two delays that stand for all, 0 to 8 (1)"
      ),
      Option(
        "relaunches", "N",
        "up to how many decisions of a plan a fault that strikes only at a launch gets one, the app closed "
          + "and opened again, which does not count, 0 to 8 (2); --uses has launches of its own"
      ),
      Option(
        "uses", "N",
        "the most times that a person does something else of their own accord, 0 to 8 (0): closes "
          + "the app and opens it, looks at another for a while, visits the shop page, buys the same "
          + "again; counted beside the rest"
      ),
      TimeBudget.option, Jobs.option, CampaignOptions.prove, CampaignOptions.coverage,
      OutputOptions.format, OutputOptions.report, OutputOptions.details, OutputOptions.quiet,
      Option(
        "list", "say which plans an exhaustive search ran, a line each; in JSON under 'ranPlans'"),
      OutputOptions.withoutTimes,
      Option("save", "keep each violation that was not expected in regressions/"),
    ] + ShardOptions.options
  static let contradictions =
    OutputOptions.contradictions + ShardOptions.contradictions.filter { takes($0.other) }
  static let exitCodes = RunCommand.exitCodes
  static let examples = [
    Example("explore exhaustive --faults 2 --scenario NAME", "every plan of up to two decisions"),
    Example(
      "explore random --seeds 100000 --scenario NAME", "seeds alone, and the rate they rule out"),
    Example("explore portfolio --budget 5m --save", "both in turn for five minutes, kept"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "STRATEGY", isRequired: true, about: "how to look for failures",
        choices: environment.strategies.map { ($0.name, $0.about) })
    ]
  }

  private let selection: ScenarioOptions
  private let runner: CampaignRunner
  private let output: OutputOptions
  private let saves: Bool
  private let shard: ShardOptions?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    selection = ScenarioOptions(words)
    output = try OutputOptions(words, in: environment)
    var runner = CampaignRunner(
      selection: selection, runs: try RunSelection(words), jobs: try Jobs.count(words),
      budget: try TimeBudget.seconds(words), provesSmallest: words.has("prove"),
      needsPlans: output.needsPlans,
      isQuiet: output.isQuiet)
    runner.faults = try words.number(of: "faults", in: CampaignRunner.limits, called: "faults")
    runner.moves = try words.number(of: "moves", in: CampaignRunner.limits, called: "moves")
    runner.lates = try words.number(of: "lates", in: CampaignRunner.limits, called: "lates")
    runner.relaunches = try words.number(
      of: "relaunches", in: CampaignRunner.limits, called: "relaunches")
    runner.uses = try words.number(of: "uses", in: CampaignRunner.limits, called: "uses")
    try words.refuseOperands(after: 1)
    runner.listsPlans = words.has("list")
    runner.strategy = try environment.strategy(words.operands.first, for: Self.name)
    self.runner = runner
    shard = try ShardOptions(words, in: environment)
    saves = words.has("save")
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: selection.file, console: console, world: environment)
    guard let runner = try runner.afterSearch(shard, source, on: console) else {
      return .asExpected
    }
    return try output.report(
      runner.result(of: source, in: environment, on: console), saves: saves, source, environment,
      on: console)
  }
}

extension RunnerEnvironment {
  /// The strategy that a word names.
  func strategy(_ word: String?, for command: String) throws(Failure) -> any Strategy {
    let names = strategies.map(\.name)
    guard let word else {
      throw .usage("'\(command)' needs a strategy: \(names.joined(separator: ", "))")
    }
    guard let strategy = strategies.first(where: { $0.name == word }) else {
      let hint = suggestion(for: word, among: names)
      throw .usage(
        "'\(command)' knows no strategy '\(word)'"
          + (hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint))
    }
    return strategy
  }
}

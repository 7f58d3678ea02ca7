import ChaosStore

/// Something of the project that reads what people write.
enum Surface: String, CaseIterable {
  /// A scenario file whose structure was changed here and there.
  case scenario
  /// The bytes of one, changed without regard to what they mean.
  case scenarioBytes = "scenario-bytes"
  /// A StoreKit configuration file whose structure was changed here and there.
  case storeKit = "storekit"
  /// A scenario made in Swift, by whoever does not read one from a file.
  case made
  case planText = "plan-text"
  case planJSON = "plan-json"
  case planFile = "plan-file"
  case seed
  case seeds
  case duration
  /// What `power --baseline` reads.
  case baseline
  case commandLine = "command-line"
  /// The variables that steer property tests.
  case environment
  /// What `audit` and `convert` read.
  case log

  /// How many of a hundred inputs are for it.
  private var share: Int {
    switch self {
    case .scenario: 38
    case .scenarioBytes: 14
    case .storeKit: 5
    case .made: 6
    case .planText: 11
    case .planJSON: 7
    case .planFile: 8
    case .seed: 4
    case .seeds: 4
    case .duration: 3
    case .baseline: 2
    case .commandLine: 5
    case .environment: 4
    case .log: 10
    }
  }

  /// The surface of a case, and what is thrown at it.
  static func input(
    case number: Int, seed: UInt64, _ corpus: Corpus
  ) -> (surface: Surface, bytes: [UInt8]) {
    var random = Random(seed: seed, case: number)
    var ticket = random.below(allCases.reduce(0) { $0 + $1.share })
    let surface = allCases.first { surface in
      ticket -= surface.share
      return ticket < 0
    }!
    return (surface, surface.input(&random, corpus))
  }

  private func input(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    switch self {
    case .scenario: ScenarioInput.tree(&random, corpus).bytes(&random)
    case .scenarioBytes:
      Hostile.mutated(random.pick(corpus.scenarioFiles).bytes(&random), &random)
    case .storeKit: StoreKitInput.tree(&random, corpus).bytes(&random)
    case .made: MadeInput.input(&random)
    case .planText: Array(PlanInput.text(&random, corpus).utf8)
    case .planJSON: PlanInput.json(&random, corpus)
    case .planFile: PlanInput.file(&random, corpus)
    case .seed: Array(TextInput.seed(&random).utf8)
    case .seeds: Array(TextInput.seeds(&random).utf8)
    case .duration: Array(TextInput.duration(&random).utf8)
    case .baseline: CommandInput.baseline(&random, corpus)
    case .commandLine: CommandInput.words(&random, corpus)
    case .environment: CommandInput.environment(&random, corpus)
    case .log: LogInput.file(&random)
    }
  }

  /// Throws an input at what reads it. A trap is up to whoever watches this process.
  func examine(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    switch self {
    case .scenario, .scenarioBytes: try ScenarioInput.examine(bytes, corpus)
    case .storeKit: try StoreKitInput.examine(bytes)
    case .made: try MadeInput.examine(bytes, corpus)
    case .planText: try PlanInput.examineText(bytes, corpus)
    case .planJSON: try PlanInput.examineJSON(bytes, corpus)
    case .planFile: try PlanInput.examineFile(bytes, corpus)
    case .seed: try TextInput.examineSeed(bytes)
    case .seeds: try TextInput.examineSeeds(bytes)
    case .duration: try TextInput.examineDuration(bytes)
    case .baseline: try CommandInput.examineBaseline(bytes, corpus)
    case .commandLine: try CommandInput.examineWords(bytes, corpus)
    case .environment: try CommandInput.examineEnvironment(bytes)
    case .log: try LogInput.examine(bytes)
    }
  }
}

/// What became of an input: it was taken, or refused with a message.
enum Answer: Equatable {
  case accepted
  case refused(String)

  /// A refusal that says something.
  static func refused(
    saying message: String, _ finding: String = "an empty message"
  ) throws(Finding) -> Answer {
    guard !message.allSatisfy(\.isWhitespace) else { throw Finding(finding, "") }
    return .refused(message)
  }
}

/// Nonsense that was accepted, or sense that was refused.
struct Finding: Error {
  /// The same for all inputs that show the same mistake.
  var kind: String
  var detail: String

  init(_ kind: String, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

import ChaosStore
import Foundation
import Invariants

/// `trace`: what two machines compare, line by line for one run, or a hash for each of many.
struct TraceCommand {
  private let options: RunOptions
  private let console: Console
  private let scenarios: [Scenario]

  init(_ options: RunOptions, _ console: Console, _ world: Surroundings) throws(Failure) {
    self.options = options
    self.console = console
    scenarios = try ScenarioSource(
      file: options.file, console: console, world: world, isQuiet: options.isQuiet
    ).selection(options.patterns)
  }

  /// The options, if they say which runs.
  static func checked(_ options: RunOptions) throws(Failure) -> RunOptions {
    if case .scenarios = options.seeds {
      throw .usage(
        "'trace' needs to know which runs: --seed S or --plan TEXT for one, line by line; "
          + "--seeds N|A..<B for the hashes of many")
    }
    return options
  }

  func run() throws(Failure) {
    let progress = Progress(console, isQuiet: options.isQuiet)
    defer { progress.clear() }
    let cancellation = Cancellation(console, progress)
    var runs: [Run] = []
    for (index, scenario) in scenarios.enumerated() {
      progress.begin(index + 1, of: scenarios.count, scenario.name)
      if cancellation.isRequested { throw .noVerdict("interrupted before '\(scenario.name)'") }
      switch options.seeds {
      case .scenarios: break
      case .range(let seeds): runs += try hashes(scenario, seeds, cancellation)
      case .one(let seed, let plan): runs += try listing(scenario, seed, plan, cancellation)
      }
    }
    if options.format == .json { console.out(json: .json(Document(runs: runs)) + "\n") }
  }

  /// A line such as `NAME 0x2a 0x5f0d3c6b1e2a4978`; a plan without a seed has a dash for it.
  static func hashLine(_ scenario: Scenario, seed: UInt64?, hash: String) -> String {
    "\(scenario.name) \(seed.map(SeedText.text) ?? "-") \(hash)"
  }

  /// Printed as they come, as there may be many; collected only for JSON.
  private func hashes(
    _ scenario: Scenario, _ seeds: Range<UInt64>, _ cancellation: Cancellation
  ) throws(Failure) -> [Run] {
    let simulation = Simulation(scenario, cancellation: cancellation)
    var runs: [Run] = []
    var text = ""
    for seed in seeds {
      let outcome = simulation.run(seed: seed)
      if outcome.isInterrupted || cancellation.isRequested {
        console.out(text)
        throw .noVerdict("interrupted in '\(scenario.name)', before seed \(SeedText.text(seed))")
      }
      let hash = TraceListing.text(hash: outcome.trace)
      if options.format == .json {
        runs.append(Run(scenario, seed, hash))
      } else {
        text += Self.hashLine(scenario, seed: seed, hash: hash) + "\n"
      }
      guard text.utf8.count > 1 << 16 || seed % 1024 == 1023 else { continue }
      console.out(text)
      text = ""
    }
    console.out(text)
    return runs
  }

  private func listing(
    _ scenario: Scenario, _ seed: UInt64?, _ plan: Plan, _ cancellation: Cancellation
  ) throws(Failure) -> [Run] {
    let record = Simulation(scenario, cancellation: cancellation).record(seed: seed, plan: plan)
    if record.outcome.isInterrupted {
      throw .noVerdict(
        "interrupted in '\(scenario.name)', after \(record.outcome.events.of("event"))")
    }
    if scenarios.count == 1, !record.unmatched.isEmpty {
      let names = record.unmatched.map(\.description).joined(separator: ", ")
      console.err("Named by the plan and never asked for: \(names)\n")
    }
    let hash = TraceListing.text(hash: record.outcome.trace)
    let listing = TraceListing(record, of: scenario)
    if options.format == .json {
      return [Run(scenario, seed, hash, lines: options.isQuiet ? nil : listing.lines)]
    }
    console.out(
      options.isQuiet
        ? Self.hashLine(scenario, seed: seed, hash: hash) + "\n"
        : (scenario.name == scenarios[0].name ? "" : "\n") + listing.text)
    return []
  }

  private struct Document: Encodable {
    var version = Runner.version
    var runs: [Run]
  }

  private struct Run: Encodable {
    var scenario: String
    var seed: String?
    var traceHash: String
    var lines: [Line]?

    init(
      _ scenario: Scenario, _ seed: UInt64?, _ hash: String, lines: [TraceListing.Line]? = nil
    ) {
      self.scenario = scenario.name
      self.seed = seed.map(SeedText.text)
      traceHash = hash
      self.lines = lines?.map(Line.init)
    }
  }

  private struct Line: Encodable {
    var event: Int
    var millis: Int64
    var kind: String?
    var about: String?
    var trace: String?
    var numbers: String?
    var decision: String?
    var fact: String?
    var end: String?

    init(_ line: TraceListing.Line) {
      event = line.event
      millis = line.at.millis
      switch line.content {
      case .event(let kind, let about, let trace, let numbers):
        self.kind = kind
        self.about = about
        self.trace = TraceListing.text(hash: trace)
        self.numbers = numbers
      case .decision(let decision): self.decision = decision.description
      case .fact(let fact): self.fact = fact
      case .end(let end): self.end = end
      }
    }
  }
}

extension String {
  /// An object for machines.
  static func json(_ document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document), let text = String(data: data, encoding: .utf8)
    else { fatalError("bug: a report that cannot be written as JSON") }
    return text
  }
}

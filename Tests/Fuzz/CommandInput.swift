import ChaosRunner
import ChaosStore
import Foundation

/// Command lines, what `power` compares with, and the environment of property tests.
enum CommandInput {
  private static let commands = [
    "run", "explore", "power", "replay", "regress", "list", "explain", "check", "trace",
    "verify-determinism", "help", "version",
  ]

  private static let options = [
    "--scenario", "--scenarios", "--seed", "--seeds", "--plan", "--faults", "--budget", "--jobs",
    "--prove", "--coverage", "--starts", "--baseline", "--format", "--details", "--quiet", "--save",
    "--emit-test", "--best-effort", "--help", "--version", "-h",
  ]

  private static let operands = [
    "random", "exhaustive", "portfolio", "scenarios", "systems", "faults", "invariants",
    "decisions", "F01", "I01", "crash", "exactly-once", "L", "scenarios.json", "plan.json",
    "broken.json", "bytes.json", "no.json", "regressions", "run", "all", "explore", "text", "json",
  ]

  /// Words, each closed by a NUL, which no argument can hold.
  static func words(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    var words: [String] = []
    if !random.oneIn(8) { words.append(random.pick(commands)) }
    if random.oneIn(2) { words.append(random.pick(operands)) }
    for _ in 0..<random.below(5) {
      let option = random.pick(options)
      let value = value(of: option, &random, corpus)
      switch random.below(8) {
      case 0: words.append(option)
      case 1: words.append(option + "=" + value)
      default: words += value.isEmpty ? [option] : [option, value]
      }
    }
    if random.oneIn(5), !words.isEmpty {
      let place = random.below(words.count)
      words[place] = Hostile.mutated(words[place], &random)
    }
    return words.flatMap { Array($0.utf8).filter { $0 != 0 } + [0] }
  }

  private static func value(
    of option: String, _ random: inout Random, _ corpus: Corpus
  ) -> String {
    if random.oneIn(10) { return random.pick(Hostile.texts + Hostile.numbers) }
    switch option {
    case "--scenario":
      return random.pick(["*", "exactly-once/*", Corpus.stageName, "x", "*/m?xed"])
    case "--scenarios", "--baseline":
      return random.pick([
        "scenarios.json", "broken.json", "bytes.json", "no.json", "baseline.json",
      ])
    case "--seed": return TextInput.seed(&random)
    case "--seeds": return random.oneIn(2) ? "\(random.below(30))" : TextInput.seeds(&random)
    case "--plan": return PlanInput.text(&random, corpus)
    case "--faults", "--jobs", "--starts":
      return random.oneIn(3) ? random.pick(Hostile.numbers) : "\(random.below(4))"
    case "--budget": return random.oneIn(3) ? "10ms" : TextInput.duration(&random)
    case "--format": return random.pick(["text", "json", "xml", "JSON"])
    default: return ""
    }
  }

  static func baseline(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    var tree = corpus.baseline
    for _ in 0..<random.few(upTo: 4) {
      if random.oneIn(2) {
        // One of its numbers or names.
        let key = random.pick(["found", "starts", "medianRuns", "size", "name", "medianMillis"])
        var mutant = tree["mutants"]?.elements.first ?? .object([])
        var strategy = mutant["strategies"]?.elements.first ?? .object([])
        strategy[key] =
          random.oneIn(2) ? .number(random.pick(Hostile.numbers)) : .hostile(&random, corpus)
        mutant["strategies"] = .list(random.oneIn(4) ? [strategy, strategy] : [strategy])
        tree["mutants"] = .list(random.oneIn(4) ? [mutant, mutant] : [mutant])
      } else {
        tree.mutate(&random, corpus)
      }
    }
    let bytes = tree.bytes(&random)
    return random.oneIn(6) ? Hostile.mutated(bytes, &random) : bytes
  }

  static func environment(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    var words: [String] = []
    for name in ["CHAOS_SEED", "CHAOS_PLAN", "CHAOS_SEEDS", "CHAOS_BUDGET", "CHAOS_SAVE"]
    where random.oneIn(3) {
      let value =
        switch name {
        case "CHAOS_SEED": TextInput.seed(&random)
        case "CHAOS_PLAN": PlanInput.text(&random, corpus)
        case "CHAOS_SEEDS": TextInput.seeds(&random)
        case "CHAOS_BUDGET": TextInput.duration(&random)
        default: random.pick(["0", "1", "yes", "", "01", " 1", "\u{661}"])
        }
      words.append(name + "=" + value)
    }
    return words.flatMap { Array($0.utf8).filter { $0 != 0 } + [0] }
  }

  // MARK: -

  static func examineWords(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    var random = Random(from: bytes)
    var scenario = corpus.stage
    scenario.seeds = 20
    var rehearsal = Rehearsal(
      files: [
        "scenarios.json": Array(scenario.json.utf8), "broken.json": Array("{\"version\": 1,".utf8),
        "bytes.json": [0xff, 0xfe, 0x00], "plan.json": corpus.planFiles[0].bytes(&random),
        "baseline.json": corpus.baseline.bytes(&random),
        "regressions/kept.json": corpus.planFiles[0].bytes(&random),
        "regressions/broken.json": Array("[".utf8),
      ], patience: random.below(20))
    rehearsal.defect = "finish-before-credit"
    let outcome = rehearsal.run(words)
    try check(outcome, of: words)
    return outcome.code < 2 ? .accepted : .refused(outcome.err)
  }

  static func examineBaseline(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    var rehearsal = Rehearsal(files: ["baseline.json": bytes])
    rehearsal.defect = "finish-before-credit"
    let words = ["power", "random", "--starts", "1", "--quiet", "--baseline", "baseline.json"]
    let outcome = rehearsal.run(words)
    try check(outcome, of: words)
    guard outcome.code == 2 else { return .accepted }
    guard outcome.err.contains("baseline.json") else {
      throw Finding("a refusal that does not name the file", outcome.err)
    }
    return .refused(outcome.err)
  }

  static func examineEnvironment(_ bytes: [UInt8]) throws(Finding) -> Answer {
    var environment: [String: String] = [:]
    for word in bytes.split(separator: 0) {
      let sides = String(decoding: word, as: UTF8.self)
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      environment[String(sides[0])] = sides.count > 1 ? String(sides[1]) : ""
    }
    do { try PropertyTest.checkEnvironment(environment) } catch {
      guard environment.keys.contains(where: { error.message.contains($0) }) else {
        throw Finding("a refusal that names no variable", error.message)
      }
      return try .refused(saying: error.message)
    }
    return .accepted
  }

  /// What holds for every call of the program, whatever it was asked.
  static func check(_ outcome: Rehearsal.Outcome, of words: [String]) throws(Finding) {
    let (code, out, err) = (outcome.code, outcome.out, outcome.err)
    switch code {
    case 0, 1: break
    case 2:
      if out.isEmpty && err.isEmpty { throw Finding("exit 2 without a word", "\(words)") }
    case 64:
      guard out.isEmpty, err.hasPrefix("chaos-runner: "), err.count > 20 else {
        throw Finding("bad usage that is not said to be", "\(words): \(err)")
      }
    default: throw Finding("exit \(code)", "\(words)")
    }
    for (text, place) in [(out, "output"), (err, "errors")] {
      let control = text.unicodeScalars.first { scalar in
        scalar.value < 0x20 && scalar != "\n" || (0x7f...0x9f).contains(scalar.value)
      }
      if let control {
        throw Finding(
          "a control byte in the \(place) of '\(words.first { commands.contains($0) } ?? "run")'",
          "U+\(String(control.value, radix: 16)) of \(words)")
      }
    }
    let isJSON = zip(words, words.dropFirst()).contains { $0 == ("--format", "json") }
    let asksForHelp = ["--help", "-h", "--version", "help", "version"].contains(
      where: words.contains)
    if isJSON, code < 2, !asksForHelp,
      (try? JSONSerialization.jsonObject(with: Data(out.utf8))) == nil
    {
      throw Finding("JSON that is none", "\(words)")
    }
  }
}

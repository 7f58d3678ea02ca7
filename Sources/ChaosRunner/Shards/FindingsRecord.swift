import ChaosStore
import Invariants

/// What a part of a search came to, as a shard's file has it; `Findings.add` puts parts together.
struct FindingsRecord: Codable, Equatable {
  struct Rule: Codable, Equatable {
    var runs: Int
    var idle: Int
    var firstSeed: UInt64?
    /// A smallest plan that broke it, as text.
    var plan: String?
    var failing: [UInt64]
  }

  struct Run: Codable, Equatable {
    var seed: UInt64?
    var plan: String?
  }

  struct Problem: Codable, Equatable {
    var isMisuse: Bool
    var text: String
    var event: Int
    var atMillis: Int64
  }

  struct Proof: Codable, Equatable {
    var plans: [Int]
    var skipped: [Int]
    var ran: [String]
    var size: Int
    var mostFaults: Int
    var mostMoves: Int
    var mostLates: Int
    var mostRelaunches: Int
    var mostUses: Int
    var isWhole: Bool
  }

  var runs: Int
  var events: Int
  var simulatedMillis: Int64
  var randomRuns: Int
  /// One for each invariant of the scenario, in its order.
  var rules: [Rule]
  /// One for each goal.
  var reached: [Int]
  var unattributed: Int
  var stepsAsOne: UInt32
  var runsAsOne: Int
  var readsClock: Bool
  /// By fault and step, where it struck.
  var coverage: [String: [String: Int]]
  var cutOff: Run?
  var unfit: Run?
  var problems: [Problem]
  var differing: Run?
  var proof: Proof?
  var highest: UInt64
  var trace: UInt64
  var leftOut: [String]
}

// MARK: - Writing

extension FindingsRecord {
  init(_ findings: Findings) {
    runs = findings.runs
    events = findings.events
    simulatedMillis = findings.simulatedMillis
    randomRuns = findings.randomRuns
    rules = findings.rules.map { rule in
      Rule(
        runs: rule.runs, idle: rule.idle, firstSeed: rule.firstSeed,
        plan: rule.smallestPlan?.description, failing: rule.failingSeeds)
    }
    reached = findings.reached
    unattributed = findings.unattributed
    stepsAsOne = findings.stepsAsOne.rawValue
    runsAsOne = findings.runsAsOne
    readsClock = findings.readsClock
    coverage = [:]
    for fault in Fault.allCases {
      for step in Step.allCases where findings.coverage[fault, step] > 0 {
        coverage[fault.name, default: [:]][step.name] = findings.coverage[fault, step]
      }
    }
    cutOff = findings.cutOff.map(Run.init)
    unfit = findings.unfit.map(Run.init)
    problems = findings.problems.map { problem in
      Problem(
        isMisuse: problem.kind == .misuse, text: problem.text, event: problem.event,
        atMillis: problem.at.millis)
    }
    differing = findings.differing.map(Run.init)
    proof = findings.proof.map(Proof.init)
    highest = findings.highest
    trace = findings.trace
    leftOut = findings.leftOut
  }
}

extension FindingsRecord.Run {
  fileprivate init(_ origin: Origin) {
    seed = origin.seed
    plan = origin.plan.isEmpty ? nil : origin.plan.description
  }
}

extension FindingsRecord.Proof {
  fileprivate init(_ proof: Findings.Proof) {
    plans = proof.plans
    skipped = proof.skipped
    ran = proof.ran.map(\.description)
    size = proof.size
    mostFaults = proof.mostFaults
    mostMoves = proof.mostMoves
    mostLates = proof.mostLates
    mostRelaunches = proof.mostRelaunches
    mostUses = proof.mostUses
    isWhole = proof.isWhole
  }
}

// MARK: - Reading

extension FindingsRecord {
  /// What in it cannot be, by its place there; a text for people.
  struct Impossible: Error {
    var place: String
    var found: String
    var expected: String
  }

  /// The findings, where they can be those of so many seeds of the scenario.
  func findings(of scenario: Scenario, seeds: Range<UInt64>) throws(Impossible) -> Findings {
    try check(scenario, seeds)
    var findings = Findings(scenario)
    findings.runs = runs
    findings.events = events
    findings.simulatedMillis = simulatedMillis
    findings.randomRuns = randomRuns
    for (place, rule) in rules.enumerated() {
      findings.rules[place].runs = rule.runs
      findings.rules[place].idle = rule.idle
      findings.rules[place].firstSeed = rule.firstSeed
      findings.rules[place].smallestPlan = try rule.plan.map { (text) throws(Impossible) in
        try Self.plan(text, "rules[\(place)].plan")
      }
      findings.rules[place].failingSeeds = rule.failing
    }
    findings.reached = reached
    findings.unattributed = unattributed
    findings.stepsAsOne = TableUses(rawValue: stepsAsOne)
    findings.runsAsOne = runsAsOne
    findings.readsClock = readsClock
    findings.coverage = try strikes()
    findings.cutOff = try Self.origin(cutOff, "cutOff")
    findings.unfit = try Self.origin(unfit, "unfit")
    findings.problems = problems.map { problem in
      ChaosStore.Problem(
        problem.isMisuse ? .misuse : .leak, problem.text, event: problem.event,
        at: .init(millis: problem.atMillis))
    }
    findings.differing = try Self.origin(differing, "differing")
    findings.proof = try proof.map { (proof) throws(Impossible) in try proof.proof }
    findings.highest = highest
    findings.trace = trace
    findings.leftOut = leftOut
    if let impossibility = findings.impossibility(in: scenario) {
      throw Impossible(place: "counts", found: impossibility, expected: "counts that agree")
    }
    return findings
  }

  /// Of sixteen bits of shards the sum of all is still one that can be counted.
  fileprivate static let counted = 0..<1 << 46

  private func check(_ scenario: Scenario, _ seeds: Range<UInt64>) throws(Impossible) {
    func require(_ place: String, _ found: Int, _ expected: Int, _ of: String) throws(Impossible) {
      if found != expected {
        throw Impossible(place: place, found: "\(found)", expected: "\(expected), \(of)")
      }
    }
    try require("rules", rules.count, scenario.invariants.count, "one for each invariant")
    try require("reached", reached.count, scenario.goals.count, "one for each goal")
    try require("randomRuns", randomRuns, seeds.count, "one for each seed")
    let counts =
      [runs, events, unattributed, runsAsOne] + reached
      + rules.flatMap { [$0.runs, $0.idle] } + coverage.values.flatMap(\.values)
    for count in counts where !Self.counted.contains(count) {
      throw Impossible(place: "counts", found: "\(count)", expected: "0 to 2^46 - 1")
    }
    if let proof { try proof.check() }
    for (place, problem) in problems.enumerated() {
      let numbers = [("event", problem.event), ("atMillis", Int(problem.atMillis))]
      for (key, number) in numbers where !Self.counted.contains(number) {
        throw Impossible(
          place: "problems[\(place)].\(key)", found: "\(number)", expected: "0 to 2^46 - 1")
      }
    }
    for (place, rule) in rules.enumerated() {
      let isOrdered = zip(rule.failing, rule.failing.dropFirst()).allSatisfy { $0 < $1 }
      let isInside = rule.failing.allSatisfy(seeds.contains)
      guard isOrdered, isInside, rule.failing.count <= Findings.mostFailingKept,
        rule.firstSeed == rule.failing.first, rule.failing.count <= rule.runs
      else {
        throw Impossible(
          place: "rules[\(place)].failing",
          found: rule.failing.map { SeedText.text($0) }.joined(separator: ", "),
          expected: "seeds of this part in order, at most \(Findings.mostFailingKept)")
      }
    }
  }

  private func strikes() throws(Impossible) -> Coverage {
    var cells = Coverage().cells
    for (name, steps) in coverage {
      guard let fault = Fault.allCases.first(where: { $0.name == name }) else {
        throw Impossible(place: "coverage", found: "'\(name)'", expected: "the name of a fault")
      }
      for (name, count) in steps {
        guard let step = Step.allCases.first(where: { $0.name == name }) else {
          throw Impossible(
            place: "coverage.\(fault.name)", found: "'\(name)'", expected: "the name of a step")
        }
        cells[Int(fault.rawValue) * Step.allCases.count + Int(step.rawValue)] = count
      }
    }
    guard let coverage = Coverage(cells: cells) else { fatalError("bug: coverage of another size") }
    return coverage
  }

  fileprivate static func plan(_ text: String, _ place: String) throws(Impossible) -> Plan {
    if text.isEmpty { return Plan() }
    do { return try Plan(parsing: text) } catch {
      throw Impossible(place: place, found: error.description, expected: "a plan")
    }
  }

  private static func origin(_ run: Run?, _ place: String) throws(Impossible) -> Origin? {
    guard let run else { return nil }
    return Origin(seed: run.seed, plan: try plan(run.plan ?? "", place))
  }
}

extension FindingsRecord.Proof {
  /// Plans are counted by their size, from the quiet run on.
  fileprivate func check() throws(FindingsRecord.Impossible) {
    for (key, counts) in [("plans", plans), ("skipped", skipped)] {
      for (place, count) in counts.enumerated() where !FindingsRecord.counted.contains(count) {
        throw FindingsRecord.Impossible(
          place: "proof.\(key)[\(place)]", found: "\(count)", expected: "0 to 2^46 - 1")
      }
    }
    let most = plans.count - 1
    guard (-1...max(-1, most)).contains(size), skipped.count == plans.count else {
      throw FindingsRecord.Impossible(
        place: "proof.size", found: "\(size), with \(skipped.count) counts of skipped plans",
        expected: "-1 to \(most), with \(plans.count)")
    }
    let numbers = [
      ("mostFaults", mostFaults), ("mostMoves", mostMoves), ("mostLates", mostLates),
      ("mostRelaunches", mostRelaunches), ("mostUses", mostUses),
    ]
    for (key, number) in numbers where !(0...1000).contains(number) {
      throw FindingsRecord.Impossible(
        place: "proof.\(key)", found: "\(number)", expected: "0 to 1000")
    }
  }

  fileprivate var proof: Findings.Proof {
    get throws(FindingsRecord.Impossible) {
      var proof = Findings.Proof.none
      proof.plans = plans
      proof.skipped = skipped
      for text in ran { proof.ran.append(try FindingsRecord.plan(text, "proof.ran")) }
      proof.size = size
      proof.mostFaults = mostFaults
      proof.mostMoves = mostMoves
      proof.mostLates = mostLates
      proof.mostRelaunches = mostRelaunches
      proof.mostUses = mostUses
      proof.isWhole = isWhole
      return proof
    }
  }
}

import ChaosRunner
import ChaosStore
import Invariants

/// Scenario files: what is thrown at their reader, and what must be true of its answer.
enum ScenarioInput {
  static func tree(_ random: inout Random, _ corpus: Corpus) -> Tree {
    var tree = random.pick(corpus.scenarioFiles)
    if random.oneIn(12) {
      let other = random.pick(corpus.scenarioFiles)
      tree["scenarios"] = .list((tree["scenarios"]?.elements ?? []) + other["scenarios"]!.elements)
      for member in other["worlds"]?.members ?? [] where tree["worlds"]?[member.key] == nil {
        var worlds = tree["worlds"] ?? .object([])
        worlds[member.key] = member.value
        tree["worlds"] = worlds
      }
    }
    if random.oneIn(60) { extend(&tree, &random) }
    if random.oneIn(15_000) { enlarge(&tree, &random) }
    for _ in 0..<(random.oneIn(2) ? 1 : random.few(upTo: 8)) {
      if !random.oneIn(3), case .list(var scenarios) = tree["scenarios"], !scenarios.isEmpty {
        // A key that a scenario or its world may have, at the edge of what it may be.
        let index = random.below(scenarios.count)
        let key = random.pick(corpus.ownKeys)
        scenarios[index][key] = .fitting(key, &random, corpus)
        tree["scenarios"] = .list(scenarios)
      } else {
        tree.mutate(&random, corpus)
      }
    }
    return tree
  }

  /// A chain of worlds each of which extends the one before; now and then a ring.
  private static func extend(_ tree: inout Tree, _ random: inout Random) {
    let count = random.oneIn(200) ? 10_000 : random.oneIn(10) ? 500 : 1 + random.below(30)
    let first = tree["worlds"]?.members.first?.key ?? "chain\(count)"
    var members = tree["worlds"]?.members ?? []
    for index in 1...count {
      let other = index == 1 ? (random.oneIn(4) ? "chain\(count)" : first) : "chain\(index - 1)"
      members.append(
        Tree.Member(
          key: "chain\(index)",
          value: .object([Tree.Member(key: "extends", value: .string(other))])))
    }
    if random.oneIn(2) { members.reverse() }
    tree["worlds"] = .object(members)
    if case .list(var scenarios) = tree["scenarios"], !scenarios.isEmpty {
      scenarios[0]["world"] = .string("chain\(count)")
      tree["scenarios"] = .list(scenarios)
    }
  }

  /// Very many of something.
  private static func enlarge(_ tree: inout Tree, _ random: inout Random) {
    let count = 100_000
    guard case .list(var scenarios) = tree["scenarios"], !scenarios.isEmpty else { return }
    func numbered(_ make: (Int) -> Tree) -> Tree { .list((1...count).map(make)) }
    switch random.below(7) {
    case 0: scenarios[0]["devices"] = numbered { _ in .object([]) }
    case 1:
      scenarios[0]["products"] = numbered {
        .object([Tree.Member(key: "name", value: .string("product\($0)"))])
      }
    case 2:
      scenarios[0]["faults"] = .object(
        (1...count).map { Tree.Member(key: "key\($0)", value: .number("1")) })
    case 3: scenarios[0]["nam"] = .string(String(repeating: "x", count: 2_000_000))
    case 4: scenarios[0][String(repeating: "name", count: 1_000_000)] = .null
    case 5: scenarios[0]["invariants"] = numbered { _ in .string("I01") }
    default:
      scenarios[0]["steps"] = numbered {
        .object([
          Tree.Member(key: "at", value: .number("\($0)")),
          Tree.Member(key: "buy", value: .string("coins")),
        ])
      }
    }
    tree["scenarios"] = .list(scenarios)
  }

  // MARK: -

  static func examine(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let outcome = Rehearsal(files: ["x.json": bytes]).run(["check", "x.json"])
      guard outcome.code == 2, outcome.err.contains("x.json") else {
        throw Finding("bytes that are no text: exit \(outcome.code)", outcome.err)
      }
      return .refused(outcome.err)
    }
    let strict = Result { () throws(StrictJSON.Refusal) in try StrictJSON.read(bytes) }
    let scenarios: [Scenario]
    do {
      scenarios = try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems)
    } catch {
      try check(error, strict)
      return try .refused(saying: error.description)
    }
    if case .failure(let refusal) = strict {
      throw Finding("JSON accepted that is none: \(refusal.reason)", "at byte \(refusal.position)")
    }
    var random = Random(from: bytes)
    for scenario in scenarios { try examine(scenario, &random) }
    if random.oneIn(24) { try runCommand(text, scenarios, &random) }
    return .accepted
  }

  /// Whether a complaint is about what is wrong.
  private static func check(
    _ error: ScenarioError, _ strict: Result<Tree, StrictJSON.Refusal>
  ) throws(Finding) {
    if error.found.isEmpty || error.expected.isEmpty {
      throw Finding("a refusal that says nothing", error.description)
    }
    guard !error.keyPath.hasPrefix("line ") else {
      if case .success = strict { throw Finding("JSON refused that is some", error.description) }
      return
    }
    guard case .success(let tree) = strict else { return }
    guard tree.has(path: error.keyPath, orMissingLast: true) else {
      throw Finding("a refusal of what is not in the file", error.description)
    }
  }

  /// What is accepted can be written, read and run.
  private static func examine(_ scenario: Scenario, _ random: inout Random) throws(Finding) {
    let copy: [Scenario]
    do {
      copy = try ScenarioFile.scenarios(fromJSON: scenario.json, systems: BuiltIn.systems)
    } catch {
      throw Finding("a scenario that is refused when written", error.description)
    }
    guard copy.count == 1, copy[0].json == scenario.json, copy[0].setup == scenario.setup else {
      throw Finding("a scenario that changes when written and read", scenario.name)
    }
    try Trials.run(scenario, &random)
  }

  /// The same file through the program, with its reports.
  private static func runCommand(
    _ text: String, _ scenarios: [Scenario], _ random: inout Random
  ) throws(Finding) {
    guard scenarios.allSatisfy({ Trials.isSmall($0) && $0.setup.eventLimit <= 10_000 })
    else { return }
    let calls = [
      ["run", "--seeds", "3", "--jobs", "1"], ["explore", "random", "--seeds", "5", "--details"],
      ["run", "--seed", "1"], ["run", "--seeds", "4", "--format", "json", "--save"],
      ["trace", "--seed", "2", "--quiet"], ["list", "scenarios"],
      ["run", "--plan", "drop verify.reply tx1 #1", "--details"],
    ]
    let call = random.pick(calls)
    let outcome = Rehearsal(files: ["scenarios.json": Array(text.utf8)], patience: 40).run(call)
    try CommandInput.check(outcome, of: call)
  }
}

extension Tree {
  /// Whether something stands at a key path such as `scenarios[0].steps[2].at`.
  func has(path: String, orMissingLast isForgiving: Bool) -> Bool {
    var node = self
    var rest = Substring(path)
    while !rest.isEmpty {
      if rest.first == "." { rest.removeFirst() }
      // The longest key that fits; a key may hold any sign, so it is looked for and not split off.
      if case .list(let elements) = node {
        guard rest.first == "[", let end = rest.firstIndex(of: "]"),
          let index = Int(rest[rest.index(after: rest.startIndex)..<end]),
          elements.indices.contains(index)
        else { return false }
        node = elements[index]
        rest = rest[rest.index(after: end)...]
        continue
      }
      guard case .object(let members) = node else { return false }
      let fitting = members.map { ($0, Self.forms(of: $0.key)) }
        .first { _, forms in forms.contains { rest.continues(with: $0) } }
      guard let (member, forms) = fitting, let form = forms.first(where: rest.continues(with:))
      else { return isForgiving && !rest.contains("].") }
      node = member.value
      rest = rest.dropFirst(form.count)
    }
    return true
  }

  /// How a key is written in a path.
  private static func forms(of key: String) -> [String] {
    var quoted = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return [key, "[\"\(quoted)\"]"].filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Whether a key is what comes next, and not only the beginning of a longer one.
  fileprivate func continues(with key: String) -> Bool {
    guard hasPrefix(key) else { return false }
    return dropFirst(key.count).first.map { $0 == "." || $0 == "[" } ?? true
  }
}

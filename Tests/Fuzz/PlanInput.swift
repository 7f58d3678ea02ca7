import ChaosRunner
import ChaosStore

/// Plans as text, as JSON and in files.
enum PlanInput {
  static func text(_ random: inout Random, _ corpus: Corpus) -> String {
    let count =
      random.oneIn(20_000) ? 30_000 : random.oneIn(500) ? 1000 : random.few(upTo: 6)
    var parts = (0..<count).map { _ in decision(&random, corpus) }
    if random.oneIn(3) {
      parts[random.below(count)] = Hostile.mutated(parts[random.below(count)], &random)
    }
    let separator =
      random.oneIn(3) ? random.pick([", ", ";", "\n", ",,", "\r\n", " , ", "\t"]) : ", "
    let text = parts.joined(separator: separator)
    return random.oneIn(6) ? Hostile.mutated(text, &random) : text
  }

  static func json(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    var tree = Tree.list(
      (0..<random.few(upTo: 5)).map { _ in
        random.oneIn(2) ? .string(decision(&random, corpus)) : object(&random, corpus)
      })
    if !random.oneIn(3) { tree.mutate(&random, corpus) }
    let bytes = tree.bytes(&random)
    return random.oneIn(6) ? Hostile.mutated(bytes, &random) : bytes
  }

  static func file(_ random: inout Random, _ corpus: Corpus) -> [UInt8] {
    var tree = random.pick(corpus.planFiles)
    for _ in 0..<random.few(upTo: 4) {
      switch random.below(6) {
      case 0: tree["plan"] = .list([.string(decision(&random, corpus))])
      case 1: tree["seed"] = .string(random.pick(Hostile.seeds))
      case 2:
        tree[random.pick(["expect", "trace", "model", "tool", "scenario", "version"])] =
          .hostile(&random, corpus)
      case 3: tree["expect"] = .object([.init(key: "violates", value: .hostile(&random, corpus))])
      default: tree.mutate(&random, corpus)
      }
    }
    let bytes = tree.bytes(&random)
    return random.oneIn(6) ? Hostile.mutated(bytes, &random) : bytes
  }

  /// Mostly one that is in order, so that whole plans are.
  static func decision(_ random: inout Random, _ corpus: Corpus) -> String {
    let asked = random.pick(Question.allCases)
    let name = random.oneIn(16) ? random.pick(corpus.words) : asked.name
    var text = name + " " + subject(&random)
    if !random.oneIn(5) { text += " " + occurrence(&random) }
    let sign = random.oneIn(6) ? random.pick(["=", "= ", " =", " == "]) : " = "
    if random.oneIn(16) { return text + sign + answer(&random) }
    switch asked.shape {
    case .strike, .omission: return text
    case .choice(_, let values): return text + sign + "\(random.pick(values))"
    case .delay: return text + sign + answer(&random)
    }
  }

  private static func subject(_ random: inout Random) -> String {
    if random.oneIn(24) { return random.pick(Hostile.texts) }
    let number = random.oneIn(24) ? random.pick(Hostile.numbers) : "\(1 + random.below(3))"
    let kind = random.pick(["tx", "tx", "tx", "phone", "step", "server", "attacker"])
    if kind != "attacker" && kind != "tx" { return kind + number }
    var text = kind == "tx" ? kind + number : kind
    if random.oneIn(4) {
      text += "/" + random.pick(["a1", "2", "r1", "2/r1", "a1/2", "a15/256/r4095"])
    }
    while random.oneIn(24) { text += "/" + random.pick(["", "a", "r", "a1", "r1", "2", "b"]) }
    return text
  }

  private static func occurrence(_ random: inout Random) -> String {
    "#"
      + (random.oneIn(8)
        ? random.pick(Hostile.numbers + ["+1", " 1", ""]) : "\(1 + random.below(3))")
  }

  private static func answer(_ random: inout Random) -> String {
    switch random.below(5) {
    case 0 where random.oneIn(2): "overtaken"
    case 1 where random.oneIn(3): random.pick(Hostile.times)
    case 2 where random.oneIn(3): random.pick(Hostile.numbers)
    case 3: "late"
    default: "\(random.below(90_000_000))" + (random.oneIn(2) ? "ms" : "")
    }
  }

  private static func object(_ random: inout Random, _ corpus: Corpus) -> Tree {
    var object = Tree.object([
      .init(key: "question", value: .string(random.pick(Question.allCases).name)),
      .init(key: "subject", value: .string(subject(&random))),
    ])
    if random.oneIn(2) {
      object["occurrence"] = .number(
        random.oneIn(4) ? random.pick(Hostile.numbers) : "\(1 + random.below(3))")
    }
    if random.oneIn(2) {
      object["answer"] =
        random.oneIn(3) ? .number(random.pick(Hostile.numbers)) : .string(answer(&random))
    }
    return object
  }

  // MARK: -

  static func examineText(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    let plan: Plan
    do { plan = try Plan(parsing: text) } catch {
      return try .refused(saying: error.description)
    }
    let (written, meant) = (words(of: text), words(of: plan.description))
    guard written == meant else {
      throw Finding(
        "a plan that is not what was written", "'\(written.prefix(8))' as '\(meant.prefix(8))'")
    }
    try examine(plan, corpus)
    return .accepted
  }

  static func examineJSON(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    let plan: Plan
    do { plan = try Plan(json: String(decoding: bytes, as: UTF8.self)) } catch {
      return try .refused(saying: error.description)
    }
    try examine(plan, corpus)
    return .accepted
  }

  static func examineFile(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    let name = "regressions/plan.json"
    let stage = Array(corpus.stage.json.utf8)
    var random = Random(from: bytes)
    if let text = String(validating: bytes, as: UTF8.self) {
      let file: PlanFile
      do { file = try PlanFile(json: text) } catch {
        return try .refused(saying: error.description)
      }
      guard let copy = try? PlanFile(json: file.json), copy == file, copy.json == file.json else {
        throw Finding("a plan file that changes when written and read", file.json)
      }
      guard !file.fileName.contains("/"), !file.fileName.hasPrefix(".") else {
        throw Finding("a name that leaves the folder", file.fileName)
      }
      guard random.oneIn(4) else { return .accepted }
    }
    let calls = [["replay", name], ["replay", name, "--best-effort"], ["regress"]]
    let call = random.pick(calls)
    let outcome = Rehearsal(files: [name: bytes, "scenarios.json": stage]).run(call)
    try CommandInput.check(outcome, of: call)
    return outcome.code == 0 ? .accepted : .refused(outcome.err)
  }

  private static func examine(_ plan: Plan, _ corpus: Corpus) throws(Finding) {
    guard let text = try? Plan(parsing: plan.description), text == plan else {
      throw Finding("a plan that changes when written as text and read", plan.description)
    }
    guard let json = try? Plan(json: plan.json), json == plan else {
      throw Finding("a plan that changes when written as JSON and read", plan.json)
    }
    try Trials.follow(plan, corpus.stage)
  }

  /// The words of a plan with what may be left out left out, to compare what was written with what
  /// was understood.
  private static func words(of text: String) -> [String] {
    text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }).flatMap { part in
      var words = part.replacing("=", with: " = ").split(whereSeparator: \.isWhitespace)
        .map(String.init)
      if words.last == "ms", words.count > 1 { words.removeLast(1) }
      if let place = words.firstIndex(of: "="), let value = words.last, value.hasSuffix("ms"),
        words.count == place + 2
      {
        words[place + 1] = String(value.dropLast(2))
      }
      return words.filter { $0 != "#1" && $0 != "#01" } + (words.isEmpty ? [] : [","])
    }
  }
}

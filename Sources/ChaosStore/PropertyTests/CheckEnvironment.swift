import Invariants

/// What the environment asks of every check in a process.
struct CheckEnvironment: Equatable {
  /// The variables there are. One that is empty counts as not set.
  enum Variable: String, CaseIterable {
    case seed = "CHAOS_SEED"
    case plan = "CHAOS_PLAN"
    case seeds = "CHAOS_SEEDS"
    case budget = "CHAOS_BUDGET"
    case save = "CHAOS_SAVE"
    case world = "CHAOS_WORLD"
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  struct Single: Equatable {
    var seed: UInt64?
    var plan: Plan?

    var origin: Origin { Origin(seed: seed, plan: plan ?? Plan()) }
  }

  var single: Single?
  var seeds: Range<UInt64>?
  var budget: Duration?
  var saves = false
  /// The only default world to be run.
  var world: DefaultWorld?

  init() {}

  init(_ environment: [String: String]) throws(PropertyError) {
    try Self.refuseUnknown(environment)
    func value<Value>(
      _ variable: Variable, _ meaning: (String) throws -> Value
    ) throws(PropertyError) -> Value? {
      guard let text = environment[variable.rawValue], !text.isEmpty else { return nil }
      do { return try meaning(text) } catch { throw .usage("\(variable.rawValue): \(error)") }
    }
    let seed = try value(.seed, SeedText.seed)
    let plan = try value(.plan, Plan.init(textOrJSON:))
    seeds = try value(.seeds, SeedText.range)
    budget = try value(.budget, TimeText.duration)
    saves = try value(.save, Self.flag) ?? false
    world = try value(.world, Self.defaultWorld)
    guard seed != nil || plan != nil else { return }
    single = Single(seed: seed, plan: plan)
    let one = seed == nil ? Variable.plan : .seed
    for other in [Variable.seeds, .budget] where environment[other.rawValue] ?? "" != "" {
      throw .usage(
        "\(one.rawValue) and \(other.rawValue) contradict each other: one run or many, not both")
    }
  }

  /// A variable that was misspelt would steer nothing, and nobody would notice.
  private static func refuseUnknown(_ environment: [String: String]) throws(PropertyError) {
    let known = Variable.allCases.map(\.rawValue)
    let unknown = environment.filter { name, value in
      name.hasPrefix("CHAOS_") && !value.isEmpty && !known.contains(name)
    }
    guard let name = unknown.keys.min() else { return }
    let hint = suggestion(for: name, among: known)
    throw .usage(
      "\(name): there is no such variable"
        + (hint.isEmpty ? "; expected one of \(known.joined(separator: ", "))" : hint))
  }

  private static func defaultWorld(_ text: String) throws(TextError) -> DefaultWorld {
    if let world = DefaultWorld(rawValue: text) { return world }
    let known = DefaultWorld.allCases.map(\.rawValue)
    let hint = suggestion(for: text, among: known)
    throw TextError(
      "'\(text)' is no default world"
        + (hint.isEmpty ? ": expected one of \(known.joined(separator: ", "))" : hint))
  }

  private static func flag(_ text: String) throws(TextError) -> Bool {
    switch text {
    case "1": return true
    case "0": return false
    default: throw TextError("'\(text)' is neither yes nor no: expected 1 or 0")
    }
  }
}

import Invariants
import Synchronization

/// Makes a failing plan small.
///
/// Takes faults out, turns milliseconds into the least that lead to the same order, and leaves out the
/// purchases, people and devices that are not needed. A smaller plan counts only if it breaks the same invariant by the
/// same kind of fact; any other failure is another bug. The result is 1-minimal: without any one
/// of its decisions it holds. After some thousand runs, which are counted so that it comes to the same on any
/// machine, nothing else is tried: ``Certificate/mostRuns``.
///
///     let record = simulation.record(seed: seed)
///     let found = Shrinker.reduction(of: record, breaking: 0, in: simulation)
public struct Shrinker {
  /// What a plan must go on breaking.
  public struct Aim: Equatable, Sendable {
    /// The position of the invariant among the scenario's.
    public var rule: Int
    /// The kind of fact that broke it; nil if it showed only at the end.
    public var kind: Fact.Kind?

    /// The same invariant, broken by the same kind of fact.
    public init(_ violation: Violation) {
      rule = violation.rule
      kind = violation.fact?.kind
    }
  }

  /// A plan from which nothing can be taken.
  public struct Result: Equatable, Sendable {
    /// The smallest plan that was reached.
    public var plan: Plan
    /// How many runs it took, the last ones to see that no decision can be left out.
    public var runs: Int
  }

  /// What takes more runs than this ends where it is. One in a hundred failures of the built-in designs does.
  package var mostRuns: Int

  let simulation: Simulation
  let aim: Aim
  private var runs = 0
  /// True if the last run broke the rule of the aim, by whatever kind of fact.
  private(set) var breaksRule = false
  private let count: RunCount?
  /// Whether so many runs were made that no more are, but for those that show that no decision can be left out.
  package private(set) var isSpent = false
  private var end: ContinuousClock.Instant?
  private var isBounded = false
  /// For how long plans are run where real processes are at work in each of them.
  package static let mostTime = Duration.seconds(60)
  /// Whether it was told to end. What it came to by then breaks the aim, and may not be the smallest.
  package private(set) var isInterrupted = false

  /// Runs plans in this simulation.
  public init(_ simulation: Simulation, aim: Aim) {
    self.init(simulation, aim: aim, count: nil)
  }

  private init(_ simulation: Simulation, aim: Aim, count: RunCount?) {
    self.simulation = simulation
    self.aim = aim
    self.count = count
    let isCostly = simulation.scenario.system.isCostly
    mostRuns = isCostly ? 500 : 5000
    // Real processes can be as slow as they like, and somebody waits.
    if isCostly { end = .now + Self.mostTime }
  }

  /// Whether a run of this plan, without a seed, breaks the aim.
  public mutating func breaks(_ plan: Plan) -> Bool {
    if mustEnd() { return false }
    runs += 1
    count?.add(1)
    let outcome = simulation.run(plan: plan)
    if outcome.isInterrupted { isInterrupted = true }
    breaksRule = !outcome.isCutOff && outcome.broken >> UInt64(aim.rule) & 1 == 1
    guard breaksRule else { return false }
    return simulation.violations.contains { Aim($0) == aim }
  }

  /// Whether no more is tried.
  private mutating func mustEnd() -> Bool {
    if simulation.cancellation.isRequested { isInterrupted = true }
    if isBounded, runs >= mostRuns || end.map({ $0 <= .now }) ?? false { isSpent = true }
    return isInterrupted || isBounded && isSpent
  }

  /// The smallest plan reached from this one; nil if it does not break the aim to begin with, or if it
  /// was told to end before that was known.
  public mutating func shrink(_ plan: Plan) -> Result? {
    guard breaks(plan) else { return nil }
    let whole = plan
    var plan = plan
    var before: Plan
    isBounded = true
    repeat {
      before = plan
      takeOutBlocks(&plan)
      settleDelays(&plan)
      takeOutSingles(&plan)
      if plan == before { shiftDelays(&plan) }
      if plan == before { takeFewer(&plan, of: whole) }
      if plan == before, !isSpent { tryFew(&plan) }
      if plan == before { makePlain(&plan) }
      if plan == before { leaveOut(&plan) }
    } while plan != before
    isBounded = false
    if isSpent { tryFew(&plan) }
    if isSpent { takeOutAll(&plan) }
    // What was left out stands behind what matters, in the order of the scenario.
    let omissions = plan.decisions.filter(\.question.isOmission)
      .sorted { ($0.question.rawValue, $0.subject.key) < ($1.question.rawValue, $1.subject.key) }
    plan.decisions.removeAll(where: \.question.isOmission)
    plan.decisions += omissions
    return Result(plan: plan, runs: runs)
  }

  /// What a recorded failure comes down to, with the shrinker that knows it.
  ///
  /// Nil where the run does not break the rule, or where only its seed is known to.
  public static func reduction(
    of record: Record, breaking rule: Int, in simulation: Simulation
  ) -> (shrinker: Shrinker, plan: Plan)? {
    reduction(of: record, breaking: rule, in: simulation, count: nil)
  }

  /// The same, with its runs counted.
  package static func reduction(
    of record: Record, breaking rule: Int, in simulation: Simulation, count: RunCount?
  ) -> (shrinker: Shrinker, plan: Plan)? {
    guard let violation = record.violations.first(where: { $0.rule == rule }) else { return nil }
    var shrinker = Shrinker(simulation, aim: Aim(violation), count: count)
    for plan in [Plan(), record.faults, record.full] {
      if let result = shrinker.shrink(plan) { return (shrinker, result.plan) }
    }
    return nil
  }

  /// Halves, quarters and so on, the late ones first: what comes late depends on what came early.
  private mutating func takeOutBlocks(_ plan: inout Plan) {
    var size = plan.decisions.count
    while size > 1 {
      size = (size + 1) / 2
      var end = plan.decisions.count
      while end > 0 {
        let start = max(0, end - size)
        var shorter = plan
        shorter.decisions.replaceSubrange(
          start..<end, with: plan.decisions[start..<end].filter(\.question.isOmission))
        if shorter != plan, breaks(shorter) { plan = shorter }
        end = start
      }
    }
  }

  private mutating func takeOutSingles(_ plan: inout Plan) {
    for index in plan.decisions.indices.reversed() { _ = takeOut(index, of: &plan) }
  }

  /// Until without any one decision the plan holds.
  private mutating func takeOutAll(_ plan: inout Plan) {
    var before: Plan
    repeat {
      before = plan
      takeOutSingles(&plan)
    } while plan != before
  }

  private mutating func takeOut(_ index: Int, of plan: inout Plan) -> Bool {
    if plan.decisions[index].question.isOmission { return false }
    let shorter = plan.without(index)
    guard breaks(shorter) else { return false }
    plan = shorter
    return true
  }

  /// Taking out one after the other can end where fewer, other decisions would do: so all sets of
  /// one, two or three of the decisions there were are tried as well, while there are not too many.
  private mutating func takeFewer(_ plan: inout Plan, of whole: Plan) {
    let all = whole.decisions.filter { !$0.question.isOmission }
    let omissions = plan.decisions.filter(\.question.isOmission)
    var sets: [[Int]] = [[]]
    var left = Self.mostSetsTried
    for size in 1..<max(1, min(plan.size, 4)) {
      sets = sets.flatMap { set in ((set.last ?? -1) + 1..<all.count).map { set + [$0] } }
      guard sets.count <= left else { return }
      left -= sets.count
      for set in sets {
        let smaller = Plan(set.map { all[$0] } + omissions)
        if breaks(smaller) {
          plan = smaller
          return
        }
      }
      assert(plan.size > size)
    }
  }

  private static let mostSetsTried = 1000

  /// Two other decisions can do where each of many is needed: so all plans of one and of two are tried, of
  /// the faults that the plan has and of moves, while they take not too many events. If it has uses, plans with
  /// uses and no moves are tried as well: with both there are too many.
  private mutating func tryFew(_ plan: inout Plan) {
    let uses = plan.decisions.count(where: \.isUse)
    tryFew(&plan, uses: 0)
    if uses > 0 { tryFew(&plan, uses: uses) }
  }

  private mutating func tryFew(_ plan: inout Plan, uses: Int) {
    // A use costs a plan nothing as a fault.
    let bound = min(plan.size - uses - 1, 2)
    guard bound > 0, plan.decisions.contains(where: { $0.fault != nil }) else { return }
    var scenario = simulation.scenario
    let faults = plan.decisions.compactMap(\.fault)
    scenario.setup.mix.entries = scenario.setup.mix.entries.filter { faults.contains($0.key) }
    var budget = Budget(
      faults: bound, moves: uses > 0 ? 0 : bound, relaunches: 0, uses: uses)
    budget.decisions = min(bound + uses, plan.size - 1)
    budget.until = 1 << UInt64(aim.rule)
    budget.cancellation = simulation.cancellation
    if let count {
      budget.goesOn = { runs in
        count.show(runs)
        return true
      }
    }
    let found = Exhaustive(mostEvents: mostEventsOfFew).search(scenario, budget)
    runs += found.runs
    count?.add(found.runs)
    guard let smaller = found.rules[aim.rule].smallestPlan,
      smaller.size < plan.size, breaks(smaller)
    else { return }
    plan = smaller
  }

  private var mostEventsOfFew: Int { simulation.scenario.system.isCostly ? 5000 : 100_000 }

  /// Of milliseconds only the order matters to which they lead: each delay becomes the least one that
  /// still breaks the aim, among those that stand for an order. What comes down to the same order is
  /// then written the same way.
  private mutating func settleDelays(_ plan: inout Plan) {
    for index in plan.decisions.indices {
      guard case .millis(let millis) = plan.decisions[index].answer else { continue }
      let shorter = orders(index, in: plan, answered: millis).filter { $0 < millis }
      let answers = classes(for: plan.decisions[index]) + shorter.map { .millis($0) }
      if let simpler = first(of: answers, at: index, in: plan) { plan = simpler }
    }
  }

  /// One delay does for two, where the other message comes as much earlier or later instead.
  private mutating func shiftDelays(_ plan: inout Plan) {
    for gone in plan.decisions.indices {
      guard case .millis = plan.decisions[gone].answer else { continue }
      var fewer = plan
      fewer.decisions.remove(at: gone)
      for index in fewer.decisions.indices {
        guard case .millis(let millis) = fewer.decisions[index].answer else { continue }
        let answers = orders(index, in: fewer, answered: millis).map { Decision.Answer.millis($0) }
        guard let shifted = first(of: answers, at: index, in: fewer) else { continue }
        plan = shifted
        return
      }
    }
  }

  /// The plan with the first of these answers that breaks the aim.
  private mutating func first(
    of answers: [Decision.Answer], at index: Int, in plan: Plan
  ) -> Plan? {
    for answer in answers {
      var other = plan
      other.decisions[index].answer = answer
      if breaks(other) { return other }
    }
    return nil
  }

  /// "Late" says more than 9,137 ms, and stays true when a time-out is changed. A delay within the usual time of
  /// the scenario is no fault and becomes none; any other becomes a fault that the mix allows, or stays the
  /// fault it is.
  private func classes(for decision: Decision) -> [Decision.Answer] {
    let (question, mix) = (decision.question, simulation.scenario.setup.mix)
    guard case .delay(let delay) = question.shape, case .millis(let millis) = decision.answer,
      let usual = mix.usualDelay(question), !usual.contains(millis)
    else { return [] }
    let fault = question.fault(behind: decision.answer)
    return delay.classes.map(\.answer).filter { answer in
      guard let other = question.fault(behind: answer) else { return false }
      return other == fault || mix.threshold(of: other, at: question) > 0
    }
  }

  /// The least delays that stand for an order which this one can lead to, the shortest first.
  private mutating func orders(_ index: Int, in plan: Plan, answered millis: Int64) -> [Int64] {
    // To list what was asked takes longer than a run.
    if mustEnd() { return [] }
    let decision = plan.decisions[index]
    let mix = simulation.scenario.setup.mix
    let orders = Orders(simulation.list(plan), mix)
    guard let usual = mix.usualDelay(decision.question),
      let place = orders.listing.askings.firstIndex(where: { $0.isAnswered(by: decision) })
    else { return [] }
    let range = min(usual.lowerBound, millis)...max(usual.upperBound, millis)
    return orders.delays(of: place, in: range).millis
  }

  /// The first purchase rather than the third, the first time rather than the second: what comes
  /// to the same is then written the same way.
  private mutating func makePlain(_ plan: inout Plan) {
    for origin in Set(plan.decisions.compactMap(\.subject.origin)).sorted().reversed() {
      for earlier in 0..<origin {
        let candidate = plan.moved(from: origin, to: earlier)
        if breaks(candidate) {
          plan = candidate
          break
        }
      }
    }
    for index in plan.decisions.indices {
      let decision = plan.decisions[index]
      if decision.question.isOmission { continue }
      var plainer = (1..<min(decision.occurrence, 10)).map { occurrence in
        Decision(decision.question, decision.subject, occurrence, decision.answer)
      }
      if case .choice(_, let values) = decision.question.shape,
        case .value(let value) = decision.answer
      {
        plainer += values.prefix { $0 != value }.map {
          Decision(decision.question, decision.subject, decision.occurrence, .value($0))
        }
      }
      let others = plan.without(index).decisions
      for candidate in plainer where !others.contains(where: candidate.asksTheSame(as:)) {
        var simpler = plan
        simpler.decisions[index] = candidate
        if breaks(simpler) {
          plan = simpler
          break
        }
      }
    }
  }

  /// Steps that are not needed, the late ones first, then phones whose app need not run.
  private mutating func leaveOut(_ plan: inout Plan) {
    let setup = simulation.scenario.setup
    let steps = setup.steps.indices.reversed()
      .map { Decision(.omitStep, .step($0), 1, .strike) }
    let phones = setup.devices.indices.reversed()
      .map { Decision(.omitPhone, .phone($0), 1, .strike) }
    guard steps.count <= Self.mostLeftOut, phones.count <= Self.mostLeftOut else { return }
    for omission in (steps.count > 1 ? steps : []) + (phones.count > 1 ? phones : [])
    where !plan.decisions.contains(omission) {
      let smaller = Plan(plan.decisions + [omission])
      if breaks(smaller) { plan = smaller }
    }
  }

  /// In larger worlds most of what is there would have to be named.
  private static let mostLeftOut = 64
}

/// How many runs were made to make failures small.
package final class RunCount: Sendable {
  private let made = Atomic(0)
  private let tell: @Sendable (_ runs: Int) -> Void

  /// `tell` is told the number whenever it has grown.
  package init(_ tell: @escaping @Sendable (_ runs: Int) -> Void = { _ in }) { self.tell = tell }

  /// How many there were.
  package var runs: Int { made.load(ordering: .relaxed) }

  fileprivate func add(_ count: Int) {
    tell(made.wrappingAdd(count, ordering: .relaxed).newValue)
  }

  /// Tells of runs of a search that is under way, and is added when it is over.
  fileprivate func show(_ count: Int) { tell(runs + count) }
}

extension Plan {
  /// The same about another purchase.
  fileprivate func moved(from origin: Int, to earlier: Int) -> Plan {
    Plan(
      decisions.filter { !$0.question.isOmission }.map { decision in
        guard decision.subject.origin == origin else { return decision }
        var moved = decision
        moved.subject = decision.subject.with(origin: earlier)
        return moved
      })
  }

  package func without(_ index: Int) -> Plan {
    var shorter = self
    shorter.decisions.remove(at: index)
    return shorter
  }
}

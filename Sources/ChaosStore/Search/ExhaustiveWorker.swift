import Invariants

/// Runs the plans that extend others by one decision; not to be shared between threads.
struct ExhaustiveWorker {
  private let scenario: Scenario
  private let simulation: Simulation
  private let second: SecondOpinion
  /// Only lists questions, so that no strike of it is counted.
  private let lister: Simulation
  private let most: PlanBounds
  private let keepsPlans: Bool
  private let skipsSame: Bool
  /// Not where an app shows what it has, which asks nothing and outlives it.
  private var skipsSameCrash: Bool { skipsSame && scenario.system.hasBackend }
  private let heal: Instant
  /// Whether the mix allows a fault that strikes only at a launch.
  private let hasFaultsAtLaunch: Bool
  /// What is known of the plan that was last extended without some of its last decisions, by how many it has.
  private var earlier: [Int: Earlier] = [:]
  var mostEvents = Int.max

  private struct Earlier {
    var orders: Orders
    /// All delays by which it is extended, by the place of their question.
    var delays: [Int: Set<Decision.Answer>] = [:]
  }

  /// So often it is asked whether to go on.
  private static let plansBetween = 64

  init(
    _ scenario: Scenario, _ cancellation: Cancellation, _ most: PlanBounds, keepsPlans: Bool,
    skipsSame: Bool
  ) {
    self.scenario = scenario
    self.most = most
    self.keepsPlans = keepsPlans
    self.skipsSame = skipsSame
    simulation = Simulation(scenario, cancellation: cancellation)
    second = SecondOpinion(scenario, cancellation)
    lister = Simulation(scenario, cancellation: cancellation)
    heal = Instant(millis: scenario.setup.healMillis)
    hasFaultsAtLaunch = Question.allCases.contains { question in
      guard question.strikesAtLaunch, let fault = question.fault else { return false }
      return scenario.setup.mix.threshold(of: fault, at: question) > 0
    }
  }

  var coverage: Findings {
    var findings = Findings(scenario)
    simulation.addStrikes(to: &findings.coverage)
    return findings
  }

  /// `goesOn` is told how many runs of the batch there are.
  mutating func extend(
    _ parent: Plan, _ batch: inout ExhaustiveLevel.Batch, _ budget: Budget, goesOn: (Int) -> Bool
  ) {
    if most.left(parent).isNone { return }
    if mostEvents < 0 {
      batch.untried += 1
      return
    }
    let run = orders(parent, &batch, isForLaunch: most.left(parent).isForLaunch)
    batch.findings.isInterrupted = run.listing.outcome.isInterrupted
    if run.listing.outcome.isCutOff { return }
    guard let start = following(parent, run.listing.askings) else { return }
    var chain = Chain(run.listing.course)
    let candidates = moved(run, before: start, &batch) + decisions(run, from: start, &batch.skipped)
    for (index, first) in candidates.enumerated() {
      var next: Candidate? = first
      while let candidate = next {
        if batch.findings.events + batch.listed > mostEvents {
          batch.untried += candidates.count - index
          return
        }
        let runs = batch.findings.runs
        if budget.cancellation.isRequested
          || runs % Self.plansBetween == Self.plansBetween - 1 && !goesOn(runs)
        {
          batch.findings.isInterrupted = true
          return
        }
        let plan = candidate.plan
        if candidate.isKnown {
          // It is run as an extension of another plan; what comes after it may be new with this one.
          next = longer(candidate, orders(plan, &batch, delaysAlone: true), &batch.skipped)
          continue
        }
        next = nil
        // Without the fault for which the app is opened again it is only there to be extended.
        let isUnused = most.hasUnusedLaunch(plan)
        if isUnused, candidate.range == nil {
          if keepsPlans { batch.plans.append(plan) }
          continue
        }
        let outcome: Outcome
        var isNew = true
        if candidate.range != nil {
          let moved = Orders(simulation.list(plan, delaysAlone: true), scenario.setup.mix)
          outcome = moved.listing.outcome
          isNew = chain.isNew(candidate, moved) || candidate.isClass || !skipsSame
          next = longer(candidate, moved, &batch.skipped)
        } else {
          outcome = simulation.run(plan: plan)
        }
        if outcome.isInterrupted {
          batch.findings.isInterrupted = true
          return
        }
        if isUnused {
          batch.listed += outcome.events
          if keepsPlans, isNew { batch.plans.append(plan) }
          continue
        }
        // One run is made twice in each batch, which is some hundred plans.
        let origin = Origin(plan: plan)
        if runs == 0, outcome.events <= SecondOpinion.mostEvents,
          second.differs(from: outcome, origin)
        {
          batch.findings.addDiffering(origin)
        }
        batch.findings.add(origin, outcome, of: simulation)
        if budget.listsPlans { batch.ran.append(plan) }
        if keepsPlans, isNew { batch.plans.append(plan) }
        if budget.isReached(batch.findings.broken) { return }
      }
    }
    for relaunched in relaunched(run, from: start) {
      extend(relaunched, &batch, budget, goesOn: goesOn)
      if batch.findings.isInterrupted || budget.isReached(batch.findings.broken) { return }
    }
  }

  /// The plan with the app closed and opened again, for a fault that strikes only at a launch: it is
  /// extended like the plan itself, and run only with such a fault.
  private func relaunched(_ run: Orders, from start: Int) -> [Plan] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    guard hasFaultsAtLaunch, most.left(plan).relaunches > 0 else { return [] }
    return askings[start...].filter { $0.question == .reopenApp && $0.at < heal }
      .map { Plan(plan.decisions + [$0.decision(.strike)]) }
  }

  /// A plan that is to be run, with the decision that was added to its parent's.
  private struct Candidate {
    var plan: Plan
    /// Where the added decision stands.
    var place: Int
    /// The delays of which the added one is the least so far; nil where longer ones lead to nothing else.
    var range: ClosedRange<Int64>?
    /// Answers of the same message by which a smaller plan is extended, so that they are run elsewhere.
    var known: Set<Decision.Answer> = []

    var added: Decision { plan.decisions[place] }
    /// Whether the message still comes within its usual time.
    var isUsual = false
    var isKnown: Bool { known.contains(added.answer) }
    /// Whether it is one of the two delays that stand for a fault.
    var isClass: Bool { if case .millis = added.answer { false } else { true } }
    /// Whether the added decision is the last.
    var isAppended: Bool { place == plan.decisions.count - 1 }

    init(
      _ plan: Plan, _ decision: Decision, at place: Int, range: ClosedRange<Int64>? = nil
    ) {
      self.plan = plan
      self.plan.decisions.insert(decision, at: place)
      self.place = place
      self.range = range
    }
  }

  /// What the moves that extend one plan came to.
  private struct Chain {
    private let start: UInt64
    private var courses: Set<Course> = []

    /// What a message comes to by a move.
    private struct Course: Hashable {
      var question: UInt8
      var subject: UInt64
      var occurrence: Int
      /// A late message costs a plan a bound of its own: the usual one leads further.
      var isUsual: Bool
      var hash: UInt64
    }

    init(_ start: UInt64) { self.start = start }

    /// Whether it came to another order than shorter moves of the same message.
    mutating func isNew(_ move: Candidate, _ run: Orders) -> Bool {
      let course = Course(
        question: move.added.question.rawValue, subject: move.added.subject.key,
        occurrence: move.added.occurrence, isUsual: move.isUsual, hash: run.listing.course)
      return course.hash != start && courses.insert(course).inserted
    }
  }

  /// Runs a plan to see what it leads to; of one that only moves something further the delays are enough.
  private mutating func orders(
    _ plan: Plan, _ batch: inout ExhaustiveLevel.Batch, delaysAlone: Bool = false,
    isForLaunch: Bool = false
  ) -> Orders {
    let listing = lister.list(plan, delaysAlone: delaysAlone, hasOrders: !isForLaunch)
    batch.listed += listing.outcome.events
    return Orders(listing, scenario.setup.mix)
  }

  /// The position of the first asking after the plan's last decision; nil where that is not asked.
  private func following(_ plan: Plan, _ askings: [Asking]) -> Int? {
    guard let last = plan.decisions.last else { return 0 }
    return askings.firstIndex { $0.isAnswered(by: last) }.map { $0 + 1 }
  }

  /// The plan with one more decision, asked after its last.
  private mutating func decisions(
    _ run: Orders, from start: Int, _ skipped: inout Int
  ) -> [Candidate] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    let left = most.left(plan)
    var candidates: [Candidate] = []
    // Whether a crash at the question before comes to the same as one here, and was taken.
    var isTaken = false
    // What was asked before; not a use, as one that is not made leaves everything as it was.
    var before = start
    for index in start..<max(start, askings.count) {
      let asking = askings[index]
      let strikes = asking.at < heal ? answers(to: asking.question, left) : []
      if isTaken, skipsSameCrash, CrashPoint.isSame(askings[before], asking) {
        skipped += strikes.count
        before = index
        continue
      }
      if !(asking.question.fault?.isUse ?? false) {
        isTaken = !strikes.isEmpty && CrashPoint.isOne(asking.question)
        before = index
      }
      let place = plan.decisions.count
      if asking.question.isDelay {
        candidates += delayed(index, in: run, at: place, left, &skipped)
      } else {
        candidates += strikes.map { Candidate(plan, asking.decision($0), at: place) }
      }
    }
    return candidates
  }

  /// The plan with one more move, asked before its last decision, to an order that is not there
  /// without that decision.
  private mutating func moved(
    _ run: Orders, before end: Int, _ batch: inout ExhaustiveLevel.Batch
  ) -> [Candidate] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    let left = most.left(plan)
    guard !plan.isEmpty, left.moves > 0 || left.lates > 0 else { return [] }
    let smaller = Plan(Array(plan.decisions.dropLast()))
    var candidates: [Candidate] = []
    // Where among the plan's decisions it is asked.
    var place = 0
    for index in 0..<end - 1 {
      if askings[index].isAnswered(by: plan.decisions[place]) {
        place += 1
        continue
      }
      let moves = moves(of: index, in: run, at: place, left)
      if moves.isEmpty { continue }
      let known = known(index, at: place, in: smaller, &batch)
      candidates += moves.map { move in
        var move = move
        move.known = known
        return move
      }
    }
    return candidates
  }

  /// The plan with a message moved, where that can be made longer; nothing is counted.
  private func moves(
    of index: Int, in run: Orders, at place: Int, _ left: PlanBounds
  ) -> [Candidate] {
    var uncounted = 0
    return delayed(index, in: run, at: place, left, &uncounted).filter { $0.range != nil }
  }

  /// The plan with the least delay of a message for each range of delays that it may have.
  private func delayed(
    _ index: Int, in run: Orders, at place: Int, _ left: PlanBounds, _ skipped: inout Int
  ) -> [Candidate] {
    let (plan, asking) = (run.listing.plan, run.listing.askings[index])
    guard case .delay(let delay) = asking.question.shape else { return [] }
    var candidates: [Candidate] = []
    if left.faults > 0, !left.isForLaunch, asking.at < heal {
      candidates += delay.classes.filter { allows($0.fault, asking.question) }.map {
        Candidate(
          plan, asking.decision($0.answer), at: place, range: left.lates > 0 ? $0.range : nil)
      }
    }
    if left.moves > 0, let usual = scenario.setup.mix.usualDelay(asking.question),
      let millis = next(of: index, in: run, usual, &skipped)
    {
      var candidate = Candidate(plan, asking.decision(.millis(millis)), at: place, range: usual)
      candidate.isUsual = true
      candidates.append(candidate)
    }
    return candidates
  }

  /// The same move, made longer until it leads to another order.
  private func longer(_ candidate: Candidate, _ run: Orders, _ skipped: inout Int) -> Candidate? {
    let added = candidate.added
    guard let range = candidate.range, let answer = added.delayMillis,
      let index = run.listing.askings.firstIndex(where: { $0.isAnswered(by: added) })
    else { return nil }
    var uncounted = 0
    let millis =
      candidate.isAppended
      ? next(of: index, in: run, answer...range.upperBound, &skipped)
      : next(of: index, in: run, answer...range.upperBound, &uncounted)
    var longer = candidate
    guard let millis else { return nil }
    longer.plan.decisions[candidate.place] = run.listing.askings[index].decision(.millis(millis))
    return longer
  }

  /// The least delay beyond the first that leads to another order; those before it come to the same.
  private func next(
    of index: Int, in run: Orders, _ range: ClosedRange<Int64>, _ skipped: inout Int
  ) -> Int64? {
    let delays = run.delays(of: index, in: range)
    let next = skipsSame ? delays.millis.first : (delays.millis + delays.skipped).min()
    if skipsSame { skipped += delays.skipped.count { $0 < next ?? .max } }
    return next
  }

  /// All delays of a message by which a smaller plan is extended.
  private mutating func known(
    _ index: Int, at place: Int, in smaller: Plan, _ batch: inout ExhaustiveLevel.Batch
  ) -> Set<Decision.Answer> {
    let size = smaller.decisions.count
    if earlier[size]?.orders.listing.plan != smaller {
      earlier[size] = Earlier(orders: orders(smaller, &batch))
    }
    if let known = earlier[size]?.delays[index] { return known }
    guard let run = earlier[size]?.orders else { return [] }
    // By whatever a plan is extended, the app is opened again after it.
    let isReopened =
      place < size && most.hasUnusedLaunch(smaller) && smaller.decisions[size - 1].isUse
    let before =
      isReopened
      ? self.known(index, at: place, in: Plan(Array(smaller.decisions.dropLast())), &batch) : []
    var chain = Chain(run.listing.course)
    var known: Set<Decision.Answer> = []
    var uncounted = 0
    for first in moves(of: index, in: run, at: place, most.left(smaller)) {
      var next: Candidate? = first
      while let candidate = next {
        let moved = orders(candidate.plan, &batch, delaysAlone: true)
        if before.contains(candidate.added.answer) || chain.isNew(candidate, moved)
          || candidate.isClass
        {
          known.insert(candidate.added.answer)
        }
        next = longer(candidate, moved, &uncounted)
      }
    }
    earlier[size]?.delays[index] = known
    return known
  }

  /// What the mix allows as an answer, other than the quiet one, where time means nothing.
  private func answers(to question: Question, _ left: PlanBounds) -> [Decision.Answer] {
    if question.fault?.isUse ?? false { return left.uses > 0 ? [.strike] : [] }
    guard left.faults > 0, !left.isForLaunch || question.strikesAtLaunch else { return [] }
    switch question.shape {
    case .strike(let fault): return allows(fault, question) ? [.strike] : []
    case .choice(let fault, let values):
      return allows(fault, question) ? values.map { .value($0) } : []
    case .delay, .omission: return []
    }
  }

  private func allows(_ fault: Fault, _ question: Question) -> Bool {
    scenario.setup.mix.threshold(of: fault, at: question) > 0
  }
}

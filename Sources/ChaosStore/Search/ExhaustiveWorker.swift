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
  private let heal: Instant
  /// What is known of the plan that was last extended without its last decision.
  private var earlier: Earlier?
  var mostEvents = Int.max

  private struct Earlier {
    var orders: Orders
    /// All delays by which it is extended, by the place of their question.
    var delays: [Int: Set<Int64>] = [:]
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
    let run = orders(parent, &batch)
    batch.findings.isInterrupted = run.listing.outcome.isInterrupted
    if run.listing.outcome.isCutOff { return }
    guard let start = following(parent, run.listing.askings) else { return }
    var chain = Chain(run.listing.course)
    var candidates =
      moved(run, before: start, &chain, &batch) + decisions(run, from: start, &batch.skipped)
    for candidate in candidates where candidate.isDelay { chain.tried.insert(candidate.added) }
    var next = 0
    while next < candidates.count {
      if batch.findings.events + batch.listed > mostEvents {
        batch.untried += candidates.count - next
        return
      }
      let runs = batch.findings.runs
      if budget.cancellation.isRequested
        || runs % Self.plansBetween == Self.plansBetween - 1 && !goesOn(runs)
      {
        batch.findings.isInterrupted = true
        return
      }
      let candidate = candidates[next]
      next += 1
      let plan = candidate.plan
      let outcome: Outcome
      var isNew = true
      if candidate.isDelay {
        let moved = Orders(simulation.list(plan, delaysAlone: true), scenario.setup.mix)
        outcome = moved.listing.outcome
        isNew = chain.isNew(candidate, moved) || candidate.isClass
        if isNew { candidates += further(candidate, moved, &chain) }
        isNew = isNew || !skipsSame
      } else {
        outcome = simulation.run(plan: plan)
      }
      if outcome.isInterrupted {
        batch.findings.isInterrupted = true
        return
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

  /// A plan that is to be run, with the decision that was added to its parent's.
  private struct Candidate {
    var plan: Plan
    /// Where the added decision stands.
    var place: Int
    /// Whether longer delays of the same message may lead to orders that are there only with this one.
    var isDelay: Bool

    var added: Decision { plan.decisions[place] }
    /// Whether it is one of the two delays that stand for a fault.
    var isClass: Bool { if case .millis = added.answer { false } else { true } }

    init(_ plan: Plan, _ decision: Decision, at place: Int, isDelay: Bool) {
      self.plan = plan
      self.plan.decisions.insert(decision, at: place)
      self.place = place
      self.isDelay = isDelay
    }
  }

  /// The moves that were tried as extensions of one plan, and what they came to.
  private struct Chain {
    var tried: Set<Decision> = []
    private let start: UInt64
    private var courses: Set<Course> = []

    /// What a message comes to by a move.
    private struct Course: Hashable {
      var question: UInt8
      var subject: UInt64
      var occurrence: Int
      var hash: UInt64
    }

    init(_ start: UInt64) { self.start = start }

    /// Whether it came to another order than shorter moves of the same message.
    mutating func isNew(_ move: Candidate, _ run: Orders) -> Bool {
      let course = Course(
        question: move.added.question.rawValue, subject: move.added.subject.key,
        occurrence: move.added.occurrence, hash: run.listing.course)
      return course.hash != start && courses.insert(course).inserted
    }
  }

  /// Runs a plan to see what it leads to; of one that only moves something further the delays are enough.
  private mutating func orders(
    _ plan: Plan, _ batch: inout ExhaustiveLevel.Batch, delaysAlone: Bool = false
  ) -> Orders {
    let listing = lister.list(plan, delaysAlone: delaysAlone)
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
      if isTaken, skipsSame, CrashPoint.isSame(askings[before], asking) {
        skipped += strikes.count
        before = index
        continue
      }
      if !(asking.question.fault?.isUse ?? false) {
        isTaken = !strikes.isEmpty && CrashPoint.isOne(asking.question)
        before = index
      }
      let place = plan.decisions.count
      let isLate = left.lates > 0 && asking.question.isDelay
      candidates += strikes.map {
        Candidate(plan, asking.decision($0), at: place, isDelay: isLate)
      }
      let delays = delays(of: index, in: run, left, countsSkipped: true)
      skipped += delays.skipped.count
      candidates += delays.millis.map {
        Candidate(plan, asking.decision(.millis($0)), at: place, isDelay: true)
      }
    }
    return candidates
  }

  /// The plan with one more move, asked before its last decision, to an order that is not there
  /// without that decision.
  private mutating func moved(
    _ run: Orders, before end: Int, _ chain: inout Chain, _ batch: inout ExhaustiveLevel.Batch
  ) -> [Candidate] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    let left = most.left(plan)
    guard !plan.isEmpty, left.moves > 0 || left.lates > 0 else { return [] }
    var candidates: [Candidate] = []
    // Where among the plan's decisions it is asked.
    var place = 0
    for index in 0..<end - 1 {
      let asking = askings[index]
      if asking.isAnswered(by: plan.decisions[place]) {
        place += 1
        continue
      }
      let delays = delays(of: index, in: run, left)
      if delays.millis.isEmpty { continue }
      let smaller = Plan(Array(plan.decisions.dropLast()))
      let known = known(index, at: place, without: smaller, &batch)
      var moves = delays.millis.map {
        Candidate(plan, asking.decision(.millis($0)), at: place, isDelay: true)
      }
      chain.tried.formUnion(moves.map(\.added))
      var next = 0
      while next < moves.count {
        let move = moves[next]
        next += 1
        if case .millis(let millis) = move.added.answer, known.contains(millis) {
          // It is run as an extension of another plan; what it leads to may be new with this one.
          moves += further(move, orders(move.plan, &batch, delaysAlone: true), &chain)
        } else {
          candidates.append(move)
        }
      }
    }
    return candidates
  }

  /// Longer moves of the same message, to orders that are there only once it is moved so far.
  private mutating func further(
    _ candidate: Candidate, _ run: Orders, _ chain: inout Chain
  ) -> [Candidate] {
    let added = candidate.added
    guard let answer = added.delayMillis,
      let index = run.listing.askings.firstIndex(where: { $0.isAnswered(by: added) })
    else { return [] }
    var plan = candidate.plan
    plan.decisions.remove(at: candidate.place)
    var candidates: [Candidate] = []
    for millis in delays(of: index, in: run, most.left(plan)).millis where millis > answer {
      let decision = run.listing.askings[index].decision(.millis(millis))
      guard chain.tried.insert(decision).inserted else { continue }
      candidates.append(Candidate(plan, decision, at: candidate.place, isDelay: true))
    }
    return candidates
  }

  /// All delays of a message by which a smaller plan is extended.
  private mutating func known(
    _ index: Int, at place: Int, without smaller: Plan, _ batch: inout ExhaustiveLevel.Batch
  ) -> Set<Int64> {
    if earlier?.orders.listing.plan != smaller {
      earlier = Earlier(orders: orders(smaller, &batch))
    }
    if let known = earlier?.delays[index] { return known }
    guard let run = earlier?.orders else { return [] }
    let asking = run.listing.askings[index]
    var chain = Chain(run.listing.course)
    var candidates = delays(of: index, in: run, most.left(smaller)).millis.map { millis in
      Candidate(smaller, asking.decision(.millis(millis)), at: place, isDelay: true)
    }
    chain.tried.formUnion(candidates.map(\.added))
    var known: Set<Int64> = []
    var next = 0
    while next < candidates.count {
      let candidate = candidates[next]
      next += 1
      let moved = orders(candidate.plan, &batch, delaysAlone: true)
      guard chain.isNew(candidate, moved) else { continue }
      if case .millis(let millis) = candidate.added.answer { known.insert(millis) }
      candidates += further(candidate, moved, &chain)
    }
    earlier?.delays[index] = known
    return known
  }

  /// What the mix allows as an answer, other than the quiet one, where time means nothing.
  private func answers(to question: Question, _ left: PlanBounds) -> [Decision.Answer] {
    if question.fault?.isUse ?? false { return left.uses > 0 ? [.strike] : [] }
    guard left.faults > 0 else { return [] }
    switch question.shape {
    case .strike(let fault): return allows(fault, question) ? [.strike] : []
    case .choice(let fault, let values):
      return allows(fault, question) ? values.map { .value($0) } : []
    case .delay(let delay): return classes(of: delay, question).map(\.answer)
    case .omission: return []
    }
  }

  /// How much later than usual a message may come, by the faults that the mix allows.
  private func classes(of delay: Question.Delay, _ question: Question) -> [Question.Delay.Class] {
    delay.classes.filter { allows($0.fault, question) }
  }

  /// The delays that lead to other orders, within the usual time and where a fault makes it longer.
  private func delays(
    of index: Int, in run: Orders, _ left: PlanBounds, countsSkipped: Bool = false
  ) -> Orders.Delays {
    let asking = run.listing.askings[index]
    guard case .delay(let delay) = asking.question.shape else { return Orders.Delays() }
    var ranges: [ClosedRange<Int64>] = []
    if left.moves > 0, let usual = scenario.setup.mix.usualDelay(asking.question) {
      ranges.append(usual)
    }
    if left.lates > 0, asking.at < heal {
      ranges += classes(of: delay, asking.question).map(\.range)
    }
    var delays = Orders.Delays()
    for range in ranges where range.count > 1 {
      delays.add(run.delays(of: index, in: range, countsSkipped: countsSkipped || !skipsSame))
    }
    if !skipsSame {
      delays.millis = (delays.millis + delays.skipped).sorted()
      delays.skipped = []
    }
    return delays
  }

  private func allows(_ fault: Fault, _ question: Question) -> Bool {
    scenario.setup.mix.threshold(of: fault, at: question) > 0
  }
}

import Dispatch
import Invariants
import Synchronization

/// Runs every plan with up to so many decisions, small ones first, so what is found first is smallest.
///
/// A decision is a fault that the scenario's mix allows, or a move: a message that arrives later within
/// its usual time, by the least milliseconds for each order of events to which that leads in the run it
/// is moved in, see `Orders`; or a use, which no mix need allow: see ``Fault/isUse``. Other questions stay
/// quiet.
///
/// A plan is extended by decisions that its own run asks after its last one, and by moves asked before
/// it to orders that were not there without it; so each plan is run once. Of plans that come to the
/// same only one is run: see `CrashPoint`.
public struct Exhaustive: Strategy {
  /// `exhaustive`.
  public let name = "exhaustive"
  /// What it does, in a sentence.
  public let about =
    "runs every plan of up to --faults decisions (2), messages that overtake others among them, "
    + "small ones first"

  /// Every plan is run, whatever the seeds are.
  public let dependsOnSeeds = false
  /// Plans that were not run might break something.
  public let isProof = true

  private let faults: Int
  private let moves: Int?
  private let uses: Int
  private let skipsSame: Bool
  /// After about so many events no larger plan is run, and it is said.
  private let mostEvents: Int

  /// Plans of up to so many faults and so many moves, and together of no more than the larger of the
  /// two, and of up to so many uses beside them, unless the budget says other numbers. As many moves as
  /// faults, where none are given.
  public init(faults: Int = 2, moves: Int? = nil, uses: Int = 0) {
    self.init(faults: faults, moves: moves, uses: uses, skipsSame: true)
  }

  init(
    faults: Int = 2, moves: Int? = nil, uses: Int = 0, skipsSame: Bool = true,
    mostEvents: Int = .max
  ) {
    self.faults = faults
    self.moves = moves
    self.uses = uses
    self.skipsSame = skipsSame
    self.mostEvents = mostEvents
  }

  /// Runs the plans, smallest first; ``Findings/proof`` says how far it came.
  public func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let mostFaults = max(0, budget.faults ?? faults)
    let mostMoves = max(0, budget.moves ?? moves ?? mostFaults)
    let mostUses = max(0, budget.uses ?? uses)
    let most = min(max(mostFaults, mostMoves) + mostUses, budget.decisions ?? .max)
    var findings = Findings(scenario)
    var proof = Findings.Proof()
    proof.mostFaults = mostFaults
    proof.mostMoves = mostMoves
    proof.mostUses = mostUses
    var parents: [Plan] = []
    for size in 0...most {
      // What so large a run asks would fill the memory.
      if size > 0, mostEvents != .max, findings.events > SecondOpinion.mostEvents {
        findings.leaveOut(Self.leftOut)
        return findings
      }
      var level = Level(scenario, budget, parents, size: size, isLast: size == most)
      level.skipsSame = skipsSame
      level.mostFaults = mostFaults
      level.mostMoves = mostMoves
      level.mostUses = mostUses
      level.mostEvents = mostEvents == .max ? .max : mostEvents - findings.events
      let result = level.run(before: findings)
      findings.add(result.findings)
      proof.ran += result.ran
      proof.plans.append(result.findings.runs)
      proof.skipped.append(result.skipped)
      findings.proof = proof
      if findings.isInterrupted || budget.isReached(findings.broken) { return findings }
      if result.untried > 0 {
        findings.leaveOut(
          "\(result.untried.grouped) of \((result.findings.runs + result.untried).of("plan")) of "
            + "\(size.of("decision")) were not run, as those before took "
            + "\(result.findings.events.grouped) events; \(Self.hint)")
        return findings
      }
      proof.size = size
      parents = result.plans
    }
    proof.isWhole = true
    findings.proof = proof
    return findings
  }

  /// What is said where no plan is run unasked.
  static let leftOut =
    "no plan of 1 decision was run, as a run has more than \(SecondOpinion.mostEvents.grouped) "
    + "events; \(hint)"
  private static let hint = "'explore exhaustive --faults 1' runs them"
}

/// The plans of one size.
private struct Level {
  struct Result {
    var findings: Findings
    var skipped = 0
    /// How many plans were left out, as there had been enough events.
    var untried = 0
    /// The plans that are to be extended, in order; empty for the last size.
    var plans: [Plan] = []
    /// The plans that were run, in order, if they are to be listed.
    var ran: [Plan] = []
  }

  private static let chunk = 8

  private let scenario: Scenario
  private let budget: Budget
  private let parents: [Plan]
  private let size: Int
  private let isLast: Bool
  var skipsSame = true
  var mostEvents = Int.max
  var mostFaults = Int.max
  var mostMoves = Int.max
  var mostUses = Int.max

  init(_ scenario: Scenario, _ budget: Budget, _ parents: [Plan], size: Int, isLast: Bool) {
    self.scenario = scenario
    self.budget = budget
    self.parents = parents
    self.size = size
    self.isLast = isLast
  }

  func run(before: Findings) -> Result {
    guard size > 0 else {
      let simulation = Simulation(scenario, cancellation: budget.cancellation)
      var findings = Findings(scenario)
      let outcome = simulation.run(plan: Plan())
      if outcome.isInterrupted {
        findings.isInterrupted = true
        return Result(findings: findings)
      }
      findings.add(.quiet, outcome, of: simulation)
      if outcome.events > SecondOpinion.mostEvents {
        findings.leaveOut(SecondOpinion.leftOut)
      } else if SecondOpinion(scenario, budget.cancellation).differs(from: outcome, .quiet) {
        findings.addDiffering(.quiet)
      }
      return Result(findings: findings, plans: [Plan()], ran: budget.listsPlans ? [Plan()] : [])
    }
    let runsBefore = before.runs
    let seen = Atomic<UInt64>(before.broken)
    let next = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    let batches = Mutex<[Batch]>([])
    let chunks = (parents.count + Self.chunk - 1) / Self.chunk
    let work: @Sendable (Int) -> Void = { _ in
      var worker = Worker(
        scenario, budget.cancellation, keepsPlans: !isLast, skipsSame: skipsSame)
      worker.mostEvents = mostEvents
      worker.mostFaults = mostFaults
      worker.mostMoves = mostMoves
      worker.mostUses = mostUses
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < chunks else { break }
        var batch = Batch(index: index, findings: Findings(scenario))
        for parent in parents[index * Self.chunk..<min(parents.count, (index + 1) * Self.chunk)]
        where !budget.isReached(batch.findings.broken) && !batch.findings.isInterrupted {
          worker.extend(parent, &batch, budget) { runs in
            budget.goesOn(runsBefore + done.load(ordering: .relaxed) + runs)
          }
        }
        let n = done.wrappingAdd(batch.findings.runs, ordering: .relaxed).newValue
        let broken = seen.bitwiseOr(batch.findings.broken, ordering: .relaxed).newValue
        let isReached = budget.isReached(broken)
        if !isReached, !budget.goesOn(runsBefore + n), index + 1 < chunks {
          batch.findings.isInterrupted = true
        }
        batches.withLock { $0.append(batch) }
        if isReached || batch.findings.isInterrupted { break }
      }
      batches.withLock { $0.append(Batch(index: .max, findings: worker.coverage)) }
    }
    let workers = max(1, min(budget.jobs, chunks))
    if workers == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers, execute: work)
    }
    var result = Result(findings: Findings(scenario))
    for batch in batches.withLock({ $0 }).sorted(by: { $0.index < $1.index }) {
      result.findings.add(batch.findings)
      result.skipped += batch.skipped
      result.untried += batch.untried
      result.plans += batch.plans
      result.ran += batch.ran
    }
    return result
  }

  /// What came of a few parents; added up in their order, whoever ran them.
  struct Batch: Sendable {
    var index: Int
    var findings: Findings
    var skipped = 0
    var untried = 0
    var plans: [Plan] = []
    var ran: [Plan] = []
  }
}

/// Runs the plans that extend others by one decision; not to be shared between threads.
private struct Worker {
  private let scenario: Scenario
  private let simulation: Simulation
  private let second: SecondOpinion
  /// Only lists questions, so that no strike of it is counted.
  private let lister: Simulation
  private let keepsPlans: Bool
  private let skipsSame: Bool
  private let heal: Instant
  /// What is known of the plan that was last extended without its last decision.
  private var earlier: Earlier?
  var mostEvents = Int.max
  var mostFaults = Int.max
  var mostMoves = Int.max
  var mostUses = Int.max
  private struct Earlier {
    var orders: Orders
    /// All delays by which it is extended, by the place of their question.
    var delays: [Int: Set<Int64>] = [:]
  }

  /// So often it is asked whether to go on.
  private static let plansBetween = 64

  init(
    _ scenario: Scenario, _ cancellation: Cancellation, keepsPlans: Bool, skipsSame: Bool
  ) {
    self.scenario = scenario
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
    _ parent: Plan, _ batch: inout Level.Batch, _ budget: Budget, goesOn: (Int) -> Bool
  ) {
    let run = orders(parent)
    batch.findings.isInterrupted = run.listing.outcome.isInterrupted
    if run.listing.outcome.isCutOff { return }
    guard let start = following(parent, run.listing.askings) else { return }
    var chain = Chain(run.listing.course)
    var candidates =
      moved(run, before: start, &chain) + decisions(run, from: start, &batch.skipped)
    for candidate in candidates where candidate.isMove { chain.tried.insert(candidate.added) }
    var next = 0
    while next < candidates.count {
      if batch.findings.events > mostEvents {
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
      if candidate.isMove {
        let moved = Orders(simulation.list(plan), scenario.setup.mix)
        outcome = moved.listing.outcome
        isNew = chain.isNew(candidate, moved)
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
    var isMove: Bool

    var added: Decision { plan.decisions[place] }

    init(_ plan: Plan, _ decision: Decision, at place: Int, isMove: Bool) {
      self.plan = plan
      self.plan.decisions.insert(decision, at: place)
      self.place = place
      self.isMove = isMove
    }
  }

  /// The moves that were tried as extensions of one plan, and what they came to.
  private struct Chain {
    var tried: Set<Decision> = []
    private let start: UInt64
    private var courses: Set<[UInt64]> = []

    init(_ start: UInt64) { self.start = start }

    /// Whether it came to another order than shorter moves of the same message.
    mutating func isNew(_ move: Candidate, _ run: Orders) -> Bool {
      let course = run.listing.course
      let question = move.added.question.rawValue
      return course != start
        && courses.insert(
          [UInt64(question), move.added.subject.key, UInt64(move.added.occurrence), course]
        ).inserted
    }
  }

  private func orders(_ plan: Plan) -> Orders { Orders(lister.list(plan), scenario.setup.mix) }

  /// The position of the first asking after the plan's last decision; nil where that is not asked.
  private func following(_ plan: Plan, _ askings: [Asking]) -> Int? {
    guard let last = plan.decisions.last else { return 0 }
    return askings.firstIndex { $0.isAnswered(by: last) }.map { $0 + 1 }
  }

  /// How many decisions of each kind a plan may have more.
  private struct Left {
    var faults: Int
    var moves: Int
    var uses: Int
  }

  private func left(_ plan: Plan) -> Left {
    let faults = plan.decisions.count { $0.fault != nil }
    let uses = plan.decisions.count(where: \.isUse)
    let moves = plan.decisions.count - faults - uses
    // Faults and moves share what the larger of their bounds allows.
    let shared = max(mostFaults, mostMoves) - faults - moves
    return Left(
      faults: min(mostFaults - faults, shared), moves: min(mostMoves - moves, shared),
      uses: mostUses - uses)
  }

  /// The plan with one more decision, asked after its last.
  private mutating func decisions(
    _ run: Orders, from start: Int, _ skipped: inout Int
  ) -> [Candidate] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    let left = left(plan)
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
      candidates += strikes.map {
        Candidate(plan, asking.decision($0), at: place, isMove: false)
      }
      guard left.moves > 0 else { continue }
      let delays = delays(of: index, in: run)
      skipped += delays.skipped.count
      candidates += delays.millis.map {
        Candidate(plan, asking.decision(.millis($0)), at: place, isMove: true)
      }
    }
    return candidates
  }

  /// The plan with one more move, asked before its last decision, to an order that is not there
  /// without that decision.
  private mutating func moved(
    _ run: Orders, before end: Int, _ chain: inout Chain
  ) -> [Candidate] {
    let (plan, askings) = (run.listing.plan, run.listing.askings)
    guard !plan.isEmpty, left(plan).moves > 0 else { return [] }
    var candidates: [Candidate] = []
    // Where among the plan's decisions it is asked.
    var place = 0
    for index in 0..<end - 1 {
      let asking = askings[index]
      if asking.isAnswered(by: plan.decisions[place]) {
        place += 1
        continue
      }
      let delays = delays(of: index, in: run)
      if delays.millis.isEmpty { continue }
      let known = known(index, at: place, without: Plan(Array(plan.decisions.dropLast())))
      var moves = delays.millis.map {
        Candidate(plan, asking.decision(.millis($0)), at: place, isMove: true)
      }
      chain.tried.formUnion(moves.map(\.added))
      var next = 0
      while next < moves.count {
        let move = moves[next]
        next += 1
        if case .millis(let millis) = move.added.answer, known.contains(millis) {
          // It is run as an extension of another plan; what it leads to may be new with this one.
          moves += further(move, orders(move.plan), &chain)
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
    guard case .millis(let answer) = added.answer,
      let index = run.listing.askings.firstIndex(where: { $0.isAnswered(by: added) })
    else { return [] }
    var plan = candidate.plan
    plan.decisions.remove(at: candidate.place)
    var candidates: [Candidate] = []
    for millis in delays(of: index, in: run).millis where millis > answer {
      let decision = run.listing.askings[index].decision(.millis(millis))
      guard chain.tried.insert(decision).inserted else { continue }
      candidates.append(Candidate(plan, decision, at: candidate.place, isMove: true))
    }
    return candidates
  }

  /// All delays of a message by which a smaller plan is extended.
  private mutating func known(_ index: Int, at place: Int, without smaller: Plan) -> Set<Int64> {
    if earlier?.orders.listing.plan != smaller {
      earlier = Earlier(orders: orders(smaller))
    }
    if let known = earlier?.delays[index] { return known }
    guard let run = earlier?.orders else { return [] }
    let asking = run.listing.askings[index]
    var chain = Chain(run.listing.course)
    var candidates = delays(of: index, in: run).millis.map { millis in
      Candidate(smaller, asking.decision(.millis(millis)), at: place, isMove: true)
    }
    chain.tried.formUnion(candidates.map(\.added))
    var known: Set<Int64> = []
    var next = 0
    while next < candidates.count {
      let candidate = candidates[next]
      next += 1
      let moved = orders(candidate.plan)
      guard chain.isNew(candidate, moved) else { continue }
      if case .millis(let millis) = candidate.added.answer { known.insert(millis) }
      candidates += further(candidate, moved, &chain)
    }
    earlier?.delays[index] = known
    return known
  }

  /// What the mix allows as an answer, other than the quiet one, where time means nothing.
  private func answers(to question: Question, _ left: Left) -> [Decision.Answer] {
    if question.fault?.isUse ?? false { return left.uses > 0 ? [.strike] : [] }
    guard left.faults > 0 else { return [] }
    switch question.shape {
    case .strike(let fault): return allows(fault, question) ? [.strike] : []
    case .choice(let fault, let values):
      return allows(fault, question) ? values.map { .value($0) } : []
    case .delay(let delay):
      var answers: [Decision.Answer] = []
      if let fault = delay.overtakenBy, allows(fault, question) { answers.append(.overtaken) }
      if let fault = delay.lateBy, allows(fault, question) { answers.append(.late) }
      return answers
    case .omission: return []
    }
  }

  /// The delays that lead to other orders within the usual time.
  private func delays(of index: Int, in run: Orders) -> Orders.Delays {
    guard let usual = scenario.setup.mix.usualDelay(run.listing.askings[index].question),
      usual.count > 1
    else { return Orders.Delays() }
    var delays = run.delays(of: index, in: usual)
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

/// Where the death of an app comes to the same as at the point before.
///
/// An app that dies leaves what it did to the world, and nothing of itself: its memory, and its
/// timers. So between two effects it does not matter where it dies, and what can happen after it
/// is the same but for the numbers of questions that were asked in between.
enum CrashPoint {
  static func isOne(_ question: Question) -> Bool { question.fault == .appCrash }

  /// Whether dying at `second`, asked directly after `first`, comes to the same as at `first`.
  static func isSame(_ first: Asking, _ second: Asking) -> Bool {
    first.event == second.event && isOne(first.question) && isOne(second.question)
      && !hasEffectAfter(first.question)
  }

  /// Whether something that outlives the app may happen between this point and the next.
  private static func hasEffectAfter(_ question: Question) -> Bool {
    switch question {
    // After an effect, and where a handler is entered.
    case .crashAfterObserve, .crashAfterUnobserve, .crashAfterProducts, .crashAfterPay,
      .crashAfterFinish, .crashAfterRestore, .crashAfterReceipt, .crashAfterRefresh,
      .crashAfterSend, .crashAfterSave, .crashAfterErase, .crashAfterFlush, .crashAfterTell,
      .crashAfterTimer, .crashOnCallback, .crashOnReply:
      false
    // What is read, and a timer, are gone with the app.
    case .crashBeforeReceipt, .crashBeforeTimer: false
    default: true
    }
  }
}

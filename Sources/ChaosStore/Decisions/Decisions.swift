/// Somebody a decision is about: where it is counted, and what it is called.
struct Who: BitwiseCopyable {
  var slot: UInt32
  var key: UInt64
}

/// The one door through which everything is chosen.
///
/// A decision's value is a hash of the seed, the question's name, the subject's name and how
/// often the same was asked before. Nothing is drawn from a stream, so nothing can shift.
struct Decisions {
  /// What is the same about a question in all runs, or in all of one.
  private struct QuestionRow: BitwiseCopyable {
    /// The hash of its name.
    let key: UInt64
    /// What of it goes into every hash of a run.
    var seeded: UInt64 = 0
    let mixed: UInt64
    /// Where it is counted among the questions that a seed can answer in more than one way.
    var column: UInt8
    /// The fault behind it; `.max` for none.
    var fault: UInt8
    var step: UInt8
  }

  struct DelayRow: BitwiseCopyable {
    var least: Int64
    var span: UInt64
    var overtaken: Int64
    var late: Int64
    /// Below which hash a delay is late, and below which it is late or overtaken.
    var lateBelow: UInt64
    var classedBelow: UInt64
    var overtakenBy: UInt8
    var lateBy: UInt8
  }

  private(set) var seed: UInt64 = 0
  private(set) var isHealed = false
  /// The present, in milliseconds since the history began.
  var now: Int64 = 0
  /// Until when what last struck goes on; -1 while nothing has struck.
  private(set) var disturbedUntil: Int64 = -1
  /// Set while a plan is followed or decisions are recorded; nil on the fast path.
  private(set) var script: Script?
  // What of the script is needed at every question, so that it costs no reference.
  private var planned: Script.Table?
  private var listener: Unmanaged<Script>?
  private var keepsNotes = false
  private var followsSeed = true
  private var isScripted = false

  private let questions: UnsafeMutablePointer<QuestionRow>
  /// Below which hash each question is answered yes: what holds now, which is what this seed says, what
  /// a script needs, or nothing.
  private var current: UnsafeMutablePointer<UInt64>
  private let armed: UnsafeMutablePointer<UInt64>
  private let scripted: UnsafeMutablePointer<UInt64>
  private let healed: UnsafeMutablePointer<UInt64>
  private let delays: UnsafeMutablePointer<DelayRow>
  private let most: UnsafeMutablePointer<UInt32>
  private let swarm: Swarm?
  /// How often each fault struck in this run, and at each step in all runs.
  let struck: UnsafeMutablePointer<UInt32>
  let struckEver: Coverage.Cells
  /// How often each question was asked about each subject: a row a subject, with a column for
  /// each question; for a seed alone, for each that it can answer in more than one way here.
  /// After 65,536 times the count begins again, and so do the answers.
  private var asked: UnsafeMutablePointer<UInt16>
  private var askedCapacity: Int
  private var stride = 0
  private let seedStride: Int
  private var slots = 0

  init(mix: FaultMix, slots: Int) {
    let n = Question.count
    questions = .allocate(capacity: n)
    armed = .allocate(capacity: n)
    scripted = .allocate(capacity: n)
    scripted.initialize(repeating: 0, count: n)
    healed = .allocate(capacity: n)
    healed.initialize(repeating: 0, count: n)
    current = healed
    delays = .allocate(capacity: n)
    most = .allocate(capacity: Fault.allCases.count)
    struck = .allocate(capacity: Fault.allCases.count)
    struck.initialize(repeating: 0, count: Fault.allCases.count)
    struckEver = .allocate(capacity: Coverage.cellCount)
    struckEver.initialize(repeating: 0, count: Coverage.cellCount)
    for fault in Fault.allCases {
      most[Int(fault.rawValue)] = mix.entries[fault]?.most ?? 0
    }
    for question in Question.allCases {
      let i = Int(question.rawValue)
      let key = Hashing.name(question.name)
      questions[i] = QuestionRow(
        key: key, mixed: Hashing.mixed(question: key), column: UInt8(stride),
        fault: question.fault?.rawValue ?? .max, step: question.step.rawValue)
      armed[i] = question.fault.map { mix.threshold(of: $0, at: question) } ?? 0
      let shape =
        if case .delay(let delay) = question.shape { delay } else {
          Question.Delay(range: 0...0)
        }
      let range = mix.delays[question] ?? shape.range
      let late = shape.lateBy.map { mix.threshold(of: $0, at: question) } ?? 0
      let overtaken = shape.overtakenBy.map { mix.threshold(of: $0, at: question) } ?? 0
      delays[i] = DelayRow(
        least: range.lowerBound, span: UInt64(range.upperBound - range.lowerBound + 1),
        overtaken: shape.overtaken ?? 0, late: shape.late ?? 0,
        lateBelow: late, classedBelow: late > .max - overtaken ? .max : late + overtaken,
        overtakenBy: shape.overtakenBy?.rawValue ?? .max, lateBy: shape.lateBy?.rawValue ?? .max)
      if armed[i] > 0 || delays[i].span > 1 || delays[i].classedBelow > 0 { stride += 1 }
    }
    stride = max(stride, 1)
    seedStride = stride
    askedCapacity = max(slots, 1) * stride
    asked = .allocate(capacity: askedCapacity)
    swarm = mix.isSwarmed ? Swarm(mix) : nil
  }

  func deallocate() {
    questions.deallocate()
    armed.deallocate()
    scripted.deallocate()
    healed.deallocate()
    delays.deallocate()
    most.deallocate()
    struck.deallocate()
    struckEver.deallocate()
    asked.deallocate()
  }

  /// Begins a run: from a seed, from a script, or from both.
  mutating func begin(seed: UInt64, script: Script?, slots: Int) {
    self.seed = seed
    self.script = script
    isScripted = script != nil
    planned = script?.table
    // The script is held above.
    listener = script.flatMap { $0.keepsAskings ? .passUnretained($0) : nil }
    keepsNotes = script?.keepsNotes ?? false
    followsSeed = script?.followsSeed ?? true
    defer { if script?.freshAfter != nil { followsSeed = false } }
    stride = isScripted ? Question.count : seedStride
    isHealed = false
    now = 0
    disturbedUntil = -1
    for place in 0..<Question.count {
      questions[place].seeded = questions[place].key &+ seed
    }
    struck.update(repeating: 0, count: Fault.allCases.count)
    if followsSeed { swarm?.arm(armed, delays, seed: seed) }
    if let script {
      // What neither seed nor plan answers, and nobody lists, is not asked.
      scripted.update(repeating: script.needsEveryQuestion ? .max : 0, count: Question.count)
      for decision in script.plan.decisions {
        scripted[Int(decision.question.rawValue)] = .max
      }
      current = scripted
    } else {
      current = armed
    }
    self.slots = 0
    if slots * stride > askedCapacity { grow(to: slots) }
    asked.update(repeating: 0, count: slots * stride)
    self.slots = slots
  }

  /// From here on the seed alone decides.
  mutating func beginAnew() {
    planned = nil
    followsSeed = true
  }

  /// From here on no fault strikes.
  mutating func heal() {
    isHealed = true
    current = healed
  }

  /// What struck goes on until then.
  mutating func disturb(until millis: Int64) { disturbedUntil = max(disturbedUntil, millis) }

  /// Makes room for one more subject and returns its place.
  @inline(__always) @discardableResult
  mutating func addSlot() -> UInt32 {
    if (slots + 1) * stride > askedCapacity { grow(to: slots + 1) }
    (asked + slots * stride).update(repeating: 0, count: stride)
    slots += 1
    return UInt32(truncatingIfNeeded: slots - 1)
  }

  /// Whether the fault behind this question strikes now.
  @inline(__always)
  mutating func strikes(_ question: Question, _ who: Who) -> Bool {
    let threshold = current[Int(question.rawValue)]
    if threshold == 0 { return false }
    if _slowPath(isScripted) { return scriptedChoice(question, who, of: 1) != 0 }
    let value = hash(question, who)
    if _fastPath(value >= threshold) { return false }
    return strike(questions[Int(question.rawValue)].fault, question)
  }

  /// Which of its values a question with several takes; nil for none.
  @inline(__always)
  mutating func choice(_ question: Question, _ who: Who) -> Int? {
    current[Int(question.rawValue)] == 0 ? nil : chosen(question, who)
  }

  @inline(never)
  private mutating func chosen(_ question: Question, _ who: Who) -> Int? {
    let threshold = current[Int(question.rawValue)]
    if _slowPath(isScripted) {
      let values = values(of: question)
      let position = scriptedChoice(question, who, of: values.count)
      return position == 0 ? nil : values[position - 1]
    }
    let value = hash(question, who)
    if value >= threshold || !strike(questions[Int(question.rawValue)].fault, question) {
      return nil
    }
    let values = values(of: question)
    return values[position(value, of: values.count) - 1]
  }

  /// How many milliseconds something takes.
  @inline(__always)
  mutating func delay(_ question: Question, _ who: Who) -> Int64 {
    if _slowPath(isScripted) { return scriptedDelay(question, who) }
    let row = delays + Int(question.rawValue)
    // A fixed delay without classes needs no hash.
    if row.pointee.span == 1, row.pointee.classedBelow == 0 {
      return row.pointee.least
    }
    return seededDelay(question, hash(question, who), row)
  }

  /// From now on a question is answered yes below this hash; for whoever drives a world by hand.
  mutating func setThreshold(_ question: Question, _ threshold: UInt64) {
    armed[Int(question.rawValue)] = threshold
  }

  /// From now on a delay is late, or overtaken, below these hashes; nil leaves one as it is.
  mutating func setClasses(_ question: Question, late: UInt64?, overtaken: UInt64?) {
    let row = delays + Int(question.rawValue)
    let overtakenBelow = overtaken ?? row.pointee.classedBelow - row.pointee.lateBelow
    row.pointee.lateBelow = late ?? row.pointee.lateBelow
    let (sum, overflow) = row.pointee.lateBelow.addingReportingOverflow(overtakenBelow)
    row.pointee.classedBelow = overflow ? .max : sum
  }

  /// A fault may strike so often from now on.
  mutating func allow(_ fault: Fault, timesMore count: UInt32) {
    let place = Int(fault.rawValue)
    let (sum, overflow) = struck[place].addingReportingOverflow(count)
    most[place] = overflow ? .max : sum
  }

  // MARK: -

  // Some of these are marked mutating only so that no copy of the whole door is made for a call.

  @inline(__always)
  private mutating func occurrence(_ question: Question, _ who: Who) -> UInt32 {
    let place = asked + Int(who.slot) &* stride + Int(questions[Int(question.rawValue)].column)
    let n = place.pointee
    place.pointee = n &+ 1
    return UInt32(n)
  }

  /// A script may be asked any question, so each has its own column.
  private mutating func scriptedOccurrence(_ question: Question, _ who: Who) -> UInt32 {
    let place = asked + Int(who.slot) * stride + Int(question.rawValue)
    let n = place.pointee
    place.pointee = n &+ 1
    return UInt32(n)
  }

  @inline(__always)
  private mutating func hash(_ question: Question, _ who: Who) -> UInt64 {
    hash(question, who, occurrence(question, who))
  }

  @inline(__always)
  private mutating func hash(_ question: Question, _ who: Who, _ occurrence: UInt32) -> UInt64 {
    let row = questions + Int(question.rawValue)
    return Hashing.decision(
      seeded: row.pointee.seeded, mixed: row.pointee.mixed, subject: who.key,
      occurrence: UInt64(occurrence))
  }

  @inline(__always)
  private mutating func seededDelay(
    _ question: Question, _ value: UInt64, _ row: UnsafeMutablePointer<DelayRow>
  ) -> Int64 {
    let low = value << 32 | value >> 32
    if _slowPath(value < row.pointee.classedBelow), !isHealed {
      return classedDelay(question, value, low, row)
    }
    return row.pointee.least
      &+ Int64(truncatingIfNeeded: low.multipliedFullWidth(by: row.pointee.span).high)
  }

  @inline(never)
  private mutating func classedDelay(
    _ question: Question, _ value: UInt64, _ low: UInt64, _ row: UnsafeMutablePointer<DelayRow>
  ) -> Int64 {
    let isLate = value < row.pointee.lateBelow
    let least = isLate ? row.pointee.late : row.pointee.overtaken
    guard strike(isLate ? row.pointee.lateBy : row.pointee.overtakenBy, question) else {
      return row.pointee.least
    }
    let millis =
      least + Int64(truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(least) + 1).high)
    disturb(until: now + millis)
    return millis
  }

  /// Counts a strike, unless the fault has struck as often as it may.
  @inline(never)
  private mutating func strike(_ fault: UInt8, _ question: Question) -> Bool {
    guard struck[Int(fault)] < most[Int(fault)] else { return false }
    note(fault, question)
    return true
  }

  @inline(__always)
  private mutating func note(_ fault: UInt8, _ question: Question) {
    struck[Int(fault)] &+= 1
    struckEver[Coverage.cell(fault, questions[Int(question.rawValue)].step)] &+= 1
    disturb(until: now)
  }

  /// What a strike was to bring comes after the end of the run, so it counts as none.
  @inline(never)
  mutating func takeBackStrike(of question: Question) {
    let row = questions[Int(question.rawValue)]
    guard row.fault != .max else { return }
    struck[Int(row.fault)] &-= 1
    struckEver[Coverage.cell(row.fault, row.step)] &-= 1
  }

  private mutating func values(of question: Question) -> [Int] {
    guard case .choice(_, let values) = question.shape else {
      fatalError("bug: '\(question.name)' is no choice")
    }
    return values
  }

  private func position(_ value: UInt64, of count: Int) -> Int {
    let low = value << 32 | value >> 32
    return 1 + Int(low.multipliedFullWidth(by: UInt64(count)).high)
  }

  @inline(never)
  private mutating func scriptedChoice(_ question: Question, _ who: Who, of count: Int) -> Int {
    let n = scriptedOccurrence(question, who)
    listener?._withUnsafeGuaranteedRef { $0.asked(question, who, n) }
    if let answer = planned?.answer(question, who.key, n) {
      listener?._withUnsafeGuaranteedRef { $0.strikes() }
      note(questions[Int(question.rawValue)].fault, question)
      if keepsNotes { script?.note(question, who, n, answer) }
      guard case .value(let value) = answer,
        case .choice(_, let values) = question.shape,
        let index = values.firstIndex(of: value)
      else { return 1 }
      return index + 1
    }
    guard followsSeed else { return 0 }
    let value = hash(question, who, n)
    guard value < armed[Int(question.rawValue)],
      strike(questions[Int(question.rawValue)].fault, question)
    else { return 0 }
    let position = position(value, of: count)
    if case .choice(_, let values) = question.shape {
      script?.note(question, who, n, .value(values[position - 1]))
    } else {
      script?.note(question, who, n, .strike)
    }
    return position
  }

  @inline(never)
  private mutating func scriptedDelay(_ question: Question, _ who: Who) -> Int64 {
    let row = delays + Int(question.rawValue)
    let n = scriptedOccurrence(question, who)
    var millis = row.pointee.least
    let usual = row.pointee.least...(row.pointee.least + Int64(row.pointee.span) - 1)
    let answer = planned?.answer(question, who.key, n) { self.allows($0, usual) }
    if let answer {
      switch answer {
      case .overtaken: millis = row.pointee.overtaken
      case .late: millis = row.pointee.late
      case .millis(let exact): millis = exact
      case .strike, .value: break
      }
      if !usual.contains(millis), let fault = question.fault(behind: answer) {
        note(fault.rawValue, question)
        disturb(until: now + millis)
      }
    } else if followsSeed {
      millis = seededDelay(question, hash(question, who, n), row)
    }
    listener?._withUnsafeGuaranteedRef { $0.askedDelay(question, who, n) }
    if keepsNotes, millis != row.pointee.least {
      script?.note(question, who, n, .millis(millis), isUsual: usual.contains(millis))
    }
    return millis
  }

  /// After the heal nothing is later than usual.
  private func allows(_ answer: Decision.Answer, _ usual: ClosedRange<Int64>) -> Bool {
    guard isHealed else { return true }
    if case .millis(let millis) = answer { return usual.contains(millis) }
    return false
  }

  @inline(never)
  private mutating func grow(to most: Int) {
    askedCapacity = max(askedCapacity * 2, most * stride)
    let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: askedCapacity)
    larger.update(from: asked, count: slots * stride)
    asked.deallocate()
    asked = larger
  }
}

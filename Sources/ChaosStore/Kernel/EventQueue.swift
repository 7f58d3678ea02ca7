import Invariants

/// One item of the kernel's queue.
struct Event: BitwiseCopyable, Equatable {
  /// Time in the upper 38 bits, order of scheduling in the lower 26: one comparison orders events.
  var key: UInt64
  /// Subject, kind, tag and life in one word: the queue moves each event several times.
  private let packed: UInt64
  /// More about it; its meaning belongs to the kind.
  let detail: UInt64

  @inline(__always)
  init(
    key: UInt64, kind: EventKind, tag: UInt8, life: UInt16, subject: UInt32, detail: UInt64
  ) {
    self.key = key
    packed =
      UInt64(subject) << 32 | UInt64(kind.rawValue) << 24 | UInt64(tag) << 16 | UInt64(life)
    self.detail = detail
  }

  @inline(__always) var millis: Int64 { Int64(key >> Event.orderBits) }
  /// Its place in the order of scheduling.
  var order: UInt64 { key & (1 << Event.orderBits - 1) }

  @inline(__always) var kind: EventKind {
    // Packed from a kind and from nothing else; a look at each of the raw values costs 3 % of a run.
    unsafeBitCast(UInt8(truncatingIfNeeded: packed >> 24), to: EventKind.self)
  }
  /// Which of its kind, where a kind has several.
  @inline(__always) var tag: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }
  /// The life of the process it was meant for.
  @inline(__always) var life: UInt16 { UInt16(truncatingIfNeeded: packed) }
  /// The row it is about: a device, a transaction, an exchange, a step.
  @inline(__always) var subject: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }

  static let orderBits: UInt64 = 26
  /// The number of events that one run can schedule.
  static let most = 1 << 26
  /// The last millisecond that fits, more than eight years.
  static let lastMillis: Int64 = (1 << 38) - 1

  /// Later than every event.
  static var none: Event {
    Event(key: .max, kind: .step, tag: 0, life: 0, subject: .max, detail: 0)
  }
}

/// What can be scheduled. New kinds go to the end: trace hashes have their numbers in them.
enum EventKind: UInt8, CaseIterable, Sendable {
  case step, arrival, charge, callback, purchaseResult, productList, finishArrives
  case request, verifierAnswer, resume, reply, timer
  case launch, reopen, visit, flush, receiptRefresh, restoreEnd
  case serverStart, networkHeals, switchBack
  case furtherTap, switchAway
  case restoreSent, quit
  case subscription, notification, news
  case job

  /// The number that goes into the trace hash. A tap that follows another counts as a step, and
  /// leaving an account as returning to it: their tags tell them apart.
  @inline(__always) var hashed: UInt8 {
    if _fastPath(rawValue <= Self.switchBack.rawValue) { return rawValue }
    return switch self {
    case .furtherTap: Self.step.rawValue
    case .switchAway: Self.switchBack.rawValue
    default: rawValue
    }
  }
}

/// The pending events, earliest first; those of one millisecond in the order of scheduling.
///
/// The few that come next lie in order, so that most are put in and taken out without a search. What
/// comes later lies in a four-way heap, which is kept so small that the processor has it at hand: of
/// the hundreds of thousands of a large run, what comes later still is set aside unordered until its
/// time is near.
struct EventQueue {
  /// The events that come next, latest first, behind one that is later than every event: up to the
  /// first, which is that one where there is none.
  private let next: UnsafeMutablePointer<Event>
  private var first: UnsafeMutablePointer<Event>
  private let last: UnsafeMutablePointer<Event>
  private static let mostNext = 24

  /// The later ones. Every place behind them holds ``Event/none``, so that four siblings are compared
  /// without asking how many of them there are.
  private var heap: UnsafeMutablePointer<Event>
  private var heapCount = 0
  private var capacity: Int
  /// As many as a heap holds before the later half of it is set aside.
  private let mostHeaped: Int

  /// What is set aside: the parts one behind the other, the latest first.
  private var aside: [Event] = []
  private var parts: [Part] = []
  /// The first key that is set aside.
  private var asideFrom = UInt64.max

  /// Events of a stretch of time, in no order: from a key on, to that of the part before.
  private struct Part {
    var from: UInt64
    /// Where they begin.
    var start: Int
  }

  /// How many events were scheduled so far.
  private(set) var scheduled: UInt64 = 0

  init(capacity: Int = 64, mostHeaped: Int = 4096) {
    next = .allocate(capacity: Self.mostNext + 1)
    next.initialize(repeating: .none, count: Self.mostNext + 1)
    first = next
    last = next + Self.mostNext
    self.capacity = capacity
    self.mostHeaped = mostHeaped
    heap = Self.places(for: capacity)
  }

  private static func places(for capacity: Int) -> UnsafeMutablePointer<Event> {
    // The last event may have three siblings that are none.
    let places = UnsafeMutablePointer<Event>.allocate(capacity: capacity + 3)
    places.initialize(repeating: .none, count: capacity + 3)
    return places
  }

  func deallocate() {
    next.deallocate()
    heap.deallocate()
  }

  mutating func clear() {
    first = next
    emptyHeap()
    parts.removeAll()
    aside.removeAll()
    asideFrom = .max
    scheduled = 0
  }

  private mutating func emptyHeap() {
    heap.update(repeating: .none, count: heapCount)
    heapCount = 0
  }

  /// How many events are pending.
  var count: Int { first - next + heapCount + aside.count }

  /// Whether more events were scheduled than a run may have.
  ///
  /// There is room left for what is scheduled until somebody asks again.
  var isExhausted: Bool {
    scheduled >= UInt64(Event.most) - 64 * UInt64(Cancellation.eventsBetween)
  }

  @inline(__always)
  mutating func schedule(
    at millis: Int64, _ kind: EventKind, subject: UInt32, tag: UInt8 = 0, life: UInt16 = 0,
    detail: UInt64 = 0
  ) {
    assert(millis <= Event.lastMillis, "bug: \(kind) is scheduled beyond all time")
    let key = UInt64(truncatingIfNeeded: millis) << Event.orderBits | scheduled
    scheduled &+= 1
    let event = Event(
      key: key, kind: kind, tag: tag, life: life, subject: subject, detail: detail)
    if _slowPath(first == last) { makeRoom() }
    if key > heap[0].key { return push(event) }
    var before = first
    first += 1
    while before.pointee.key < key {
      before[1] = before[0]
      before -= 1
    }
    before[1] = event
  }

  /// The earliest event; ``Event/none`` if there is none.
  var earliest: Event { first == next ? heap[0] : first.pointee }

  /// Takes out the earliest event; ``Event/none`` if there is none.
  @inline(__always)
  mutating func pop() -> Event {
    if first == next { return popHeap() }
    let event = first.pointee
    first -= 1
    return event
  }

  /// Moves the later half of the events that come next to the later ones.
  @inline(never)
  private mutating func makeRoom() {
    let half = Self.mostNext / 2
    for place in 1...half { push(next[place]) }
    first -= half
    (next + 1).update(from: next + 1 + half, count: first - next)
  }

  @inline(never)
  private mutating func push(_ event: Event) {
    if _slowPath(event.key >= asideFrom) { return setAside(event) }
    if _slowPath(heapCount == mostHeaped) {
      setHeapAside()
      return push(event)
    }
    if heapCount == capacity { grow() }
    var hole = heapCount
    heapCount &+= 1
    while hole > 0 {
      let parent = (hole &- 1) >> 2
      if heap[parent].key < event.key { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = event
  }

  @inline(never)
  private mutating func popHeap() -> Event {
    let earliest = heap[0]
    if heapCount == 0 { return earliest }
    heapCount &-= 1
    let last = heap[heapCount]
    heap[heapCount] = .none
    if heapCount == 0 {
      if !parts.isEmpty { takeUp() }
      return earliest
    }
    var hole = 0
    while true {
      let child = hole << 2 &+ 1
      if child >= heapCount { break }
      let least = earlier(earlier(child, child &+ 1), earlier(child &+ 2, child &+ 3))
      if last.key < heap[least].key { break }
      heap[hole] = heap[least]
      hole = least
    }
    heap[hole] = last
    return earliest
  }

  @inline(__always)
  private func earlier(_ a: Int, _ b: Int) -> Int { heap[a].key < heap[b].key ? a : b }

  @inline(never)
  private mutating func grow() {
    let larger = Self.places(for: capacity * 2)
    larger.update(from: heap, count: heapCount)
    heap.deallocate()
    heap = larger
    capacity *= 2
  }

  // MARK: - What is set aside

  /// Puts it among those of its part: one event of each part behind makes room.
  @inline(never)
  private mutating func setAside(_ event: Event) {
    var place = parts.count - 1
    var hole = aside.count
    aside.append(event)
    while place > 0, event.key >= parts[place - 1].from {
      aside[hole] = aside[parts[place].start]
      hole = parts[place].start
      parts[place].start += 1
      place -= 1
    }
    aside[hole] = event
  }

  /// Makes room in the heap: half of it or more is set aside.
  @inline(never)
  private mutating func setHeapAside() {
    parts.append(Part(from: 0, start: aside.count))
    aside.append(contentsOf: UnsafeBufferPointer(start: heap, count: heapCount))
    emptyHeap()
    takeUp()
  }

  /// Fills the heap, which is empty, with what comes next, which is parted from the rest.
  @inline(never)
  private mutating func takeUp() {
    var nearest = parts.removeLast()
    while aside.count - nearest.start > mostHeaped / 2 {
      let middle = middleKey(from: nearest.start)
      parts.append(Part(from: middle, start: nearest.start))
      nearest.start = aside.withUnsafeMutableBufferPointer {
        $0[nearest.start...].partition { $0.key < middle }
      }
    }
    asideFrom = parts.last?.from ?? .max
    for event in aside[nearest.start...] { push(event) }
    aside.removeSubrange(nearest.start...)
  }

  /// About the middle of what is set aside from a place on; there are earlier ones.
  private func middleKey(from start: Int) -> UInt64 {
    let samples = stride(from: start, to: aside.count, by: (aside.count - start) / 9)
      .map { aside[$0].key }
    return samples.sorted()[samples.count / 2]
  }
}

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
/// A four-way heap: shallow for the handful of events of a small run, and still cheap for the
/// hundreds of thousands of a large one.
struct EventQueue {
  /// Every place behind the pending events holds ``Event/none``, so that four siblings are compared
  /// without asking how many of them there are.
  private var heap: UnsafeMutablePointer<Event>
  private(set) var count = 0
  private var capacity: Int
  /// How many events were scheduled so far.
  private(set) var scheduled: UInt64 = 0

  init(capacity: Int = 64) {
    self.capacity = capacity
    heap = Self.places(for: capacity)
  }

  private static func places(for capacity: Int) -> UnsafeMutablePointer<Event> {
    // The last event may have three siblings that are none.
    let places = UnsafeMutablePointer<Event>.allocate(capacity: capacity + 3)
    places.initialize(repeating: .none, count: capacity + 3)
    return places
  }

  func deallocate() { heap.deallocate() }

  mutating func clear() {
    heap.update(repeating: .none, count: count)
    count = 0
    scheduled = 0
  }

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
    if count == capacity { grow() }
    var hole = count
    count &+= 1
    while hole > 0 {
      let parent = (hole &- 1) >> 2
      if heap[parent].key < key { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = Event(
      key: key, kind: kind, tag: tag, life: life, subject: subject, detail: detail)
  }

  /// Takes out the earliest event; the queue must not be empty.
  @inline(__always)
  mutating func pop() -> Event {
    let first = heap[0]
    count &-= 1
    let last = heap[count]
    heap[count].key = Event.none.key
    if count == 0 { return first }
    var hole = 0
    while true {
      let child = hole << 2 &+ 1
      if child >= count { break }
      let least = earlier(earlier(child, child &+ 1), earlier(child &+ 2, child &+ 3))
      if last.key < heap[least].key { break }
      heap[hole] = heap[least]
      hole = least
    }
    heap[hole] = last
    return first
  }

  @inline(__always)
  private func earlier(_ a: Int, _ b: Int) -> Int { heap[a].key < heap[b].key ? a : b }

  @inline(never)
  private mutating func grow() {
    let larger = Self.places(for: capacity * 2)
    larger.update(from: heap, count: count)
    heap.deallocate()
    heap = larger
    capacity *= 2
  }
}

import Invariants

/// One item of the kernel's queue.
struct Event: BitwiseCopyable, Equatable {
  /// Time in the upper 38 bits, order of scheduling in the lower 26: one comparison orders events.
  var key: UInt64
  var kind: EventKind
  /// Which of its kind, where a kind has several.
  var tag: UInt8
  /// The life of the process it was meant for.
  var life: UInt16
  /// The row it is about: a device, a transaction, an exchange, a step.
  var subject: UInt32
  /// More about it; its meaning belongs to the kind.
  var detail: UInt64

  @inline(__always) var millis: Int64 { Int64(key >> Event.orderBits) }

  static let orderBits: UInt64 = 26
  /// The number of events that one run can schedule.
  static let most = 1 << 26
  /// The last millisecond that fits, more than eight years.
  static let lastMillis: Int64 = (1 << 38) - 1
}

/// What can be scheduled. New kinds go to the end: trace hashes have their numbers in them.
enum EventKind: UInt8, CaseIterable, Sendable {
  case step, arrival, charge, callback, purchaseResult, productList, finishArrives
  case request, verifierAnswer, resume, reply, timer
  case launch, reopen, visit, flush, receiptRefresh, restoreEnd
  case serverStart, networkHeals, switchBack
}

/// The pending events, earliest first; those of one millisecond in the order of scheduling.
///
/// A four-way heap: shallow for the handful of events of a small run, and still cheap for the
/// hundreds of thousands of a large one.
struct EventQueue {
  private var heap: UnsafeMutablePointer<Event>
  private(set) var count = 0
  private var capacity: Int
  private var scheduled: UInt64 = 0

  init(capacity: Int = 64) {
    self.capacity = capacity
    heap = .allocate(capacity: capacity)
  }

  func deallocate() { heap.deallocate() }

  mutating func clear() {
    count = 0
    scheduled = 0
  }

  /// Whether more events were scheduled than a run may have.
  var isExhausted: Bool { scheduled >= UInt64(Event.most) - 64 }

  @inline(__always)
  mutating func schedule(
    at millis: Int64, _ kind: EventKind, subject: UInt32, tag: UInt8 = 0, life: UInt16 = 0,
    detail: UInt64 = 0
  ) {
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
    if count > 0 {
      let last = heap[count]
      var hole = 0
      while true {
        let child = hole << 2 &+ 1
        if child >= count { break }
        var least = child
        var leastKey = heap[child].key
        let end = min(child &+ 4, count)
        var other = child &+ 1
        while other < end {
          let key = heap[other].key
          if key < leastKey {
            least = other
            leastKey = key
          }
          other &+= 1
        }
        if last.key < leastKey { break }
        heap[hole] = heap[least]
        hole = least
      }
      heap[hole] = last
    }
    return first
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Event>.allocate(capacity: capacity * 2)
    larger.update(from: heap, count: count)
    heap.deallocate()
    heap = larger
    capacity *= 2
  }
}

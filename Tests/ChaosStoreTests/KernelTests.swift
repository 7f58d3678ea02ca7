import Invariants
import Testing

@testable import ChaosStore

@Suite("The event queue")
struct EventQueueTests {
  @Test("The event queue gives events back by time, and within a millisecond as scheduled")
  func order() {
    var queue = EventQueue(capacity: 1)
    defer { queue.deallocate() }
    for (index, millis) in [5, 3, 5, 0, 3, 5].enumerated() {
      queue.schedule(at: Int64(millis), .timer, subject: UInt32(index))
    }
    var seen: [String] = []
    while queue.count > 0 {
      let event = queue.pop()
      seen.append("\(event.millis)ms: \(event.subject)")
    }
    #expect(seen == ["0ms: 3", "3ms: 1", "3ms: 4", "5ms: 0", "5ms: 2", "5ms: 5"])
  }

  @Test("The event queue agrees with a sort, over thousands of events and while it grows")
  func sorted() {
    for round in 0..<20 {
      var numbers = Numbers(seed: UInt64(round))
      let mostHeaped = [16, 500, 4096][round % 3]
      var queue = EventQueue(capacity: 1 + round % 3, mostHeaped: mostHeaped)
      defer { queue.deallocate() }
      var scheduled: [(millis: Int64, subject: UInt32)] = []
      for subject in 0..<5000 {
        let millis = numbers.next(below: round % 2 == 0 ? 100 : 1_000_000_000)
        queue.schedule(at: millis, .callback, subject: UInt32(subject))
        scheduled.append((millis, UInt32(subject)))
      }
      var popped: [(millis: Int64, subject: UInt32)] = []
      while queue.count > 0 {
        let event = queue.pop()
        popped.append((event.millis, event.subject))
      }
      // Swift's sort is stable.
      let expected = scheduled.sorted { $0.millis < $1.millis }
      #expect(popped.elementsEqual(expected, by: ==))
    }
  }

  @Test(
    "The event queue agrees with a sorted list when events are taken out and scheduled in turn",
    arguments: [16, 30, 4096])
  func interleaved(mostHeaped: Int) {
    var numbers = Numbers(seed: 7)
    var queue = EventQueue(capacity: 2, mostHeaped: mostHeaped)
    defer { queue.deallocate() }
    var pending: [(millis: Int64, subject: UInt32)] = []
    var now: Int64 = 0
    var wrong = 0
    for subject in 0..<20_000 as Range<UInt32> {
      if queue.count > 0, numbers.next(below: 100) < 48 {
        let event = queue.pop()
        let first = pending.removeFirst()
        if event.millis != first.millis || event.subject != first.subject { wrong += 1 }
        if event.millis < now { wrong += 1 }
        now = event.millis
      } else {
        let millis = now + numbers.next(below: 50)
        queue.schedule(at: millis, .reply, subject: subject)
        let place = pending.firstIndex { $0.millis > millis } ?? pending.count
        pending.insert((millis, subject), at: place)
      }
      if queue.count != pending.count { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("The event queue keeps everything an event says, up to the last millisecond that fits")
  func contents() {
    var queue = EventQueue()
    defer { queue.deallocate() }
    queue.schedule(
      at: Event.lastMillis, .switchBack, subject: .max, tag: 255, life: .max, detail: .max)
    let event = queue.pop()
    #expect(event.millis == 274_877_906_943)
    #expect(event.kind == .switchBack)
    #expect((event.subject, event.detail) == (.max, .max))
    #expect((event.tag, event.life) == (255, 65_535))
  }

  @Test(
    "The event queue begins to count anew when it is cleared, and says when a run has had too many")
  func clear() {
    var queue = EventQueue()
    defer { queue.deallocate() }
    for _ in 0..<10 { queue.schedule(at: 1, .step, subject: 1) }
    #expect(!queue.isExhausted)
    queue.clear()
    #expect(queue.count == 0)
    queue.schedule(at: 0, .step, subject: 9)
    #expect(queue.pop().key == 0)
  }

  @Test("The event queue forgets when it is cleared what it has set aside")
  func clearAside() {
    var queue = EventQueue(mostHeaped: 16)
    defer { queue.deallocate() }
    for millis in 0..<1000 as Range<Int64> { queue.schedule(at: millis, .step, subject: 1) }
    #expect(queue.count == 1000)
    queue.clear()
    #expect(queue.count == 0)
    for millis in 0..<1000 as Range<Int64> { queue.schedule(at: 5 * millis, .step, subject: 2) }
    #expect((0..<1000).allSatisfy { queue.pop().millis == 5 * $0 })
    #expect(queue.pop() == .none)
  }

  @Test("The kinds of events keep their numbers, which are part of every trace hash")
  func kinds() {
    #expect(
      EventKind.allCases.map { "\($0)" } == [
        "step", "arrival", "charge", "callback", "purchaseResult", "productList", "finishArrives",
        "request", "verifierAnswer", "resume", "reply", "timer", "launch", "reopen", "visit",
        "flush", "receiptRefresh", "restoreEnd", "serverStart", "networkHeals", "switchBack",
        "furtherTap", "switchAway", "restoreSent", "quit", "subscription", "notification",
        "news", "job",
      ])
    #expect(EventKind.allCases.map(\.hashed) == Array(0...20) + [0, 20, 23, 24, 25, 26, 27, 28])
  }
}

@Suite("A table of rows")
struct RowsTests {
  @Test("A table of rows keeps its rows while it grows, and its memory when it is emptied")
  func growth() {
    var rows = Rows<UInt64, TransactionID>(capacity: 1)
    defer { rows.deallocate() }
    for value in 0..<1000 as Range<UInt64> {
      #expect(rows.append(value * 3) == TransactionID(index: Int(value)))
    }
    rows[TransactionID(500)] = 7
    #expect(rows[TransactionID(499)] == 1497)
    #expect(rows[TransactionID(500)] == 7)
    #expect(rows[TransactionID(999)] == 2997)
    #expect(rows.holds(TransactionID(999)) && !rows.holds(TransactionID(1000)))
    #expect(!rows.holds(.none))
    let base = rows.base
    rows.removeAll()
    #expect(rows.count == 0)
    #expect(rows.append(1) == TransactionID(0))
    #expect(rows.base == base)
  }
}

/// Numbers for tests, the same each time.
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64, which has nothing in common with what is tested.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func next(below bound: Int64) -> Int64 {
    Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}

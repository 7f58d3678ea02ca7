/// Records of one kind that are taken and given back, in memory that is used again.
struct Pool<Record: BitwiseCopyable>: ~Copyable {
  private var records: UnsafeMutablePointer<Record>
  private var capacity = 256
  private var count = 0
  private var free: [UInt32] = []

  init() { records = .allocate(capacity: capacity) }

  deinit { records.deallocate() }

  /// How many are taken.
  var taken: Int { count - free.count }

  subscript(number: UInt32) -> Record {
    @inline(__always) get { records[Int(number)] }
    @inline(__always) nonmutating _modify { yield &records[Int(number)] }
  }

  /// Takes one, which is this now.
  @inline(__always)
  mutating func take(_ record: Record) -> UInt32 {
    let number: UInt32
    if let last = free.popLast() {
      number = last
    } else {
      if count == capacity { grow() }
      number = UInt32(count)
      count += 1
    }
    records[Int(number)] = record
    return number
  }

  @inline(__always)
  mutating func giveBack(_ number: UInt32) { free.append(number) }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: capacity * 2)
    larger.initialize(from: records, count: count)
    records.deallocate()
    records = larger
    capacity *= 2
  }
}

/// Numbers by the moment at which something is due, the earliest first; of one moment in the order of their birth.
struct DueList {
  struct Entry: BitwiseCopyable {
    var due: Int64
    /// Which was born before which.
    var order: UInt64
    var number: UInt32

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool {
      a.due == b.due ? a.order < b.order : a.due < b.due
    }
  }

  private var heap: [Entry] = []

  var first: Entry? { heap.first }

  mutating func add(_ entry: Entry) {
    heap.append(entry)
    var place = heap.count - 1
    while place > 0, entry < heap[(place - 1) / 2] {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = entry
  }

  mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    var place = 0
    while true {
      var child = place * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < last else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
  }
}

/// Work that could run now. What shares a lane keeps its order: only the first of it is open to choice.
struct ReadyQueue {
  private struct Entry {
    var item: WorkItem
    var order: UInt64
  }

  /// Entries behind the first of their lane.
  private struct Waiting {
    var lane: Lane
    var entries: [Entry] = []
    var head = 0
  }

  /// Those that may be chosen, by age; the ones before `head` are gone.
  private var open: [Entry?] = []
  private var head = 0
  /// Lanes that have an open entry.
  private var lanes: [Waiting] = []

  var isEmpty: Bool { head == open.count }
  var first: WorkItem? { isEmpty ? nil : open[head]?.item }

  mutating func append(_ item: WorkItem, order: UInt64) {
    let entry = Entry(item: item, order: order)
    if item.lane != .pool {
      if let index = lanes.firstIndex(where: { $0.lane == item.lane }) {
        lanes[index].entries.append(entry)
        return
      }
      lanes.append(Waiting(lane: item.lane))
    }
    open.append(entry)
  }

  /// Takes out the entry that is chosen among the open ones.
  mutating func removeNext(_ choose: (Int) -> Int) -> WorkItem? {
    let count = open.count - head
    guard count > 0 else { return nil }
    let chosen = count == 1 ? 0 : min(max(choose(count), 0), count - 1)
    guard let entry = open[head + chosen] else { fatalError("bug: a ready entry is gone") }
    close(head + chosen)
    if entry.item.lane != .pool { openNext(in: entry.item.lane) }
    return entry.item
  }

  /// Takes out all that satisfy the condition, by age.
  mutating func removeAll(where condition: (WorkItem) -> Bool) -> [WorkItem] {
    guard !isEmpty else { return [] }
    var all = open[head...].compactMap { $0 }
    for lane in lanes { all += lane.entries[lane.head...] }
    all.sort { $0.order < $1.order }
    open.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
    head = 0
    var removed: [WorkItem] = []
    for entry in all {
      if condition(entry.item) {
        removed.append(entry.item)
      } else {
        append(entry.item, order: entry.order)
      }
    }
    return removed
  }

  /// Takes out the oldest entry of a lane.
  mutating func removeFirst(of lane: Lane) -> WorkItem? {
    guard let index = open.indices.dropFirst(head).first(where: { open[$0]?.item.lane == lane })
    else { return nil }
    let entry = open[index]
    close(index)
    openNext(in: lane)
    return entry?.item
  }

  private mutating func close(_ index: Int) {
    var hole = index
    while hole > head {
      open[hole] = open[hole - 1]
      hole -= 1
    }
    open[head] = nil
    head += 1
    if head == open.count {
      open.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 256, head * 2 > open.count {
      open.removeFirst(head)
      head = 0
    }
  }

  private mutating func openNext(in lane: Lane) {
    guard let index = lanes.firstIndex(where: { $0.lane == lane }) else {
      fatalError("bug: a lane with an open entry is not listed")
    }
    guard lanes[index].head < lanes[index].entries.count else {
      lanes.remove(at: index)
      return
    }
    let next = lanes[index].entries[lanes[index].head]
    lanes[index].head += 1
    if lanes[index].head >= 256, lanes[index].head * 2 > lanes[index].entries.count {
      lanes[index].entries.removeFirst(lanes[index].head)
      lanes[index].head = 0
    }
    var place = head
    while place < open.count, let other = open[place], other.order < next.order { place += 1 }
    open.insert(next, at: place)
  }
}

/// Work that could run now, by age. What shares a lane keeps its order: only the first of it is open to
/// choice.
///
/// It is short nearly always, so it is one array that is looked through.
struct ReadyQueue {
  private struct Entry {
    var item: WorkItem
    var isOpen: Bool
  }

  /// The ones before `head` are gone.
  private var entries: [Entry] = []
  private var head = 0
  private var choices = 0

  var isEmpty: Bool { head == entries.count }
  var first: WorkItem? { isEmpty ? nil : entries[head].item }

  mutating func append(_ item: WorkItem) {
    let isOpen = item.lane == .pool || !isWaiting(item.lane)
    if isOpen { choices += 1 }
    entries.append(Entry(item: item, isOpen: isOpen))
  }

  /// Takes out the work that is chosen among what is open.
  mutating func removeNext(_ choose: (Int) -> Int) -> WorkItem? {
    guard choices > 0 else { return nil }
    // The oldest of all is the oldest of its lane, and so is open.
    guard choices > 1 else { return remove(at: head) }
    var others = min(max(choose(choices), 0), choices - 1)
    var index = head
    while others > 0 || !entries[index].isOpen {
      if entries[index].isOpen { others -= 1 }
      index += 1
    }
    return remove(at: index)
  }

  /// Takes out the oldest work of a lane.
  mutating func removeFirst(of lane: Lane) -> WorkItem? {
    guard let index = first(of: lane, from: head) else { return nil }
    return remove(at: index)
  }

  /// Takes out all that satisfies the condition, by age.
  mutating func removeAll(where condition: (WorkItem) -> Bool) -> [WorkItem] {
    guard !isEmpty else { return [] }
    let all = entries[head...]
    self = ReadyQueue()
    var removed: [WorkItem] = []
    for entry in all {
      if condition(entry.item) { removed.append(entry.item) } else { append(entry.item) }
    }
    return removed
  }

  private func isWaiting(_ lane: Lane) -> Bool {
    // From the end, where a lane in use has its latest work.
    var index = entries.count
    while index > head {
      index -= 1
      if entries[index].item.lane == lane { return true }
    }
    return false
  }

  private func first(of lane: Lane, from start: Int) -> Int? {
    var index = start
    while index < entries.count {
      if entries[index].item.lane == lane { return index }
      index += 1
    }
    return nil
  }

  /// Takes out an open entry, and opens what comes after it in its lane.
  private mutating func remove(at index: Int) -> WorkItem {
    let item = entries[index].item
    if item.lane != .pool, let next = first(of: item.lane, from: index + 1) {
      entries[next].isOpen = true
    } else {
      choices -= 1
    }
    if index == head {
      head += 1
      // Now and then, so that it costs little for each.
      if head >= 256, head * 2 > entries.count {
        entries.removeFirst(head)
        head = 0
      }
    } else {
      entries.remove(at: index)
    }
    return item
  }
}

/// Work that waits for its time.
struct HostTimer: Comparable {
  var due: UInt64
  /// Decides among those that are due at the same time: the first to be set is the first to run.
  var order: UInt64
  var item: WorkItem

  static func < (left: Self, right: Self) -> Bool {
    (left.due, left.order) < (right.due, right.order)
  }

  static func == (left: Self, right: Self) -> Bool { left.order == right.order }
}

/// The timers of one process, the earliest first.
struct TimerHeap {
  private var nodes: [HostTimer] = []

  var first: HostTimer? { nodes.first }

  mutating func insert(_ timer: HostTimer) {
    nodes.append(timer)
    var child = nodes.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard nodes[child] < nodes[parent] else { return }
      nodes.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> HostTimer {
    nodes.swapAt(0, nodes.count - 1)
    let first = nodes.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < nodes.count {
        if nodes[child] < nodes[least] { least = child }
      }
      guard least != parent else { return first }
      nodes.swapAt(parent, least)
      parent = least
    }
  }
}

/// The tasks of one process that are not over, each retained, so that they can be cancelled.
struct TaskSlots {
  private struct Entry {
    var task: RuntimeJob
    /// What it is run for; see `Host.cause`.
    var cause: UInt64
  }

  private var slots: [Entry?] = []
  private var free: [Int] = []

  /// In the order of their slots, which depends on nothing but the run.
  var all: [RuntimeJob] { slots.compactMap { $0?.task } }

  /// Retains the task; nil if there are more than a mark can number.
  mutating func insert(_ task: RuntimeJob, for cause: UInt64) -> Int? {
    let entry = Entry(task: task, cause: cause)
    if let slot = free.popLast() {
      task.retain()
      slots[slot] = entry
      return slot
    }
    guard slots.count < TaskMark.slots else { return nil }
    task.retain()
    slots.append(entry)
    return slots.count - 1
  }

  /// What the task in this slot is run for; 0 for nothing in particular.
  func cause(at slot: Int) -> UInt64 { slots[slot]?.cause ?? 0 }

  /// Releases the task in this slot.
  mutating func remove(_ slot: Int) {
    guard let task = slots[slot]?.task else { return }
    slots[slot] = nil
    free.append(slot)
    task.release()
  }

  /// Forgets all; returns those that are not over. The runtime still holds these, so they stay valid.
  mutating func removeAll() -> [RuntimeJob] {
    let all = self.all
    slots = []
    free = []
    let unfinished = all.filter { !$0.isComplete }
    for task in all { task.release() }
    return unfinished
  }
}

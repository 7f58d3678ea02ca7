/// The tasks of one process that are not over, each retained, so that they can be cancelled.
struct TaskSlots {
  private struct Entry {
    var task: RuntimeJob
    /// What it is run for; see `Host.cause`.
    var cause: UInt64
  }

  private var slots: [Entry?] = []
  private var free: [Int] = []

  /// How many are not over.
  var count: Int { slots.count - free.count }

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

  /// Cancels all, in the order of their slots, which depends on nothing but the run.
  ///
  /// What runs as it is cancelled may begin others, which are the caller's to cancel.
  func cancelAll() { for entry in slots { entry?.task.cancel() } }

  /// Forgets all; tells of those that are not over.
  mutating func removeAll(unfinished: (RuntimeJob) -> Void) {
    for case .some(let entry) in slots {
      if !entry.task.isComplete { unfinished(entry.task) }
      entry.task.release()
    }
    slots.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
  }
}

/// The tasks of one process that are not over, each retained, so that they can be cancelled.
struct TaskSlots {
  private var slots: [RuntimeJob?] = []
  private var free: [Int] = []

  /// In the order of their slots, which depends on nothing but the run.
  var all: [RuntimeJob] { slots.compactMap { $0 } }

  /// Retains the task; nil if there are more than a mark can number.
  mutating func insert(_ task: RuntimeJob) -> Int? {
    if let slot = free.popLast() {
      task.retain()
      slots[slot] = task
      return slot
    }
    guard slots.count < TaskMark.slots else { return nil }
    task.retain()
    slots.append(task)
    return slots.count - 1
  }

  /// Releases the task in this slot.
  mutating func remove(_ slot: Int) {
    guard let task = slots[slot] else { return }
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

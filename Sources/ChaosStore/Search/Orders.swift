import Invariants

/// The orders in which the events of a run can come when one message takes longer.
///
/// Of a delay it matters between which events its message arrives, and what follows from it, and not by
/// how much. What follows comes later by as much as the message does. So each order is stood for by the
/// least milliseconds that lead to it: those at which the message, or an event that follows from it,
/// comes after an event that does not.
struct Orders {
  private let events: [Handled]
  /// For each event the index of the one that brought it about; -1 for what was there from the start.
  private let causes: [Int]

  init(_ events: [Handled]) {
    self.events = events
    causes = events.map { event in
      var (low, high) = (0, events.count)
      while low < high {
        let middle = (low + high) / 2
        if events[middle].scheduled <= event.order { low = middle + 1 } else { high = middle }
      }
      return low - 1
    }
  }

  /// The least milliseconds for each order in the range, the first of which is left out: it is that
  /// of the least delay. `answer` is what the delay was in this run.
  func millis(
    of asking: Asking, answered answer: Int64, in range: ClosedRange<Int64>
  ) -> [Int64] {
    let first = min(asking.event, events.count)
    var late: [Handled] = []
    var others: [Handled] = []
    if let own = event(of: asking, after: answer) {
      var follows = [Bool](repeating: false, count: events.count)
      follows[own] = true
      for index in first..<events.count {
        if index != own, causes[index] >= 0, follows[causes[index]] { follows[index] = true }
        follows[index] ? late.append(events[index]) : others.append(events[index])
      }
    } else {
      late = [
        Handled(millis: asking.at.millis + answer, order: .max, scheduled: 0)
      ]
      others = Array(events[first...])
    }
    var millis: Set<Int64> = []
    for event in late {
      for other in others {
        let wait = other.millis - event.millis + answer
        let least = event.order < other.order ? wait + 1 : wait
        if least > range.lowerBound, least <= range.upperBound { millis.insert(least) }
      }
    }
    return millis.sorted()
  }

  /// What was delayed: the event that this asking's handler scheduled for then. Nil where there is
  /// none, or where several cannot be told apart.
  private func event(of asking: Asking, after delay: Int64) -> Int? {
    // Events are numbered from 1.
    let handler = asking.event - 1
    let at = asking.at.millis + delay
    var found: Int?
    for index in max(0, handler + 1)..<max(events.count, handler + 1)
    where events[index].millis == at && causes[index] == handler {
      if found != nil { return nil }
      found = index
    }
    return found
  }
}

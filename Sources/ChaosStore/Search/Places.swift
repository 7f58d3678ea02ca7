import Invariants

/// The places among the events of a run at which what is on its way can arrive.
///
/// Of a delay it matters between which events its message arrives, and not by how much. So each
/// place is stood for by the least milliseconds that lead to it. What follows from the message
/// itself is no event to arrive before or after.
struct Places {
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

  /// The least milliseconds for each place in the range, the first of which is left out: it is the
  /// place of the least delay. `answer` is what the delay was in this run.
  func millis(
    of asking: Asking, answered answer: Int64, in range: ClosedRange<Int64>
  ) -> [Int64] {
    let asked = asking.at.millis
    let own = event(of: asking, after: answer)
    let others = others(than: own, from: asking.event)
    var millis: [Int64] = []
    var position = self.position(of: range.lowerBound, asked, own, others)
    for index in others {
      for at in events[index].millis...events[index].millis + 1 {
        let delay = at - asked
        guard delay > range.lowerBound, delay <= range.upperBound else { continue }
        let next = self.position(of: delay, asked, own, others)
        guard next != position else { continue }
        position = next
        millis.append(delay)
      }
    }
    return millis
  }

  /// Whether these two delays lead to the same place.
  func isSame(
    _ first: Int64, _ second: Int64, of asking: Asking, answered answer: Int64
  ) -> Bool {
    let own = event(of: asking, after: answer)
    let others = others(than: own, from: asking.event)
    return position(of: first, asking.at.millis, own, others)
      == position(of: second, asking.at.millis, own, others)
  }

  /// How many of the others come before what arrives after this delay.
  private func position(
    of delay: Int64, _ asked: Int64, _ own: Int?, _ others: [Int]
  ) -> Int {
    let order = own.map { events[$0].order } ?? .max
    return others.count { index in
      let event = events[index]
      return event.millis == asked + delay
        ? event.order < order : event.millis < asked + delay
    }
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

  /// The events that come after the asking, whatever its message does.
  private func others(than own: Int?, from number: Int) -> [Int] {
    guard let own else { return Array(min(number, events.count)..<events.count) }
    var follows = [Bool](repeating: false, count: events.count)
    follows[own] = true
    var others: [Int] = []
    for index in min(number, events.count)..<events.count {
      if index != own, causes[index] >= 0, follows[causes[index]] { follows[index] = true }
      if !follows[index] { others.append(index) }
    }
    return others
  }
}

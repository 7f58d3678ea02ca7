import Invariants

/// The orders in which the events of a run can come when one message takes longer.
///
/// Of a delay it matters between which events its message arrives, and what follows from it, and not by
/// how much. What follows comes later by as much as the message does, and so does what waits for it: a
/// tap for an app that is being opened, a callback for a phone that has no network. So each order is stood for by the
/// least milliseconds that lead to it: those at which the message, or an event that follows from it,
/// comes after an event that does not. Where the two have nothing in common the order comes to the same
/// as the one before, and is skipped: see ``Footprint``.
struct Orders {
  let listing: Listing
  private let mix: FaultMix
  /// For each event the index of the one that brought it about; -1 for what was there from the start.
  private let causes: [Int]
  /// Of events that wait for the end of a delay: the place of the question about it.
  private var ties: [Int: Int] = [:]
  /// When what such an event waits for ends, in milliseconds.
  private var ends: [Int: Int64] = [:]

  /// Delays that lead to orders, and those that come to the same as a shorter one; shortest first.
  struct Delays: Equatable {
    var millis: [Int64] = []
    var skipped: [Int64] = []
  }

  init(_ listing: Listing, _ mix: FaultMix) {
    self.listing = listing
    self.mix = mix
    let events = listing.events
    causes = events.indices.map { index in
      // Mostly it is one of the last before it.
      var cause = index - 1
      while cause >= 0, events[cause].scheduled > events[index].order { cause -= 1 }
      return cause
    }
    for tie in listing.ties {
      guard let index = events.firstIndex(where: { $0.order == tie.order }) else { continue }
      ends[index] = tie.end
      ties[index] = listing.askings.lastIndex { asking in
        asking.question == tie.question && asking.subject == tie.subject
          && answer(to: asking).map { asking.at.millis + $0 } == tie.end
      }
    }
  }

  /// The least milliseconds for each order in the range but the first, which is that of the least delay.
  ///
  /// Only the first of them is certain: in the run of that one, later events may come at other times.
  func delays(of place: Int, in range: ClosedRange<Int64>) -> Delays {
    let asking = listing.askings[place]
    guard let answer = answer(to: asking) else { return Delays() }
    let events = listing.events
    let first = min(asking.event, events.count)
    let own = delayed(at: place, by: answer)
    var follows = [Bool](repeating: false, count: events.count)
    var late: [Event] = []
    for index in own { follows[index] = true }
    if own.isEmpty {
      late.append(end(of: asking, answer))
    }
    var others: [Event] = []
    for index in first..<events.count {
      if causes[index] >= 0, follows[causes[index]] { follows[index] = true }
      if !ties.isEmpty, let tie = ties[index] {
        let handler = listing.askings[tie].event - 1
        if tie == place || handler >= first && follows[handler] { follows[index] = true }
      }
      let event = Event(events[index], listing.footprints[index], isOwn: own.contains(index))
      if follows[index] { late.append(event) } else { others.append(event) }
    }
    // An app comes back from the background without an event of its own.
    for asking in listing.askings[(place + 1)...] where asking.question == .delayForeground {
      guard let answer = self.answer(to: asking) else { continue }
      let end = end(of: asking, answer)
      if asking.event > first, follows[asking.event - 1] {
        late.append(end)
      } else {
        others.append(end)
      }
    }
    return past(late, others, answer, range)
  }

  /// Something that comes before or after something else.
  private struct Event {
    var handled: Handled
    var footprint: Footprint
    /// Whether it is the delayed message itself, whose place among those of its millisecond stays.
    var isOwn: Bool

    init(_ handled: Handled, _ footprint: Footprint, isOwn: Bool) {
      (self.handled, self.footprint, self.isOwn) = (handled, footprint, isOwn)
    }
  }

  /// The end of a delay of which there is no event.
  private func end(of asking: Asking, _ answer: Int64) -> Event {
    Event(
      Handled(millis: asking.at.millis + answer, order: .max, scheduled: 0), .everything,
      isOwn: false)
  }

  /// The delays at which something late comes after something else.
  private func past(
    _ late: [Event], _ others: [Event], _ answer: Int64, _ range: ClosedRange<Int64>
  ) -> Delays {
    guard range.lowerBound < range.upperBound else { return Delays(millis: [], skipped: []) }
    let longer = range.lowerBound + 1...range.upperBound
    var found: [Int64] = []
    var same: [Int64] = []
    for event in late {
      for other in others {
        let wait = other.handled.millis - event.handled.millis + answer
        let isBefore = event.handled.order < other.handled.order
        // Together, or one array after the other. And of what follows from a message nobody knows its place among
        // those of its millisecond: that it was scheduled before the other may come of its cause's being early.
        let isEither =
          isBefore && !event.isOwn && event.footprint.meets(other.footprint)
          || event.footprint.comesInOneArray(with: other.footprint)
        if isEither { found += [wait, wait + 1].filter(longer.contains) }
        let least = isBefore ? wait + 1 : wait
        guard longer.contains(least) else { continue }
        if event.footprint.meets(other.footprint) {
          found.append(least)
        } else {
          same.append(least)
        }
      }
    }
    let millis = Self.ascending(found)
    return Delays(millis: millis, skipped: Self.ascending(same).filter { !millis.contains($0) })
  }

  /// Each once, the least first.
  private static func ascending(_ values: [Int64]) -> [Int64] {
    var last: Int64?
    return values.sorted().filter { value in
      defer { last = value }
      return value != last
    }
  }

  /// How long the delay was in this run; nil for what is no delay of so many milliseconds.
  private func answer(to asking: Asking) -> Int64? {
    guard let usual = mix.usualDelay(asking.question) else { return nil }
    let planned = listing.plan.decisions.first { asking.isAnswered(by: $0) }
    guard let planned else { return usual.lowerBound }
    return planned.delayMillis
  }

  /// What was delayed: the event that this asking's handler scheduled for then, or for so long after the
  /// end of what it waits for; of several, the one that has as many behind it as there are delays asked for
  /// later which came to the same instant. A restore hands over all that it finds at once.
  private func delayed(at place: Int, by delay: Int64) -> [Int] {
    let asking = listing.askings[place]
    // Events are numbered from 1.
    let handler = asking.event - 1
    let at = asking.at.millis + delay
    let events = listing.events
    let found = events.indices.filter { index in
      index > handler && causes[index] == handler && !events[index].isTimer
        && events[index].millis == ends[index].map { $0 + delay } ?? at
    }
    guard found.count > 1, asking.question != .delayRestore else { return found }
    let later = listing.askings[(place + 1)...].prefix { $0.event == asking.event }
      .count { answer(to: $0) == delay }
    let rank = found.count - 1 - later
    return found.indices.contains(rank) ? [found[rank]] : []
  }
}

extension FaultMix {
  /// How long a message takes where nothing is wrong; nil for a question about something else.
  func usualDelay(_ question: Question) -> ClosedRange<Int64>? {
    guard case .delay(let delay) = question.shape else { return nil }
    return delays[question] ?? delay.range
  }
}

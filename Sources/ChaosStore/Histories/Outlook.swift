/// How likely it was, at each event of a run, that a rule would break in it.
///
/// The run is followed up to an event, and from there on other seeds decide: of so many, how many break the rule. Where all
/// do that go on from an event, what happened before it has made it unavoidable.
public struct Outlook: Sendable, Equatable {
  /// How many runs go on from each event.
  public let runs: Int
  /// For each event from 0, the beginning, to the last: how many of these break the rule.
  public let broken: [Int]

  /// The number of the first event from which on all break it; nil where some hold even after the last.
  public var unavoidableFrom: Int? {
    guard let last = broken.lastIndex(where: { $0 < runs }) else { return 0 }
    return last + 1 < broken.count ? last + 1 : nil
  }
}

extension Simulation {
  /// Goes on from each event of a run in other ways.
  ///
  /// - Parameters:
  ///   - record: the run.
  ///   - rule: the position of the invariant among the scenario's.
  ///   - runs: how many seeds go on from each event.
  ///   - mostEvents: of a longer run so many events are looked at, evenly over it.
  public func outlook(
    of record: Record, breaking rule: Int, runs: Int = 32, mostEvents: Int = 200
  ) -> Outlook {
    let events = record.outcome.events
    let step = max(1, (events + mostEvents - 1) / mostEvents)
    var broken: [Int] = []
    for event in 0...events {
      // In between it is as at the event before.
      if event % step != 0, event != events {
        broken.append(broken[broken.count - 1])
        continue
      }
      broken.append(
        (0..<runs).count { seed in
          let script = Script(plan: record.full, followsSeed: true)
          script.keepsNotes = false
          script.freshAfter = event
          let outcome = run(Origin(seed: UInt64(seed), plan: record.full), script, nil)
          return outcome.broken & 1 << UInt64(rule) != 0
        })
    }
    return Outlook(runs: runs, broken: broken)
  }
}

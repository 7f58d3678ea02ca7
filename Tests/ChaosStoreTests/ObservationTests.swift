import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite("A run that is observed twice")
struct ObservationTests {
  private func observe(
    _ hands: Probe.Hands, _ origin: Origin, _ change: (inout Setup) -> Void = { _ in }
  ) -> Observation {
    Probe.$hands.withValue(hands) { Observation(origin, in: Simulation(Turns.scenario(change))) }
  }

  @Test("Of a run that was cut off what shows only at the end is not broken")
  func cutOffAtTheEnd() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      // Says nothing ever, which shows at the end, and goes on for ever where a turn says so.
      if phone.nextTask(of: 4) == 1 { phone.startTimer(after: 0) }
    }
    hands.timerFired = { _, phone in phone.startTimer(after: 0) }
    let silent = observe(hands, .quiet)
    let wait = try #require(Catalogue.invariants.firstIndex { $0.code == "I27" })
    #expect(silent.broken == [Turns.rule, wait])
    #expect(silent.violations.map(\.fact) == [nil, nil])
    let restless = observe(hands, Origin(plan: Turns.plan([1: 1])))
    #expect(restless.outcome.isCutOff)
    #expect(restless.violations == [])
    #expect(restless.broken == [])
  }

  @Test("Of a run that was cut off what broke before is broken")
  func cutOffAfterwards() {
    let restless = observe(Turns.hands { _ in .restless }, .quiet)
    #expect(restless.outcome.isCutOff)
    #expect(restless.broken == [Turns.rule])
  }

  @Test("An observation has the record, what the plan named in vain, and what was noted")
  func contents() {
    let hands = Turns.hands { _ in .fine }
    hands.launched = { phone in phone.note(problem: "an exception") }
    let origin = Origin(seed: 3, plan: Turns.plan([1: 2, 9: 1]))
    let run = observe(hands, origin)
    #expect(run.origin == origin && run.record?.origin == origin)
    #expect(run.unmatched == Turns.plan([9: 1]).decisions)
    #expect(run.problems.map(\.text) == ["an exception"])
    #expect(run.record?.outcome == run.outcome)
    #expect(!run.isInterrupted)
    #expect(run.difference(from: observe(hands, origin), of: Turns.scenario()) == nil)
  }

  /// A shop whose runs have timers of these lengths, one after the other.
  private func fickle(_ millis: [Int64]) -> Probe.Hands {
    let hands = Turns.hands { _ in .fine }
    let count = Mutex(0)
    hands.launched = { phone in
      let index = count.withLock { count in
        count += 1
        return count - 1
      }
      phone.startTimer(after: millis[index % millis.count])
    }
    hands.timerFired = { _, _ in }
    return hands
  }

  @Test("Two runs that differ only where they are not on record differ")
  func plainRuns() throws {
    let hands = fickle([5, 9, 7, 9])
    let (one, other) = (observe(hands, .quiet), observe(hands, .quiet))
    let difference = try #require(one.difference(from: other, of: Turns.scenario()))
    #expect(difference.divergence == nil)
    #expect(difference.description == difference.note)
    #expect(difference.note == "\(one.outcome.inWords), and \(other.outcome.inWords)")
  }

  @Test("Two runs that are one, and come out otherwise on record, differ from their records")
  func recordedRuns() throws {
    let hands = fickle([5, 9])
    let (one, other) = (observe(hands, .quiet), observe(hands, .quiet))
    #expect(one.outcome == other.outcome)
    let difference = try #require(one.difference(from: other, of: Turns.scenario()))
    #expect(difference.divergence == nil)
    #expect(difference.note.hasSuffix(" when it is recorded"))
  }

  @Test("Two runs that differ on record part at an event, which is told rather than their hashes")
  func records() throws {
    let hands = fickle([5, 5, 9, 9])
    let (one, other) = (observe(hands, .quiet), observe(hands, .quiet))
    let difference = try #require(one.difference(from: other, of: Turns.scenario()))
    let divergence = try #require(difference.divergence)
    #expect(difference.description == divergence.description)
    #expect(divergence.event == 1, "\(divergence)")
  }

  // MARK: - Again and again

  @Test("A run that is not to be trusted is run nine times, until two of its runs differ")
  func repetitions() {
    let runs = Mutex(0)
    let hands = Turns.hands { _ in .fine }
    hands.launched = { _ in runs.withLock { $0 += 1 } }
    let same = Probe.$hands.withValue(hands) { Repetition(of: Turns.scenario(), .quiet) }
    #expect(same.text == nil)
    #expect(!same.isNondeterministic)
    #expect(same.onceDifferent.hasSuffix(" the same in 9 runs by itself"))
    #expect(runs.withLock { $0 } == 18, "each of them on record too")
    let fickle = Probe.$hands.withValue(fickle([5, 5, 9, 9])) {
      Repetition(of: Turns.scenario(), .quiet)
    }
    #expect(fickle.isNondeterministic)
    #expect(
      fickle.text?.hasPrefix("the quiet run came out differently when it was run again: they part")
        == true)
  }

  @Test("What an app does wrong is told, and no run is made for it")
  func misuse() {
    let runs = Mutex(0)
    let hands = Turns.hands { _ in .fine }
    hands.launched = { _ in runs.withLock { $0 += 1 } }
    let noted = [Problem(.misuse, "an exception", event: 4, at: .start)]
    let told = Probe.$hands.withValue(hands) {
      Repetition(of: Turns.scenario(), Origin(seed: 1), noted: noted)
    }
    #expect(told.text == "seed 0x1: an exception, first noticed in event 4 at 0 ms")
    #expect(!told.isNondeterministic)
    #expect(runs.withLock { $0 } == 0)
  }

  @Test("What left the simulation is told with how many more did, and what was noted again counts")
  func leaks() throws {
    let hands = Turns.hands { _ in .fine }
    hands.launched = { phone in
      phone.note(problem: "an exception")
      phone.note(leak: "a thread")
      phone.note(leak: "a clock")
    }
    let old = [Problem(.leak, "long ago", event: 1, at: .start)]
    let told = Probe.$hands.withValue(hands) {
      Repetition(of: Turns.scenario(), Origin(seed: 1), noted: old)
    }
    #expect(told.isNondeterministic)
    #expect(told.problems.map(\.text) == ["an exception", "a thread", "a clock"])
    let text = try #require(told.text)
    #expect(text.hasPrefix("seed 0x1 is nondeterministic: a thread, first noticed "), "\(text)")
    #expect(text.contains(", and 1 more; run 8 more times it came out the same; "), "\(text)")
    let gone = Probe.$hands.withValue(Turns.hands { _ in .fine }) {
      Repetition(of: Turns.scenario(), Origin(seed: 1), noted: old)
    }
    #expect(gone.problems == old)
    #expect(gone.text?.contains("it came out the same and without that") == true)
    #expect(gone.text?.contains(" more; ") == false)
  }
}

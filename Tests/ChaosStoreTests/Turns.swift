import Invariants
import Testing

@testable import ChaosStore

/// Scenarios whose every decision is a turn of the app's tasks, so that a test can say which plans
/// fail: an app asks three times at its only tap which task runs next, and the answers decide.
enum Turns {
  /// What an app makes of its three turns, each of them 0 to 3.
  enum End {
    case fine
    /// Says "done" for nothing, which breaks honest-answers at once.
    case lies
    /// Says nothing, which breaks the same rule at the end.
    case silent
    /// Lies and goes on for ever, so that the run is cut off.
    case restless
  }

  static let rule = Catalogue.invariants.firstIndex { $0.name == "honest-answers" } ?? -1

  static func hands(turns count: Int = 3, _ end: @escaping ([Int]) -> End) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      let turns = (0..<count).map { _ in phone.nextTask(of: 4) }
      switch end(turns) {
      case .fine: phone.tell(.pending, about: tap)
      case .lies: phone.tell(.success, about: tap)
      case .silent: break
      case .restless:
        phone.tell(.success, about: tap)
        phone.startTimer(after: 0)
      }
    }
    hands.timerFired = { _, phone in phone.startTimer(after: 0) }
    return hands
  }

  static func scenario(_ change: (inout Setup) -> Void = { _ in }) -> Scenario {
    var scenario = Probe.scenario { setup in
      setup.mix = FaultMix([.taskOrder])
      setup.eventLimit = 500
      change(&setup)
    }
    scenario.invariants[rule] = SaysSomethingTrue()
    return scenario
  }

  /// A rule that a lie breaks at once, and silence at the end.
  private struct SaysSomethingTrue: Invariant {
    var name: String { "honest-answers" }
    var code: String { "I14" }
    var impact: Impact { .toldWrong }
    var summary: String { "The app says something, and it is true." }
    var meaning: String { "Tests need a rule that breaks in two ways." }
    var listensTo: [Fact.Kind] { [.told] }

    func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
      fact.message == .success && books.intent(fact.intent).charges == 0
    }

    func breakAtEnd(_ books: borrowing Books) -> Break? {
      for place in books.intents.indices where books.longestWait(books.intents[place]) > 30_000 {
        return Break(intent: IntentID(index: place))
      }
      return nil
    }
  }

  /// A plan that answers these questions, counted from 1: `[2: 3]` the second one with 3.
  static func plan(_ turns: KeyValuePairs<Int, Int>) -> Plan {
    Plan(turns.map { Decision(.reorderTask, .phone(0), $0.key, .value($0.value)) })
  }

  /// A shrinker whose aim is what this plan breaks.
  static func shrinker(aim: Plan, _ hands: Probe.Hands) throws -> Shrinker {
    let simulation = Probe.$hands.withValue(hands) { Simulation(scenario()) }
    let record = simulation.record(seed: nil, plan: aim)
    let violation = try #require(record.violations.first { $0.rule == rule })
    return Shrinker(simulation, aim: Shrinker.Aim(violation))
  }
}

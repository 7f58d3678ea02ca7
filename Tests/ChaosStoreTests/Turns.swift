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
    /// Says nothing, which breaks honest-answers at the end.
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
    Probe.scenario { setup in
      setup.mix = FaultMix([.taskOrder])
      setup.eventLimit = 500
      change(&setup)
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

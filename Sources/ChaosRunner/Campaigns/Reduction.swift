import ChaosStore
import Invariants

extension Examiner {
  /// Few decisions that break a rule without any seed; nil if only the seed is known to do it.
  ///
  /// What the run amounts to, less what turns out not to be needed: without any one of them the
  /// rule holds.
  func plan(for finding: Finding) -> Plan? {
    guard simulation.run(seed: finding.seed ?? 0).events <= Self.mostEventsRecorded else {
      return nil
    }
    let record = simulation.record(seed: finding.seed, plan: finding.given)
    guard let violation = record.violations.first(where: { $0.rule == finding.rule }) else {
      return nil
    }
    var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
    return [Plan(), record.faults, record.full].lazy
      .compactMap { shrinker.shrink($0)?.plan }.first
  }
}

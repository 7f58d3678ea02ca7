import ChaosStore
import Invariants

extension Examiner {
  /// Few decisions that break a rule without any seed; nil if only the seed is known to do it.
  ///
  /// What the run amounts to, less what turns out not to be needed. Not a search for the least.
  func plan(for finding: Finding) -> Plan? {
    guard simulation.run(seed: finding.seed ?? 0).events <= Self.mostEventsRecorded else {
      return nil
    }
    let record = simulation.record(seed: finding.seed, plan: finding.given)
    let candidates = [Plan(), record.faults, record.full]
    return candidates.first { breaks(finding.rule, under: $0) }
      .map { reduced($0, breaking: finding.rule) }
  }

  /// Leaves out one decision after the other, the late ones first, as long as the rule breaks.
  private func reduced(_ plan: Plan, breaking rule: Int) -> Plan {
    guard plan.decisions.count <= 64 else { return plan }
    var plan = plan
    for index in plan.decisions.indices.reversed() {
      var shorter = plan
      shorter.decisions.remove(at: index)
      if breaks(rule, under: shorter) { plan = shorter }
    }
    return plan
  }

  private func breaks(_ rule: Int, under plan: Plan) -> Bool {
    let record = simulation.record(seed: nil, plan: plan)
    return !record.outcome.isCutOff && record.violations.contains { $0.rule == rule }
  }
}

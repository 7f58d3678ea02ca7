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

  /// Leaves out halves, quarters and so on, the late ones first, as long as the rule breaks.
  private func reduced(_ plan: Plan, breaking rule: Int) -> Plan {
    var plan = plan
    var size = plan.decisions.count
    while size > 1 {
      size = (size + 1) / 2
      var end = plan.decisions.count
      while end > 0 {
        let start = max(0, end - size)
        var shorter = plan
        shorter.decisions.removeSubrange(start..<end)
        if breaks(rule, under: shorter) { plan = shorter }
        end = start
      }
    }
    return plan
  }

  private func breaks(_ rule: Int, under plan: Plan) -> Bool {
    let record = simulation.record(seed: nil, plan: plan)
    return !record.outcome.isCutOff && record.violations.contains { $0.rule == rule }
  }
}

/// What plans have in common that differ in milliseconds alone, and lead to the same order of events.
package struct PlanOrder: Equatable {
  private let decisions: [Decision]
  private let course: UInt64

  init(_ plan: Plan, course: UInt64) {
    decisions = plan.decisions.map { decision in
      guard case .millis = decision.answer else { return decision }
      var timeless = decision
      timeless.answer = decision.fault == nil ? .millis(0) : .late
      return timeless
    }
    self.course = course
  }
}

extension Simulation {
  /// Whether two failures are one: their plans decide the same, and the same comes of it in the same order.
  package func planOrder(of plan: Plan) -> PlanOrder { PlanOrder(plan, course: list(plan).course) }
}

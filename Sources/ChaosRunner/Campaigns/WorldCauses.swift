import ChaosStore
import Invariants

extension [ScenarioResult] {
  /// Has each cause told in one of the default worlds of a system, the one in which it takes least: what
  /// breaks in others as well is told by a line there.
  mutating func tellOnce() {
    let red = indices.flatMap { world in
      self[world].findings.filter { $0.standing == .unexpected }.map { (world: world, finding: $0) }
    }
    let order = red.enumerated().sorted { a, b in
      a.element.finding.isLikelierCause(than: b.element.finding) ?? (a.offset < b.offset)
    }
    // By rule the world that tells it; whatever breaks in a world that tells something is told there.
    var tells: [String: Int] = [:]
    for (_, head) in order where tells[head.finding.invariant.name] == nil {
      for (world, finding) in red where world == head.world {
        if tells[finding.invariant.name] == nil { tells[finding.invariant.name] = world }
      }
    }
    for world in indices {
      for index in self[world].findings.indices {
        let finding = self[world].findings[index]
        guard finding.standing == .unexpected, let teller = tells[finding.invariant.name],
          teller != world
        else { continue }
        self[world].findings[index].sameAs = self[teller].scenario.name
      }
    }
  }
}

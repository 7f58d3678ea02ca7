import Invariants

/// A system with one planted defect, and the scenario in which it is known to break an invariant.
package struct Mutant: Sendable {
  package let defect: Defect
  /// What a search is to find something in.
  package let scenario: Scenario

  package init(_ defect: Defect) {
    self.defect = defect
    scenario = Self.scenario(variant: defect.name, defect)
  }

  /// The same scenario without the defect, in which nothing is to be found.
  package var control: Scenario {
    var control = Self.scenario(variant: defect.entry.form.rawValue, defect)
    control.expects = []
    return control
  }

  private static func scenario(variant: String, _ defect: Defect) -> Scenario {
    let entry = defect.entry
    return Scenario(
      name: "\(MutantShop.entry.name)/\(variant)/\(entry.world.rawValue)", about: entry.summary,
      system: AnySystem(MutantShop.self), variant: variant, setup: entry.world.setup,
      expects: [entry.breaks],
      allows: Catalogue.invariants.map(\.name).filter { $0 != entry.breaks })
  }
}

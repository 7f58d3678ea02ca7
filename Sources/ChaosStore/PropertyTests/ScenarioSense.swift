import Invariants

extension Scenario {
  /// Refuses what cannot be run, in the words in which a scenario file would be refused.
  func refuseNonsense() throws(PropertyError) {
    try refuse(variantProblem ?? judgingProblem ?? worldProblem)
    var plain = self
    plain.name = "scenario"
    // Names and rules of somebody's own are fine here, and no file could name them.
    plain.invariants = Catalogue.invariants
    plain.expects = []
    plain.allows = []
    do {
      _ = try ScenarioFile.scenarios(fromJSON: plain.json, systems: [system])
    } catch {
      let path = error.keyPath.replacing("scenarios[0].", with: "")
      try refuse("\(path): found \(error.found), expected \(error.expected)")
    }
  }

  private func refuse(_ problem: String?) throws(PropertyError) {
    if let problem { throw .usage("the scenario '\(name)': \(problem)") }
  }

  private var variantProblem: String? {
    let variants = system.variants
    guard let index = variants.firstIndex(of: variant) else {
      return "variant: found '\(variant)', expected \(JSONNode.oneOf(variants, "variants"))"
        + suggestion(for: variant, among: variants)
    }
    guard setup.variant == index else {
      return "setup.variant: found \(setup.variant), expected \(index) for '\(variant)'; "
        + "a setup that is put in later loses the variant"
    }
    return nil
  }

  private var judgingProblem: String? {
    guard (1...64).contains(invariants.count) else {
      return "invariants: found \(invariants.count), expected 1 to 64"
    }
    for (key, names) in [("expects", expects), ("allows", allows)] {
      for name in names where !invariants.contains(where: { $0.goes(by: name) }) {
        return "\(key): found '\(name)', expected an invariant that is judged here"
          + suggestion(for: name, among: invariants.map(\.name))
      }
    }
    return nil
  }

  /// What has to be there before the scenario can be written down at all.
  private var worldProblem: String? {
    if setup.accounts < 1 { return "accounts: found \(setup.accounts), expected at least one" }
    if setup.storeAccounts < 1 {
      return "storeAccounts: found \(setup.storeAccounts), expected at least one"
    }
    for (index, step) in setup.steps.enumerated() {
      switch step.action {
      case .buy(let product, _, _), .buyOutside(let product, _, _):
        guard setup.products.indices.contains(product) else {
          return "steps[\(index)]: found product \(product), expected one of the "
            + setup.products.count.of("product") + ", counted from 0"
        }
      case .logIn, .restore, .reinstall, .restoreBackup, .quit, .open: continue
      }
    }
    return nil
  }
}

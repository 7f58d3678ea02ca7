import ChaosStore

/// StoreKit configuration files: what is thrown at their reader, and what must be true of its answer.
enum StoreKitInput {
  static func tree(_ random: inout Random, _ corpus: Corpus) -> Tree {
    var tree = corpus.storeKitFile
    for _ in 0..<random.few(upTo: 8) { tree.mutate(&random, corpus) }
    return tree
  }

  /// What is read is a catalogue of a scenario, or is refused with a place of the file.
  static func examine(_ bytes: [UInt8]) throws(Finding) -> Answer {
    guard let text = String(validating: bytes, as: UTF8.self) else { return .refused("no text") }
    let file: StoreKitFile
    do { file = try StoreKitFile(json: text) } catch {
      if case .success(let tree) = Result(catching: { () throws(StrictJSON.Refusal) in
        try StrictJSON.read(bytes)
      }), !tree.has(path: error.keyPath, orMissingLast: true) {
        throw Finding("a refusal of what is not in the file", error.description)
      }
      return try .refused(saying: error.description)
    }
    guard let product = file.products.first else { return .accepted }
    let name = JSONValue.quoted(product.name)
    let scenario = """
      {"version": 1, "scenarios": [{"name": "s", "system": "exactly-once", "backend": "idempotent",
      "storekit": "S", "steps": [{"at": 0, "buy": \(name)}]}]}
      """
    do {
      let scenarios = try ScenarioFile.scenarios(fromJSON: scenario, systems: BuiltIn.systems) {
        _ in text
      }
      _ = Simulation(scenarios[0]).run(seed: 1)
    } catch { throw Finding("a catalogue that no scenario takes", error.description) }
    return .accepted
  }
}

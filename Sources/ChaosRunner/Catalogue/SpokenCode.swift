import ChaosStore
import Invariants

/// A code of the catalogue that is no fault and no invariant of its own, as something else says it.
struct SpokenCode {
  /// What says it.
  enum Way: Equatable {
    /// A key of a step in a scenario file, such as `buyOutside`.
    case step(String)
    /// A command of the runner.
    case command(String)
  }

  /// Such as `F21`.
  let code: String
  /// A few words for a table.
  let short: String
  /// What happens, and why it is no fault.
  let about: String
  let ways: [Way]
  /// Public reports of it.
  let evidence: [String]

  /// All of them, in the order of their codes.
  static let all = [
    SpokenCode(
      code: "F20", short: "more than one of a product is bought at once",
      about: """
        A payment has a quantity from 1 to 10, and its transaction has it as well. That is a person's wish \
        and no accident, so a step says it; fidelity (I19) breaks where it is taken for one.
        """,
      ways: [.step("quantity")],
      evidence: ["flutter in_app_purchase_storekit 0.4.10+1: the quantity was always 1"]),
    SpokenCode(
      code: "F21", short: "a purchase is made outside of the app",
      about: """
        Somebody buys in the App Store itself, on the app's page there, or on another device of the same \
        Apple ID. No button of the app stands at the beginning, and no account token travels along.
        """,
      ways: [.step("buyOutside"), .step("buyPromoted")],
      evidence: ["RevenueCat/purchases-ios#1962"]),
    SpokenCode(
      code: "I25", short: "the same seed is the same run, whatever runs beside it",
      about: """
        It is about the simulator and not about what it tests, so no history of a run can show it: each \
        scenario is run again, in another order and beside others, and every trace hash is compared.
        """,
      ways: [.command("verify-determinism")],
      evidence: ["FoundationDB documentation: Simulation and Testing"]),
  ]

  /// The one with this code, in any case; nil if there is none.
  static func named(_ code: String) -> SpokenCode? {
    all.first { $0.code == code.uppercased() }
  }

  /// The names of what says it, such as `buyOutside, buyPromoted`.
  var spoken: String { ways.map(\.name).joined(separator: ", ") }
}

extension SpokenCode.Way {
  /// What it is called.
  var name: String {
    switch self {
    case .step(let name), .command(let name): name
    }
  }

  /// What it is, and its name.
  var text: String {
    switch self {
    case .step(let key): "step \(key)"
    case .command(let name): "command \(name)"
    }
  }
}

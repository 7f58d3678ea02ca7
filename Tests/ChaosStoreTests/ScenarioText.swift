import ChaosStore
import Foundation
import TestSupport

/// Writes small scenario files and reads them.
enum ScenarioText {
  static let systems = [AnySystem(CheckoutBenchmark.self), AnySystem(TwoVariants.self)]

  /// A file of one scenario that buys coins once, with these keys in front of its own.
  static func file(_ keys: String, worlds: String = "", steps: String? = buyCoins) -> String {
    let name = keys.hasPrefix(#""name":"#) ? "" : #""name": "s", "#
    let system = keys.contains(#""system":"#) ? "" : #""system": "two-variants", "#
    let steps = steps.map { #", "steps": "# + $0 } ?? ""
    let rest = keys.isEmpty ? #""about": "A test.""# : keys
    return #"{"version": 1, "worlds": {\#(worlds)}, "scenarios": [{\#(name)\#(system)\#(rest)"#
      + "\(steps)}]}"
  }

  /// The scenarios that come with the package.
  static func ofThePackage() throws -> [Scenario] {
    try ScenarioFile.scenarios(
      fromJSON: try file(ofThePackage: "scenarios.json"), systems: BuiltIn.systems)
  }

  /// The text of a file of the package, by its path.
  static func file(ofThePackage path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static let buyCoins = #"[{"at": 0, "device": "phone1", "buy": "coins"}]"#

  /// Beside the text there is a file `Shop.storekit`, and no other.
  static func scenarios(_ text: String) throws -> [Scenario] {
    try ScenarioFile.scenarios(fromJSON: text, systems: systems) {
      $0 == "Shop.storekit" ? StoreKitSample.file() : nil
    }
  }

  static func scenario(
    _ keys: String, worlds: String = "", steps: String? = buyCoins
  ) throws -> Scenario {
    try scenarios(file(keys, worlds: worlds, steps: steps))[0]
  }

  /// What a file is refused with; nil where it is taken.
  static func refusal(_ text: String) -> String? {
    do {
      _ = try scenarios(text)
      return nil
    } catch { return "\(error)" }
  }
}

/// The benchmark's app under a name of its own, in two variants.
private enum TwoVariants: PurchaseSystem {
  typealias App = CheckoutBenchmark.App
  typealias Backend = CheckoutBenchmark.Shop

  static let entry = SystemEntry(
    name: "two-variants", summary: "For these tests.")

  enum Variant: String, CaseIterable { case published, repaired }
}

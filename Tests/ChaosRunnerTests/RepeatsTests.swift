import ChaosStore
import Invariants
import Synchronization
import Testing

@testable import ChaosRunner

/// Stands in for a backend of real processes: it says so, and from some start on it refuses what it credited before.
private enum WornShop: PurchaseSystem {
  typealias App = HastyShop.App

  static let entry = SystemEntry(
    name: "worn-shop", summary: "Does not do the same for ever.",
    about: "As hasty-shop, until it has been started often enough.",
    source: "the tests of this package")

  enum Variant: String, CaseIterable { case usual }

  /// How often its backend was started, and from which start on it is another.
  static let starts = Mutex((count: 0, worn: Int.max))

  struct Backend: PurchaseBackend {
    static var isCostly: Bool { true }

    private var shop: HastyShop.Shop
    private let isWorn: Bool

    init(_ launch: Launch) {
      shop = HastyShop.Shop(launch)
      isWorn = WornShop.starts.withLock { starts in
        starts.count += 1
        return starts.count >= starts.worn
      }
    }

    mutating func received(_ report: Report, _ server: Server) {
      if isWorn { server.reply(.refused) } else { shop.received(report, server) }
    }

    mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
      shop.verified(answer, for: report, server)
    }
  }
}

@Suite("How often a finding came the same way", .serialized)
struct RepeatsTests {
  private func run(wornFrom start: Int = .max, _ arguments: String...) -> (
    Bench.Output, starts: Int
  ) {
    WornShop.starts.withLock { $0 = (0, start) }
    var bench = Bench()
    bench.scenarios = [
      Scenario(
        name: "worn", about: "a worn shop", system: AnySystem(WornShop.self),
        setup: Bench.setup(.naive, []), invariants: Bench.rules, seeds: 1, topic: "wear")
    ]
    let output = bench.run(["--plan", ""] + arguments)
    return (output, WornShop.starts.withLock { $0.count })
  }

  @Test("what comes the same way each time is said to")
  func same() {
    let (output, _) = run()
    #expect(
      output.onOneLine.contains("run 5 times it came the same way each time"), "\(output.out)")
    #expect(run("--format", "json").0.out.contains("\"repeatsTheSame\" : 5"))
  }

  @Test("what does not is counted, with what it broke and where it parts")
  func other() {
    let starts = run().starts
    // The last run of all is another: it is on record, and has two starts.
    let (output, _) = run(wornFrom: starts - 1)
    #expect(
      output.onOneLine.contains(
        "run 5 times it came the same way 4 times, and broke it 5 times; otherwise: "),
      "\(output.out)")
  }
}

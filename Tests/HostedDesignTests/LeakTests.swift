import ChaosStore
import Foundation
import Invariants
import StoreKit
import Synchronization
import Testing

/// Waits for a thread of its own, which no simulation knows.
private final class ThreadedApp: SimulatedApp {
  private final class Flag: Sendable { let value = Atomic(false) }
  private let isResumed = Flag()
  private var taps = 0

  init(device: SimulatedDevice) {}

  func buy(_ productID: String) async -> PurchaseMessage {
    taps += 1
    if taps == 1 {
      let isResumed = isResumed
      await withUnsafeContinuation { continuation in
        Thread.detachNewThread {
          // Real time, until the task has suspended.
          usleep(20_000)
          continuation.resume()
          isResumed.value.store(true, ordering: .sequentiallyConsistent)
        }
      }
    } else {
      while !isResumed.value.load(ordering: .sequentiallyConsistent) {}
    }
    return .failure
  }
}

private enum ThreadedShop: HostedSystem {
  typealias App = ThreadedApp
  typealias Server = ExactlyOnce.Server
  static let entry = SystemEntry(name: "threaded-shop", summary: "Uses a thread of its own.")
}

@Suite("What leaves the simulation", .serialized)
struct LeakTests {
  private func scenario(_ system: AnySystem) -> Scenario {
    var setup = Setup()
    setup.retaps = 0
    setup.steps = [1000, 2000, 3000].map {
      Setup.Step(atMillis: $0, .buy(product: 0, quantity: 1, account: 0))
    }
    setup.horizonMillis = 270_000
    return Scenario(name: "leak", system: system, setup: setup)
  }

  @Test("is named in the record of a run, and in what a campaign comes to")
  func foreignThread() throws {
    let scenario = scenario(AnySystem(ThreadedShop.self))
    let findings = Campaign(scenario, seeds: 5..<8).run()
    let seed = try #require(findings.leakingSeed)
    let record = Simulation(scenario).record(seed: seed)
    #expect(record.outcome.hasProblems)
    #expect(record.problems.allSatisfy { "\($0)".hasPrefix("not simulated: ") })
    #expect(record.problems.contains { "\($0)".contains("starting a thread") })
    #expect(record.problems.contains { "\($0)".contains("resumed") })
  }
}

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
  typealias App = HostedApp<ThreadedApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "threaded-shop", summary: "Uses a thread of its own.")
}

/// Waits for as long as real randomness says, which nothing names.
private final class DiceApp: SimulatedApp {
  init(device: SimulatedDevice) {}

  func buy(_ productID: String) async -> PurchaseMessage {
    let file = open("/dev/urandom", O_RDONLY)
    var dice: UInt16 = 0
    read(file, &dice, 2)
    close(file)
    try? await Task.sleep(for: .milliseconds(Int(dice)))
    return .failure
  }
}

private enum DiceShop: HostedSystem {
  typealias App = HostedApp<DiceApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "dice-shop", summary: "Throws real dice.")
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

  @Test("What leaves the simulation is named in the record of a run, and in a campaign's findings")
  func foreignThread() throws {
    let scenario = scenario(AnySystem(ThreadedShop.self))
    let findings = Campaign(scenario, seeds: 5..<8).run()
    let seed = try #require(findings.unfit?.seed)
    let record = Simulation(scenario).record(seed: seed)
    #expect(record.outcome.hasProblems)
    #expect(findings.problems.allSatisfy { $0.kind == .leak })
    #expect(findings.problems.contains { $0.text.contains("starting a thread") })
    let problem = try #require(
      findings.problems.first { $0.text.hasSuffix(" resumed by a foreign thread") })
    #expect(problem.text.hasPrefix("not simulated: phone1, process "))
    #expect(problem.event > 0)
    #expect(problem.at.millis >= 2000)
  }

  @Test(
    "What leaves the simulation fails a property test, with the event it was noticed in")
  func property() throws {
    let failure = try #require(
      #expect(throws: PropertyFailure.self) {
        try PropertyTest.check(scenario(AnySystem(ThreadedShop.self)), seeds: 5..<8)
      })
    #expect(failure.kind == .nondeterministic)
    let text = failure.description
    #expect(text.contains("the system is nondeterministic: "), "\(text)")
    #expect(text.contains(" is nondeterministic: not simulated: phone1, process "), "\(text)")
    #expect(text.contains(", first noticed in event "), "\(text)")
    // A thread is late or early as it likes, so the runs may differ or not.
    #expect(
      text.contains("they part at event ") || text.contains(" it came out the same"), "\(text)")
  }

  @Test("What leaves the simulation unnamed is found by running some seeds twice")
  func dice() throws {
    let scenario = scenario(AnySystem(DiceShop.self))
    let findings = Campaign(scenario, seeds: 5..<8).run()
    #expect(findings.differing?.seed == 5)
    #expect(Campaign(scenario, strategy: Exhaustive(faults: 0)).run().differing?.plan == Plan())
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try PropertyTest.check(scenario, seeds: 5..<8) })
    #expect(failure.kind == .nondeterministic)
    #expect(failure.description.contains("they part at event "))
  }
}

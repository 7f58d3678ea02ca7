import ChaosHost
import Foundation
import Testing

@Suite("The clock for code that takes one")
struct HostClockTests {
  @Test("HostClock shows the run's time, and its sleepers wake in order at no cost")
  func sleeping() {
    let start = ContinuousClock.now
    let lines = said { log in
      let clock: any Clock<Duration> = HostClock()
      for (name, hours) in [("b", 2), ("a", 1)] {
        Task {
          try await clock.sleep(for: .seconds(hours * 3_600))
          log.add("\(name) \(HostClock().now.offset) \(HostClock().date.timeIntervalSince1970)")
        }
      }
    }
    #expect(lines == ["a 3600.0 seconds 1700003600.0", "b 7200.0 seconds 1700007200.0"])
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test("HostClock agrees with the system's clocks where these are simulated", .ifSimulated)
  func agreeing() {
    let lines = said { log in
      let (mine, system) = (HostClock().now, ContinuousClock.now)
      Task {
        try await Task.sleep(for: .milliseconds(1_500))
        log.add("\(mine.duration(to: HostClock().now) == system.duration(to: .now))")
        log.add("\(HostClock().date == Date())")
      }
    }
    #expect(lines == ["true", "true"])
  }

  @Test(
    "HostClock wakes a sleeper that is or was cancelled, and one whose process ends")
  func cancelling() {
    let run = Run()
    run.enter { log in
      func sleeper(_ name: String) -> Task<Void, Never> {
        Task {
          do {
            try await HostClock().sleep(until: HostClock().now.advanced(by: .seconds(60)))
          } catch {
            log.add("\(name) \(error) at \(HostClock().now.offset)")
          }
        }
      }
      sleeper("before").cancel()
      let during = sleeper("during")
      Task {
        try await HostClock().sleep(for: .seconds(5))
        during.cancel()
      }
      _ = sleeper("end")
    }
    run.host.advance(to: 5_000_000_000)
    run.enter { _ in }
    run.process.end()
    #expect(
      run.log.lines == [
        "before CancellationError() at 0.0 seconds", "during CancellationError() at 5.0 seconds",
        "end CancellationError() at 5.0 seconds",
      ])
    #expect(run.host.leaks == [])
  }

  @Test("HostRandomNumberGenerator draws numbers that follow from the run's seed")
  func drawing() {
    func draw(_ seed: UInt64) -> [String] {
      said(seed: seed) { log in
        var generator = HostRandomNumberGenerator()
        log.add("\((0..<4).map { _ in Int.random(in: 0..<1_000_000, using: &generator) })")
      }
    }
    #expect(draw(1) == draw(1))
    #expect(draw(1) != draw(2))
  }
}

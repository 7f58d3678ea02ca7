import Invariants
import Testing

@testable import ChaosStore

@Suite("The clock of a world")
struct WorldClockTests {
  private static func world() -> WorldHandle {
    var setup = Setup()
    setup.reopenEveryMillis = nil
    let handle = WorldHandle(World(setup: setup, rules: [], hasShopPage: false))
    handle.world.begin(seed: 0, script: nil, observer: nil)
    return handle
  }

  @Test("Virtual time goes from event to event, and ends with the horizon")
  func forward() {
    let handle = Self.world()
    defer { handle.destroy() }
    handle.world.schedule(.networkHeals(DeviceID(0)), after: 20)
    handle.world.schedule(.launch(DeviceID(0)), at: 5)
    handle.world.schedule(.launch(DeviceID(0)), at: 600_001)
    var seen: [String] = []
    while let event = handle.world.next() { seen.append("\(handle.world.now): \(event.kind)") }
    #expect(seen == ["5: launch", "20: networkHeals"])
  }

  @Test("An event that was scheduled for the past ends the program, in release as well")
  func past() async {
    await #expect(processExitsWith: .failure) {
      let handle = Self.world()
      handle.world.schedule(.launch(DeviceID(0)), after: 20)
      _ = handle.world.next()
      handle.world.queue.schedule(at: 19, .launch, subject: 0)
      _ = handle.world.next()
    }
  }
}

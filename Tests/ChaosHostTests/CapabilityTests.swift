import ChaosHost
import Testing

@Suite("What the platform lets a host do")
struct CapabilityTests {
  @Test("The platform lets a host simulate everything, or it says what to do about the rest")
  func capabilities() {
    #if os(Linux)
      #expect(HostCapabilities.current == .all)
      #expect(HostCapabilities.current.description == "everything is simulated")
    #endif
    let without = HostCapabilities.all.subtracting(.virtualClock)
    #expect(without.missing.count == 1)
    #expect(without.description.contains("HostClock"))
  }

  @Test("Each capability that is missing has a line of its own")
  func missing() {
    let each: [HostCapabilities] = [
      .tasks, .virtualSleep, .virtualClock, .virtualRandomness, .mainQueue, .taskOwnership,
      .userDefaults, .namedEscapes, .receipt, .output, .notifications,
    ]
    #expect(HostCapabilities(each) == .all)
    #expect(HostCapabilities.all.missing == [])
    #expect(Set(each.flatMap { HostCapabilities.all.subtracting($0).missing }).count == each.count)
    #expect(HostCapabilities().missing.count == each.count)
    #expect(HostCapabilities().description == HostCapabilities().missing.joined(separator: "\n"))
    #expect(HostCapabilities.all.subtracting(.receipt).missing[0].contains("appStoreReceiptURL"))
    #expect(HostCapabilities.all.subtracting(.virtualSleep).missing[0].hasPrefix("Task.sleep"))
  }
}

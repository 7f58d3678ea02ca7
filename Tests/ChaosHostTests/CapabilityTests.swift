import ChaosHost
import Testing

@Suite("The platform")
struct CapabilityTests {
  @Test("lets a host do all that it can, or it is said what to do about the rest")
  func capabilities() {
    #if os(Linux)
      #expect(Host.capabilities == .all)
      #expect(Host.capabilities.description == "everything is simulated")
    #endif
    let without = HostCapabilities.all.subtracting(.virtualClock)
    #expect(without.missing.count == 1)
    #expect(without.description.contains("HostClock"))
  }
}

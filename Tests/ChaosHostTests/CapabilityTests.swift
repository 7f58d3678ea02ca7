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
}

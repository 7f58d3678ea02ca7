import Testing

@testable import ChaosHost

/// That they are put back is tested with processes: here they are those of all tests that run at the same time.
@Suite("What the program's variables held", .ifSimulated)
struct SavedVariableTests {
  @Test("The harness's own and the toolchain's variables are not put back")
  func others() {
    #expect(!Symbols.isOfOthers("$s9ChaosHost4HostC4liveSayAA0B7ProcessCGvpZ"))
    #expect(!Symbols.isOfOthers("$s10Foundation4DateV3nowACvpZ"))
    #expect(!Symbols.isOfOthers("$sScT11currentSSvpZ"))
    #expect(Symbols.isOfOthers("$s8CoinShop0A7ManagerC6sharedACvpZ"))
  }
}

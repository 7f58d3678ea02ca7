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

  #if os(Linux)
    @Test func `A part of a variable that the optimiser has split is one`() {
      #expect(ProgramVariables.kind(of: "$s8CoinShop5countSivp") == .variable)
      #expect(ProgramVariables.kind(of: "$s8CoinShop5countSivp.0") == .variable)
      #expect(ProgramVariables.kind(of: "$s8CoinShop0A7ManagerC6sharedACvpZ.1.0") == .variable)
      #expect(ProgramVariables.kind(of: "$s8CoinShop0A7ManagerC6shared_Wz") == .begun)
      #expect(ProgramVariables.kind(of: "$s8CoinShop5countSivg") == nil)
      #expect(ProgramVariables.kind(of: "$s10ChaosStore5countSivp.0") == nil)
    }
  #endif
}

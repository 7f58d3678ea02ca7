import Foundation
import Testing

@testable import ChaosHost

@Suite("What the program's variables held", .ifSimulated, .serialized)
struct SavedVariableTests {
  final class Counter {
    nonisolated(unsafe) static var shared: Counter? = Counter()
    nonisolated(unsafe) static var counts: [Int] = []
    nonisolated(unsafe) static var number = 0
    var count = 0
  }

  @Test("Variables of others are put back, be they begun to be used by then or not")
  func putBack() {
    let saved = SavedVariables()
    Counter.shared?.count += 1
    Counter.counts.append(1)
    let first = Counter.shared.map(ObjectIdentifier.init)
    saved.restore()
    #expect(Counter.counts == [])
    #expect(Counter.shared?.count == 0)
    #expect(Counter.shared.map(ObjectIdentifier.init) != first)
  }

  @Test("What they held when they were saved is there again")
  func saved() {
    Counter.number = 7
    let saved = SavedVariables()
    Counter.number = 8
    saved.restore()
    #expect(Counter.number == 7)
  }

  @Test("The harness's own and the toolchain's variables are not put back")
  func others() {
    #expect(!Symbols.isOfOthers("$s9ChaosHost4HostC4liveSayAA0B7ProcessCGvpZ"))
    #expect(!Symbols.isOfOthers("$s10Foundation4DateV3nowACvpZ"))
    #expect(!Symbols.isOfOthers("$sScT11currentSSvpZ"))
    #expect(Symbols.isOfOthers("$s8CoinShop0A7ManagerC6sharedACvpZ"))
  }
}

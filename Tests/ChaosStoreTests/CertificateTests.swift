import Invariants
import Testing

@testable import ChaosStore

@Suite("What is said of the plans that are smaller than a failing one")
struct CertificateTests {
  private static let finish = Decision(.crashAfterFinish, .transaction(0), 1, .strike)
  private static let launch = Decision(.crashInLaunch, .phone(0), 1, .strike)
  private static let tap = Decision(.crashInTap, .transaction(0), 1, .strike)

  /// A shop that loses a purchase where its app dies after it finished, and a shrinker of that.
  private func shrinker(_ entry: FaultMix.Entry?) throws -> Shrinker {
    let scenario = try Stage.one("storekit2-order-token") { $0.mix.entries[.appCrash] = entry }
    let simulation = Simulation(scenario)
    let rule = try #require(
      scenario.invariants.firstIndex { $0.name == "no-charge-without-delivery" })
    let record = simulation.record(seed: nil, plan: Plan([Self.finish]))
    let violation = try #require(record.violations.first { $0.rule == rule })
    return Shrinker(simulation, aim: Shrinker.Aim(violation))
  }

  private func entry(_ sites: [Question]) throws -> FaultMix.Entry {
    FaultMix.Entry(chance: try #require(Ratio(1, 2)), sites: sites)
  }

  @Test("Smaller plans have the sites of the mix as well as those of the plan")
  func sites() throws {
    var shrinker = try shrinker(entry([.crashAfterFinish]))
    let found = shrinker.searchSmaller(than: Plan([Self.launch, Self.tap]))
    #expect(found == .found(Plan([Self.finish]), isSameKind: true))
    var narrow = try self.shrinker(entry([.crashInLaunch]))
    let own = narrow.searchSmaller(than: Plan([Self.finish, Self.launch]))
    #expect(own == .found(Plan([Self.finish]), isSameKind: true))
  }

  @Test("A mix that names no sites of a fault keeps all of them in smaller plans")
  func everySite() throws {
    var shrinker = try shrinker(entry([]))
    let smaller = shrinker.searchSmaller(than: Plan([Self.launch, Self.tap]))
    guard case .found = smaller else {
      Issue.record("\(smaller)")
      return
    }
  }

  @Test("A fault that only the plan has is tried in smaller plans where the plan has it alone")
  func ownSites() throws {
    var shrinker = try shrinker(nil)
    let found = shrinker.searchSmaller(than: Plan([Self.launch, Self.finish]))
    #expect(found == .found(Plan([Self.finish]), isSameKind: true))
    let none = shrinker.searchSmaller(than: Plan([Self.launch, Self.tap]))
    guard case .noneBreaks(let plans) = none else {
      Issue.record("\(none)")
      return
    }
    #expect((2...12).contains(plans), "\(plans)")
  }

  @Test("A smaller plan that breaks the rule by another kind of fact is named as another failure")
  func otherKind() throws {
    let full = Turns.plan([1: 1, 2: 1])
    let hands = Turns.hands { $0 == [1, 1, 0] ? .lies : $0 == [2, 0, 0] ? .silent : .fine }
    var shrinker = try Turns.shrinker(aim: full, hands)
    let smaller = Probe.$hands.withValue(hands) { shrinker.searchSmaller(than: full) }
    #expect(smaller == .found(Turns.plan([1: 2]), isSameKind: false))
  }

  @Test("Nothing is smaller than the plan of no decisions, and for that nothing is run")
  func nothingSmaller() throws {
    let hands = Turns.hands { _ in .lies }
    var shrinker = try Turns.shrinker(aim: Plan(), hands)
    let smaller = Probe.$hands.withValue(hands) { shrinker.searchSmaller(than: Plan()) }
    #expect(smaller == .noneBreaks(plans: 0))
  }

  @Test("Nothing is said about smaller plans where the budget ended before all were run")
  func spent() throws {
    let full = Turns.plan([1: 1, 2: 1, 3: 1])
    let hands = Turns.hands { $0 == [1, 1, 1] ? .lies : .fine }
    var shrinker = try Turns.shrinker(aim: full, hands)
    var budget = Budget()
    budget.goesOn = { _ in false }
    let smaller = Probe.$hands.withValue(hands) { shrinker.searchSmaller(than: full, budget) }
    #expect(smaller == .unknown)
    let whole = Probe.$hands.withValue(hands) { shrinker.searchSmaller(than: full) }
    #expect(whole == .noneBreaks(plans: 37))
  }

  @Test("A certificate that is not whole shows nothing, and one with nothing in it needs nothing")
  func whole() throws {
    var certificate = Certificate()
    #expect(certificate.isMinimal)
    let decision = try #require(Turns.plan([1: 1]).decisions.first)
    certificate.entries = [.init(decision: decision, without: .holds)]
    #expect(certificate.isMinimal)
    certificate.isWhole = false
    #expect(!certificate.isMinimal)
  }

  @Test("A plan names what can be left out, and nothing where all of it is needed")
  func leftOut() throws {
    #expect(Turns.plan([1: 1]).leftOut == nil)
    let plan = try Plan(
      parsing: "reorder app.task phone1 #1 = 1, omit person.step step2, omit person.phone phone2")
    #expect(plan.leftOut == "(step2, phone2 can be left out)")
    #expect(plan.size == 1)
  }
}

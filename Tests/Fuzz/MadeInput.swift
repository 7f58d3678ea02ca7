import ChaosStore
import Invariants

/// Scenarios made in Swift, as somebody's program makes them: each is refused, or can be run.
enum MadeInput {
  /// The seed of what is done to a scenario of the corpus; eight bytes, as there is no text of it.
  static func input(_ random: inout Random) -> [UInt8] {
    let seed = random.next()
    return (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * $0)) }
  }

  static func examine(_ bytes: [UInt8], _ corpus: Corpus) throws(Finding) -> Answer {
    var random = Random(from: bytes)
    var scenario = random.pick(corpus.scenarios)
    for _ in 0..<random.few(upTo: 5) { change(&scenario, &random) }
    do { try scenario.validate() } catch {
      guard !error.keyPath.isEmpty, !error.found.isEmpty, !error.expected.isEmpty else {
        throw Finding("a refusal that says nothing", error.description)
      }
      return .refused(error.description)
    }
    try Trials.run(scenario, &random)
    return .accepted
  }

  private static let numbers = [
    Int.min, -1, 0, 1, 2, 3, 10, 11, 64, 65, 100, 101, 3000, 1 << 26, 1 << 31, 1 << 38, .max,
  ]

  private static func number(_ random: inout Random) -> Int {
    random.oneIn(2) ? random.below(4) : random.pick(numbers)
  }

  private static func millis(_ random: inout Random) -> Int64 {
    random.oneIn(2) ? Int64(random.below(600_000)) : Int64(random.pick(numbers))
  }

  private static func change(_ scenario: inout Scenario, _ random: inout Random) {
    switch random.below(20) {
    case 0: scenario.setup.accounts = number(&random)
    case 1: scenario.setup.storeAccounts = number(&random)
    case 2:
      scenario.setup.devices = (0..<random.below(4)).map { _ in
        Setup.Device(
          storeAccount: number(&random), account: number(&random),
          environment: random.pick(Array(Environment.allCases)))
      }
    case 3:
      scenario.setup.products = (0..<random.below(4)).map { _ in
        Setup.Product(random.pick(["coins", "map", "", "\u{0}"]), isConsumable: random.oneIn(2))
      }
    case 4, 5, 6:
      scenario.setup.steps = (0..<random.below(6)).map { _ in step(&random) }
      if random.oneIn(2) { scenario.setup.steps.sort { $0.atMillis < $1.atMillis } }
    case 7:
      scenario.setup.arrivals = Setup.Arrivals(
        count: random.oneIn(2) ? random.below(50) : number(&random), overMillis: millis(&random))
      if random.oneIn(2) { scenario.setup.steps = [] }
    case 8:
      scenario.setup.healMillis = millis(&random)
      if random.oneIn(4) { scenario.setup.beginsSeconds = millis(&random) }
    case 9: scenario.setup.horizonMillis = millis(&random)
    case 10: scenario.setup.reopenEveryMillis = random.oneIn(3) ? nil : millis(&random)
    case 11: scenario.setup.relaunches.toggle()
    case 12: scenario.setup.retaps = UInt32(truncatingIfNeeded: number(&random))
    case 13: scenario.setup.withinMillis = random.oneIn(3) ? nil : millis(&random)
    case 14: scenario.setup.transfersOnRestore.toggle()
    case 15: scenario.setup.eventLimit = number(&random)
    case 16: scenario.setup.variant = number(&random)
    case 17: scenario.setup.backend = random.pick(BackendKind.allCases)
    case 18:
      let fault = random.pick(Fault.allCases)
      scenario.setup.mix.entries[fault] = FaultMix.Entry(
        chance: Ratio(UInt64(random.below(3)), 2)!,
        most: UInt32(truncatingIfNeeded: number(&random)),
        sites: random.oneIn(2) ? [] : [random.pick(Question.allCases)])
    default:
      let (a, b) = (millis(&random), millis(&random))
      scenario.setup.mix.delays[random.pick(Question.allCases)] = min(a, b)...max(a, b)
    }
  }

  private static func step(_ random: inout Random) -> Setup.Step {
    let quantity = random.oneIn(4) ? UInt32(truncatingIfNeeded: number(&random)) : 1
    let action: Setup.Step.Action =
      switch random.below(10) {
      case 0, 1, 2: .buy(product: number(&random), quantity: quantity, account: number(&random))
      case 3: .buyOutside(product: number(&random), quantity: quantity, account: number(&random))
      case 9: .buyPromoted(product: number(&random), account: number(&random))
      case 4: .logIn(account: number(&random))
      case 5: .restore
      case 6: .reinstall
      case 7: .restoreBackup
      default: random.oneIn(2) ? .quit : .open
      }
    return Setup.Step(atMillis: millis(&random), device: number(&random), action)
  }
}

import Testing

@testable import ChaosStore

@Suite("The rates that a seed gives the faults of a mix")
struct SwarmTests {
  /// How often each rate was given to a fault with a chance of 1/100 over so many seeds.
  private func rates(
    _ question: Question, of fault: Fault, chance: Ratio = Ratio(1, 100)!, seeds: Int = 8192
  ) -> [UInt64: Int] {
    var mix = FaultMix()
    mix.entries[fault] = .init(chance: chance)
    mix.entries[.duplicateCallback] = .init(chance: chance)
    let swarm = Swarm(mix)
    let armed = UnsafeMutablePointer<UInt64>.allocate(capacity: Question.count)
    let delays = UnsafeMutablePointer<Decisions.DelayRow>.allocate(capacity: Question.count)
    defer {
      armed.deallocate()
      delays.deallocate()
    }
    armed.initialize(repeating: 0, count: Question.count)
    let none = Decisions.DelayRow(
      least: 0, span: 1, overtaken: 0, late: 0, lateBelow: 0, classedBelow: 0, overtakenBy: .max,
      lateBy: .max)
    delays.initialize(repeating: none, count: Question.count)
    var counts: [UInt64: Int] = [:]
    for seed in 0..<UInt64(seeds) {
      swarm.arm(armed, delays, seed: seed)
      let place = Int(question.rawValue)
      let threshold = question.fault == nil ? delays[place].lateBelow : armed[place]
      let usual = chance.threshold
      counts[threshold % usual == 0 ? threshold / usual : threshold, default: 0] += 1
    }
    return counts
  }

  @Test("One seed in four keeps the mix; of the others half leave a fault out, the rest raise it")
  func shares() {
    // Of 8: plain 2, left out 3, usual 3/4, twice 6/4, four times 3/4.
    for (question, fault) in [(.dropReply, .responseLost), (.delayReply, .lateResponse)]
      as [(Question, Fault)]
    {
      let counts = rates(question, of: fault)
      #expect(Set(counts.keys) == [0, 1, 2, 4])
      #expect((2920...3230).contains(counts[0] ?? 0), "left out \(counts)")
      #expect((2650...2980).contains(counts[1] ?? 0), "as usual \(counts)")
      #expect((1400...1680).contains(counts[2] ?? 0), "twice \(counts)")
      #expect((680...860).contains(counts[4] ?? 0), "four times \(counts)")
    }
  }

  @Test("A fault that always strikes does so under every seed, and one made certain stays below")
  func certainty() {
    #expect(rates(.dropReply, of: .responseLost, chance: Ratio(1, 1)!, seeds: 500) == [1: 500])
    let half = rates(.dropReply, of: .responseLost, chance: Ratio(1, 2)!, seeds: 500)
    #expect(Set(half.keys) == [0, 1, UInt64.max - 1])
  }

  @Test("Two faults are left out independently of each other")
  func independence() {
    var mix = FaultMix([.responseLost, .requestLost])
    mix.isSwarmed = true
    var together: [String: Int] = [:]
    let armed = UnsafeMutablePointer<UInt64>.allocate(capacity: Question.count)
    let delays = UnsafeMutablePointer<Decisions.DelayRow>.allocate(capacity: Question.count)
    defer {
      armed.deallocate()
      delays.deallocate()
    }
    let swarm = Swarm(mix)
    for seed in 0..<4096 as Range<UInt64> {
      swarm.arm(armed, delays, seed: seed)
      let (reply, request) = (
        armed[Int(Question.dropReply.rawValue)] > 0, armed[Int(Question.dropRequest.rawValue)] > 0
      )
      together["\(reply) \(request)", default: 0] += 1
    }
    #expect((1620...1960).contains(together["true true"] ?? 0), "\(together)")
    for one in ["true false", "false true", "false false"] {
      #expect((680...860).contains(together[one] ?? 0), "\(together)")
    }
  }
}

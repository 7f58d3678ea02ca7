import Invariants
import Testing

@Suite("A judge hears one history after the other")
struct JudgeTests {
  @Test("A purchase as it should be breaks no invariant")
  func goodPurchase() {
    #expect(Self.goodPurchase.broken == [])
  }

  @Test("A purchase that is finished first, lost and denied breaks six invariants in order")
  func badPurchase() {
    #expect(Self.badPurchase.broken == ["I16", "I14", "I03", "I15", "I01", "I11"])
  }

  @Test("A judge records the first break of a rule, and goes on with the other rules")
  func firstBreak() {
    var history = History()
    let coins = history.charge()
    history.credit(coins)
    history.credit(coins)
    history.credit(coins, to: .bob)

    let judge = history.judged(by: Catalogue.invariants)

    let found = judge.violations.prefix(2)
    #expect(found.map { Catalogue.invariants[$0.rule].code } == ["I02", "I04"])
    #expect(found.map(\.position) == [3, 4])
    #expect(found.map(\.fact) == [history.facts[2], history.facts[3]])
    #expect(found.map(\.at) == [Instant(millis: 200), Instant(millis: 300)])
  }

  @Test("A violation that shows at the end of a history names the charge, and no fact")
  func breakAtEnd() throws {
    var history = History()
    history.launch()
    let first = history.charge()
    let second = history.charge()
    history.credit(first)
    let rule = try #require(Catalogue.invariant(named: "no-charge-without-delivery"))

    let judge = history.judged(by: [rule])

    let violation = try #require(judge.violations.first)
    #expect(violation.fact == nil)
    #expect(violation.found == Break(transaction: second))
    #expect(violation.at == Instant(millis: 400 + 180_100))
  }

  @Test("A judge that was cleared behaves as a new one")
  func cleared() {
    for first in Self.histories {
      for second in Self.histories {
        let new = second.judged(by: Catalogue.invariants)

        var used = first.judged(by: Catalogue.invariants)
        used.clear()
        #expect(used.broken == 0 && used.violations.isEmpty && used.factCount == 0)
        second.tell(to: &used)

        #expect(used.violations == new.violations)
        #expect(used.broken == new.broken)
        #expect(used.factCount == new.factCount)
      }
    }
  }

  @Test("A judge asks only the rules it was given")
  func fewRules() throws {
    let rule = try #require(Catalogue.invariant(named: "I03"))
    let judge = Self.badPurchase.judged(by: [rule])
    #expect(judge.violations.map(\.rule) == [0])
    #expect(judge.broken == 1)
  }

  @Test("A judge says which rules a history gave something to judge")
  func concerned() {
    func codes(_ history: History) -> [String] {
      var judge = history.judged(by: Catalogue.invariants)
      return judge.rules.indices.filter { judge.idle >> UInt64($0) & 1 == 0 }
        .map { judge.rules[$0].code }
    }
    var history = History()
    #expect(codes(history) == [])
    let wish = history.tap()
    #expect(codes(history) == ["I14", "I27"])
    let coins = history.charge(wish)
    #expect(codes(history) == ["I01", "I11", "I13", "I14", "I24", "I27"])
    history.deliver(coins)
    history.credit(coins)
    history.finish(coins)
    #expect(
      codes(history) == [
        "I01", "I02", "I03", "I04", "I05", "I06", "I08", "I11", "I13", "I14", "I15", "I19", "I24",
        "I27",
      ])
    history.save(coins)
    history.void(coins)
    history.report(coins)
    history.answer(coins, .accepted)
    history.attribute(coins, to: .alice)
    history.ask()
    history.postpone(coins)
    history.grant(coins)
    history.refund(coins)
    history.giveUp(coins)
    _ = history.restore(coins)
    // A refund, and a notification that was lost, have a week to be made good.
    history.wait(8 * 24 * 3_600_000)
    #expect(codes(history) == Catalogue.invariants.map(\.code))
    var judge = history.judged(by: Catalogue.invariants)
    #expect(judge.idle == 0)
    judge.clear()
    #expect(judge.idle == (1 << UInt64(judge.rules.count)) - 1)
  }

  static let histories = [goodPurchase, badPurchase, poisoned]

  static let goodPurchase: History = {
    var history = History()
    history.launch()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.deliver(coins)
    history.save(coins)
    history.report(coins)
    history.verify(coins, .accepted)
    history.attribute(coins, to: .alice)
    history.credit(coins)
    history.answer(coins, .accepted)
    history.tell(.success, about: wish, coins)
    history.erase(coins)
    history.finish(coins)
    return history
  }()

  static let badPurchase: History = {
    var history = History()
    history.launch()
    let wish = history.tap()
    let coins = history.charge(wish)
    history.deliver(coins)
    history.report(coins)
    history.verify(coins, .inconclusive)
    history.answer(coins, .refused)
    history.tell(.failure, about: wish)
    history.finish(coins)
    return history
  }()

  static let poisoned: History = {
    var history = History()
    history.launch()
    let dead = history.charge()
    history.deliver(dead)
    history.void(dead)
    let good = history.charge()
    history.deliver(good)
    return history
  }()
}

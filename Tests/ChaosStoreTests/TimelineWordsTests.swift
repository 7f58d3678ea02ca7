import ChaosStore
import Invariants
import Testing

@Suite("What a timeline says")
struct TimelineWordsTests {
  private func entries(
    _ plan: String = "", _ hands: Probe.Hands = Probe.Hands(),
    _ change: (inout Setup) -> Void = { _ in }
  ) throws -> [String] {
    try Probe.run(hands, plan, change).timeline.entries.map { "\($0.participant): \($0.text)" }
  }

  @Test("A purchase is told step by step, each by who did it")
  func purchase() throws {
    let told = try entries()
    #expect(
      told == [
        "app: phone1 starts", "person: user1 taps buy coins on phone1 (tx1)",
        "store: charges tx1: coins", "app: phone1 is called back with tx1",
        "network: the report about tx1 arrives at server1",
        "backend: hears of tx1 from phone1 as user1",
        "apple: about tx1: accepted", "backend: credits user1 with coins for tx1",
        "backend: answers about tx1: accepted",
        "network: the answer about tx1 arrives: delivered", "app: phone1 calls finish(tx1)",
        "store: tx1 is finished", "person: is told: bought",
      ])
    #expect(
      try entries { $0.steps[0].action = .buy(product: 0, quantity: 2, account: 0) }
        .contains("store: charges tx1: 2 coins"))
  }

  @Test("Who is told something else is told it in words")
  func messages() throws {
    for (message, words) in [
      (.pending, "not confirmed yet"), (.failure, "the purchase failed"),
    ] as [(Fact.Message, String)] {
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in phone.tell(message, about: tap) }
      #expect(try entries("", hands) { $0.retaps = 0 }.contains("person: is told: \(words)"))
    }
  }

  @Test("An answer finds the app dead that asked, whether or not it was opened again meanwhile")
  func deadApps() throws {
    let dead = "network: the answer about tx1 finds the app that asked dead"
    let crash = "crash app after send tx1 #1"
    let closed = try entries(crash) { $0.relaunches = false }
    #expect(closed.contains(dead))
    let opened = try entries("\(crash), delay verify.reply tx1 #1 = 9137ms")
    #expect(opened.contains(dead))
    #expect(opened.contains("network: the answer about tx1 arrives: delivered"))
    #expect(try !entries().contains(dead))
  }

  @Test("What comes back is named: a phone's network, a server, a receipt")
  func comingBack() throws {
    #expect(
      try entries("partition network phone1 #1").contains("network: phone1 is online again"))
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      phone.refreshReceipt()
    }
    #expect(try entries("", hands).contains("store: phone1's receipt refresh ends"))
  }

  @Test("What the store takes back or keeps to itself is told")
  func storeFaults() throws {
    let voided = try entries("void store.charge tx1 #1")
    #expect(voided.contains("apple: tx1 is to be treated as never bought (21010)"))
    let swallowed = try entries("crash app before finish tx1 #1, swallow store.callback tx1 #1")
    #expect(swallowed.contains("store: will not call phone1 back with tx1 again"))
  }

  @Test("An attacker's report is told as such, and the answer to it is not told")
  func attackers() throws {
    let told = try entries("forge attacker.evidence tx1 #1") { setup in
      setup.mix.entries[.forgedReceipt] = .init(chance: Ratio(1, 2)!)
    }
    #expect(told.contains("network: an attacker's report about tx1 arrives at server1"))
    #expect(told.count { $0.hasPrefix("network: the answer about") } == 1)
  }

  @Test("A fault is told with its code, and what is no fact has no position among the facts")
  func faults() throws {
    let record = try Probe.run(Probe.Hands(), "drop verify.request tx1 #1")
    let fault = try #require(record.timeline.entries.first { $0.participant == .fault })
    #expect(fault.text == "drop verify.request tx1 #1")
    #expect(fault.note.hasPrefix("F40 "))
    #expect(fault.position == 0)
    let facts = record.timeline.entries.filter { $0.position > 0 }
    #expect(facts.map(\.position) == Array(1...record.facts.count))
    #expect(
      record.timeline.entries.filter { $0.participant == .network }.map(\.position).max() ?? 0 == 0)
  }

  @Test("A text is broken between words at no more than so many characters")
  func wrapping() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one two three".wrapped(to: 6) == ["one", "two", "three"])
    #expect("one two three".wrapped(to: 13) == ["one two three"])
    #expect("overlong a b".wrapped(to: 3) == ["overlong", "a b"])
    #expect("  one \n two ".wrapped(to: 80) == ["one two"])
    #expect("".wrapped(to: 80) == [""])
  }
}

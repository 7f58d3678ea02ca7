import Invariants
import Testing

@Suite("I26: prompts for the password")
struct PromptTests {
  @Test("Two prompts hold, and a third breaks the rule")
  func third() {
    var history = History()
    history.launch()
    history.ask()
    history.end()
    history.launch()
    history.ask()
    #expect(history.outcome(of: "I26") == .holds)
    history.end()
    history.launch()
    history.ask()
    #expect(history.outcome(of: "I26") == .broken(by: .asked))
  }

  @Test("A tap on the phone that asks explains two more prompts")
  func tapped() {
    var history = History()
    history.launch()
    history.ask()
    history.ask()
    _ = history.tap()
    history.ask()
    history.ask()
    #expect(history.outcome(of: "I26") == .holds)
    history.ask()
    #expect(history.outcome(of: "I26") == .broken(by: .asked))
  }

  @Test("A tap on one phone explains no prompt on another")
  func elsewhere() {
    var history = History()
    history.launch()
    history.launch(.tablet)
    history.ask(on: .tablet)
    history.ask(on: .tablet)
    _ = history.tap()
    history.ask()
    #expect(history.outcome(of: "I26") == .holds)
    history.ask(on: .tablet)
    #expect(history.outcome(of: "I26") == .broken(by: .asked))
  }

  @Test("A restore that the person asked for is explained, and explains two more prompts")
  func restored() {
    var history = History()
    history.launch()
    for _ in 1...3 { history.ask(for: .alice) }
    history.ask()
    history.ask()
    history.ask(for: .bob)
    history.ask()
    history.ask()
    #expect(history.outcome(of: "I26") == .holds)
    history.ask()
    #expect(history.outcome(of: "I26") == .broken(by: .asked))
  }

  @Test("Prompts before the heal are not counted")
  func beforeTheHeal() {
    var history = History(heal: 1000)
    history.launch()
    for _ in 1...5 { history.ask() }
    history.wait(1000)
    history.ask()
    history.ask()
    #expect(history.outcome(of: "I26") == .holds)
    history.ask()
    #expect(history.outcome(of: "I26") == .broken(by: .asked))
  }
}

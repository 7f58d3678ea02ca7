import ChaosStore
import Testing

@Suite("Two recordings")
struct DivergenceTests {
  private let scenario: Scenario
  private let listing: TraceListing
  private let lines: [String]

  init() throws {
    scenario = try Stage.one("receipt-store")
    listing = TraceListing(Simulation(scenario).record(seed: 1), of: scenario)
    lines = listing.lines.map(\.text)
  }

  @Test("Two recordings of one run do not differ")
  func same() {
    let record = Simulation(scenario).record(seed: 1)
    #expect(record.divergence(from: Simulation(scenario).record(seed: 1), of: scenario) == nil)
    #expect(Divergence(listing, lines) == nil)
  }

  @Test(
    "Recordings of two runs differ from an event on, which is named with what was decided before")
  func different() throws {
    let simulation = Simulation(scenario)
    let quiet = simulation.record(seed: nil)
    let lost = simulation.record(
      seed: nil, plan: try Plan(parsing: "delay store.charge tx1 = 300ms, drop verify.request tx1"))
    let listing = TraceListing(lost, of: scenario)
    let divergence = try #require(lost.divergence(from: quiet, of: scenario))
    #expect(divergence == Divergence(listing, TraceListing(quiet, of: scenario).lines.map(\.text)))
    #expect(divergence.event == 1)
    #expect(divergence.one?.hasPrefix("decides delay store.charge tx1 #1 = 300ms") == true)
    #expect(divergence.decisions.isEmpty)
  }

  @Test("Two recordings whose events differ part at the first such event")
  func event() throws {
    let place = try #require(listing.lines.lastIndex { $0.text.contains(" reply ") })
    var other = lines
    other[place] = other[place].replacing("reply", with: "timer")
    let divergence = try #require(Divergence(listing, other))
    #expect(divergence.event == listing.lines[place].event)
    #expect(divergence.one?.contains("ms reply tx1 0x") == true)
    #expect(divergence.other?.contains("ms timer tx1 0x") == true)
    let decided = listing.lines[..<place].filter { $0.text.contains("decides ") }
    #expect(decided.count > 3)
    #expect(divergence.decisions == decided.suffix(8))
  }

  @Test("Two recordings part at the event during which only one of them did something")
  func fact() throws {
    let place = try #require(listing.lines.firstIndex { $0.text.contains("fact charged") })
    var fewer = lines
    fewer.remove(at: place)
    let missing = try #require(Divergence(listing, fewer))
    #expect(missing.event == listing.lines[place].event)
    #expect(missing.one?.hasPrefix("fact charged: transaction tx1") == true)
    let next = try #require(
      listing.lines.indices.first { $0 > place && listing.lines[$0].event > missing.event })
    var more = lines
    more.insert("   fact refunded", at: next)
    let added = try #require(Divergence(listing, more))
    #expect(added.event == missing.event)
    #expect(added.other == "fact refunded")
  }

  @Test("Two recordings of which one is longer part after the last event of the shorter one")
  func shorter() throws {
    let last = try #require(listing.lines.last?.event)
    let divergence = try #require(Divergence(listing, Array(lines.dropLast())))
    #expect(divergence.event == last)
    #expect(divergence.one?.hasPrefix("end ") == true)
    #expect(divergence.other == nil)
    #expect(Divergence(listing, lines + ["   99"])?.one == nil)
  }

  @Test("Where two recordings part, no more than the latest eight decisions are named")
  func fewDecisions() throws {
    let scenario = try Stage.mixed("receipt-store")
    let listing = TraceListing(Simulation(scenario).record(seed: 1), of: scenario)
    let decided = listing.lines.filter { $0.text.contains("decides ") }
    #expect(decided.count > 8)
    let divergence = try #require(Divergence(listing, listing.lines.dropLast().map(\.text)))
    #expect(divergence.decisions == decided.suffix(8))
  }
}

import ChaosStore
import Invariants

/// What `trace --format json` prints.
struct TraceDocument: Encodable {
  var version = Runner.version
  var runs: [Run]

  init(_ result: TraceResult, hasLines: Bool) {
    var runs: [Run] = []
    result.eachRun { runs.append(Run($0, hasLines: hasLines)) }
    self.runs = runs
  }

  struct Run: Encodable {
    var scenario: String
    var seed: String?
    var traceHash: String
    /// Left out where only hashes were asked for.
    var lines: [Line]?

    init(_ run: TraceResult.Run, hasLines: Bool) {
      scenario = run.scenario.name
      seed = run.origin.seed.map(SeedText.text)
      traceHash = TraceListing.text(hash: run.hash)
      lines = hasLines ? run.listing?.lines.map(Line.init) : nil
    }
  }

  struct Line: Encodable {
    var event: Int
    var millis: Int64
    var kind: String?
    var about: String?
    var trace: String?
    var numbers: String?
    var decision: String?
    var saying: String?
    var fact: String?
    var end: String?

    init(_ line: TraceListing.Line) {
      event = line.event
      millis = line.at.millis
      switch line.content {
      case .event(let kind, let about, let trace, let numbers):
        self.kind = kind
        self.about = about
        self.trace = TraceListing.text(hash: trace)
        self.numbers = numbers
      case .decision(let decision): self.decision = decision.description
      case .saying(let words): saying = words
      case .fact(let fact): self.fact = fact
      case .end(let end): self.end = end
      }
    }
  }
}

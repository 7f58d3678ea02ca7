import ChaosStore
import Invariants

/// What `verify-determinism` prints.
struct VerificationReport {
  private let verification: Verification
  private let paste: PasteLine

  init(_ verification: Verification, paste: PasteLine) {
    self.verification = verification
    self.paste = paste
  }

  func text(width: Int, style: Style) -> String {
    let verification = verification
    var blocks = [compared(width)]
    blocks += verification.deviations.map { deviation($0, width, style) }
    if let failure = verification.secondFailure {
      blocks.append(
        String.hanging("NOT COMPARED  ", "the second process: \(failure)", width: width)
          .map { style($0, .redBold) })
    }
    if verification.isInterrupted { blocks.append([style("Interrupted.", .redBold)]) }
    blocks.append(
      verdict.wrapped(to: width).map { style($0, verification.isFine ? .green : .redBold) })
    if !verification.deviations.isEmpty { blocks.append(advice(width)) }
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func compared(_ width: Int) -> [String] {
    let runs = verification.runs
    let seeds = verification.seeds
    let title =
      "\(verification.scenarios.count.of("scenario")) under \(seeds.count.of("seed")), "
      + "\(SeedText.text(seeds.lowerBound)) to \(SeedText.text(seeds.upperBound - 1)); "
      + "each run was compared with the same run"
    let ways: [(Verification.Way, String)] = [
      (
        .again,
        "\((runs[.again] ?? 0).of("run")), and \(verification.pairs.of("pair")) of recordings "
          + "event by event"
      ), (.process, (runs[.process] ?? 0).of("run")), (.threads, (runs[.threads] ?? 0).of("run")),
    ]
    return title.wrapped(to: width)
      + ways.map { way, text in "  " + name(way).padded(to: 24) + text }
  }

  private func name(_ way: Verification.Way) -> String {
    switch way {
    case .again: way.place
    case .process: way.place
    case .threads: "on \(verification.jobs) threads"
    }
  }

  private func deviation(_ deviation: Verification.Deviation, _ width: Int, _ style: Style)
    -> [String]
  {
    let name = "\(deviation.scenario.name) under seed \(SeedText.text(deviation.seed))"
    let event = deviation.difference.divergence.map { ", at event \($0.event)" } ?? ""
    var lines = [style("DIFFERENT  \(name), \(self.name(deviation.way))\(event)", .redBold)]
    if let divergence = deviation.difference.divergence {
      for (head, side) in [("  one    ", divergence.one), ("  other  ", divergence.other)] {
        lines += String.hanging(head, side ?? "nothing more", width: width)
      }
      lines.append(
        divergence.decisions.isEmpty
          ? "  Nothing was decided before it." : "  Decided before it, the latest last")
      lines += divergence.decisions.compactMap(Self.decision)
    } else {
      lines += String.hanging("  ", deviation.difference.note, width: width)
      lines.append("  Recordings do not show where.")
    }
    return lines + ["  " + paste.trace(deviation.scenario, seed: deviation.seed)]
  }

  private static func decision(_ line: TraceListing.Line) -> String? {
    guard case .decision(let decision) = line.content else { return nil }
    return "    event \(line.event) at \(line.at.millis) ms: \(decision)"
  }

  private var differing: Int {
    verification.scenarios.count { scenario in
      verification.deviations.contains { $0.scenario.name == scenario.name }
    }
  }

  private var verdict: String {
    if verification.isFine { return "All equal: each run is decided by its seed." }
    let all = verification.scenarios.count.of("scenario")
    return differing == 0
      ? "No two runs differ, but not all were compared."
      : "Runs came out differently in \(differing) of \(all)."
  }

  private func advice(_ width: Int) -> [String] {
    let text =
      "A run must follow from its seed and nothing else. Look for what is gone through in no "
      + "fixed order (Dictionary, Set), for clocks and dates, random numbers, UUID(), Hasher and "
      + "hashValue, and for what one run leaves to the next or shares with one on another thread "
      + "(static and global variables, caches, files)."
    return text.wrapped(to: width)
  }
}

extension Verification.Way {
  /// Where or how, for a sentence.
  var place: String {
    switch self {
    case .again: "again in this process"
    case .process: "in a second process"
    case .threads: "on several threads"
    }
  }
}

// MARK: - For machines

extension VerificationReport {
  var json: String { JSONReporter.text(Document(verification, paste, differing: differing)) }

  private struct Document: Encodable {
    var version = Runner.version
    var verdict: String
    var scenarios: Int
    var seeds: String
    var threads: Int
    var runs: [String: Int]
    var recordedPairs: Int
    var deviations: [DeviationPart]
    /// Why not all was compared; left out where it was.
    var notCompared: String?
    var interrupted: Bool?

    init(_ verification: Verification, _ paste: PasteLine, differing: Int) {
      verdict = verification.isFine ? "equal" : differing > 0 ? "different" : "not-compared"
      scenarios = verification.scenarios.count
      seeds =
        SeedText.text(verification.seeds.lowerBound) + "..<"
        + SeedText.text(verification.seeds.upperBound)
      threads = verification.jobs
      runs = [:]
      for way in Verification.Way.allCases { runs[way.rawValue] = verification.runs[way] ?? 0 }
      recordedPairs = verification.pairs
      deviations = verification.deviations.map { DeviationPart($0, paste) }
      notCompared = verification.secondFailure
      interrupted = verification.isInterrupted ? true : nil
    }
  }

  private struct DeviationPart: Encodable {
    var scenario: String
    var seed: String
    var way: String
    var event: Int?
    var one: String?
    var other: String?
    var decidedBefore: [String]?
    var note: String?
    var reproduce: String

    init(_ deviation: Verification.Deviation, _ paste: PasteLine) {
      scenario = deviation.scenario.name
      seed = SeedText.text(deviation.seed)
      way = deviation.way.rawValue
      event = deviation.difference.divergence?.event
      one = deviation.difference.divergence?.one
      other = deviation.difference.divergence?.other
      decidedBefore = deviation.difference.divergence?.decisions.compactMap(
        VerificationReport.decision
      )
      .map { String($0.drop { $0 == " " }) }
      note = deviation.difference.divergence == nil ? deviation.difference.note : nil
      reproduce = paste.trace(deviation.scenario, seed: deviation.seed)
    }
  }
}

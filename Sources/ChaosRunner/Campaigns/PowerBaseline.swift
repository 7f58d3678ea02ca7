import ChaosStore
import Foundation

/// What `power` measured before, to see whether it got worse.
struct PowerBaseline {
  private let document: PowerDocument

  /// `strategies` are those that a measurement may name.
  init(
    _ path: String, among strategies: [any Strategy], on console: Console
  ) throws(Failure) {
    let text: String?
    do { text = try console.read(path) } catch {
      throw .noVerdict("\(path) cannot be read: \(error)")
    }
    guard let text else { throw .noVerdict("there is no file '\(path)'") }
    do {
      document = try JSONDecoder().decode(PowerDocument.self, from: Data(text.utf8))
    } catch {
      throw .noVerdict(
        "\(path) is not what 'power --format json' prints: \(Self.reason(error))")
    }
    if let problem = Self.problem(document, strategies.map(\.name)) {
      throw .noVerdict("\(path): \(problem)")
    }
  }

  /// What is no longer found, needs many more runs, or is no longer made as small.
  func drops(in rows: [PowerResult.Row]) -> [String] {
    var drops: [String] = []
    for old in document.mutants {
      guard let row = rows.first(where: { $0.target.name == old.name }) else {
        drops.append("\(old.name) was not run")
        continue
      }
      for before in old.strategies where before.found == before.starts {
        guard let now = row.trials.first(where: { $0.strategy == before.name }) else { continue }
        let what = "\(old.name) by \(before.name)"
        if !now.isFound {
          drops.append("\(what): found by \(now.found) of \(now.starts.count) starts, was by all")
        } else if now.medianRuns
          > before.medianRuns * PowerCommand.slack + PowerCommand.slackRuns
        {
          drops.append(
            "\(what): \(now.medianRuns.grouped) runs to find it, was \(before.medianRuns.grouped)")
        } else if let size = now.size, let was = before.size, size > was {
          drops.append("\(what): shrunk to \(size.of("decision")), was \(was.grouped)")
        }
      }
    }
    return drops
  }

  // MARK: - What a file may say

  /// More than anybody measures, and small enough to reckon with.
  private static let most = 1 << 40

  /// Where it says what cannot have been measured: the key path, what was found and what was expected.
  private static func problem(_ document: PowerDocument, _ known: [String]) -> String? {
    for (index, mutant) in document.mutants.enumerated() {
      let path = "mutants[\(index)]"
      if let twin = document.mutants[..<index].firstIndex(where: { $0.name == mutant.name }) {
        return "\(path).name: found '\(mutant.name)', expected a name that no other has; "
          + "mutants[\(twin)] has it"
      }
      for (place, part) in mutant.strategies.enumerated() {
        let path = "\(path).strategies[\(place)]"
        guard known.contains(part.name) else {
          return "\(path).name: found '\(part.name)', expected one of "
            + known.joined(separator: ", ") + suggestion(for: part.name, among: known)
        }
        if let twin = mutant.strategies[..<place].firstIndex(where: { $0.name == part.name }) {
          return "\(path).name: found '\(part.name)' a second time, expected each strategy once; "
            + "strategies[\(twin)] has it"
        }
        let numbers = [
          ("starts", part.starts, 1...1000), ("found", part.found, 0...max(0, part.starts)),
          ("medianRuns", part.medianRuns, 0...most), ("size", part.size ?? 0, 0...most),
        ]
        for (key, number, range) in numbers where !range.contains(number) {
          let expected =
            range.upperBound == most ? "0 or more" : "\(range.lowerBound) to \(range.upperBound)"
          return "\(path).\(key): found \(number), expected \(expected)"
        }
        guard part.medianMillis >= 0, part.medianMillis.isFinite else {
          return "\(path).medianMillis: found \(part.medianMillis), expected 0 or more"
        }
      }
    }
    return nil
  }

  /// What the decoder says, with the key path it says it of.
  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    func at(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + (key.map { [$0] } ?? [])).reduce("") { path, key in
        if let index = key.intValue { return "\(path)[\(index)]" }
        return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
      }
      return path.isEmpty ? "the file" : path
    }
    return switch error {
    case .keyNotFound(let key, let context): "\(at(context, key)): found nothing, expected a value"
    case .typeMismatch(let type, let context):
      "\(at(context)): found another type, expected \(type)"
    case .valueNotFound(let type, let context): "\(at(context)): found null, expected \(type)"
    case .dataCorrupted(let context): "\(at(context)): \(context.debugDescription)"
    @unknown default: error.localizedDescription
    }
  }
}

import Foundation

/// What `--format json` printed of a campaign, as far as two of them are compared.
struct ResultsFile: Decodable {
  struct Scenario: Decodable {
    var name: String
    var runs: Int
    var verdict: String
    var violations: [Violation]
    var neverStruck: [String]
    var search: Search?
  }

  struct Violation: Decodable {
    var invariant: String
    var standing: String
    var runs: Int
    var reproduce: String
  }

  struct Search: Decodable {
    var provenSize: Int?
    var goals: [String: Int]
    var judged: [String: Int]
    var coverage: [String: [String: Int]]
  }

  struct Regressions: Decodable {
    struct File: Decodable {
      var file: String
      var standing: String
    }

    var files: [File]
  }

  var version: String
  var verdict: String
  var regressions: Regressions?
  var scenarios: [Scenario]

  /// Reads a file, and says what is wrong with one that is no such result.
  init(_ path: String, on console: Console) throws(Failure) {
    let text: String?
    do { text = try console.read(path) } catch {
      throw .noVerdict("\(path) cannot be read: \(error)")
    }
    guard let text else { throw .noVerdict("there is no file '\(path)'") }
    do { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch {
      throw .noVerdict(
        "\(path): \(DecodingComplaint(error)); expected what 'run --format json' or --report writes"
      )
    }
    var names = Set<String>()
    for scenario in scenarios where !names.insert(scenario.name).inserted {
      throw .noVerdict("\(path): found two scenarios called '\(scenario.name)', expected one")
    }
  }
}

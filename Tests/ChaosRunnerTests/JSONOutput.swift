import ChaosStore
import Foundation

/// The JSON of a run, read back.
struct JSONOutput: Decodable, Equatable {
  struct Scenario: Decodable, Equatable {
    var name: String
    var system: String
    var backend: String
    var variant: String
    var runs: Int
    var events: Int
    var simulatedMillis: Int
    var expected: [String]
    var allowed: [String]
    var verdict: String
    var violations: [Violation]
    var neverStruck: [String]
    var traceHash: String?
  }

  struct Violation: Decodable, Equatable {
    var invariant: String
    var runs: Int
    var firstSeed: String?
    var plan: [PlannedDecision]
    var reproduce: String
    var clusters: [Cluster]?
    var notMadeSmaller: String?
  }

  struct Cluster: Decodable, Equatable {
    var size: Int
    var seeds: Int
    var isMinimal: Bool
    var smaller: String?
    var smallerPlansRun: Int?
  }

  struct PlannedDecision: Decodable, Equatable {
    var question: String
    var subject: String
    var occurrence: Int
    var answer: Answer?

    enum Answer: Decodable, Equatable {
      case number(Int)
      case word(String)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          self = .number(number)
        } else {
          self = .word(try container.decode(String.self))
        }
      }
    }

    var decision: Decision {
      get throws {
        let value =
          switch answer {
          case nil: ""
          case .number(let number): " = \(number)"
          case .word(let word): " = \(word)"
          }
        return try Decision(parsing: "\(question) \(subject) #\(occurrence)\(value)")
      }
    }
  }

  var version: String
  var verdict: String
  var runs: Int
  var events: Int
  var seconds: Double
  var scenarios: [Scenario]

  init(_ output: Bench.Output) throws {
    self = try JSONDecoder().decode(JSONOutput.self, from: Data(output.out.utf8))
  }
}

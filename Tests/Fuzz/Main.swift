import ChaosStore
import Foundation

/// Throws hostile inputs at whatever reads what people write.
///
/// Each case is made from the seed and its number alone, read in a process of its own, and must be
/// taken or refused with a message: no trap, no hang, no nonsense accepted. What is accepted is
/// written, read again and run.
@main
struct Main {
  static let usage = """
    usage: chaos-fuzz [--seed S] [--count N] [--seconds T] [--findings FOLDER] [--as-found]
           chaos-fuzz [--seed S] --case N          one case again, and what it is made of
           chaos-fuzz --surface NAME --input FILE  an input that was kept
    Run it in the folder of scenarios.json. Exit: 0 nothing found, 1 something, 64 bad usage.
    surfaces: \(Surface.allCases.map(\.rawValue).joined(separator: ", "))

    """

  var seed: UInt64 = 1
  var count = 1_000_000
  var seconds = 3600.0
  var folder = ".build-fuzz"
  var single: Int?
  var surface: Surface?
  var input: String?
  var makesSmall = true
  var isWorker = false
  var from = 0

  static func main() {
    do {
      guard let main = Main(CommandLine.arguments.dropFirst()) else {
        complain(usage)
        exit(64)
      }
      exit(try main.run())
    } catch {
      complain("chaos-fuzz: \(error)\n")
      exit(2)
    }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  private init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let word = rest.popFirst() {
      if word == "--as-found" {
        makesSmall = false
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch word {
      case "--seed": guard take(try? SeedText.seed(value), into: &seed) else { return nil }
      case "--count", "--to": guard take(Int(value), into: &count) else { return nil }
      case "--from": guard take(Int(value), into: &from) else { return nil }
      case "--seconds": guard take(Double(value), into: &seconds) else { return nil }
      case "--findings": folder = value
      case "--worker":
        folder = value
        isWorker = true
      case "--case": guard take(Int(value), into: &single) else { return nil }
      case "--surface": guard take(Surface(rawValue: value), into: &surface) else { return nil }
      case "--input": input = value
      default: return nil
      }
    }
    if input != nil, surface == nil { return nil }
  }

  private func take<Value>(_ value: Value?, into place: inout Value) -> Bool {
    if let value { place = value }
    return value != nil
  }

  private func take<Value>(_ value: Value?, into place: inout Value?) -> Bool {
    place = value
    return value != nil
  }

  private func run() throws -> Int32 {
    if isWorker {
      try Worker(seed: seed).run(
        cases: from..<max(from, count), board: Board("\(folder)/.board"),
        findings: "\(folder)/.findings")
      return 0
    }
    if let input, let surface {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: input))
      return try Worker(seed: seed).examine(Array(bytes), surface)
    }
    if let single {
      let worker = try Worker(seed: seed)
      let (surface, bytes) = Surface.input(case: single, seed: seed, worker.corpus)
      print("\(surface.rawValue), \(bytes.count) bytes:")
      print(String(decoding: bytes.prefix(20_000), as: UTF8.self).debugDescription)
      return worker.examine(bytes, surface)
    }
    return try campaign()
  }

  private func campaign() throws -> Int32 {
    // Whatever it cannot read is said here and not by a worker.
    _ = try Corpus()
    // At once, whoever reads it: what comes next may take long.
    let opening = "chaos-fuzz --seed \(SeedText.text(seed)) --count \(count)\n"
    FileHandle.standardOutput.write(Data(opening.utf8))
    let supervisor = try Supervisor(seed: seed, folder: folder)
    let start = ContinuousClock.now
    let done = try supervisor.run(cases: 0..<count, seconds: seconds)
    let took = (ContinuousClock.now - start) / .seconds(1)
    try supervisor.saveInputs(smallest: makesSmall)
    print(supervisor.table)
    for mistake in supervisor.mistakes {
      print(
        """

        \(mistake.kind)
          in \(mistake.surface.rawValue), \(mistake.times) times, first in case \(mistake.number)
          \(mistake.detail.split(separator: "\n").first ?? "")
          again: chaos-fuzz --seed \(SeedText.text(seed)) --case \(mistake.number)
          input: chaos-fuzz --surface \(mistake.surface.rawValue) --input \(mistake.file)
        """)
    }
    let mistakes = supervisor.mistakes.count
    print("\n\(done) inputs in \(Int(took)) s, \(mistakes == 0 ? "nothing" : "\(mistakes)") found")
    return mistakes == 0 ? 0 : 1
  }
}

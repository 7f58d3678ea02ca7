import ChaosStore
import Foundation
import Synchronization

/// A call of the program with nothing real around it: files, output and interruption are handed in.
///
/// The fuzzer makes hostile ones.
package struct Rehearsal: Sendable {
  /// What a call came to.
  package struct Outcome: Sendable {
    package var code: Int32
    package var out: String
    package var err: String
    /// What was written, by path.
    package var written: [String: String]
  }

  /// The content of each file by its path; bytes that are no text cannot be read.
  package var files: [String: [UInt8]]
  /// How often the program may ask whether it was interrupted until it was.
  package var patience: Int
  /// Only this planted defect is searched for by `power`.
  package var defect = ""

  /// A call among these files that is interrupted when it has asked so often.
  package init(files: [String: [UInt8]], patience: Int = .max) {
    self.files = files
    self.patience = patience
  }

  /// Does what a command line says.
  package func run(_ arguments: [String]) -> Outcome {
    let out = Mutex("")
    let err = Mutex("")
    let written = Mutex<[String: String]>([:])
    let asked = Atomic(0)
    let start = ContinuousClock.now
    let (files, patience) = (files, patience)
    let console = Console(
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } },
      isInterrupted: {
        asked.add(1, ordering: .relaxed).newValue > patience
          || ContinuousClock.now - start > .milliseconds(200)
      },
      read: { path in
        guard let bytes = files[path] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw CocoaError(.fileReadInapplicableStringEncoding)
        }
        return text
      },
      list: { folder in
        let names = files.keys.filter { $0.hasPrefix(folder + "/") }
        return names.isEmpty ? nil : names.map { String($0.dropFirst(folder.count + 1)) }.sorted()
      },
      write: { text, path in written.withLock { $0[path] = text } })
    let environment = RunnerEnvironment(
      systems: BuiltIn.systems, targets: Self.targets.filter { $0.name == defect })
    let code = Runner.run(arguments: arguments, in: environment, on: console)
    return Outcome(
      code: code, out: out.withLock { $0 }, err: err.withLock { $0 },
      written: written.withLock { $0 })
  }

  private static let targets = Target.builtIn
}

import ChaosStore
import Foundation
import Synchronization

@testable import ChaosRunner

/// Runs `new` over files in a folder of their own.
enum NewPackages {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct Output {
    let exitCode: Int32
    let output: String
    let errors: String
  }

  static func new(
    _ words: [String], files: [String: String], body: (String, Output) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "new-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      let place = URL(fileURLWithPath: "\(folder)/\(name)")
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: place, atomically: true, encoding: .utf8)
    }
    let out = Mutex("")
    let errors = Mutex("")
    let code = Runner.run(
      arguments: ["new"] + words.map { $0.replacing("IN/", with: folder + "/") }
        + ["--into", "\(folder)/out", "--chaosstore", root.path],
      in: RunnerEnvironment(
        systems: BuiltIn.systems, strategies: Strategies.all, reporters: Reporters.builtIn,
        program: "chaos-runner", secondProcess: { _ in nil }, secondProcessReading: { _, _ in nil }),
      on: Console(
        out: { text in out.withLock { $0 += text } },
        err: { text in errors.withLock { $0 += text } }, width: 200))
    let output = Output(
      exitCode: code, output: out.withLock { $0 }, errors: errors.withLock { $0 })
    try body("\(folder)/out", output)
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  static let store = """
    import StoreKit
    final class Store {
      let ids = ["com.example.pro"]
      func buy(_ id: String) async throws {
        guard let product = try await Product.products(for: ids).first else { return }
        _ = try await product.purchase()
      }
      func load() { Ledger().open() }
    }
    """
}

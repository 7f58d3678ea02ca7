import Foundation

/// Runs the program itself, as a line of bash in which `$RUNNER` is its path.
///
/// The line stands in an empty folder of its own, `$ROOT` is this package.
struct Shell {
  var code: Int32
  var out: String
  var err: String
  /// The files of the folder afterwards, by path.
  var files: [String: String]

  /// A small scenario whose violations nobody expects.
  static let unexpected = """
    {"version": 1, "scenarios": [{
      "name": "s", "system": "storekit2-order-token", "backend": "naive", "seeds": 20,
      "steps": [{"at": 0, "device": "phone1", "buy": "coins"}], "faults": {"app-crash": "1/4"}}]}
    """

  /// One world of so many purchases that a run of it has a few million events.
  static let large = """
    {"version": 1, "scenarios": [{
      "name": "large", "system": "checkout-benchmark", "backend": "idempotent", "seeds": 1,
      "accounts": 50, "storeAccounts": 50, "devices": 50,
      "arrivals": {"count": 60000, "over": "24h"}, "heal": "87000s", "horizon": "88000s",
      "reopenEvery": "never", "eventLimit": 60000000,
      "faults": {"request-lost": "1/10", "response-lost": "1/10"}}]}
    """

  /// One purchase whose report is lost and sent again for years: tens of millions of events.
  static let endless = """
    {"version": 1, "scenarios": [{
      "name": "endless", "system": "checkout-benchmark", "backend": "idempotent", "seeds": 20,
      "steps": [{"at": 0, "device": "phone1", "buy": "coins"}],
      "heal": "136000000s", "horizon": "137000000s", "reopenEvery": "never",
      "eventLimit": 60000000, "faults": {"request-lost": "1"},
      "invariants": ["no-double-credit"]}]}
    """

  /// The program was not built where these tests were, as with `--product ChaosStorePackageTests`.
  struct NoProgram: Error {
    var path: String
  }

  init(_ line: String, files: [String: String] = [:]) throws {
    // A line that waits for what it could not start would wait for ever.
    guard FileManager.default.isExecutableFile(atPath: Self.runner) else {
      throw NoProgram(path: Self.runner)
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("chaos-runner-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    // Files and not pipes: whatever a line leaves running cannot keep the test waiting.
    let streams = folder.appendingPathExtension("streams")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: streams) }
    let out = streams.appendingPathComponent("out")
    let err = streams.appendingPathComponent("err")
    for file in [out, err] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Whatever goes wrong, nothing is left running.
    process.arguments = ["-c", "ulimit -t 30; " + line]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["RUNNER"] = Self.runner
    environment["ROOT"] = Self.root
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    code = process.terminationStatus
    self.out = try String(contentsOf: out, encoding: .utf8)
    self.err = try String(contentsOf: err, encoding: .utf8)
    self.files = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      let text = try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      self.files[path] = text ?? ""
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Beside the tests, where the build put it.
  private static var runner: String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      }
    #endif
    if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      folder = bundle.bundleURL.deletingLastPathComponent()
    }
    return folder.appendingPathComponent("chaos-runner").path
  }
}

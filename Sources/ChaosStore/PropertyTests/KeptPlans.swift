import Foundation

/// The plan files beside a test's source file.
///
/// A file belongs to the function its name begins with, and to the scenario it names, or to another
/// of the same model: a scenario may be renamed.
struct KeptPlans {
  struct Entry {
    /// The end of the file's path.
    var path: String
    var file: PlanFile
  }

  let place: TestPlace

  /// The files of a scenario, by name.
  func entries(for scenario: Scenario) throws(PropertyError) -> [Entry] {
    var entries: [Entry] = []
    for name in try names() {
      guard name.hasPrefix(place.function.asFileName + ".") else {
        try refuseOrphan(name)
        continue
      }
      var file = try read(name)
      let model = Model(of: scenario, followsSeed: file.seed != nil)
      guard file.scenario == scenario.name || file.model == model else { continue }
      if file.scenario != scenario.name, !scenario.judges(file) { continue }
      file.scenario = scenario.name
      entries.append(Entry(path: place.shortPath(name), file: file))
    }
    return entries
  }

  /// Writes a file and returns the end of its path.
  func save(_ file: PlanFile) throws -> String {
    let name = "\(place.function.asFileName).\(file.fileName)"
    try FileManager.default.createDirectory(
      atPath: place.folder, withIntermediateDirectories: true)
    try Data(file.json.utf8).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
    return place.shortPath(name)
  }

  // MARK: -

  private func path(_ name: String) -> String { "\(place.folder)/\(name)" }

  private func names() throws(PropertyError) -> [String] {
    guard FileManager.default.fileExists(atPath: place.folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: place.folder)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .noVerdict("the folder \(place.folder) cannot be listed")
    }
  }

  private func read(_ name: String) throws(PropertyError) -> PlanFile {
    guard let text = try? String(contentsOfFile: path(name), encoding: .utf8) else {
      throw .noVerdict("\(place.shortPath(name)) cannot be read as text")
    }
    do { return try PlanFile(json: text) } catch {
      throw .noVerdict("\(place.shortPath(name)): \(error)")
    }
  }

  /// A file whose function is gone is replayed by nobody, and nobody would notice.
  private func refuseOrphan(_ name: String) throws(PropertyError) {
    let function = String(name.prefix { $0 != "." })
    guard let source = try? String(contentsOfFile: place.filePath, encoding: .utf8),
      !Self.names(in: source).contains(function)
    else { return }
    throw PropertyError(
      kind: .stale,
      message:
        "\(place.shortPath(name)) belongs to a test '\(function)', and \(place.fileName) has "
        + "no such name: give the file the name that the test has now, or delete it")
  }

  /// Every name in a source, plain or between backticks, as a file name has it.
  private static func names(in source: String) -> Set<String> {
    let plain = source.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let raw = source.split(whereSeparator: \.isNewline).flatMap { line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
    }
    return Set((plain + raw).map { String($0).asFileName })
  }
}

extension Scenario {
  /// Whether what a file is about is judged here.
  fileprivate func judges(_ file: PlanFile) -> Bool {
    guard case .violates(let name) = file.expectation else { return true }
    return invariants.contains { $0.goes(by: name) }
  }
}

import ChaosStore

/// The plan files beside a scenario file, which every `run` replays first.
struct RegressionFolder {
  static let name = "regressions"

  let path: String
  private let console: Console

  /// Beside the file in use, or beside where it would be.
  init(_ source: ScenarioSource, _ console: Console) {
    path = source.regressions
    self.console = console
  }

  /// The plan files of the folder, by name.
  func files() throws(Failure) -> [String] {
    do {
      let names = try console.list(path) ?? []
      return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        .map { path + "/" + $0 }
    } catch {
      throw .noVerdict("the folder \(path) cannot be listed: \(error)")
    }
  }

  /// Replays those whose scenarios match a pattern, and says of those it cannot read that it cannot.
  /// Stops where it is told to, and says how many are left.
  func replay(
    among scenarios: [Scenario], _ patterns: [String] = [], cancellation: Cancellation,
    progress: Progress
  ) throws(Failure) -> Regressions {
    var regressions = Regressions()
    let files = try files()
    for (index, path) in files.enumerated() {
      progress.begin(index + 1, of: files.count, path)
      if cancellation.isRequested {
        regressions.left = files.count - index
        break
      }
      let file: PlanFile
      do { file = try Self.read(path, console) } catch {
        regressions.all.append(Regression(path: path, result: .unreadable(error.description)))
        continue
      }
      guard patterns.isEmpty || patterns.contains(where: { file.scenario.matches(glob: $0) })
      else { continue }
      let replay = Replay(file, among: scenarios, cancellation: cancellation)
      if cancellation.isRequested {
        regressions.left = files.count - index
        break
      }
      regressions.all.append(Regression(path: path, result: .replayed(replay)))
    }
    return regressions
  }

  /// Reads one plan file.
  static func read(_ path: String, _ console: Console) throws(Unreadable) -> PlanFile {
    let text: String?
    do { text = try console.read(path) } catch {
      throw Unreadable(description: "it cannot be read: \(error)")
    }
    guard let text else { throw Unreadable(description: "there is no such file") }
    do { return try PlanFile(json: text) } catch {
      throw Unreadable(description: error.description)
    }
  }

  /// Why there is no plan file to replay.
  struct Unreadable: Error {
    var description: String
  }

  /// Where a plan file belongs.
  func path(for file: PlanFile) -> String { "\(path)/\(file.fileName)" }
}

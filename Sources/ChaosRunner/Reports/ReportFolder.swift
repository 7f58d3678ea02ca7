import ChaosStore
import Foundation

/// What `--report` writes: a page to look at, and the same for tools.
struct ReportFolder {
  private static let files: [(name: String, reporter: any Reporter)] = [
    ("index.html", HTMLReporter()), ("junit.xml", JUnitReporter()),
    ("results.sarif", SARIFReporter()), ("results.json", JSONReporter()),
    ("summary.md", SummaryReporter()),
  ]

  private let path: String

  init(_ path: String) throws(Failure) {
    guard !path.isEmpty else { throw .usage("--report: '' is no folder") }
    self.path = path.hasSuffix("/") ? path : path + "/"
  }

  /// Writes all files, and says where the page is.
  func write(
    _ result: CommandResult, _ options: ReportOptions, isQuiet: Bool, to console: Console
  ) throws(Failure) {
    for (name, reporter) in Self.files {
      var text = ""
      reporter.write(result, options) { text += $0 }
      text = reporter.escaping.written(text)
      do { try console.write(text, path + name) } catch {
        throw .noVerdict(
          "--report: '\(path)\(name)' cannot be written: \(error.localizedDescription)")
      }
    }
    if !isQuiet { console.err("a page of it is at \(path)index.html\n") }
  }
}

import ChaosSources
import Foundation

/// `chaos-sources FOLDER FILE…`: writes into a folder the text of each file as it is compiled on this platform.
///
/// The plugin of the same name calls it for every build. A file whose text is there already is left as it is.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first, arguments.count > 1 else {
      fail("usage: chaos-sources FOLDER FILE…", 64)
    }
    do {
      try write(Array(arguments.dropFirst()), to: URL(fileURLWithPath: folder))
    } catch let problem as PortableSource.Problem {
      fail("\(problem)", 1)
    } catch {
      fail("chaos-sources: error: \(error.localizedDescription)", 1)
    }
  }

  private static func write(_ paths: [String], to folder: URL) throws {
    let texts = try paths.map { try String(contentsOf: URL(fileURLWithPath: $0), encoding: .utf8) }
    #if canImport(ObjectiveC)
      let (hasObjectiveC, standIns) = (true, "")
    #else
      let (hasObjectiveC, standIns) = (false, PlatformSource.text)
    #endif
    let files = texts.map { SwiftText($0) }
    let edition = PortableSource(files, hasObjectiveC: hasObjectiveC)
    for (path, file) in zip(paths, files) {
      try store(edition.rewritten(file, path: path), path, folder)
    }
    try store(standIns, PlatformSource.name, folder)
  }

  private static func store(_ text: String, _ path: String, _ folder: URL) throws {
    // Two files of one name in a module would be taken for one another by `#fileID`.
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let place = folder.appending(path: "\(name).compiled.swift")
    if let known = try? String(contentsOf: place, encoding: .utf8), known == text { return }
    try text.write(to: place, atomically: true, encoding: .utf8)
  }

  private static func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }
}

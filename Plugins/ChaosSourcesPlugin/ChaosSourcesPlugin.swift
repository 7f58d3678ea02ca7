import Foundation
import PackagePlugin

/// Compiles an app's files where they lie, as a part of the target that has a `sources.txt`.
///
/// Each line of that file is the path of a source file, or of a folder of them, from the package's folder on; what
/// follows a `#` is a comment. On a platform without Objective-C a copy is compiled, in which what only Objective-C
/// has is put differently; the files themselves are never touched.
@main
struct ChaosSourcesPlugin: BuildToolPlugin {
  /// What lists the files.
  static let list = "sources.txt"

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let list = target.directoryURL.appending(path: Self.list)
    guard let text = try? String(contentsOf: list, encoding: .utf8) else {
      Diagnostics.error("\(list.path): there is no such file; it lists the app's source files")
      return []
    }
    let files = try sources(text, list.path, from: context.package.directoryURL)
    guard !files.isEmpty else {
      Diagnostics.error("\(list.path): no source file is listed")
      return []
    }
    let folder = context.pluginWorkDirectoryURL
    let outputs =
      (files.map { $0.deletingPathExtension().lastPathComponent } + ["ObjectiveCStandIns"])
      .map { folder.appending(path: "\($0).compiled.swift") }
    return [
      .buildCommand(
        displayName: "Reading \(files.count) source files of the app",
        executable: try context.tool(named: "chaos-sources").url,
        arguments: [folder.path] + files.map(\.path), inputFiles: files + [list],
        outputFiles: outputs)
    ]
  }

  private func sources(_ text: String, _ list: String, from package: URL) throws -> [URL] {
    var files: [URL] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let path = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
      guard !path.isEmpty else { continue }
      let place = URL(fileURLWithPath: path, relativeTo: package).standardizedFileURL
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) else {
        Diagnostics.error(
          "\(list):\(number + 1): there is no '\(path)'", file: list, line: number + 1)
        continue
      }
      files += isFolder.boolValue ? inside(place) : [place]
    }
    var names: [String: URL] = [:]
    for file in files {
      if let other = names.updateValue(file, forKey: file.lastPathComponent) {
        Diagnostics.error(
          "\(list): a module cannot have two files of one name: \(other.path) and \(file.path)")
      }
    }
    return files
  }

  private func inside(_ folder: URL) -> [URL] {
    let paths =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
  }
}

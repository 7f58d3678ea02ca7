import ChaosSources
import Foundation

/// The files of an app from which a test package is written.
struct AppSources {
  struct File {
    let path: String
    let text: String
  }

  private(set) var files: [File] = []
  /// Files that were looked at and not taken, and why.
  private(set) var leftOut: [(path: String, reason: String)] = []
  private(set) var storeKitFiles: [File] = []
  private(set) var resources: [String] = []
  /// A name for the module, from what was given.
  private(set) var name: String?
  /// Whether the files are written in the Swift 6 language mode.
  private(set) var isSwift6 = false

  /// Reads what somebody named: source files, folders, a Swift package, an Xcode project.
  init(_ paths: [String], target: String?, console: Console) throws(Failure) {
    var chosen: [String] = []
    var offered: [String] = []
    for path in paths {
      let plain = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      if plain.hasSuffix(".xcodeproj") {
        let project = try XcodeTarget(project: plain, name: target, console: console)
        offered += project.sources
        resources += project.resources.filter(Self.isResource)
        storeKitFiles += try project.resources.filter { $0.hasSuffix(".storekit") }
          .map { (path) throws(Failure) in try Self.file(path, console) }
        name = name ?? project.name
      } else if Self.isFolder(plain) {
        if FileManager.default.fileExists(atPath: plain + "/Package.swift") {
          let package = try SwiftPackageTarget(folder: plain, name: target)
          offered += package.sources
          resources += package.resources
          isSwift6 = package.isSwift6
          name = name ?? package.name
        } else {
          let inside = Self.inside(plain)
          let last = (plain as NSString).lastPathComponent
          if !Self.plainNames.contains(last.lowercased()) { name = name ?? last }
          offered += inside.filter { $0.hasSuffix(".swift") }
          resources += inside.filter(Self.isResource)
          for path in inside where path.hasSuffix(".storekit") {
            storeKitFiles.append(try Self.file(path, console))
          }
        }
      } else if plain.hasSuffix(".swift") {
        chosen.append(plain)
      } else if plain.hasSuffix(".storekit") {
        storeKitFiles.append(try Self.file(plain, console))
      } else {
        _ = try Self.file(plain, console)
        resources.append(plain)
      }
    }
    files = try chosen.map { (path) throws(Failure) in try Self.file(path, console) }
    try choose(among: offered.filter { !chosen.contains($0) }, console)
    guard !files.isEmpty else {
      throw .noVerdict(
        "no Swift file that imports StoreKit was found in \(paths.joined(separator: ", "))")
    }
    var names: [String: String] = [:]
    for file in files {
      let last = (file.path as NSString).lastPathComponent
      if let other = names.updateValue(file.path, forKey: last) {
        throw .noVerdict(
          "\(other) and \(file.path): a module cannot have two files of one name; name the files "
            + "that belong to purchases")
      }
    }
  }

  /// Folders that say nothing of the app in them.
  private static let plainNames: Set<String> = [
    "app", "sources", "source", "src", "lib", "code", "files", ".", "..", "ios",
  ]

  private static func isResource(_ path: String) -> Bool {
    [".plist", ".json", ".strings", ".xcstrings"].contains { path.hasSuffix($0) }
      && !path.hasSuffix("Info.plist")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  static func inside(_ folder: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return found.filter { path in
      !path.split(separator: "/").contains {
        $0.hasPrefix(".") || $0 == "Pods" || $0 == "DerivedData"
      }
    }.sorted().map { folder + "/" + $0 }
  }

  private static func file(_ path: String, _ console: Console) throws(Failure) -> File {
    do {
      guard let text = try console.read(path) else { throw Failure.usage("there is no '\(path)'") }
      return File(path: path, text: text)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .noVerdict("\(path): \(error)")
    }
  }

  // MARK: - Choosing

  private static let screens: Set<String> = [
    "SwiftUI", "UIKit", "AppKit", "Cocoa", "WatchKit", "WidgetKit",
  ]

  /// Takes those that use StoreKit, and those that declare what the taken ones name; screens stay where they are.
  private mutating func choose(among paths: [String], _ console: Console) throws(Failure) {
    var offered: [(file: File, text: SwiftText, declares: Set<String>)] = []
    for path in paths {
      let file = try Self.file(path, console)
      let survey = SourceSurvey([(file.path, file.text)])
      let names = survey.types.filter { $0.kind != nil }.map(\.name)
      offered.append((file, survey.files[0].text, Set(names)))
    }
    var taken = Set<Int>()
    var next = offered.indices.filter {
      Self.uses("StoreKit", offered[$0].text) && !Self.isScreen(offered[$0].text)
    }
    for file in files {
      let text = SwiftText(file.text)
      next += offered.indices.filter { Self.mentions(offered[$0].declares, text) }
    }
    while let index = next.popLast() {
      guard !taken.contains(index) else { continue }
      guard !Self.isScreen(offered[index].text) else {
        if !leftOut.contains(where: { $0.path == offered[index].file.path }) {
          leftOut.append((offered[index].file.path, "a screen, of which the others name something"))
        }
        continue
      }
      taken.insert(index)
      let text = offered[index].text
      next += offered.indices.filter {
        !taken.contains($0) && Self.mentions(offered[$0].declares, text)
      }
    }
    files += taken.sorted().map { offered[$0].file }
    for (index, one) in offered.enumerated()
    where !taken.contains(index) && Self.uses("StoreKit", one.text) {
      if !leftOut.contains(where: { $0.path == one.file.path }) {
        leftOut.append((one.file.path, "a screen"))
      }
    }
  }

  private static func uses(_ module: String, _ text: SwiftText) -> Bool {
    text.tokens.indices.contains { text.has("import", at: $0) && text.has(module, at: $0 + 1) }
  }

  /// Whether it draws: it imports what draws, and has a type of a view or its controller.
  private static func isScreen(_ text: SwiftText) -> Bool {
    guard screens.contains(where: { uses($0, text) }) else { return false }
    let kinds = [
      "View", "App", "Scene", "ViewModifier", "UIViewController", "UITableViewController", "UIView",
      "UICollectionViewController", "UIResponder", "UIApplicationDelegate", "NSViewController",
      "UITableViewCell", "UIWindowSceneDelegate", "PreviewProvider", "ButtonStyle",
    ]
    return text.tokens.indices.contains { index in
      (text.has(":", at: index) || text.has(",", at: index)) && kinds.contains(text.text(index + 1))
        && ["struct", "class", "extension"].contains(declaration(text, before: index))
    }
  }

  /// The keyword of a declaration whose list of protocols stands there.
  private static func declaration(_ text: SwiftText, before index: Int) -> String {
    for place in stride(from: index - 1, to: max(index - 12, 0) - 1, by: -1) where place >= 0 {
      let word = text.text(place)
      if ["struct", "class", "extension", "enum", "protocol"].contains(word) { return word }
      if ["{", "}", "(", ")", "=", "var", "let", "func"].contains(word) { return word }
    }
    return ""
  }

  private static func mentions(_ names: Set<String>, _ text: SwiftText) -> Bool {
    !names.isEmpty
      && text.tokens.contains { $0.kind == .word && names.contains(text[$0.range]) }
  }
}

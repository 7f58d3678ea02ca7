import Foundation

/// What an app's files find in its bundle, and where it is to stand in the test package.
struct AppResources {
  /// Each file, and its place in the bundle.
  private(set) var files: [(path: String, place: String)] = []
  /// What is not copied, and why.
  private(set) var leftOut: [(path: String, reason: String)] = []

  /// Takes files, and folders with all that is in them.
  ///
  /// As in an app's bundle all stand side by side, but for those of a language: `en.lproj/Shop.strings`. Of several that would
  /// have one place the first is taken.
  init(_ paths: [String]) {
    var taken: [String: String] = [:]
    for path in paths.flatMap(Self.inside) {
      let parts = path.split(separator: "/").map(String.init)
      if let catalog = parts.firstIndex(where: { $0.hasSuffix(".xcassets") }) {
        let place = (path.hasPrefix("/") ? "/" : "") + parts[...catalog].joined(separator: "/")
        if leftOut.last?.path != place {
          leftOut.append((place, "an asset catalog, which Xcode alone compiles"))
        }
        continue
      }
      let isOfLanguage = parts.dropLast().last?.hasSuffix(".lproj") ?? false
      let place = parts.suffix(isOfLanguage ? 2 : 1).joined(separator: "/")
      // There are file systems that take small letters and capitals for the same.
      if let other = taken.updateValue(path, forKey: place.lowercased()) {
        taken[place.lowercased()] = other
        leftOut.append((path, "\(other) has the same name, and a bundle has one of a name"))
      } else {
        files.append((path, place))
      }
    }
  }

  /// The language that a package with such files has to name.
  var language: String? {
    let languages = files.compactMap { file in
      file.place.split(separator: "/").first.flatMap { part in
        part.hasSuffix(".lproj") ? String(part.dropLast(".lproj".count)) : nil
      }
    }.filter { $0 != "Base" }
    if languages.contains("en") { return "en" }
    return languages.first ?? (files.contains { $0.place.hasPrefix("Base.lproj/") } ? "en" : nil)
  }

  private static func inside(_ path: String) -> [String] {
    func isFolder(_ path: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue
    }
    return isFolder(path) ? AppSources.inside(path).filter { !isFolder($0) } : [path]
  }
}

import Foundation

/// A target of an Xcode project, as its `project.pbxproj` has it.
struct XcodeTarget {
  let name: String
  private(set) var sources: [String] = []
  private(set) var resources: [String] = []

  private typealias Object = [String: Any]

  /// The named target, or the only application.
  init(project: String, name: String?, console: Console) throws(Failure) {
    let file = project + "/project.pbxproj"
    let text: String?
    do { text = try console.read(file) } catch { throw .noVerdict("\(file): \(error)") }
    guard let text else { throw .usage("there is no '\(file)'") }
    guard
      let list = try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil),
      let objects = (list as? Object)?["objects"] as? [String: Object]
    else { throw .noVerdict("\(file): this is no project file as Xcode writes it") }
    let targets = objects.filter { $0.value["isa"] as? String == "PBXNativeTarget" }
      .sorted { Self.name($0.value) < Self.name($1.value) }
    let names = targets.map { Self.name($0.value) }
    let target: Object
    if let name {
      guard let found = targets.first(where: { Self.name($0.value) == name }) else {
        throw .usage(
          "--target: found '\(name)', expected a target of \(project): \(names.joined(separator: ", "))"
        )
      }
      target = found.value
    } else {
      let apps = targets.filter {
        ($0.value["productType"] as? String)?.hasSuffix("product-type.application") ?? false
      }
      guard apps.count == 1 else {
        throw .usage(
          "\(project) has the targets \(names.joined(separator: ", ")): choose one with --target NAME"
        )
      }
      target = apps[0].value
    }
    self.name = Self.name(target)
    let root = (project as NSString).deletingLastPathComponent
    let paths = Self.paths(objects, root: root.isEmpty ? "." : root)
    for phase in Self.list(target, "buildPhases").compactMap({ objects[$0] }) {
      let files = Self.list(phase, "files").compactMap { objects[$0]?["fileRef"] as? String }
        .compactMap { paths[$0] }
      switch phase["isa"] as? String {
      case "PBXSourcesBuildPhase": sources += files.filter { $0.hasSuffix(".swift") }
      case "PBXResourcesBuildPhase": resources += files
      default: break
      }
    }
    // Since Xcode 16 a target may have whole folders.
    for id in Self.list(target, "fileSystemSynchronizedGroups") {
      guard let folder = paths[id] else { continue }
      let inside = AppSources.inside(folder)
      sources += inside.filter { $0.hasSuffix(".swift") }
      resources += inside.filter { $0.hasSuffix(".plist") || $0.hasSuffix(".storekit") }
    }
    guard !sources.isEmpty else {
      throw .noVerdict("\(project): the target \(self.name) has no Swift file")
    }
  }

  private static func name(_ target: Object) -> String { target["name"] as? String ?? "" }

  private static func list(_ object: Object, _ key: String) -> [String] {
    object[key] as? [String] ?? []
  }

  /// Where the files and folders are, by the identifiers of their objects.
  private static func paths(_ objects: [String: Object], root: String) -> [String: String] {
    var paths: [String: String] = [:]
    func visit(_ id: String, _ folder: String, _ depth: Int) {
      guard depth < 64, let object = objects[id] else { return }
      var place = folder
      if let path = object["path"] as? String {
        switch object["sourceTree"] as? String {
        case "SOURCE_ROOT": place = root + "/" + path
        case "<absolute>": place = path
        default: place = folder + "/" + path
        }
      }
      paths[id] = place
      for child in list(object, "children") { visit(child, place, depth + 1) }
    }
    for (_, object) in objects where object["isa"] as? String == "PBXProject" {
      if let group = object["mainGroup"] as? String { visit(group, root, 0) }
    }
    return paths
  }
}

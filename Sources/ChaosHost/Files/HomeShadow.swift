#if os(Linux)
  import Foundation

  /// Where an app's own places are, as code on a simulated thread finds them: in a home that only its process has,
  /// called the same on every machine.
  enum HomeShadow {
    private typealias Text = UnsafeMutablePointer<CChar>
    private typealias GetVariable = @convention(c) (UnsafePointer<CChar>?) -> Text?

    /// A method as a closure: code, and an object that is passed where a method gets `self`.
    private struct Find {
      let function: (FileManager.SearchPathDirectory, FileManager.SearchPathDomainMask) -> [URL]
    }

    nonisolated(unsafe) private static var originalGet: GetVariable?
    nonisolated(unsafe) private static var originalGetSecure: GetVariable?
    nonisolated(unsafe) private static var originalFind: UnsafeRawPointer?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("getenv", &originalGet, get)
      list.add("secure_getenv", &originalGetSecure, getSecure)
      guard let find = MethodCode.ofMade(find) else { return }
      let name =
        "$s20FoundationEssentials11FileManagerC4urls3for2inSayAA3URLVGAC19SearchPathDirectoryO"
        + "_AC0iJ10DomainMaskVtF"
      list.add(name, &originalFind, find)
      if let originalFind { ClassTable(FileManager.self).replace(originalFind, with: find) }
    }

    private static func text(_ path: String) -> Text? { strdup(HostFiles.home + "/" + path) }

    /// What the environment says of places, made once.
    nonisolated(unsafe) private static let variables: [(name: String, value: Text?)] = [
      ("HOME", strdup(HostFiles.home)), ("CFFIXED_USER_HOME", strdup(HostFiles.home)),
      ("TMPDIR", text(HostFiles.temporary + "/")), ("XDG_DATA_HOME", text(HostFiles.support)),
      ("XDG_CACHE_HOME", text(HostFiles.caches)), ("XDG_CONFIG_HOME", text("Library/Preferences")),
    ]

    private static func variable(_ name: UnsafePointer<CChar>?) -> Text? {
      guard let name, [72, 84, 88, 67].contains(name.pointee), hasFiles else { return nil }
      return variables.first { strcmp($0.name, name) == 0 }?.value
    }

    private static var hasFiles: Bool { Host.standIns?.hasFiles ?? false }

    private static let get: GetVariable = { name in variable(name) ?? originalGet?(name) }
    private static let getSecure: GetVariable = { name in
      variable(name) ?? originalGetSecure?(name)
    }

    // MARK: - FileManager

    private static func path(of directory: FileManager.SearchPathDirectory) -> String? {
      switch directory {
      case .documentDirectory: HostFiles.documents
      case .libraryDirectory: "Library"
      case .applicationSupportDirectory: HostFiles.support
      case .cachesDirectory: HostFiles.caches
      default: nil
      }
    }

    @inline(never)
    private static func find(by object: AnyObject) -> Find {
      Find { directory, domains in
        if domains.contains(.userDomainMask), hasFiles, let path = path(of: directory) {
          return [URL(filePath: HostFiles.home + "/" + path, directoryHint: .isDirectory)]
        }
        guard let originalFind else { return [] }
        let original = MethodCode.closure(originalFind, of: object, as: Find.self)
        return original.function(directory, domains)
      }
    }
  }
#endif

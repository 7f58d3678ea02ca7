#if os(Linux)
  import Foundation

  /// `Data(contentsOf:)` of a file of the process's own, which is in memory: what it holds is the answer, without
  /// a descriptor of the operating system in between. Most apps read their receipt so, and each backend call with it.
  enum WholeFiles {
    private typealias Read = @convention(thin) (URL, Data.ReadingOptions) throws -> Data

    @exclusivity(unchecked) nonisolated(unsafe) private static var original: Read?

    private static let home = "file://" + HostFiles.home + "/"

    static func addReplacements(to list: inout ReplacementList) {
      list.add(
        "$s20FoundationEssentials4DataV10contentsOf7optionsAcA3URLVh_AC14ReadingOptionsVtKcfC",
        &original, read)
    }

    private static let read: Read = { url, options in
      if let bytes = bytes(of: url) { return bytes }
      guard let original else { fatalError("bug: a file is read before the host is installed") }
      return try original(url, options)
    }

    /// Nil for every other place, and for what is no file: Foundation says then what is wrong. Nil too where something is
    /// escaped, which goes the long way.
    private static func bytes(of url: URL) -> Data? {
      guard let standIns = Host.standIns, standIns.hasFiles else { return nil }
      let text = url.absoluteString.utf8
      guard text.starts(with: home.utf8), !text.contains(UInt8(ascii: "%")) else { return nil }
      return standIns.files?.bytes(of: Substring(text.dropFirst(home.utf8.count)))
    }
  }
#endif

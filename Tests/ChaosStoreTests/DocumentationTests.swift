import Foundation
import Testing

/// Reads the sources and finds what is public and says nothing of itself.
///
/// `.ci/api --undocumented` asks the compiler instead, which is exact and needs a build.
@Suite("What is public")
struct DocumentationTests {
  /// The modules in which everything public is documented. `.ci/run` has the same list.
  private static let modules = [
    "Invariants", "ChaosStore", "ChaosRunner", "ChaosStoreKit", "ChaosHost", "ChaosCombine",
    "ChaosLog",
  ]

  @Test(
    "Everything that is public has a documentation comment, cases and requirements included",
    arguments: modules)
  func comments(module: String) throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/\(module)")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var found: [String] = []
    var read = 0
    // What is in Packages is the text of files that `new` writes.
    for case let path as String in files
    where path.hasSuffix(".swift") && !path.hasPrefix("Packages/") {
      read += 1
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      found += Self.undocumented(text).map { "\(module)/\(path):\($0)" }
    }
    #expect(found.sorted() == [])
    #expect(read > 0)
  }

  @Test("A public declaration without a documentation comment is found, whatever stands around it")
  func finding() {
    let text = """
      /// A sort.
      public enum Sort {
        case good
        /// The other.
        @available(
          *, unavailable
        )
        case bad
        enum Own {
          case inner
        }
        public var isGood: Bool {
          switch self {
          case .good: true
          case .bad: false
          }
        }
      }
      enum Inner {
        case inner
      }
      public protocol Shop {
        /// What is sold.
        associatedtype Goods
        func open()
        @MainActor var isOpen: Bool { get }
      }
      open class Corner: Shop {
        open func open() {
          let sort = Sort.good
        }
        open override func close() {}
        public init() {}
      }
      extension Corner {
        /// What it is called.
        public var name: String { "Corner" }
        var own: Int { 1 }
      }
      """
    #expect(
      Self.undocumented(text) == [
        "3: case good", "12: public var isGood: Bool {", "22: public protocol Shop {",
        "25: func open()", "26: @MainActor var isOpen: Bool { get }",
        "28: open class Corner: Shop {", "29: open func open() {", "33: public init() {}",
      ])
  }
}

// MARK: - Reading

extension DocumentationTests {
  private enum Scope { case publicEnum, publicProtocol, other }

  private static let declarations: Set<Substring> = [
    "actor", "associatedtype", "case", "class", "enum", "extension", "func", "init", "let",
    "protocol", "struct", "subscript", "typealias", "var",
  ]

  /// The lines, with their numbers, that declare something public and have no comment. Goes by the indentation, which the formatter sees to.
  private static func undocumented(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var scopes: [(indent: Int, scope: Scope)] = []
    var found: [String] = []
    for (index, line) in lines.enumerated() {
      let code = line.drop { $0 == " " }
      guard !code.isEmpty, !code.hasPrefix("//") else { continue }
      let indent = line.count - code.count
      while let last = scopes.last, last.indent >= indent { scopes.removeLast() }
      let words = code.prefix { $0 != "{" && $0 != "=" }
        .split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "<" }
      guard let place = words.firstIndex(where: declarations.contains) else { continue }
      let kind = words[place]
      let modifiers = words[..<place]
      let isAsked =
        switch scopes.last?.scope {
        case .publicEnum where kind == "case", .publicProtocol: true
        default:
          kind != "extension" && !modifiers.contains("override")
            && (modifiers.contains("open") || modifiers.contains("public"))
        }
      if isAsked, !hasComment(above: index, in: lines) { found.append("\(index + 1): \(code)") }
      let scope: Scope =
        switch kind {
        case "enum" where modifiers.contains("public"): .publicEnum
        case "protocol" where modifiers.contains("public"): .publicProtocol
        default: .other
        }
      scopes.append((indent, scope))
    }
    return found
  }

  /// Whether a documentation comment stands above a line, or above the attributes before it.
  private static func hasComment(above index: Int, in lines: [Substring]) -> Bool {
    for line in lines[..<index].reversed() {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") { return true }
      let isAttribute =
        code.hasPrefix("@") || code == ")" || code.hasPrefix("*,") || code.hasPrefix("message:")
      if !isAttribute { return false }
    }
    return false
  }
}

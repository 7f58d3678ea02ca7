// Reads the compiler's symbol graphs for `.ci/api`, which says what it is for.

import Foundation

/// What a symbol graph says, as far as it is of interest here.
private struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { var displayName: String }
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Comment: Decodable {}
    struct Location: Decodable {
      struct Position: Decodable { var line: Int }
      var uri: String
      var position: Position
    }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]?
    var docComment: Comment?
    var location: Location?

    var path: String { pathComponents.joined(separator: ".") }

    /// The declaration on one line.
    var signature: String {
      (declarationFragments ?? []).map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]
}

/// The public interface of one module.
private struct Interface {
  /// One line a declaration and a conformance, sorted.
  var lines: [String] = []
  /// What has no documentation comment: place and declaration, sorted.
  var undocumented: [String] = []

  /// What a type has unless it says otherwise.
  private static let unsaid: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

  /// Reads `MODULE.symbols.json`, and `MODULE@OTHER.symbols.json` for what it adds to other modules.
  init(of module: String, in folder: URL) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    )
    .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
    .filter { file in
      let name = file.lastPathComponent.dropLast(".symbols.json".count)
      return name == module || name.hasPrefix("\(module)@")
    }
    guard !files.isEmpty else { throw Failure("no symbol graph of \(module)") }
    for file in files {
      add(try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)))
    }
    lines.sort()
    undocumented.sort()
  }

  private mutating func add(_ graph: Graph) {
    var roles: [String: String] = [:]
    for relation in graph.relationships {
      switch relation.kind {
      case "requirementOf", "optionalRequirementOf": roles[relation.source] = "  (required)"
      case "defaultImplementationOf": roles[relation.source] = "  (default)"
      default: continue
      }
    }
    var names: [String: String] = [:]
    for symbol in graph.symbols {
      names[symbol.identifier.precise] = symbol.path
      let role = roles[symbol.identifier.precise] ?? ""
      lines.append("\(symbol.kind.displayName)  \(symbol.path)  \(symbol.signature)\(role)")
      guard symbol.docComment == nil, let location = symbol.location else { continue }
      undocumented.append(
        "\(Self.relative(location.uri)):\(location.position.line + 1): \(symbol.signature)")
    }
    for relation in graph.relationships where relation.kind == "conformsTo" {
      let target = names[relation.target] ?? relation.targetFallback ?? relation.target
      guard let source = names[relation.source], !Self.unsaid.contains(target) else { continue }
      lines.append("Conformance  \(source): \(target)")
    }
  }

  private static func relative(_ uri: String) -> String {
    let path = URL(string: uri)?.path ?? uri
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}

private struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// What is only on one side, in the order of the lists.
private func differences(_ old: [String], _ new: [String]) -> [String] {
  new.difference(from: old).map { change in
    switch change {
    case .insert(let offset, let element, _): (offset, "+ \(element)")
    case .remove(let offset, let element, _): (offset, "- \(element)")
    }
  }
  .sorted { ($0.1.dropFirst(2), $0.1) < ($1.1.dropFirst(2), $1.1) }
  .map(\.1)
}

@main
private enum Program {
  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard arguments.count > 3 else { throw Failure("run .ci/api instead") }
      let words = Array(arguments)
      let graphs = URL(fileURLWithPath: words[1], isDirectory: true)
      let lists = URL(fileURLWithPath: words[2], isDirectory: true)
      switch words[0] {
      case "write": try write(words[3...], graphs, lists)
      case "check": try check(words[3...], graphs, lists)
      default: try printUndocumented(words[3...], graphs)
      }
    } catch {
      FileHandle.standardError.write(Data(".ci/api: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func write(_ modules: ArraySlice<String>, _ graphs: URL, _ lists: URL) throws {
    try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
    for module in modules {
      let lines = try Interface(of: module, in: graphs).lines
      let text = lines.map { $0 + "\n" }.joined()
      try Data(text.utf8).write(to: lists.appending(path: "\(module).txt"))
      print("\(module): \(lines.count) public declarations and conformances")
    }
  }

  private static func check(_ modules: ArraySlice<String>, _ graphs: URL, _ lists: URL) throws {
    var isSame = true
    for module in modules {
      let lines = try Interface(of: module, in: graphs).lines
      let file = lists.appending(path: "\(module).txt")
      let listed = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      let found = differences(listed.split(separator: "\n").map(String.init), lines)
      if found.isEmpty { continue }
      isSame = false
      print(
        "\(module): \(found.count) lines of Docs/API/\(module).txt are not what the sources say")
      for line in found { print("  \(line)") }
    }
    if isSame { return print("The public interface is as Docs/API lists it.") }
    print(
      """

      What others compile against has changed (-: gone, +: new). That is a decision: if it is meant, run
      .ci/api and commit Docs/API with the change; if a line with - is among them, say so in the commit.
      """)
    exit(1)
  }

  private static func printUndocumented(_ modules: ArraySlice<String>, _ graphs: URL) throws {
    var count = 0
    for module in modules {
      let found = try Interface(of: module, in: graphs).undocumented
      count += found.count
      print("\(module): \(found.count) public declarations without a documentation comment")
      for line in found { print("  \(line)") }
    }
    if count > 0 { exit(1) }
  }
}

/// Rewrites an app's source files for a platform without Objective-C.
///
/// What only Objective-C has is taken away or put differently, each line stays in its line, and what the compiler
/// says names the original:
///
/// | in the original | here |
/// |---|---|
/// | `@objc`, `@objcMembers`, `@nonobjc` | nothing |
/// | `@objc protocol` | a protocol of classes, whose `optional` functions do nothing unless a class has them |
/// | `delegate?.ended?(x)` of such a function | `delegate?.ended(x)` |
/// | `#selector(changed(_:))` | `Selector(Self.changed(_:), named: "changed(_:)")`, which calls the method |
/// | `import UIKit`, `AppKit`, `SwiftUI` … | what they bring along that is there: Foundation, Combine, Observation |
/// | `import OSLog`, `os.log` | `import os` |
/// | `URLSession` and its like under `import Foundation` | `import FoundationNetworking` as well |
package struct PortableSource {
  /// Something that cannot be rewritten.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let line: Int
    package let message: String

    /// As compilers write it, so that editors find the line.
    package var description: String { "\(path):\(line): error: \(message)" }
  }

  /// Whether what only Objective-C has is there, and only modules of other devices are not.
  private let hasObjectiveC: Bool
  /// Functions that a class may leave out, in any of the files.
  private var optional: Set<String> = []

  /// Reads what the files declare for each other.
  package init(_ files: [SwiftText], hasObjectiveC: Bool = false) {
    self.hasObjectiveC = hasObjectiveC
    for text in files {
      for index in text.tokens.indices where text.has("optional", at: index) {
        if let name = Self.optionalFunction(text, index) { optional.insert(text.text(name)) }
      }
    }
  }

  /// The text of a file as it is compiled here.
  package func rewritten(_ text: SwiftText, path: String) throws(Problem) -> String {
    var edits: [(range: Range<Int>, text: String)] = []
    for index in text.tokens.indices {
      switch text.tokens[index].kind {
      case .word where text.has("import", at: index): imports(text, index, &edits)
      case _ where hasObjectiveC: break
      case .attribute: attribute(text, index, &edits)
      case .directive where text.has("#selector", at: index):
        try selector(text, index, path, &edits)
      case .word where text.has("protocol", at: index): try requirements(text, index, path, &edits)
      case .mark where text.has("?", at: index): optionalCall(text, index, &edits)
      default: break
      }
    }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    var result = "#sourceLocation(file: \(quoted(path)), line: 1)\n"
    var place = 0
    for edit in edits where edit.range.lowerBound >= place {
      result += text[place..<edit.range.lowerBound] + edit.text
      // Whatever line breaks were in it stay.
      let breaks = text.bytes[edit.range].count { $0 == 10 }
      result += String(repeating: "\n", count: breaks)
      place = edit.range.upperBound
    }
    return result + text[place..<text.bytes.count]
  }

  private func quoted(_ path: String) -> String {
    "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  // MARK: - Attributes

  private static let attributes = ["@objc", "@objcMembers", "@nonobjc"]

  private func attribute(
    _ text: SwiftText, _ index: Int, _ edits: inout [(range: Range<Int>, text: String)]
  ) {
    let token = text.tokens[index]
    guard Self.attributes.contains(text.text(index)) else { return }
    var end = token.range.upperBound
    // `@objc(name:)`, but not the parameters of what follows.
    if text.has("(", at: index + 1), text.tokens[index + 1].range.lowerBound == end {
      let closing = text.closing(index + 1)
      guard text.tokens.indices.contains(closing) else { return }
      end = text.tokens[closing].range.upperBound
    }
    edits.append((token.range.lowerBound..<end, ""))
  }

  // MARK: - Selectors

  private func selector(
    _ text: SwiftText, _ index: Int, _ path: String,
    _ edits: inout [(range: Range<Int>, text: String)]
  ) throws(Problem) {
    let closing = text.closing(index + 1)
    guard text.has("(", at: index + 1), text.tokens.indices.contains(closing) else { return }
    var first = index + 2
    if text.has("getter", at: first) || text.has("setter", at: first), text.has(":", at: first + 1)
    {
      throw Problem(
        path: path, line: text.line(index),
        message: "a selector of a property cannot be called without Objective-C")
    }
    if text.has("self", at: first), text.has(".", at: first + 1) { first += 2 }
    guard first < closing else { return }
    let inside =
      text.tokens[first].range.lowerBound..<text.tokens[closing].range.lowerBound
    // `Manager.changed(_:)` has its type before it; a value that begins small has not.
    let hasType =
      text.has(".", at: first + 1) && (text.text(first).first?.isUppercase ?? false)
    if !hasType, text.has(".", at: first + 1) {
      throw Problem(
        path: path, line: text.line(index),
        message: """
          a selector is the method of a type here: write \
          #selector(\(text.text(first).capitalizedFirst).\(text[inside].drop { $0 != "." }.dropFirst())), \
          with the type's name
          """)
    }
    let range = text.tokens[index].range.lowerBound..<text.tokens[closing].range.upperBound
    let end = text.tokens[closing - 1].range.upperBound
    let method = text[text.tokens[first].range.lowerBound..<end].withoutBreaks
    let dot = (first..<closing).last { text.has(".", at: $0) }
    let name = text[text.tokens[dot.map { $0 + 1 } ?? first].range.lowerBound..<end].withoutBreaks
    edits.append((range, "Selector(\(hasType ? "" : "Self.")\(method), named: \"\(name)\")"))
  }

  // MARK: - Imports

  private static let screens = [
    "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "TVUIKit", "TVServices",
  ]
  private static let otherDevices = ["UIKit", "WatchKit", "TVUIKit", "TVServices"]
  private static let networking = [
    "URLSession", "URLRequest", "URLResponse", "HTTPURLResponse", "URLSessionConfiguration",
    "URLSessionDataTask", "URLCache", "HTTPCookieStorage", "URLProtocol", "URLSessionTask",
  ]

  private func imports(
    _ text: SwiftText, _ index: Int, _ edits: inout [(range: Range<Int>, text: String)]
  ) {
    var name = index + 1
    let kinds = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
    let isOfKind = kinds.contains(text.text(name))
    if isOfKind { name += 1 }
    guard text.tokens.indices.contains(name), text.tokens[name].kind == .word else { return }
    var last = name
    while text.has(".", at: last + 1), text.tokens.indices.contains(last + 2) { last += 2 }
    let module = text.text(name)
    let range = text.tokens[index].range.lowerBound..<text.tokens[last].range.upperBound
    if hasObjectiveC {
      if Self.otherDevices.contains(module) { edits.append((range, "import Foundation")) }
    } else if Self.screens.contains(module) {
      let more = module == "SwiftUI" ? "; import Combine; import Observation" : ""
      edits.append((range, "import Foundation\(more)\(networking(of: text))"))
    } else if module == "OSLog" || module == "os" && last > name && !isOfKind {
      edits.append((range, "import os"))
    } else if module == "Foundation", last == name || isOfKind {
      let more = networking(of: text)
      if !more.isEmpty { edits.append((range, "import Foundation" + more)) }
    }
  }

  private func networking(of text: SwiftText) -> String {
    let uses = text.tokens.indices.contains { Self.networking.contains(text.text($0)) }
    return uses ? "; import FoundationNetworking" : ""
  }

  // MARK: - Protocols

  /// `@objc protocol`: its brace gets `AnyObject`, and its optional functions a body that does nothing.
  private func requirements(
    _ text: SwiftText, _ index: Int, _ path: String,
    _ edits: inout [(range: Range<Int>, text: String)]
  ) throws(Problem) {
    guard isOfObjectiveC(text, index), let name = text.tokens[safely: index + 1], name.kind == .word
    else { return }
    var open = index + 2
    while open < text.tokens.count, !text.has("{", at: open) { open += 1 }
    let closing = text.closing(open)
    guard text.tokens.indices.contains(closing) else { return }
    let end = name.range.upperBound
    let inherited = (index + 2..<open).map { text.text($0) }
    if !inherited.contains(where: { ["AnyObject", "NSObjectProtocol", "class"].contains($0) }) {
      let after = text.has(":", at: index + 2) ? text.tokens[index + 2].range.upperBound : end
      edits.append((after..<after, inherited.isEmpty ? ": AnyObject" : " AnyObject,"))
    }
    var defaults = ""
    for place in open..<closing where text.has("optional", at: place) {
      guard let function = Self.optionalFunction(text, place) else {
        throw Problem(
          path: path, line: text.line(place),
          message: "an optional property of a protocol does not compile without Objective-C")
      }
      let parameters = text.closing(function + 1)
      var last = parameters
      while ["async", "throws"].contains(text.text(last + 1)) { last += 1 }
      if text.has("-", at: last + 1), text.has(">", at: last + 2) {
        throw Problem(
          path: path, line: text.line(place),
          message: """
            an optional function that returns something does not compile without Objective-C: \
            give '\(text.text(function))' no result, or leave out 'optional'
            """)
      }
      let range = text.tokens[place].range
      edits.append((range, ""))
      let head = text.tokens[function - 1].range.lowerBound..<text.tokens[last].range.upperBound
      defaults += " \(text[head].withoutBreaks) {};"
    }
    if !defaults.isEmpty {
      let brace = text.tokens[closing].range.upperBound
      let access = ["public", "open"].contains { word in
        (max(0, index - 4)..<index).contains { text.has(word, at: $0) }
      }
      let owner = (access ? "public " : "") + "extension \(text[name.range])"
      edits.append((brace..<brace, "; \(owner) {\(defaults.dropLast()) }"))
    }
  }

  /// Whether `@objc` stands among the attributes and modifiers before a declaration.
  private func isOfObjectiveC(_ text: SwiftText, _ index: Int) -> Bool {
    var place = index - 1
    while place >= 0 {
      if text.has("@objc", at: place) { return true }
      if text.has(")", at: place) {
        // `@objc(Name)`
        while place >= 0, !text.has("(", at: place) { place -= 1 }
      } else if text.tokens[place].kind != .attribute,
        !["public", "internal", "private", "fileprivate", "open", "package"]
          .contains(text.text(place))
      {
        return false
      }
      place -= 1
    }
    return false
  }

  /// The name in `optional func name(`.
  private static func optionalFunction(_ text: SwiftText, _ index: Int) -> Int? {
    var place = index + 1
    while text.tokens.indices.contains(place), text.tokens[place].kind == .attribute { place += 1 }
    return text.has("func", at: place) && text.has("(", at: place + 2) ? place + 1 : nil
  }

  /// `.name?(`: the question of a function that is always there now.
  private func optionalCall(
    _ text: SwiftText, _ index: Int, _ edits: inout [(range: Range<Int>, text: String)]
  ) {
    guard index > 1, text.has("(", at: index + 1), text.has(".", at: index - 2),
      optional.contains(text.text(index - 1))
    else { return }
    edits.append((text.tokens[index].range, ""))
  }
}

extension Array {
  /// nil behind the last.
  subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension String {
  var withoutBreaks: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

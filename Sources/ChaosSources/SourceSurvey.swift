/// A declaration's place: which of the files, and which of its tokens.
package struct SurveyedRange: Sendable {
  package let file: Int
  package let tokens: Range<Int>
}

/// A function or an initializer of a type.
package struct SurveyedFunction: Sendable {
  package struct Parameter: Sendable {
    /// What a caller writes before the colon; nil for `_`.
    package let label: String?
    package let name: String
    /// As it is written, without attributes.
    package let type: String
    package let hasDefault: Bool
  }

  package let name: String
  package let parameters: [Parameter]
  /// nil where nothing is returned.
  package let result: String?
  package let isAsync: Bool
  package let isThrowing: Bool
  package let isStatic: Bool
  package let isPrivate: Bool
  /// Whether an initializer may answer nil.
  package let isFailable: Bool
  package let body: SurveyedRange?

  /// What a caller has to give.
  package var required: [Parameter] { parameters.filter { !$0.hasDefault } }
}

/// A variable or constant of a type.
package struct SurveyedProperty: Sendable {
  package let name: String
  /// As it is written; nil where it is left to the compiler.
  package let type: String?
  /// The first word of what it begins with, such as `Manager` in `= Manager()`.
  package let initial: String?
  package let isStatic: Bool
  package let isPrivate: Bool
}

/// A type and what its extensions add.
package struct SurveyedType: Sendable {
  package let name: String
  /// The name with the types around it, as in `Shop.Item`.
  package let path: String
  /// `class`, `actor`, `struct`, `enum` or `protocol`; nil where only extensions are known.
  package var kind: String?
  package var inherited: [String] = []
  package var isPrivate = false
  package var attributes: [String] = []
  package var functions: [SurveyedFunction] = []
  package var properties: [SurveyedProperty] = []
  /// Names of an enum's cases, with the text literal that each stands for.
  package var cases: [(name: String, value: String?)] = []
  package var bodies: [SurveyedRange] = []
}

/// What a few source files declare, read without a compiler.
package struct SourceSurvey: Sendable {
  package let files: [(path: String, text: SwiftText)]
  /// In the order of their first mention.
  package private(set) var types: [SurveyedType] = []
  /// Modules that the files import.
  package private(set) var imports: Set<String> = []

  package init(_ files: [(path: String, text: String)]) {
    self.files = files.map { ($0.path, SwiftText($0.text)) }
    for file in self.files.indices {
      let text = self.files[file].text
      for index in text.tokens.indices where text.has("import", at: index) {
        imports.insert(text.text(index + 1))
      }
      var reader = DeclarationReader(text: text, file: file)
      reader.read(0..<text.tokens.count, in: nil)
      for type in reader.types { add(type) }
    }
  }

  /// The type of this name.
  package func type(_ name: String) -> SurveyedType? { types.first { $0.name == name } }

  private mutating func add(_ type: SurveyedType) {
    guard let index = types.firstIndex(where: { $0.name == type.name }) else {
      return types.append(type)
    }
    types[index].kind = types[index].kind ?? type.kind
    types[index].inherited += type.inherited
    types[index].isPrivate = types[index].isPrivate || type.isPrivate
    types[index].attributes += type.attributes
    types[index].functions += type.functions
    types[index].properties += type.properties
    types[index].cases += type.cases
    types[index].bodies += type.bodies
  }

  // MARK: - Looking into bodies

  /// Whether these words and marks follow each other somewhere in a body.
  package func has(_ pattern: [String], in range: SurveyedRange) -> Bool {
    !places(of: pattern, in: range).isEmpty
  }

  /// Where these words and marks follow each other in a body.
  package func places(of pattern: [String], in range: SurveyedRange) -> [Int] {
    let text = files[range.file].text
    return range.tokens.filter { start in
      pattern.indices.allSatisfy { text.has(pattern[$0], at: start + $0) }
    }
  }
}

/// Reads the declarations of one file.
private struct DeclarationReader {
  let text: SwiftText
  let file: Int
  var types: [SurveyedType] = []

  private static let kinds = ["class", "actor", "struct", "enum", "protocol", "extension"]
  private static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "open", "package", "static", "final",
    "override", "convenience", "required", "lazy", "weak", "unowned", "mutating", "nonisolated",
    "dynamic", "indirect", "optional", "prefix", "postfix", "infix", "isolated", "distributed",
  ]

  /// Reads what stands between two braces; `owner` is the index of its type.
  mutating func read(_ range: Range<Int>, in owner: Int?) {
    var modifiers: [String] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let word = text.text(index)
      let kind = text.tokens[index].kind
      if kind == .attribute {
        modifiers.append(word)
        index = text.has("(", at: index + 1) ? text.closing(index + 1) + 1 : index + 1
        continue
      }
      if kind == .word, Self.modifiers.contains(word) || word == "class" && isMember(index + 1) {
        if text.has("(", at: index + 1) {
          // `private(set)` is no private.
          index = text.closing(index + 1) + 1
        } else {
          modifiers.append(word)
          index += 1
        }
        continue
      }
      switch (kind, word) {
      case (.word, "func"): index = function(index + 1, word, modifiers, owner)
      case (.word, "init"): index = function(index, word, modifiers, owner)
      case (.word, "var"), (.word, "let"): index = property(index + 1, modifiers, owner)
      case (.word, "case"): index = cases(index + 1, owner)
      case (.word, _) where Self.kinds.contains(word): index = type(index, modifiers, owner)
      case (.mark, "{"), (.mark, "("), (.mark, "["): index = text.closing(index) + 1
      default: index += 1
      }
      modifiers = []
    }
  }

  /// Whether `class` before it is `static`.
  private func isMember(_ index: Int) -> Bool {
    ["func", "var", "let"].contains(text.text(index))
  }

  private mutating func type(_ index: Int, _ modifiers: [String], _ owner: Int?) -> Int {
    var place = index + 1
    var path = owner.map { [types[$0].path] } ?? []
    path.append(text.text(place))
    while text.has(".", at: place + 1) {
      place += 2
      path.append(text.text(place))
    }
    var type = SurveyedType(name: text.text(place), path: path.joined(separator: "."))
    type.kind = text.has("extension", at: index) ? nil : text.text(index)
    type.attributes = modifiers
    type.isPrivate = isPrivate(modifiers)
    while place < text.tokens.count, !text.has("{", at: place) {
      place += 1
      if text.tokens.indices.contains(place), text.tokens[place].kind == .word {
        type.inherited.append(text.text(place))
      }
    }
    let closing = text.closing(place)
    guard place < text.tokens.count else { return place }
    type.bodies = [SurveyedRange(file: file, tokens: place..<closing)]
    types.append(type)
    read(place + 1..<closing, in: types.count - 1)
    return closing + 1
  }

  private func isPrivate(_ modifiers: [String]) -> Bool {
    modifiers.contains("private") || modifiers.contains("fileprivate")
  }

  private mutating func function(
    _ index: Int, _ word: String, _ modifiers: [String], _ owner: Int?
  ) -> Int {
    let name = text.text(index)
    var place = index + 1
    let isFailable = text.has("?", at: place) || text.has("!", at: place)
    while place < text.tokens.count, !text.has("(", at: place) { place += 1 }
    let end = text.closing(place)
    let parameters = commas(place + 1..<end).compactMap(parameter)
    place = end + 1
    var isAsync = false
    var isThrowing = false
    while ["async", "throws", "rethrows"].contains(text.text(place)) {
      if text.has("async", at: place) { isAsync = true } else { isThrowing = true }
      place += 1
      if text.has("(", at: place) { place = text.closing(place) + 1 }
    }
    var result: String?
    if text.has("-", at: place), text.has(">", at: place + 1) {
      let start = place + 2
      place = start
      while place < text.tokens.count, !text.has("{", at: place), !text.has("where", at: place),
        place == start || !isLineEnd(place)
      {
        place = opens(place) ? text.closing(place) + 1 : place + 1
      }
      result = written(start..<place)
    }
    while text.tokens.indices.contains(place), !text.has("{", at: place), !isLineEnd(place) {
      place += 1
    }
    var body: SurveyedRange?
    if text.has("{", at: place) {
      let closing = text.closing(place)
      body = SurveyedRange(file: file, tokens: place..<closing)
      place = closing + 1
    }
    if let owner {
      types[owner].functions.append(
        SurveyedFunction(
          name: name, parameters: parameters, result: result == "Void" ? nil : result,
          isAsync: isAsync, isThrowing: isThrowing,
          isStatic: modifiers.contains("static") || modifiers.contains("class"),
          isPrivate: isPrivate(modifiers), isFailable: word == "init" && isFailable, body: body))
    }
    return max(place, index + 1)
  }

  private func opens(_ index: Int) -> Bool { text.has("(", at: index) || text.has("[", at: index) }

  private func isLineEnd(_ index: Int) -> Bool { text.isFirstOfLine(index) }

  private func written(_ range: Range<Int>) -> String { text.written(range) }

  /// What stands between commas, if they are in no brackets.
  private func commas(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var depth = 0
    var index = range.lowerBound
    while index < range.upperBound {
      if text.has("<", at: index) { depth += 1 }
      if text.has(">", at: index), !text.has("-", at: index - 1) { depth -= 1 }
      if text.has(",", at: index), depth <= 0 {
        parts.append(start..<index)
        start = index + 1
      }
      index = opens(index) || text.has("{", at: index) ? text.closing(index) + 1 : index + 1
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  private func parameter(_ range: Range<Int>) -> SurveyedFunction.Parameter? {
    guard let colon = range.first(where: { text.has(":", at: $0) }) else { return nil }
    let names = range.prefix { $0 < colon }.filter { text.tokens[$0].kind == .word }
    guard let first = names.first, let last = names.last else { return nil }
    var index = colon + 1
    while index < range.upperBound,
      text.tokens[index].kind == .attribute || text.has("inout", at: index)
        || text.has("sending", at: index)
    {
      index += 1
    }
    let start = index
    while index < range.upperBound, !text.has("=", at: index) {
      index = opens(index) ? text.closing(index) + 1 : index + 1
    }
    let label = text.text(first)
    return SurveyedFunction.Parameter(
      label: label == "_" ? nil : label, name: text.text(last),
      type: written(start..<min(index, range.upperBound)), hasDefault: index < range.upperBound)
  }

  private mutating func property(_ index: Int, _ modifiers: [String], _ owner: Int?) -> Int {
    guard text.tokens.indices.contains(index), text.tokens[index].kind == .word else {
      return index
    }
    var place = index + 1
    var type: String?
    if text.has(":", at: place) {
      let start = place + 1
      place = start
      while place < text.tokens.count, !text.has("=", at: place), !text.has("{", at: place),
        place == start || !isLineEnd(place)
      {
        place = opens(place) ? text.closing(place) + 1 : place + 1
      }
      type = written(start..<place)
    }
    let initial = text.has("=", at: place) ? text.text(place + 1) : nil
    if let owner {
      types[owner].properties.append(
        SurveyedProperty(
          name: text.text(index), type: type, initial: initial,
          isStatic: modifiers.contains("static") || modifiers.contains("class"),
          isPrivate: isPrivate(modifiers)))
    }
    return place
  }

  private mutating func cases(_ index: Int, _ owner: Int?) -> Int {
    guard let owner, types[owner].kind == "enum" else { return index }
    var place = index
    while text.tokens.indices.contains(place), text.tokens[place].kind == .word {
      let name = text.text(place)
      place += 1
      if text.has("(", at: place) { place = text.closing(place) + 1 }
      var value: String?
      if text.has("=", at: place) {
        value = text.literal(place + 1)
        place += 2
      }
      types[owner].cases.append((name, value))
      guard text.has(",", at: place) else { break }
      place += 1
    }
    return place
  }
}

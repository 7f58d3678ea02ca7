/// What an app's source files say about its purchases: who sells, how somebody buys, what, and where the goods are.
///
/// It is read from words and names, as a person would who looks the files over, and it may be wrong.
package struct PurchaseSurvey: Sendable {
  /// A function with which somebody buys, and the type that has it.
  package struct Entry: Sendable {
    package let type: SurveyedType
    package let function: SurveyedFunction
  }

  /// How the type of the entry is had.
  package enum Instance: Sendable {
    /// A static variable, such as `StoreManager.shared`.
    case shared(String)
    /// An initializer.
    case built(SurveyedFunction)
    /// Nobody outside can build it.
    case none
  }

  /// A record in which something that was bought may stand.
  package struct Key: Sendable {
    /// What the files say of a key.
    package enum Name: Hashable, Sendable {
      /// The key itself.
      case text(String)
      /// The identifier of the product, such as `transaction.productID`.
      case identifier(String)
      /// A value whose name does not say whether it is the identifier, such as `id`.
      case value(String)
      /// Anything that has to be worked out, such as `prefix + productID`.
      case expression(String)
    }

    package let name: Name
    /// Whether it is true once something is owned; a number otherwise.
    package let isFlag: Bool
    /// Where it is written.
    package let path: String
    package let line: Int
  }

  package let survey: SourceSurvey
  private let aliases: [String: String]
  /// Names of function types, with what they stand for.
  package let functionAliases: [String: String]
  /// Names of constants, with the texts that they stand for: several where types have constants of one name.
  private let constants: [String: Set<String>]

  package init(_ survey: SourceSurvey) {
    self.survey = survey
    var aliases: [String: String] = [:]
    var functions: [String: String] = [:]
    var constants: [String: Set<String>] = [:]
    for (_, text) in survey.files {
      for index in text.tokens.indices {
        if text.has("typealias", at: index), text.has("=", at: index + 2) {
          if text.has("(", at: index + 3) || text.has("@escaping", at: index + 3) {
            functions[text.text(index + 1)] = text.restOfLine(index + 3)
          } else {
            aliases[text.text(index + 1)] = text.text(index + 3)
          }
        }
        if text.has("=", at: index), let value = text.literal(index + 1), index > 0 {
          constants[text.text(index - 1), default: []].insert(value)
          // `let coins: String = "coins"`
          if index > 2, text.has(":", at: index - 2) {
            constants[text.text(index - 3), default: []].insert(value)
          }
        }
      }
    }
    self.aliases = aliases
    functionAliases = functions
    self.constants = constants
  }

  /// What a type's name stands for, if it is another name for it.
  package func resolved(_ type: String) -> String {
    let plain = type.replacing("StoreKit.", with: "")
    return aliases[plain] ?? plain
  }

  private func type(of parameter: SurveyedFunction.Parameter) -> String { resolved(parameter.type) }

  // MARK: - Who sells

  private static let buying = [
    [".", "purchase", "(", ")"], [".", "purchase", "(", "options"],
    [".", "purchase", "(", "confirmIn"], ["SKPayment", "("], ["SKMutablePayment", "("],
  ]
  static let loading = [
    ["Product", ".", "products", "("], ["SKProductsRequest", "("],
  ]
  static let observing = [
    ["Transaction", ".", "updates"], ["Transaction", ".", "unfinished"],
    ["SKPaymentQueue", ".", "default", "(", ")", ".", "add", "(", "self"],
    ["Transaction", ".", "currentEntitlements"],
  ]

  /// What StoreKit calls, and no person.
  private static let callbacks = ["productsRequest", "paymentQueue", "request", "requestDidFinish"]

  private func does(_ patterns: [[String]], _ function: SurveyedFunction) -> Bool {
    guard let body = function.body else { return false }
    return patterns.contains { survey.has($0, in: body) }
  }

  /// The functions with which somebody may buy, the likeliest first.
  package func entries(of name: String? = nil) -> [Entry] {
    let types = survey.types.filter {
      name == nil ? !$0.isPrivate && $0.kind != "protocol" : $0.name == name
    }
    let direct = survey.types.flatMap { type in
      type.functions.filter { does(Self.buying, $0) }.map { (type.name, $0.name) }
    }
    // An app may buy as soon as the products have come.
    let answersBuy = direct.contains { $0.1 == "productsRequest" }
    var found: [(entry: Entry, score: Int)] = []
    for type in types {
      for function in type.functions where !function.isPrivate && function.name != "init" {
        guard let body = function.body, !Self.callbacks.contains(function.name) else { continue }
        let isDirect =
          does(Self.buying, function)
          || answersBuy && !function.required.isEmpty
            && does([["SKProductsRequest", "("]], function)
        let calls = direct.contains { owner, name in
          name != "init" && (owner, name) != (type.name, function.name)
            && invokes(name, of: owner, from: type, in: body)
        }
        guard isDirect || calls else { continue }
        let name = function.name.lowercased()
        let fits =
          name.contains("buy") || name.contains("purchase") || name.contains("order")
          || name.contains("subscribe")
        found.append(
          (
            Entry(type: type, function: function),
            score(function, of: type) + (isDirect ? 2 : 0) + (fits ? 1 : -3)
          ))
      }
    }
    // Of equal ones the first in the files.
    return found.enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }.map(\.element.entry)
  }

  private func score(_ function: SurveyedFunction, of type: SurveyedType) -> Int {
    let wanted = function.required.map { resolved($0.type) }
    if wanted.contains("String") { return 5 }
    if wanted.contains("Product") { return products(of: type).isEmpty ? 3 : 4 }
    if wanted.contains("SKProduct") { return classicProducts(of: type) == nil ? 0 : 4 }
    return 1
  }

  /// The type's list of what can be bought, in StoreKit 2.
  package func products(of type: SurveyedType) -> [SurveyedProperty] {
    type.properties.filter { property in
      !property.isPrivate && !property.isStatic
        && ["[Product]", "[StoreKit.Product]"].contains(property.type)
        && !["purchased", "owned"].contains { property.name.lowercased().contains($0) }
    }
  }

  /// The same in StoreKit 1.
  package func classicProducts(of type: SurveyedType) -> SurveyedProperty? {
    type.properties.first { !$0.isPrivate && ["[SKProduct]", "[SKProduct]?"].contains($0.type) }
  }

  /// How the type is had.
  package func instance(of type: SurveyedType) -> Instance {
    for owner in [type] + survey.types where !owner.isPrivate {
      for property in owner.properties where property.isStatic && !property.isPrivate {
        let declared = property.type?.filter { $0 != "?" && $0 != "!" }
        if declared == type.name || declared == nil && property.initial == type.name {
          return .shared("\(owner.path).\(property.name)")
        }
      }
    }
    let initializers = type.functions.filter { $0.name == "init" }
    if initializers.isEmpty {
      return .built(
        SurveyedFunction(
          name: "init", parameters: [], result: nil, isAsync: false, isThrowing: false,
          isStatic: false, isPrivate: false, isFailable: false, body: nil))
    }
    let open = initializers.filter { !$0.isPrivate }
    guard let least = open.min(by: { $0.required.count < $1.required.count }) else { return .none }
    return .built(least)
  }

  /// Functions that nobody in the files calls and that begin something: a queue's observer, products, entitlements.
  ///
  /// The app's screens call them, in all likelihood when they appear.
  package func beginnings(of type: SurveyedType) -> [SurveyedFunction] {
    [Self.observing, Self.loading].flatMap { patterns in
      type.functions.filter { function in
        !function.isPrivate && !function.isStatic && function.required.isEmpty
          && function.name != "init" && !function.name.lowercased().contains("restore")
          && does(patterns, function, through: type) && !isCalled(function, in: type)
      }
    }.reduce(into: []) { all, function in
      if !all.contains(where: { $0.name == function.name }) { all.append(function) }
    }
  }

  /// Functions that look at what is owned, or begin to observe, and that others in the files call, but none that runs at a
  /// launch as far as the files say: the app's first screen may call them, for example in `.task`.
  package func refreshes(of type: SurveyedType) -> [SurveyedFunction] {
    let begun = beginnings(of: type).map(\.name)
    var reached = Set(begun + type.properties.compactMap(\.initial))
    var next = type.functions.filter { $0.name == "init" || reached.contains($0.name) }
    while let function = next.popLast() {
      guard let body = function.body else { continue }
      for called in type.functions where !reached.contains(called.name) {
        guard invokes(called.name, of: type.name, from: type, in: body) else { continue }
        reached.insert(called.name)
        next += type.functions.filter { $0.name == called.name }
      }
    }
    return type.functions.filter { function in
      !function.isPrivate && !function.isStatic && function.required.isEmpty
        && function.name != "init" && !function.name.lowercased().contains("restore")
        && !reached.contains(function.name) && does(Self.observing, function)
        && !does(Self.buying, function)
    }
  }

  /// Whether a function does one of these things, or calls another that does.
  private func does(
    _ patterns: [[String]], _ function: SurveyedFunction, through type: SurveyedType
  ) -> Bool {
    if does(patterns, function) { return true }
    guard let body = function.body else { return false }
    return survey.types.contains { other in
      other.functions.contains { called in
        called.name != "init" && called.name != function.name && does(patterns, called)
          && invokes(called.name, of: other.name, from: type, in: body)
      }
    }
  }

  /// Whether a body calls a function, of its own type or of another.
  private func invokes(
    _ name: String, of owner: String, from type: SurveyedType, in body: SurveyedRange
  ) -> Bool {
    let before = owner == type.name ? [] : ["."]
    return ["(", "{"].contains { survey.has(before + [name, $0], in: body) }
  }

  private func isCalled(_ function: SurveyedFunction, in type: SurveyedType) -> Bool {
    type.functions.contains { other in
      guard other.name != function.name, let body = other.body else { return false }
      return survey.has([function.name, "("], in: body)
    }
      || type.properties.contains { $0.initial == function.name }
  }

  // MARK: - What is sold

  /// Texts that look like identifiers of products, in the order in which they stand.
  package var productIDs: [String] {
    var found: [String] = []
    for (_, text) in survey.files {
      for index in text.tokens.indices {
        guard let value = text.literal(index), Self.looksLikeProduct(value), index > 0 else {
          continue
        }
        let before = text.text(index - 1)
        let name = text.text(index - 2).lowercased()
        // `subsystem: "com.example"` is the argument of something else.
        let isListed = ["[", ","].contains(before) || before == "=" && !Self.isOther(name)
        if isListed, !found.contains(value) { found.append(value) }
      }
    }
    return found
  }

  private static func isOther(_ name: String) -> Bool {
    [
      "key", "suite", "subsystem", "notification", "domain", "group", "queue", "url", "host",
      "bundle",
    ]
    .contains { name.contains($0) }
  }

  package static func looksLikeProduct(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, !text.hasSuffix(".plist"), !text.hasSuffix(".json") else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    } && parts.contains { $0.contains(where: \.isLetter) }
  }

  // MARK: - Where the goods are

  /// The keys under which UserDefaults get something that looks like goods.
  package var keys: [Key] {
    var found: [Key] = []
    for (path, text) in survey.files {
      for index in text.tokens.indices
      where text.has("set", at: index) && text.has("(", at: index + 1) {
        guard let key = key(text, index, path) else { continue }
        // A flag may be set to a variable elsewhere.
        if !found.contains(where: { $0.name == key.name }) { found.append(key) }
      }
    }
    return found
  }

  /// The key of `set(value, forKey: key)` at a token, if what is set looks like goods.
  private func key(_ text: SwiftText, _ index: Int, _ path: String) -> Key? {
    let closing = text.closing(index + 1)
    // Not that of a value inside, as in `set(integer(forKey: "coins") + 1, forKey: "coins")`.
    var label = index + 2
    while label < closing, !text.has("forKey", at: label) {
      let opens = text.has("(", at: label) || text.has("[", at: label)
      label = opens ? text.closing(label) + 1 : label + 1
    }
    guard text.has(":", at: label + 1), label + 2 < closing else { return nil }
    let isTrue = text.has("true", at: index + 2) && text.has(",", at: index + 3)
    let expression = label + 2..<closing
    let name = keyName(text, expression)
    func key(isFlag: Bool) -> Key {
      Key(name: name, isFlag: isFlag, path: path, line: text.line(index))
    }
    switch name {
    case .text(let name):
      let isFlag = isTrue || isRead("bool", name)
      return isFlag || isRead("integer", name) ? key(isFlag: isFlag) : nil
    case .identifier, .value, .expression:
      let isAboutProduct = expression.contains { Self.namesProduct(text.text($0)) }
      let adds = (index + 2..<label).contains { text.has("+", at: $0) }
      return isAboutProduct || isTrue ? key(isFlag: !adds) : nil
    }
  }

  private func keyName(_ text: SwiftText, _ range: Range<Int>) -> Key.Name {
    if range.count == 1, let literal = text.literal(range.lowerBound) { return .text(literal) }
    let written = text.written(range)
    guard Self.isPath(text, range) else { return .expression(written) }
    let name = text.text(range.upperBound - 1)
    if let values = constants[name] {
      guard let value = values.first, values.count == 1 else { return .expression(written) }
      return .text(value)
    }
    if isIdentifier(text, range) { return .identifier(written) }
    return .value(written)
  }

  /// Whether these are names with points between them, such as `Keys.coins`.
  private static func isPath(_ text: SwiftText, _ range: Range<Int>) -> Bool {
    range.count % 2 == 1
      && range.enumerated().allSatisfy { place, index in
        place % 2 == 0 ? text.tokens[index].kind == .word : text.has(".", at: index)
      }
  }

  /// Whether it can only be the identifier of a product: it is called so, and nothing else is put under that name.
  private func isIdentifier(_ text: SwiftText, _ range: Range<Int>) -> Bool {
    let name = text.text(range.upperBound - 1)
    let owner = range.count > 2 ? text.text(range.upperBound - 3).lowercased() : ""
    switch name.lowercased() {
    case "productid", "productidentifier": break
    case "id", "identifier": return owner == "product"
    default: return false
    }
    guard range.count == 1 else { return true }
    return !survey.files.contains { _, text in
      text.tokens.indices.contains { index in
        guard text.has("let", at: index) || text.has("var", at: index),
          text.has(name, at: index + 1),
          let sign = (index + 2..<index + 5).first(where: { text.has("=", at: $0) })
        else { return false }
        // `let productID = transaction.productID` is one still.
        var end = sign + 1
        while end < text.tokens.count, end == sign + 1 || !text.isFirstOfLine(end) { end += 1 }
        let value = sign + 1..<end
        return !Self.isPath(text, value) || !isIdentifierName(text.text(end - 1))
      }
    }
  }

  private func isIdentifierName(_ name: String) -> Bool {
    ["productid", "productidentifier"].contains(name.lowercased())
  }

  /// Whether a word, or a text with something interpolated, seems to be about a product.
  private static func namesProduct(_ word: String) -> Bool {
    let word = word.lowercased()
    return word == "id" || ["product", "identifier", "sku"].contains { word.contains($0) }
  }

  /// Whether a key is read as a value of this kind: `integer(forKey:)`, `bool(forKey:)`.
  private func isRead(_ kind: String, _ key: String) -> Bool {
    survey.files.contains { _, text in
      text.tokens.indices.contains { index in
        guard text.has(kind, at: index), text.has("forKey", at: index + 2) else { return false }
        let closing = text.closing(index + 1)
        return text.literal(index + 4) == key
          || constants[text.text(closing - 1)]?.contains(key) ?? false
      }
    }
  }

  /// Whether UserDefaults of a group or another suite are used, whose keys are not those of the standard ones.
  package var usesSuites: Bool {
    survey.files.contains { _, text in
      text.tokens.indices.contains { text.has("suiteName", at: $0) }
    }
  }

  /// Whether something is written down in a way that is not looked at here: files, the keychain, a database.
  package var keepsRecords: Bool {
    let words: Set<String> = [
      "FileManager", "write", "SecItemAdd", "Keychain", "KeychainWrapper", "AppStorage",
      "ModelContext",
      "NSManagedObjectContext", "NSUbiquitousKeyValueStore", "PropertyListEncoder", "JSONEncoder",
    ]
    return survey.files.contains { _, text in
      text.tokens.contains { words.contains(text[$0.range].trimmingPrefix("@").description) }
    }
  }

  /// Where the files speak to a server; nil if they do not.
  package var network: (path: String, line: Int)? {
    for (path, text) in survey.files {
      for index in text.tokens.indices
      where text.has("URLSession", at: index) || text.has("URLRequest", at: index) {
        return (path, text.line(index))
      }
    }
    return nil
  }

  /// Whether what is owned is asked of StoreKit.
  package var asksForEntitlements: Bool {
    survey.files.contains { _, text in
      text.tokens.indices.contains { text.has("currentEntitlements", at: $0) }
    }
  }

  /// A property that names what is owned, by identifiers or by products.
  package func owned(of type: SurveyedType) -> SurveyedProperty? {
    type.properties.first { property in
      let name = property.name.lowercased()
      return !property.isPrivate && !property.isStatic
        && ["Set<String>", "[String]"].contains(property.type.map(resolved))
        && (name.contains("purchased") || name.contains("owned") || name.contains("entitle"))
    }
  }
}

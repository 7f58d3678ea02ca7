import ChaosSources
import Foundation

/// The file that plugs an app's manager into the simulation, with an `#error` for each thing that only its author knows.
struct AdapterText {
  let module: String
  let survey: PurchaseSurvey
  let entry: PurchaseSurvey.Entry
  let catalog: ProductCatalog
  /// Whether the app has a backend.
  let hasBackend: Bool

  private var type: SurveyedType { entry.type }
  private var function: SurveyedFunction { entry.function }
  private var isActor: Bool { type.kind == "actor" }
  /// Whether the function's answer does not say what became of the purchase, so that people see it on the screen.
  private var isSeenOnScreen: Bool {
    if function.parameters.contains(where: { !$0.hasDefault && closure($0.type) != nil }) {
      return function.parameters.compactMap { closure($0.type) }.allSatisfy { answers($0) == nil }
    }
    return told("") == nil
  }
  /// Whether the screen shows what `Transaction.currentEntitlements` has.
  private var showsEntitlements: Bool {
    !hasBackend && survey.keys.isEmpty && survey.asksForEntitlements
      && catalog.products.allSatisfy { $0.isConsumable == false }
  }
  private var shown: String { isSeenOnScreen ? ", isShown: true" : "" }
  private var wait: String { isActor ? "await " : "" }

  var text: String {
    var lines = """
      import ChaosStore
      import Foundation
      import Invariants
      import StoreKit

      /// \(type.name) on a simulated device. `init` is a launch of the app, `buy` is a person who taps.
      @MainActor
      public final class \(module)App: SimulatedApp {
        private let device: SimulatedDevice
        private let manager: \(type.path)

        public init(device: SimulatedDevice) {
          self.device = device

      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.removeLast()
    lines += goods.indented(4) + instance.indented(4) + beginnings.indented(4)
    lines += ["  }", "", "  public func buy(_ productID: String) async -> PurchaseMessage {"]
    lines += buying.indented(4) + ["  }", "}", ""]
    lines += system
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: - The system

  private var system: [String] {
    let backend =
      hasBackend ? "HostedBackend<\(module)Backend>" : "NoBackend"
    let kebab = module.kebabCase
    var lines = [
      "public enum \(module)System: HostedSystem {",
      "  public typealias App = HostedApp<\(module)App>",
      "  public typealias Backend = \(backend)",
      "  public static let entry = SystemEntry(",
      "    name: \"\(kebab)\", summary: \"\(type.name), as it ships.\",\(hasBackend ? " backends: [.idempotent]," : "")",
      "    products: [",
    ]
    lines += catalog.products.map { product in
      let kind =
        product.isNonRenewing
        ? ", .nonRenewing" : product.isConsumable ?? true ? "" : ", isConsumable: false"
      return "      .init(\"\(product.id)\"\(kind)),"
    }
    lines += ["    ])", "}"]
    if catalog.products.isEmpty {
      lines.append(
        "#error(\"Name the products above by their identifiers: none was found in the source files.\")"
      )
    } else if catalog.products.contains(where: { $0.isConsumable == nil }) {
      lines.append(
        """
        #error("Which of the products above are consumable? Add isConsumable: false to the others, remove what is no \
        product, and delete this line. Tip: pass your .storekit file to 'new' to fill this in.")
        """)
    }
    return lines
  }

  // MARK: - Goods

  private var goods: [String] {
    if let network = survey.network, hasBackend {
      return [
        question(
          """
          \(place(network.path, network.line)) speaks to a server by URLSession, which leads nowhere here. Give \
          \(type.name) something in its place that asks device.backend.send, which Backend.swift answers, and delete \
          this line.
          """)
      ]
    }
    if !watched.isEmpty { return watched }
    if catalog.products.allSatisfy({ $0.isConsumable == false }), survey.asksForEntitlements {
      // What currentEntitlements has needs no word.
      let lines = [
        "// What somebody owns is what Transaction.currentEntitlements has: nothing has to be said."
      ]
      return isSeenOnScreen ? lines + ["device.showEntitlements()"] : lines
    }
    return [
      question(
        """
        Where does the app keep what a buyer gets? Watch that key of UserDefaults with device.watchBalance or \
        device.watchPurchase, or call device.delivered(transaction.id) in the line before the one that writes it. \
        Without this, ChaosStore reports each purchase as money lost.
        """)
    ]
  }

  private var watched: [String] {
    WatchedGoodsText(survey: survey, catalog: catalog, shown: shown).lines
  }

  private func question(_ text: String) -> String { WatchedGoodsText.question(text) }

  private func place(_ path: String, _ line: Int) -> String {
    "\((path as NSString).lastPathComponent):\(line)"
  }

  // MARK: - The instance

  private var instance: [String] {
    switch survey.instance(of: type) {
    case .shared(let name): return ["manager = \(name)"]
    case .none:
      return [
        "#error(\"Every initializer of \(type.name) is private: say which instance the app has.\")",
        "manager = \(type.path)()",
      ]
    case .built(let initializer):
      var open: [String] = []
      let arguments = initializer.required.map { parameter in
        let value = known(parameter)
        if value == nil { open.append("\(parameter.name): \(parameter.type)") }
        return (parameter.label.map { "\($0): " } ?? "") + (value ?? "<#\(parameter.type)#>")
      }
      let question = initializer.isFailable ? "!" : ""
      let attempt = initializer.isThrowing ? "try! " : ""
      let call = "manager = \(attempt)\(type.path)(\(arguments.joined(separator: ", ")))\(question)"
      guard open.isEmpty, !initializer.isAsync else {
        let what =
          initializer.isAsync
          ? "is built by an async init" : "is built with \(open.joined(separator: ", "))"
        return [
          "#error(\"\(type.name) \(what.replacing("\"", with: "\\\"")): build it here as the app does at its launch.\")",
          "// \(call)",
        ]
      }
      return [call]
    }
  }

  /// What an argument of this type and name can only be.
  private func known(_ parameter: SurveyedFunction.Parameter) -> String? {
    let type = survey.resolved(parameter.type)
    let name = parameter.name.lowercased()
    let ids = catalog.products.map { "\"\($0.id)\"" }.joined(separator: ", ")
    switch type {
    case "UserDefaults": return ".standard"
    case "NotificationCenter", "SKPaymentQueue":
      return type == "SKPaymentQueue" ? ".default()" : ".default"
    case "Bundle": return ".main"
    case "FileManager": return ".default"
    case "UUID", "UUID?": return "device.account.token"
    case "Set<String>", "[String]", "Set<ProductIdentifier>":
      return name.contains("id") || name.contains("product") ? "[\(ids)]" : nil
    default: return nil
    }
  }

  private var beginnings: [String] {
    var lines: [String] = []
    let functions = survey.beginnings(of: type)
    if !functions.isEmpty {
      lines.append(
        "// Your app calls these when it starts, or when its shop appears. Delete what it does not call then."
      )
    }
    lines += functions.map(begun)
    for function in survey.refreshes(of: type) {
      lines += [
        question(
          """
          Does the app call \(function.name)() when it starts, for example in .task of its first screen? If it does, \
          delete this line. If it does not, delete both lines. If it does and the call is missing, ChaosStore reports \
          purchases as lost that the app finds at its next launch.
          """), begun(function),
      ]
    }
    return lines
  }

  private func begun(_ function: SurveyedFunction) -> String {
    let call = "manager.\(function.name)()"
    let ignored = function.result == nil && !function.isThrowing ? "" : "_ = "
    let attempt = function.isThrowing ? "try? " : ""
    return function.isAsync || isActor
      ? "Task { [manager] in \(ignored)\(attempt)await \(call) }" : "\(ignored)\(attempt)\(call)"
  }

  // MARK: - Buying

  private var buying: [String] {
    var before: [String] = []
    var errors: [String] = []
    var arguments: [String] = []
    var completion: String?
    let texts = function.parameters.filter {
      !$0.hasDefault && survey.resolved($0.type) == "String"
    }
    for parameter in function.parameters {
      let label = parameter.label.map { "\($0): " } ?? ""
      let type = survey.resolved(parameter.type)
      if parameter.hasDefault, !type.hasPrefix("UUID") { continue }
      switch type {
      case "String" where texts.count == 1 || isProductID(parameter, among: texts):
        arguments.append(label + "productID")
      case "String":
        errors.append(unknownArgument(parameter))
        arguments.append(label + "<#\(parameter.name)#>")
      case "Product":
        before += product
        arguments.append(label + "product")
      case "SKProduct":
        if let products = survey.classicProducts(of: self.type) {
          let list =
            products.type == "[SKProduct]?"
            ? "(manager.\(products.name) ?? [])" : "manager.\(products.name)"
          before += [
            "guard let product = \(wait)\(list).first(where: { $0.productIdentifier == productID }) else {",
            "  return .failure  // The screen does not show it: nobody can tap.", "}",
          ]
        } else {
          errors.append(
            "#error(\"\(function.name) takes an SKProduct: say from where the screen that sells it has it.\")"
          )
          before.append("let product: SKProduct")
        }
        arguments.append(label + "product")
      case "UUID", "UUID?": arguments.append(label + "device.account.token")
      case "Int" where isQuantity(parameter): arguments.append(label + "1")
      case "[Product.PurchaseOption]", "Set<Product.PurchaseOption>": arguments.append(label + "[]")
      default:
        if let closure = closure(type) {
          completion = closure
          arguments.append(label + "{ \(answers(closure) ?? ignoring(closure)) }")
        } else if let choice = survey.survey.type(type), choice.inherited.contains("String"),
          choice.kind == "enum"
        {
          before += [
            "guard let choice = \(choice.path)(rawValue: productID) else { return .failure }"
          ]
          arguments.append(label + "choice")
        } else {
          errors.append(unknownArgument(parameter))
          arguments.append(label + "<#\(type)#>")
        }
      }
    }
    let target = function.isStatic ? type.path : "manager"
    let call = "\(target).\(function.name)(\(arguments.joined(separator: ", ")))"
    guard errors.isEmpty else {
      return errors + before.map { "// " + $0 } + ["// \(call)", "return .nothing"]
    }
    if let completion {
      let isSilent = answers(completion) == nil && !showsGoods
      return before + ["\(wait)\(call)"] + (isSilent ? [whatIsSeen] : [])
        + ["return .pending  // Until it has answered."]
    }
    return before + answer(call)
  }

  private func unknownArgument(_ parameter: SurveyedFunction.Parameter) -> String {
    question(
      "\(function.name) takes \(parameter.name): \(parameter.type). Write the value that your app passes."
    )
  }

  /// Whether one of several texts is the identifier of the product.
  private func isProductID(
    _ parameter: SurveyedFunction.Parameter, among texts: [SurveyedFunction.Parameter]
  ) -> Bool {
    func fits(_ one: SurveyedFunction.Parameter) -> Bool {
      let name = one.name.lowercased()
      return name == "id" || ["product", "sku"].contains { name.contains($0) }
    }
    return fits(parameter) && texts.count(where: fits) == 1
  }

  private func isQuantity(_ parameter: SurveyedFunction.Parameter) -> Bool {
    let name = (parameter.label ?? parameter.name).lowercased() + parameter.name.lowercased()
    return ["quantity", "count", "units"].contains { name.contains($0) }
  }

  /// Whether the screen shows the goods once they are there.
  private var showsGoods: Bool { !hasBackend && !watched.isEmpty || showsEntitlements }

  private var whatIsSeen: String {
    question(
      """
      What does a buyer see when the purchase is complete? Call device.show(.success, about: productID) at that point, \
      and delete this line. Without it, ChaosStore reports that the buyer was told nothing.
      """)
  }

  private var product: [String] {
    let lists = survey.products(of: type).map { "manager.\($0.name)" }
    guard !lists.isEmpty else {
      return [
        "guard let product = try? await StoreKit.Product.products(for: [productID]).first else {",
        "  return .failure  // The screen does not show it: nobody can tap.", "}",
      ]
    }
    let list = lists.count == 1 ? lists[0] : "(\(lists.joined(separator: " + ")))"
    return [
      "guard let product = \(wait)\(list).first(where: { $0.id == productID }) else {",
      "  return .failure  // The screen does not show it: nobody can tap.", "}",
    ]
  }

  /// The cases of an enum that a function answers, with what each says to the person; nil if none says success.
  private var outcomes: [(name: String, message: String)]? {
    guard let result = function.result, let type = survey.survey.type(survey.resolved(result)),
      type.kind == "enum"
    else { return nil }
    let outcomes = type.cases.map { one in
      let name = one.name.lowercased()
      func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
      if has("cancel") { return (one.name, "failure") }
      let isBad = has("fail", "error", "invalid", "denied", "refused", "not", "unverified", "none")
      let isBought = has("success", "purchased", "bought", "complete", "delivered", "unlocked")
      return (one.name, isBought && !isBad ? "success" : "pending")
    }
    return outcomes.contains { $0.1 == "success" } ? outcomes : nil
  }

  /// What a function answers, as a message to the person.
  private func answer(_ call: String) -> [String] {
    let waited = "await \(call)"
    guard var lines = told(waited) else { return bySight(call, function.result) }
    guard function.isThrowing else { return lines }
    lines = lines.map { $0.replacing(waited, with: "try \(waited)") }
    return ["do {"] + lines.indented(2) + [
      // The store may have taken the money, and "failed" would then be a lie.
      "} catch {",
      "  return .pending  // Return .failure if the screen says that the purchase failed.",
      "}",
    ]
  }

  /// Lines that return what a call's answer says; nil where its type does not say how the purchase ended.
  ///
  /// A function that is not async returns before the store has answered.
  private func told(_ call: String) -> [String]? {
    guard function.isAsync, let result = function.result.map(survey.resolved) else { return nil }
    switch result {
    case "Transaction": return ["_ = \(call)", "return .success"]
    case "Product.PurchaseResult", "Product.PurchaseResult?":
      let mark = result.hasSuffix("?") ? "?" : ""
      return [
        "switch \(call) {", "case .success(.verified)\(mark): return .success",
        "case .userCancelled\(mark): return .failure", "default: return .pending", "}",
      ]
    case _ where outcomes != nil:
      return ["switch \(call) {"]
        + (outcomes ?? []).map { "case .\($0.name): return .\($0.message)" } + ["}"]
    default:
      return success(result, call, named: nil).map { ["return \($0) ? .success : .pending"] }
    }
  }

  /// The expression that is true if a value of this type says that the purchase is complete; nil where the type
  /// leaves a doubt.
  private func success(_ type: String, _ value: String, named name: String?) -> String? {
    switch survey.resolved(type) {
    case "Transaction?": return "\(value) != nil"
    case "Bool": return Self.meansSuccess(name) ? value : nil
    case let type where type.hasPrefix("Result<"):
      let given = survey.resolved(type.dropFirst(7).prefix { $0 != "," }.trimmed)
      if given == "Bool" { return "(try? \(value).get()) == true" }
      return hasDoubt(given) ? nil : "(try? \(value).get()) != nil"
    default: return nil
    }
  }

  /// Whether a value of this type may stand for a purchase that is not complete.
  private func hasDoubt(_ type: String) -> Bool {
    type.hasSuffix("?") || type.contains("Result") || survey.survey.type(type)?.kind == "enum"
  }

  /// Whether `true` under this name can only be a success. Under no name it is one nearly everywhere.
  private static func meansSuccess(_ name: String?) -> Bool {
    guard let name = name?.lowercased() else { return true }
    let word = ["is", "did", "was"].first { name.hasPrefix($0) }.map { name.dropFirst($0.count) }
    return [
      "success", "successful", "succeed", "succeeded", "ok", "purchased", "bought", "complete",
      "completed", "unlocked", "granted",
    ].contains(String(word ?? name[...]))
  }

  /// A purchase whose outcome shows on the screen: a button begins it, and nobody waits for it.
  private func bySight(_ call: String, _ result: String?) -> [String] {
    let begins = function.isAsync || isActor
    let attempt = function.isThrowing ? "try \(begins ? "await " : "")" : begins ? "await " : ""
    var lines = ["\(result == nil ? "" : "_ = ")\(attempt)\(call)"]
    if begins || function.isThrowing { lines = ["Task { [manager] in \(lines[0]) }"] }
    if result != nil {
      lines.insert(
        "// Its answer is not used: 'new' cannot tell what it says of the purchase.", at: 0)
    }
    if !showsGoods { lines.append(whatIsSeen) }
    return lines + ["return .pending  // The screen shows what was bought once it is there."]
  }

  /// The parameters of a completion handler, if this is the type of one that returns nothing.
  private func closure(_ type: String) -> String? {
    var text = type.replacing("@escaping ", with: "").replacing("@Sendable ", with: "")
      .replacing("@MainActor ", with: "")
    if let resolved = survey.functionAliases[text] { text = resolved }
    if text.hasSuffix("?") { text = String(text.dropLast().trimmingPrefix("(")) }
    guard text.hasPrefix("("), let arrow = text.firstRange(of: "->") else { return nil }
    let parameters = text[..<arrow.lowerBound].split(separator: " ").joined(separator: " ")
    return String(parameters.dropFirst().dropLast())
  }

  /// The body of a completion handler that tells the person what it was given; nil where that does not say how it ended.
  private func answers(_ parameters: String) -> String? {
    // Of several things none can be told to be the answer.
    guard parameters.topLevelCommas == 0 else { return nil }
    let parts = parameters.split(separator: ":").map(\.trimmed)
    guard let type = parts.last else { return nil }
    let name = parts.count > 1 ? parts[0].split(separator: " ").last.map(String.init) : nil
    return success(type, "answer", named: name == "_" ? nil : name).map {
      "[device] answer in device.show(\($0) ? .success : .pending, about: productID)"
    }
  }

  /// The head of a completion handler that does nothing.
  private func ignoring(_ parameters: String) -> String {
    if parameters.isEmpty { return "" }
    return Array(repeating: "_", count: parameters.topLevelCommas + 1).joined(separator: ", ")
      + " in"
  }
}

extension [String] {
  fileprivate func indented(_ count: Int) -> [String] {
    map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }
  }
}

extension StringProtocol {
  var trimmed: String { trimmingPrefix { $0.isWhitespace }.description.trimmingEnd }

  /// `coin-shop` for `CoinShop`, and `iap-manager` for `IAPManager`.
  var kebabCase: String {
    let letters = Array(self)
    var result = ""
    for (index, letter) in letters.enumerated() {
      let isAfterSmall = index > 0 && !letters[index - 1].isUppercase
      let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, index > 0, isAfterSmall || isBeforeSmall { result += "-" }
      result += letter.isLetter || letter.isNumber ? letter.lowercased() : "-"
    }
    return result
  }

  fileprivate var topLevelCommas: Int {
    var depth = 0
    return reduce(0) { count, letter in
      if "<([".contains(letter) { depth += 1 }
      if ">)]".contains(letter) { depth -= 1 }
      return letter == "," && depth == 0 ? count + 1 : count
    }
  }
}

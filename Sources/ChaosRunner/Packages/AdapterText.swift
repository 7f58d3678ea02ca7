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
      return function.parameters.compactMap { closure($0.type) }.allSatisfy {
        answers($0).hasPrefix("_")
      }
    }
    switch function.result {
    case "Bool", "Product.PurchaseResult", "StoreKit.Product.PurchaseResult": return false
    case let result?: return !result.hasSuffix("?") && outcomes == nil
    case nil: return true
    }
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
        private let manager: \(type.name)

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
        #error("Which of the products above are consumable? Say isConsumable: false for the others, and delete this \
        line. A .storekit file among the arguments of 'new' would have said it.")
        """)
    }
    return lines
  }

  // MARK: - Goods

  private var goods: [String] {
    if let network = survey.network, hasBackend {
      return [
        """
        #error("\((network.path as NSString).lastPathComponent):\(network.line) speaks to a server by URLSession, which \
        leads nowhere here. Give \(type.name) something in its place that asks device.backend.send, which \
        Backend.swift answers, and delete this line.")
        """
      ]
    }
    let owned = catalog.products.filter { $0.isConsumable == false }.map(\.id)
    let counted = catalog.products.filter { $0.isConsumable != false }.map(\.id)
    var lines: [String] = []
    var errors: [String] = []
    var isSaid = false
    for key in survey.keys {
      if key.isProduct {
        lines.append("// The key of each product is its identifier.")
        lines.append(
          "for id in [\(catalog.products.map { "\"\($0.id)\"" }.joined(separator: ", "))] {")
        lines += ["  device.watchPurchase(of: id, forKey: id\(shown))", "}"]
        isSaid = true
      } else if key.isFlag {
        if owned.count == 1 {
          lines.append("device.watchPurchase(of: \"\(owned[0])\", forKey: \"\(key.name)\"\(shown))")
        } else {
          errors.append(
            """
            #error("Which product is owned once \\"\(key.name)\\" is true? Say so below, or delete these two lines if \
            that key is about something else.")
            """)
          errors.append(
            "device.watchPurchase(of: \"\(likely(key.name))\", forKey: \"\(key.name)\"\(shown))")
        }
        isSaid = true
      } else if !counted.isEmpty {
        errors.append(
          """
          #error("How much does each product add to \\"\(key.name)\\"? Put the amounts below, or delete these two \
          lines if that key is about something else.")
          """)
        let amounts = counted.map { "\"\($0)\": \(Self.amount(in: $0))" }.joined(separator: ", ")
        errors.append("device.watchBalance(forKey: \"\(key.name)\", amounts: [\(amounts)]\(shown))")
        isSaid = true
      }
    }
    if !isSaid, counted.isEmpty, survey.asksForEntitlements {
      // What currentEntitlements has needs no word.
      let lines = [
        "// What somebody owns is what Transaction.currentEntitlements has: nothing has to be said."
      ]
      return isSeenOnScreen ? lines + ["device.showEntitlements()"] : lines
    }
    if !isSaid {
      errors.append(
        """
        #error("Where can what somebody bought be seen? Watch the key of UserDefaults in which it stands with \
        device.watchBalance or device.watchPurchase, or call device.delivered(transaction.id) where it is handed out.")
        """)
    }
    return lines + errors
  }

  /// The product whose identifier a key resembles most, by the length of what both have.
  private func likely(_ key: String) -> String {
    func shared(_ id: String) -> Int {
      let key = key.lowercased()
      let last = (id.split(separator: ".").last ?? "").lowercased()
      return (2...max(2, last.count)).reversed().first { length in
        (0...max(0, last.count - length)).contains { start in
          key.contains(last.dropFirst(start).prefix(length))
        }
      } ?? 0
    }
    let products = catalog.products.filter { $0.isConsumable != true }
    return products.enumerated().max {
      (shared($0.element.id), -$0.offset) < (shared($1.element.id), -$1.offset)
    }?
    .element.id ?? catalog.products.first?.id ?? ""
  }

  /// The number with which an identifier ends, which is what many call an amount; 1 without one.
  private static func amount(in id: String) -> Int {
    let digits = String(id.reversed().prefix { $0.isNumber }.reversed())
    return Int(digits).flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? 1
  }

  // MARK: - The instance

  private var instance: [String] {
    switch survey.instance(of: type) {
    case .shared(let name): return ["manager = \(name)"]
    case .none:
      return [
        "#error(\"Every initializer of \(type.name) is private: say which instance the app has.\")",
        "manager = \(type.name)()",
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
      let call = "manager = \(attempt)\(type.name)(\(arguments.joined(separator: ", ")))\(question)"
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
    let functions = survey.beginnings(of: type)
    guard !functions.isEmpty else { return [] }
    var lines = [
      "// Your app calls these when it starts, or when its shop appears. Delete what it does not call then."
    ]
    for function in functions {
      let call = "manager.\(function.name)()"
      let ignored = function.result == nil && !function.isThrowing ? "" : "_ = "
      if function.isAsync || isActor {
        let attempt = function.isThrowing ? "try? " : ""
        lines.append("Task { [manager] in \(ignored)\(attempt)await \(call) }")
      } else {
        lines.append("\(ignored)\(function.isThrowing ? "try? " : "")\(call)")
      }
    }
    return lines
  }

  // MARK: - Buying

  private var buying: [String] {
    var before: [String] = []
    var errors: [String] = []
    var arguments: [String] = []
    var completion: String?
    for parameter in function.parameters {
      let label = parameter.label.map { "\($0): " } ?? ""
      let type = survey.resolved(parameter.type)
      if parameter.hasDefault, !type.hasPrefix("UUID") { continue }
      switch type {
      case "String": arguments.append(label + "productID")
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
      case "Int": arguments.append(label + "1")
      case "[Product.PurchaseOption]", "Set<Product.PurchaseOption>": arguments.append(label + "[]")
      default:
        if let closure = closure(type) {
          completion = closure
          arguments.append(label + "{ \(answers(closure)) }")
        } else if let choice = survey.survey.type(type), choice.inherited.contains("String"),
          choice.kind == "enum"
        {
          before += [
            "guard let choice = \(type)(rawValue: productID) else { return .failure }"
          ]
          arguments.append(label + "choice")
        } else {
          errors.append(
            "#error(\"\(function.name) takes a \(type.replacing("\"", with: "\\\"")): say which one stands for productID.\")"
          )
          arguments.append(label + "<#\(type)#>")
        }
      }
    }
    let target = function.isStatic ? type.name : "manager"
    let call = "\(target).\(function.name)(\(arguments.joined(separator: ", ")))"
    guard errors.isEmpty else {
      return errors + before.map { "// " + $0 } + ["// \(call)", "return .nothing"]
    }
    if completion != nil {
      return before + ["\(wait)\(call)", "return .pending  // Until it has answered."]
    }
    return before + answer(call)
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
      let message =
        has("fail", "cancel", "error", "invalid", "denied", "refused", "not", "unverified", "none")
        ? "failure"
        : has("success", "purchased", "bought", "complete", "delivered", "unlocked")
          ? "success" : "pending"
      return (one.name, message)
    }
    return outcomes.contains { $0.1 == "success" } ? outcomes : nil
  }

  /// What a function answers, as a message to the person.
  private func answer(_ call: String) -> [String] {
    let waits = function.isAsync || isActor ? "await " : ""
    let result = function.result
    var lines: [String]
    switch result {
    case "Bool": lines = ["return \(waits)\(call) ? .success : .pending"]
    case let result? where result.hasSuffix("?"):
      lines = ["return \(waits)\(call) == nil ? .pending : .success"]
    case "Product.PurchaseResult", "StoreKit.Product.PurchaseResult":
      lines = [
        "switch \(waits)\(call) {", "case .success: return .success",
        "case .pending: return .pending",
        "default: return .failure", "}",
      ]
    case _ where outcomes != nil:
      lines = ["switch \(waits)\(call) {"]
      lines += (outcomes ?? []).map { "case .\($0.name): return .\($0.message)" } + ["}"]
    default:
      return bySight(call, result)
    }
    guard function.isThrowing else { return lines }
    lines = lines.map { $0.replacing("\(waits)\(call)", with: "try \(waits)\(call)") }
    return ["do {"] + lines.indented(2) + ["} catch {", "  return .failure", "}"]
  }

  /// A purchase whose outcome shows on the screen: a button begins it, and nobody waits for it.
  private func bySight(_ call: String, _ result: String?) -> [String] {
    let begins = function.isAsync || isActor
    let attempt = function.isThrowing ? "try \(begins ? "await " : "")" : begins ? "await " : ""
    var lines = ["\(result == nil ? "" : "_ = ")\(attempt)\(call)"]
    if begins || function.isThrowing { lines = ["Task { [manager] in \(lines[0]) }"] }
    if survey.keys.isEmpty, !showsEntitlements {
      lines.append(
        "#error(\"What does a person see once the purchase is through? Say device.show(.success, about: productID) then, and delete this line.\")"
      )
    }
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

  /// The body of a completion handler that tells the person what it was given.
  private func answers(_ parameters: String) -> String {
    let show = { (message: String) in "device.show(\(message), about: productID)" }
    // Of several things none can be told to be the answer.
    let isOne = parameters.topLevelCommas == 0
    let plain = isOne ? parameters.split(separator: ":").last.map { $0.trimmed } ?? "" : ","
    switch plain {
    case "": return "[device] in \(show(".success"))"
    case "Bool": return "[device] isBought in \(show("isBought ? .success : .failure"))"
    case let one where one.hasPrefix("Result<"):
      return
        "[device] result in if case .success = result { \(show(".success")) } else { \(show(".failure")) }"
    case "Error?", "(any Error)?", "(Error)?":
      return "[device] error in \(show("error == nil ? .success : .failure"))"
    default:
      let count = parameters.isEmpty ? 0 : parameters.topLevelCommas + 1
      return Array(repeating: "_", count: count).joined(separator: ", ") + " in"
    }
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

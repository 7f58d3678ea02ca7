import Foundation
import Testing

@testable import ChaosRunner

@Suite("What 'new' cannot know")
struct NewQuestionTests {
  private func new(
    _ words: String..., files: [String: String] = [:],
    body: (String, NewPackages.Output) throws -> Void
  ) throws {
    try NewPackages.new(words, files: files, body: body)
  }

  private func text(_ path: String) throws -> String { try NewPackages.text(path) }

  private static let store = NewPackages.store

  // MARK: - No guess accuses

  /// The adapter for a store that writes this, with what the package's folder is called.
  private func adapter(
    writing statement: String, _ more: String = "",
    products: [String] = ["Consumable", "NonConsumable"]
  ) throws -> [Substring] {
    let store = """
      import StoreKit
      final class Store {
        let prefix = "owned."
        func buy(_ product: Product) async throws -> Bool {
          if case .success(.verified(let transaction)) = try await product.purchase() {
            unlock(transaction.productID, transaction, product)
          }
          return true
        }
        func unlock(_ productID: String, _ transaction: Transaction, _ product: Product) {
          UserDefaults.standard.\(statement)
        }
        \(more)
      }
      """
    let sold = products.map { #"{"productID": "app.\#($0.lowercased())", "type": "\#($0)"}"# }
    let catalog =
      #"{"version": {"major": 4}, "products": [\#(sold.joined(separator: ", "))]}"#
    var lines: [Substring] = []
    try new(
      "IN/Store.swift", "IN/Shop.storekit", "--name", "Cafe",
      files: ["Store.swift": store, "Shop.storekit": catalog]
    ) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      lines = try text("\(folder)/Sources/Cafe/Adapter.swift").split(separator: "\n")
    }
    return lines
  }

  @Test(
    "A key that has to be worked out is never taken for the identifier",
    arguments: [
      "prefix + productID", #""owned.\(productID)""#, "productID + \".owned\"",
      "key(for: productID)", "productID.lowercased()", "[productID][0]", "(productID)",
      "\"owned.\".appending(transaction.productID)",
    ])
  func workedOutKeys(key: String) throws {
    let lines = try adapter(writing: "set(true, forKey: \(key))")
    let question = try #require(lines.first { $0.contains("#error(") })
    #expect(question.contains("Which key does Store.swift:11 write for each product?"))
    #expect(question.contains("ChaosStore reports the purchase as money lost."))
    // The placeholder does not compile, so the question has to be answered.
    let watch = lines.filter { $0.contains("watch") }.map { $0.trimmingPrefix { $0 == " " } }
    #expect(watch == ["device.watchPurchase(of: \"app.nonconsumable\", forKey: <#\(key)#>)"])
    #expect(question.contains("or the product is consumable"))
  }

  @Test(
    "A name that may be another thing's is asked about, with what its being the identifier comes to",
    arguments: ["id", "identifier", "productKey", "transaction.id", "device.identifier"])
  func uncertainKeys(key: String) throws {
    let lines = try adapter(writing: "set(true, forKey: \(key))")
    let question = try #require(lines.first { $0.contains("#error(") })
    #expect(question.contains("Is \(key) in Store.swift:11 the identifier of the product?"))
    #expect(lines.contains { $0.hasSuffix("for id in [\"app.nonconsumable\"] {") })
  }

  @Test(
    "Only the identifier of what is owned for good needs no question",
    arguments: ["productID", "transaction.productID", "product.id"])
  func identifiers(key: String) throws {
    let owned = try adapter(writing: "set(true, forKey: \(key))", products: ["NonConsumable"])
    #expect(!owned.contains { $0.contains("#error(") })
    #expect(owned.contains { $0.hasSuffix("device.watchPurchase(of: id, forKey: id)") })

    let mixed = try adapter(writing: "set(true, forKey: \(key))")
    let question = try #require(mixed.first { $0.contains("#error(") })
    #expect(question.contains("Remove each consumable from the list"))
    #expect(mixed.contains { $0.hasSuffix("for id in [\"app.nonconsumable\"] {") })

    let suite = try adapter(
      writing: "set(true, forKey: \(key))",
      "let shared = UserDefaults(suiteName: \"group.cafe\")", products: ["NonConsumable"])
    #expect(suite.contains { $0.contains("#error(") && $0.contains("add suite:") })

    let again = try adapter(
      writing: "set(true, forKey: productID)",
      "func f(_ id: String) { let productID = prefix + id; _ = productID }",
      products: ["NonConsumable"])
    #expect(again.contains { $0.contains("#error(") && $0.contains("Is productID in") })
  }

  @Test("A flag of what is consumable is never watched as its goods")
  func flagsOfConsumables() throws {
    for key in ["\"boosted\"", "productID", "prefix + productID"] {
      let lines = try adapter(writing: "set(true, forKey: \(key))", products: ["Consumable"])
      #expect(!lines.contains { $0.contains("device.watch") && !$0.contains("#error(") })
      let question = try #require(lines.first { $0.contains("#error(") })
      #expect(question.contains("Where does the app keep what a buyer gets?"))
      #expect(question.contains("in the line before the one that writes it"))
      #expect(question.contains("Without this, ChaosStore reports each purchase as money lost."))
    }
  }

  @Test("A flag is asked about, even where one product alone can be owned")
  func flags() throws {
    let lines = try adapter(writing: "set(true, forKey: \"didMigrate\")")
    let place = try #require(lines.firstIndex { $0.contains("#error(") })
    #expect(lines[place].contains(#"Which product does a buyer own once \"didMigrate\" is true?"#))
    #expect(lines[place].contains("would report goods as lost that never stood there"))
    #expect(
      lines[place + 1].contains(#"watchPurchase(of: "app.nonconsumable", forKey: "didMigrate")"#))
  }

  @Test("A constant of one name in two types is not looked up")
  func constantsOfOneName() throws {
    let lines = try adapter(
      writing: "set(true, forKey: Keys.pro)",
      "enum Keys { static let pro = \"isPro\" }\n enum Old { static let pro = \"wasPro\" }")
    #expect(
      lines.contains { $0.contains("#error(") && $0.contains("It is worked out as Keys.pro") })
    #expect(!lines.contains { $0.contains("isPro") || $0.contains("wasPro") })
  }

  @Test("A refresh that no launch comes to is asked about, as the first screen may call it")
  func refreshes() throws {
    let refresh = """
      var owned: Set<String> = []
        func refresh() async {
          for await case .verified(let one) in Transaction.currentEntitlements { owned.insert(one.productID) }
        }
        func bought(_ id: String) async { await refresh() }
      """
    let lines = try adapter(writing: "set(true, forKey: \"pro\")", refresh)
    let place = try #require(
      lines.firstIndex { $0.contains("Does the app call refresh() when it") })
    #expect(lines[place].contains("#error("))
    #expect(lines[place + 1].hasSuffix("Task { [manager] in await manager.refresh() }"))
    let launched = try adapter(
      writing: "set(true, forKey: \"pro\")", refresh + "\n init() { Task { await bought(\"\") } }")
    #expect(!launched.contains { $0.contains("Does the app call") })
  }

  @Test("Of several texts only the one that is called so is the product")
  func severalTexts() throws {
    let store = """
      import StoreKit
      final class Store {
        func purchase(productID: String, userID: String, amount: Int, done: @escaping () -> Void) {
          SKPaymentQueue.default().add(SKPayment(product: SKProduct()))
        }
      }
      """
    try new("IN/A.swift", "--name", "Cafe", files: ["A.swift": store]) { folder, _ in
      let adapter = try text("\(folder)/Sources/Cafe/Adapter.swift")
      #expect(
        adapter.contains("purchase takes userID: String. Write the value that your app passes."))
      #expect(adapter.contains("purchase takes amount: Int. Write the value that your app passes."))
      #expect(
        adapter.contains("productID: productID, userID: <#userID#>, amount: <#Int#>, done: {"))
      #expect(!adapter.contains("device.show(.success, about: productID) }"))
    }
  }

  @Test("A completion that says nothing is no success")
  func silentCompletion() throws {
    let store = """
      import StoreKit
      final class Store {
        func purchase(_ productID: String, done: @escaping () -> Void) {
          SKPaymentQueue.default().add(SKMutablePayment())
          done()
        }
      }
      """
    try new("IN/A.swift", "--name", "Cafe", files: ["A.swift": store]) { folder, _ in
      let adapter = try text("\(folder)/Sources/Cafe/Adapter.swift")
      #expect(adapter.contains("manager.purchase(productID, done: {  })"))
      #expect(adapter.contains("What does a buyer see when the purchase is complete?"))
      #expect(adapter.contains("return .pending  // Until it has answered."))
    }
  }

  // MARK: - What an answer says

  /// The body of the adapter's `buy` for a store with this function.
  private func buying(_ head: String, _ more: String = "") throws -> String {
    let store = """
      import StoreKit
      final class Store {
        \(head) {
          SKPaymentQueue.default().add(SKMutablePayment())
        }
        \(more)
      }
      """
    var body = ""
    try new("IN/A.swift", "--name", "Cafe", files: ["A.swift": store]) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let adapter = try text("\(folder)/Sources/Cafe/Adapter.swift")
      body = adapter.components(separatedBy: "-> PurchaseMessage {")[1]
      body = body.components(separatedBy: "\n}\n")[0]
    }
    return body
  }

  @Test(
    "An answer whose type leaves a doubt is never taken for a success",
    arguments: [
      "async -> Error?", "async throws -> String?", "async -> Int", "async -> Outcome?",
      // It answers before the store does.
      "-> Bool", "-> Transaction?",
    ])
  func doubtfulAnswers(result: String) throws {
    let body = try buying("func buy(_ productID: String) \(result)")
    #expect(!body.contains("return .success"))
    #expect(!body.contains("? .success"))
    #expect(body.contains("// Its answer is not used: 'new' cannot tell what it says"))
    #expect(body.contains("What does a buyer see when the purchase is complete?"))
  }

  @Test(
    "A completion whose parameter leaves a doubt is never taken for a success",
    arguments: [
      "_ cancelled: Bool", "_ failed: Bool", "_ error: Error?", "Transaction?, Error?",
      "Result<String?, Error>", "Result<Product.PurchaseResult, Error>", "Result<Ending, Error>",
    ])
  func doubtfulCompletions(parameters: String) throws {
    let body = try buying(
      "func buy(_ productID: String, done: @escaping (\(parameters)) -> Void)",
      "enum Ending { case bought, cancelled }")
    #expect(!body.contains("device.show(.success)"))
    #expect(!body.contains("? .success"))
    #expect(body.contains("What does a buyer see when the purchase is complete?"))
  }

  @Test("What the type of an answer says without a doubt is told to the person")
  func certainAnswers() throws {
    let cases = [
      ("async throws -> Transaction?", "return try await manager.buy(productID) != nil ? .success"),
      ("async throws -> StoreKit.Transaction", "_ = try await manager.buy(productID)"),
      ("async -> Bool", "return await manager.buy(productID) ? .success : .pending"),
      ("async -> Product.PurchaseResult?", "case .success(.verified)?: return .success"),
      (
        "async -> Result<Bool, Error>",
        "return (try? await manager.buy(productID).get()) == true ? .success : .pending"
      ),
    ]
    for (result, line) in cases {
      let body = try buying("func buy(_ productID: String) \(result)")
      #expect(body.contains(line), "\(result): \(body)")
      #expect(!body.contains("#error"))
    }
    let completions = [
      ("_ isPurchased: Bool", "answer in device.show(answer ? .success"),
      ("Bool", "answer in device.show(answer ? .success"),
      ("Result<Bool, Error>", "(try? answer.get()) == true ? .success"),
      ("Result<Void, StoreError>", "(try? answer.get()) != nil ? .success"),
      ("Result<String, Error>", "(try? answer.get()) != nil ? .success"),
    ]
    for (parameters, line) in completions {
      let body = try buying(
        "func buy(_ productID: String, done: @escaping (\(parameters)) -> Void)")
      #expect(body.contains(line), "\(parameters): \(body)")
    }
  }

  @Test("An enum inside another type is written with that type's name")
  func nestedEnum() throws {
    let body = try buying(
      "func buy(_ item: Item)", "enum Item: String { case coins = \"com.example.coins\" }")
    #expect(body.contains("guard let choice = Store.Item(rawValue: productID)"))
  }

  @Test("Who buys in the answer of a products request is called where the request begins")
  func delegateBuys() throws {
    let store = """
      import StoreKit
      final class Store: NSObject, SKProductsRequestDelegate {
        var request: SKProductsRequest?
        func unlock(_ productID: String) {
          request = SKProductsRequest(productIdentifiers: [productID])
          request?.start()
        }
        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
          SKPaymentQueue.default().add(SKPayment(product: response.products[0]))
        }
      }
      """
    try new("IN/A.swift", "--name", "Cafe", files: ["A.swift": store]) { folder, bench in
      let adapter = try text("\(folder)/Sources/Cafe/Adapter.swift")
      #expect(adapter.contains("manager.unlock(productID)"))
      #expect(bench.output.contains("Store.unlock(_:)"))
      #expect(!bench.output.contains("--type"))
    }
  }

  // MARK: - Resources

  @Test("Resources of one name neither stop it nor leave half a folder")
  func resources() throws {
    let store = Self.store.replacing(
      "func load()",
      with:
        "let url = Bundle.main.url(forResource: \"Shop\", withExtension: \"json\")\n  func load()"
    ).replacing("Ledger().open()", with: "")
    let files = [
      "Cafe/Store.swift": store, "Cafe/Assets.xcassets/Contents.json": "{}",
      "Cafe/Assets.xcassets/AppIcon.appiconset/Contents.json": "{}",
      "Cafe/de.lproj/Localizable.strings": "", "Cafe/fr.lproj/Localizable.strings": "",
      "Cafe/Old/Shop.json": "1", "Cafe/Shop.json": "2", "Cafe/shop.json": "3",
    ]
    try new("IN/Cafe", files: files) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let place = "\(folder)/Sources/CafeResources/Files"
      let found = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String }
      #expect(
        found?.sorted() == [
          "Shop.json", "de.lproj", "de.lproj/Localizable.strings", "fr.lproj",
          "fr.lproj/Localizable.strings",
        ])
      let manifest = try text("\(folder)/Package.swift")
      #expect(manifest.contains("\n  defaultLocalization: \"de\",\n"))
      #expect(
        bench.output.contains("Assets.xcassets: an asset catalog, which Xcode alone compiles"))
      #expect(bench.output.contains("Shop.json has the same name, and a bundle has one of a name"))
    }
  }

  @Test("What cannot be written to its end is not there at all")
  func halfWritten() throws {
    let files = [
      "Cafe/Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Cafe",
        targets: [.target(name: "Cafe", path: "Code", resources: [.process("Gone.json")])])
      """,
      "Cafe/Code/Store.swift": Self.store.replacing(
        "Ledger().open()", with: "_ = Bundle.main.bundlePath"),
    ]
    try new("IN/Cafe", files: files) { folder, bench in
      #expect(bench.exitCode == 2)
      #expect(bench.errors.contains("cannot be written"), "\(bench.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }
}

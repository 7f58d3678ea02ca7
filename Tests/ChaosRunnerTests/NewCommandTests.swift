import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

/// That the packages compile, and what they find, is what `Tests/shapes/run` looks at.
@Suite("A test package for an app's files")
struct NewCommandTests {
  private static let shapes = NewPackages.root.appending(path: "Tests/shapes").path

  private func new(
    _ words: String..., files: [String: String] = [:],
    body: (String, NewPackages.Output) throws -> Void
  ) throws {
    try NewPackages.new(words, files: files, body: body)
  }

  private func text(_ path: String) throws -> String { try NewPackages.text(path) }

  @Test(
    "Each shape is taken in, and what only its author knows is asked for",
    arguments: [
      ("actor", "manager = CoinStore()", 2), ("bundle-resources", "manager.consumables", 1),
      ("closures", "manager = IAPManager.shared", 3), ("combine", "manager.buy(productID)", 2),
      ("delegate", "manager.loadShop()", 2), ("internal-types", "case .delivered", 2),
      ("mixed", "manager.startObserving()", 3), ("observable", "device.showEntitlements()", 0),
      ("observable-object", "manager = Store()", 2),
      ("shared-instance", "manager = PurchaseManager.shared", 2),
    ])
  func shapes(shape: String, part: String, questions: Int) throws {
    try new("\(Self.shapes)/\(shape)/App", "--name", "Shape") { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let adapter = try text("\(folder)/Sources/Shape/Adapter.swift")
      #expect(adapter.contains(part))
      #expect(adapter.split(separator: "#error(").count - 1 == questions)
      #expect(adapter.contains(": HostedSystem {"))
      #expect(
        try text("\(folder)/Sources/Shape/sources.txt").contains("/Tests/shapes/\(shape)/App/"))
      #expect(bench.output.contains("buys "))
    }
  }

  private static let store = NewPackages.store

  @Test(
    "Of a folder those files are taken that use StoreKit and those that they need, and no screen")
  func choosing() throws {
    let files = [
      "Cafe/Store.swift": Self.store, "Cafe/Ledger.swift": "struct Ledger { func open() {} }",
      "Cafe/Other.swift": "struct Weather {}",
      "Cafe/Shop.swift": "import SwiftUI\nimport StoreKit\nstruct Shop: View {}",
    ]
    try new("IN/Cafe", files: files) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let list = try text("\(folder)/Sources/Cafe/sources.txt")
      #expect(list.contains("\n../Cafe/Ledger.swift\n../Cafe/Store.swift\n"))
      #expect(list.contains("# left out: ") && list.contains("Shop.swift, a screen"))
      #expect(!list.contains("Other.swift"))
    }
  }

  @Test(
    "Where no product is found one place asks for them, and the default worlds sell what it names")
  func withoutProducts() throws {
    let source = """
      import StoreKit
      final class Shop {
        func buy(_ id: String) async throws {
          guard let product = try await Product.products(for: [id]).first else { return }
          _ = try await product.purchase()
        }
      }
      """
    try new("IN/Shop.swift", "--name", "Shape", files: ["Shop.swift": source]) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      #expect(bench.output.contains("none found"))
      let adapter = try text("\(folder)/Sources/Shape/Adapter.swift")
      #expect(adapter.contains("#error(\"Name the products"))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/scenarios.json"))
      let readme = try text("\(folder)/README.md")
      #expect(readme.contains("# searches the default worlds\n"))
    }
  }

  @Test("A StoreKit configuration file says what is consumable, so that nobody has to be asked")
  func catalog() throws {
    let catalog = """
      {"version": {"major": 4, "minor": 0},
       "products": [{"productID": "pro", "type": "NonConsumable", "familyShareable": true},
         {"productID": "gems", "type": "Consumable"}],
       "nonRenewingSubscriptions": [{"productID": "season", "type": "NonRenewingSubscription"}],
       "subscriptionGroups": [{"id": "1", "subscriptions": [{"productID": "plus", "groupNumber": 1,
         "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M"}]}]}
      """
    let files = ["Store.swift": Self.store, "Shop.storekit": catalog]
    try new("IN/Store.swift", "IN/Shop.storekit", files: files) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let adapter = try text("\(folder)/Sources/StoreApp/Adapter.swift")
      #expect(adapter.contains(".init(\"pro\", isConsumable: false)"))
      #expect(adapter.contains(".init(\"gems\"),"))
      #expect(!adapter.contains("Which of the products"))
      #expect(bench.output.contains("plus: a subscription (P1M) needs a world of months"))
      #expect(adapter.contains(".init(\"season\", .nonRenewing),"))
    }
  }

  @Test("An Xcode project's target is read as Xcode wrote it, in groups and in whole folders")
  func xcode() throws {
    let project = """
      // !$*UTF8*$!
      { archiveVersion = 1; objectVersion = 77; objects = {
        A0 = { isa = PBXProject; mainGroup = G0; targets = ( T0, T1 ); };
        G0 = { isa = PBXGroup; children = ( G1, F9 ); sourceTree = "<group>"; };
        G1 = { isa = PBXGroup; path = "My Shop"; children = ( F1 ); sourceTree = "<group>"; };
        F1 = { isa = PBXFileReference; path = Store.swift; sourceTree = "<group>"; };
        F9 = { isa = PBXFileSystemSynchronizedRootGroup; path = Model; sourceTree = "<group>"; };
        B1 = { isa = PBXBuildFile; fileRef = F1; };
        P1 = { isa = PBXSourcesBuildPhase; files = ( B1 ); };
        T0 = { isa = PBXNativeTarget; name = Shop; buildPhases = ( P1 ); fileSystemSynchronizedGroups = ( F9 );
               productType = "com.apple.product-type.application"; };
        T1 = { isa = PBXNativeTarget; name = ShopTests; buildPhases = ( );
               productType = "com.apple.product-type.bundle.unit-test"; };
      }; rootObject = A0; }
      """
    let files = [
      "Shop.xcodeproj/project.pbxproj": project, "My Shop/Store.swift": Self.store,
      "Model/Ledger.swift": "struct Ledger { func open() {} }",
    ]
    try new("IN/Shop.xcodeproj", files: files) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let list = try text("\(folder)/Sources/Shop/sources.txt")
      #expect(list.contains("\n../My Shop/Store.swift\n../Model/Ledger.swift\n"))
    }
    try new("IN/Shop.xcodeproj", "--target", "Shopp", files: files) { _, bench in
      #expect(bench.exitCode == 64)
      #expect(
        bench.errors.contains("expected a target of") && bench.errors.contains("Shop, ShopTests"))
    }
  }

  @Test(
    "A Swift package's target is read as its manifest says: its folder, what it leaves out, its language mode"
  )
  func package() throws {
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Cafe",
        targets: [
          .target(
            name: "Shop", path: "Code/Shop", exclude: ["Old"],
            resources: [.process("Products.plist")]),
          .executableTarget(name: "Tool", dependencies: ["Shop"]),
          .testTarget(name: "ShopTests", dependencies: ["Shop"]),
        ])
      """
    let products = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><array><string>com.example.pro</string></array></plist>
      """
    let files = [
      "Cafe/Package.swift": manifest, "Cafe/Code/Shop/Store.swift": Self.store,
      "Cafe/Code/Shop/Ledger.swift": "struct Ledger { func open() {} }",
      "Cafe/Code/Shop/Old/Ledger.swift": "struct Ledger { func open() {} }",
      "Cafe/Code/Shop/Products.plist": products,
      "Cafe/Sources/Tool/main.swift": "import StoreKit", "Cafe/Tests/ShopTests/A.swift": "",
    ]
    try new("IN/Cafe", "--target", "Shop", files: files) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let list = try text("\(folder)/Sources/Shop/sources.txt")
      #expect(
        list.split(separator: "\n").dropFirst() == [
          "../Cafe/Code/Shop/Ledger.swift", "../Cafe/Code/Shop/Store.swift",
        ])
      #expect(try text("\(folder)/Package.swift").contains(".swiftLanguageMode(.v6)"))
      #expect(try text("\(folder)/Sources/Shop/Adapter.swift").contains("\"com.example.pro\""))
    }
    var five = files
    five["Cafe/Package.swift"] = manifest.replacing(
      "\n  ])", with: "\n  ], swiftLanguageModes: [.v5])")
    try new("IN/Cafe", "--target", "Shop", files: five) { folder, bench in
      #expect(bench.exitCode == 0, "\(bench.errors)")
      let text = try text("\(folder)/Package.swift")
      #expect(text.contains(".swiftLanguageMode(.v5)"))
    }
    for (words, said) in [
      ([], "has the targets Shop, Tool: choose one with --target NAME"),
      (["--target", "ShopTests"], "--target: found 'ShopTests', expected a target of"),
    ] {
      try NewPackages.new(["IN/Cafe"] + words, files: files) { folder, bench in
        #expect(bench.exitCode == 64)
        #expect(bench.errors.contains(said), "\(bench.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
      }
    }
    try new("IN/Cafe", files: ["Cafe/Package.swift": "let package ="]) { _, bench in
      #expect(bench.exitCode == 2)
      #expect(bench.errors.contains("'swift package dump-package' in that folder says why"))
    }
  }

  @Test("What cannot be done is told with what to do, and nothing is written")
  func refusals() throws {
    try new("IN/Gone.swift") { folder, bench in
      #expect(bench.exitCode == 64)
      #expect(bench.errors.contains("there is no '"))
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
    try new("IN/A.swift", files: ["A.swift": "struct A {}"]) { _, bench in
      #expect(bench.exitCode == 2)
      #expect(bench.errors.contains("nothing buys in"))
    }
    try new("IN/A.swift", "--type", "B", files: ["A.swift": Self.store]) { _, bench in
      #expect(bench.exitCode == 64)
      #expect(bench.errors.contains("--type: found 'B', expected a type of"))
    }
    try new("IN/A.swift", "--name", "a-b", files: ["A.swift": Self.store]) { _, bench in
      #expect(bench.exitCode == 64)
      #expect(bench.errors.contains("--name: found 'a-b'"))
    }
    try new("IN/A.swift", files: ["A.swift": Self.store, "out/x": ""]) { _, bench in
      #expect(bench.exitCode == 2)
      #expect(bench.errors.contains("is there already"))
    }
    try new("IN/S.storekit", "IN/A.swift", files: ["A.swift": Self.store, "S.storekit": "{"]) {
      #expect($1.exitCode == 2)
      #expect($1.errors.contains("S.storekit: line 1, column 2: found the end, expected a key"))
    }
  }

  @Test("What a function answers becomes a message by the names of the cases")
  func outcomes() throws {
    let store = """
      import StoreKit
      enum Outcome { case delivered(Int), notBought, onItsWay }
      final class Store {
        func buy(_ product: Product) async throws -> Outcome {
          _ = try await product.purchase()
          return .onItsWay
        }
      }
      """
    try new("IN/A.swift", "--name", "Cafe", files: ["A.swift": store]) { folder, _ in
      let adapter = try text("\(folder)/Sources/Cafe/Adapter.swift")
      #expect(adapter.contains("case .delivered: return .success"))
      #expect(adapter.contains("case .notBought: return .pending"))
      #expect(adapter.contains("case .onItsWay: return .pending"))
    }
  }

  @Test(
    "Names become those of modules and programs",
    arguments: [("CoinShop", "coin-shop"), ("IAPManager", "iap-manager"), ("shop", "shop")])
  func names(name: String, kebab: String) {
    #expect(name.kebabCase == kebab)
  }
}

import ChaosSources

/// The texts of a test package but for the adapter.
struct PackageText {
  /// The module that has the app's files.
  let module: String
  /// Where ChaosStore is, from the package's folder on.
  let chaosStore: String
  let survey: PurchaseSurvey
  let sources: AppSources
  let catalog: ProductCatalog
  let hasBackend: Bool
  let hasResources: Bool
  /// The language that a package with resources of languages has to name.
  let language: String?

  var command: String { "\(module.kebabCase)-chaos" }

  var manifest: String {
    let resources = hasResources ? "\"\(module)Resources\", " : ""
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      // \(module)'s purchase code under every fault. Its files stay where they are: Sources/\(module)/sources.txt lists them.
      var aliases = ["-module-alias", "StoreKit=ChaosStoreKit"]
      #if os(Linux)
        aliases += ["-module-alias", "Combine=ChaosCombine", "-module-alias", "os=ChaosLog"]
      #endif

      let package = Package(
        name: "\(module)Chaos",\(language.map { "\n  defaultLocalization: \"\($0)\"," } ?? "")
        platforms: [.macOS(.v15)],
        dependencies: [.package(name: "ChaosStore", path: "\(chaosStore)")],
        targets: [
          .target(
            name: "\(module)",
            dependencies: [
              \(resources).product(name: "ChaosStore", package: "ChaosStore"),
              .product(name: "ChaosStoreKit", package: "ChaosStore"),
              .product(name: "ChaosCombine", package: "ChaosStore"),
              .product(name: "ChaosLog", package: "ChaosStore"),
              .product(name: "Invariants", package: "ChaosStore"),
            ],
            exclude: ["sources.txt"],
            // The language mode of the app's files.
            swiftSettings: [.swiftLanguageMode(.v\(sources.isSwift6 ? 6 : 5)), .unsafeFlags(aliases)],
            plugins: [.plugin(name: "ChaosSourcesPlugin", package: "ChaosStore")]),
      \(resourceTarget)    .executableTarget(
            name: "\(command)",
            dependencies: [
              "\(module)", .product(name: "ChaosRunner", package: "ChaosStore"),
              .product(name: "ChaosStore", package: "ChaosStore"),
            ]),
          .testTarget(
            name: "\(module)Tests",
            dependencies: ["\(module)", .product(name: "ChaosStore", package: "ChaosStore")],
            // The plans of runs that failed, which are replayed first.
            exclude: ["\(module)Tests.regressions"]),
        ]
      )

      """
  }

  private var resourceTarget: String {
    guard hasResources else { return "" }
    return """
          // What the app's files find in Bundle.main.
          .target(name: "\(module)Resources", resources: [.process("Files")]),

      """
  }

  /// Where the app's files are.
  func sourceList(_ paths: [String]) -> String {
    var lines = [
      "# The app's source files, from the package's folder on; a folder stands for all that is in it."
    ]
    lines += paths
    for file in sources.leftOut { lines.append("# left out: \(file.path), \(file.reason)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How the app's module finds its resources.
  var bundle: String {
    """
    import \(module)Resources
    import Foundation

    extension Bundle {
      /// The app's, which has its resources; the program's own has none of them.
      static var main: Bundle { resources }
    }

    """
  }

  var resources: String {
    """
    import Foundation

    /// The bundle that has the app's resources.
    public var resources: Bundle { .module }

    """
  }

  var main: String {
    """
    import ChaosRunner
    import ChaosStore
    import \(module)

    @main
    enum Main {
      static func main() { Runner.main(systems: [AnySystem(\(module)System.self)]) }
    }

    """
  }

  var test: String {
    """
    import ChaosStore
    import \(module)
    import Testing

    @Suite struct `\(module)` {
      @Test func `keeps money and goods together`() throws {
        try PropertyTest.check(\(module)System.self, saving: .besideTest)
      }
    }

    """
  }

  var regressions: String {
    "Plans of runs that failed: `swift test` replays them before all else, and adds to them.\n"
  }

  var scenarios: String {
    // Which of them are consumable the system's entry says.
    let products = catalog.products.map { "        {\"name\": \"\($0.id)\"}" }
    let ids = catalog.products.map(\.id)
    let bought = [ids.first, ids.dropFirst().first ?? ids.first].compactMap { $0 }
    let isOwned = ids.count == 1 && catalog.products[0].isConsumable == false
    let steps = zip(["1s", "40s"], bought).prefix(isOwned ? 1 : 2).map {
      "        {\"at\": \"\($0)\", \"device\": \"phone1\", \"buy\": \"\($1)\"}"
    }
    return """
      {
        "version": 1,
        "worlds": {
          "one-phone": {
            "products": [
      \(products.joined(separator: ",\n"))
            ],
            "steps": [
      \(steps.joined(separator: ",\n"))
            ],
            "heal": "90s",
            "horizon": "300s"
          }
        },
        "scenarios": [
          {
            "name": "\(module.kebabCase)/one-phone", "about": "One phone, under every fault.",
            "system": "\(module.kebabCase)",\(hasBackend ? " \"backend\": \"idempotent\"," : "") "world": "one-phone",
            "faults": {"mix": "all"}
          }
        ]
      }

      """
  }

  var readme: String {
    let worlds = catalog.products.isEmpty ? "the default worlds" : "the scenarios of scenarios.json"
    return """
      # \(module) under every fault

      ```sh
      swift build                                 # says by errors what only you can decide
      swift run -c release \(command)        # searches \(worlds)
      swift test                                  # searches the default worlds, and replays what failed before
      ```

      `Sources/\(module)/sources.txt` lists the app's files, which are compiled where they are. `Sources/\(module)/Adapter.swift` says
      how the app starts, how somebody buys, what is sold and where the goods are\(hasBackend ? "; `Backend.swift` is its server" : "").

      """
  }

  var backend: String {
    """
    import ChaosStore
    import Invariants
    import StoreKit

    /// The app's server: it verifies with Apple and enters a purchase and its credit in one commit. Make it what yours does.
    public final class \(module)Backend: SimulatedBackend {
      public init(_ kind: BackendKind) {}

      public func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
        guard let answer = await services.verify(request.isReceipt ? .productionReceipt : .transaction) else {
          return BackendResponse(.retry)
        }
        switch answer.class {
        case .retry, .notFound: return BackendResponse(.retry)
        case .permanent, .otherEnvironment: return BackendResponse(.refused)
        case .valid: break
        }
        var outcome = Reply.Outcome.refused
        for purchase in services.purchases(in: answer) where purchase.isOurs {
          let owner = services.owner(of: purchase)
          switch await services.commit(purchase, to: owner.isNone ? request.account : owner) {
          case .credited: outcome = .delivered
          case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
          case .unavailable, .unknown: return BackendResponse(.retry)
          }
        }
        return BackendResponse(outcome)
      }
    }

    """
  }
}

// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Apple platforms have the others.
var aliases = ["-module-alias", "StoreKit=ChaosStoreKit"]
#if os(Linux)
  aliases += ["-module-alias", "Combine=ChaosCombine", "-module-alias", "os=ChaosLog"]
#endif

let package = Package(
  name: "ChaosStore",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Invariants", targets: ["Invariants"]),
    .library(name: "ChaosStore", targets: ["ChaosStore"]),
    .library(name: "ChaosRunner", targets: ["ChaosRunner"]),
    .library(name: "ChaosStoreKit", targets: ["ChaosStoreKit"]),
    .library(name: "ChaosHost", targets: ["ChaosHost"]),
    .library(name: "ChaosCombine", targets: ["ChaosCombine"]),
    .library(name: "ChaosLog", targets: ["ChaosLog"]),
    .library(name: "ChaosTesting", targets: ["ChaosTesting"]),
    .executable(name: "chaos-runner", targets: ["chaos-runner"]),
    .plugin(name: "ChaosSourcesPlugin", targets: ["ChaosSourcesPlugin"]),
    .plugin(name: "ChaosCommandPlugin", targets: ["ChaosCommandPlugin"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "Invariants", swiftSettings: strict),
    .target(name: "ChaosStore", dependencies: ["Invariants"], swiftSettings: strict),
    .target(
      name: "ChaosRunner", dependencies: ["ChaosSources", "ChaosStore", "Invariants"],
      // What a page looks like, and how it is stepped through.
      resources: [
        .embedInCode("Reports/HTML/report.css"), .embedInCode("Reports/HTML/report.js"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "chaos-runner", dependencies: ["ChaosRunner", "ChaosStore", "Invariants"],
      swiftSettings: strict),
    // An app's files where they lie, compiled for a platform without Objective-C.
    .target(name: "ChaosSources", swiftSettings: strict),
    .executableTarget(
      name: "chaos-sources", dependencies: ["ChaosSources"], swiftSettings: strict),
    .plugin(
      name: "ChaosSourcesPlugin", capability: .buildTool(), dependencies: ["chaos-sources"]),
    // swift package chaos: the campaigns of a package's own systems.
    .plugin(
      name: "ChaosCommandPlugin",
      capability: .command(
        intent: .custom(verb: "chaos", description: "Runs campaigns of this package's systems"))),
    // What Swift Testing shows of a failed check.
    .target(name: "ChaosTesting", dependencies: ["ChaosStore"], swiftSettings: strict),
    .target(name: "ChaosHost", swiftSettings: strict),
    .target(name: "ChaosCombine", swiftSettings: strict),
    .target(name: "ChaosLog", dependencies: ["ChaosHost"], swiftSettings: strict),
    .target(
      name: "ChaosStoreKit",
      dependencies: ["ChaosCombine", "ChaosHost", "ChaosStore", "Invariants"],
      // What runs before main in a process that runs a hosted app.
      swiftSettings: strict + [.enableExperimentalFeature("SymbolLinkageMarkers")]),
    .testTarget(name: "InvariantsTests", dependencies: ["Invariants"], swiftSettings: strict),
    // Checks schemas and documents, for tests alone.
    .target(
      name: "TestSupport", dependencies: ["ChaosStore"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ChaosStoreTests", dependencies: ["ChaosStore", "Invariants", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ChaosRunnerTests",
      dependencies: ["ChaosRunner", "ChaosStore", "Invariants", "TestSupport", "chaos-runner"],
      exclude: ["Golden"], swiftSettings: strict),
    // Hosted apps and backends with a planted defect, and the executable that searches for them.
    .target(
      name: "PlantedApps", dependencies: ["ChaosStore", "ChaosStoreKit", "Invariants"],
      path: "Tests/PlantedApps",
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(aliases)]),
    .executableTarget(
      name: "hosted-planted", dependencies: ["ChaosRunner", "ChaosStore", "PlantedApps"],
      path: "Tests/hosted-planted", swiftSettings: strict),
    .testTarget(
      name: "ChaosStoreKitTests",
      dependencies: [
        "ChaosCombine", "ChaosHost", "ChaosLog", "ChaosStore", "ChaosStoreKit", "PlantedApps",
        "TestSupport",
      ],
      // As a user's own target has it: none of this package's upcoming features.
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .unsafeFlags(aliases),
      ]),
    // An app with a singleton, and the executable in which it runs.
    .target(
      name: "SingletonShop", dependencies: ["ChaosStore", "ChaosStoreKit", "Invariants"],
      path: "Tests/SingletonShop", swiftSettings: strict),
    .executableTarget(
      name: "singleton-shop",
      dependencies: ["ChaosHost", "ChaosStore", "ChaosStoreKit", "Invariants", "SingletonShop"],
      path: "Tests/singleton-shop", swiftSettings: strict),
    .testTarget(
      name: "PipedTests",
      dependencies: [
        "ChaosStore", "ChaosStoreKit", "Invariants", "SingletonShop", "singleton-shop",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HostedDesignTests", dependencies: ["ChaosStore", "ChaosStoreKit", "Invariants"],
      swiftSettings: [
        .swiftLanguageMode(.v5), .unsafeFlags(["-module-alias", "StoreKit=ChaosStoreKit"]),
      ]),
    .testTarget(name: "ChaosHostTests", dependencies: ["ChaosHost"], swiftSettings: strict),
    .testTarget(name: "ChaosSourcesTests", dependencies: ["ChaosSources"], swiftSettings: strict),
    .testTarget(
      name: "ChaosTestingTests", dependencies: ["ChaosStore", "ChaosTesting"],
      swiftSettings: strict),
  ]
)

// Hostile inputs for everything that reads what people write. Only .ci/fuzz asks for it, so that no
// other build has to wait for it.
if Context.environment["CHAOS_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "chaos-fuzz", dependencies: ["ChaosRunner", "ChaosStore", "Invariants"],
      path: "Tests/Fuzz", swiftSettings: strict))
}

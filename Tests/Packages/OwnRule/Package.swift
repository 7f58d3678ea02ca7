// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: a rule of their own, judged beside those that come with ChaosStore.
let package = Package(
  name: "OwnRule",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ChaosStore", path: "../../..")],
  targets: [
    // The rule knows no simulator, so it can judge a history from a log as well.
    .target(name: "OwnRule", dependencies: [.product(name: "Invariants", package: "ChaosStore")]),
    .testTarget(
      name: "OwnRuleTests",
      dependencies: [
        "OwnRule",
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ]),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: a report of their own beside those that come with ChaosRunner.
let package = Package(
  name: "OwnReport",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ChaosStore", path: "../../..")],
  targets: [
    .executableTarget(
      name: "own-report",
      dependencies: [
        .product(name: "ChaosRunner", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ])
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: a search strategy of their own, with all commands of chaos-runner.
let package = Package(
  name: "OwnStrategy",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ChaosStore", path: "../../..")],
  targets: [
    .executableTarget(
      name: "own-strategy",
      dependencies: [
        .product(name: "ChaosRunner", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ])
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: a system of their own, and all commands of chaos-runner on it.
let package = Package(
  name: "OwnSystem",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ChaosStore", path: "../../..")],
  targets: [
    .executableTarget(
      name: "own-system",
      dependencies: [
        .product(name: "ChaosRunner", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ])
  ]
)

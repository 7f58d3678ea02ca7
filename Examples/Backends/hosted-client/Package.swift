// swift-tools-version: 6.2
import PackageDescription

// An app's own purchase code, as it ships, in front of a backend's real processes.
let package = Package(
  name: "hosted-client",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ChaosStore", path: "../../.."),
    .package(name: "CoinShop", path: "../../CoinShop"),
    .package(name: "Gateway", path: "../../../Gateway"),
  ],
  targets: [
    .executableTarget(
      name: "hosted-client",
      dependencies: [
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "CoinShopSimulation", package: "CoinShop"),
        .product(name: "HeldBackends", package: "Gateway"),
      ])
  ]
)

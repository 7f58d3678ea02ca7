// swift-tools-version: 6.2
import PackageDescription

// An app's purchase code as it ships, run under every fault.
//
// `import StoreKit` in CoinShop means ChaosStoreKit here; nothing else about its files is special.
let storeKit: [SwiftSetting] = [
  .swiftLanguageMode(.v5), .unsafeFlags(["-module-alias", "StoreKit=ChaosStoreKit"]),
]

let package = Package(
  name: "CoinShop",
  platforms: [.macOS(.v15)],
  products: [.library(name: "CoinShopSimulation", targets: ["CoinShopSimulation"])],
  dependencies: [.package(name: "ChaosStore", path: "../..")],
  targets: [
    .target(
      name: "CoinShop",
      dependencies: [.product(name: "ChaosStoreKit", package: "ChaosStore")],
      swiftSettings: storeKit),
    .target(
      name: "CoinShopSimulation",
      dependencies: [
        "CoinShop", .product(name: "ChaosStoreKit", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ]),
    .executableTarget(
      name: "coin-shop",
      dependencies: [
        "CoinShopSimulation", .product(name: "ChaosRunner", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
      ]),
    .testTarget(
      name: "CoinShopTests",
      dependencies: [
        "CoinShopSimulation", .product(name: "ChaosStore", package: "ChaosStore"),
      ],
      exclude: ["CoinShopTests.regressions"]),
  ]
)

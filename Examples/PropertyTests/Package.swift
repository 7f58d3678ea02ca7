// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that tests its own purchase design with ChaosStore.
let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Shop", targets: ["Shop"])],
  dependencies: [.package(name: "ChaosStore", path: "../..")],
  targets: [
    .target(
      name: "Shop",
      dependencies: [
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Invariants", package: "ChaosStore"),
      ]),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop", .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "ChaosTesting", package: "ChaosStore"),
      ],
      // Plans that failed once; a check looks for them beside its source file.
      exclude: ["ShopTests.regressions"]),
  ]
)

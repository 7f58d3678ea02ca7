// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Gateway",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
  ],
  targets: [
    .target(
      name: "StoreSignatures",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .executableTarget(
      name: "signing-samples", dependencies: ["StoreSignatures"], path: "Tests/signing-samples"),
    .testTarget(name: "StoreSignaturesTests", dependencies: ["StoreSignatures"]),
  ]
)

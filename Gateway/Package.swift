// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Gateway",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "chaos-gateway", targets: ["chaos-gateway"]),
    // For programs that run campaigns with apps of their own.
    .library(name: "HeldBackends", targets: ["HeldBackends"]),
  ],
  dependencies: [
    .package(name: "ChaosStore", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // What an App Store signs, and what it believes.
    .target(
      name: "StoreSignatures",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], swiftSettings: strict),
    // The App Store over HTTP.
    .target(
      name: "StoreService",
      dependencies: [
        "StoreSignatures",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Invariants", package: "ChaosStore"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // What each call of those who drive the store takes and answers.
      resources: [.embedInCode("openapi.json")], swiftSettings: strict),
    // A process above all processes of a backend.
    .target(name: "Supervision"),
    // Real processes in the place of a simulated backend.
    .target(
      name: "HeldBackends",
      dependencies: [
        "StoreService", "StoreSignatures", "Supervision",
        .product(name: "ChaosRunner", package: "ChaosStore"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Invariants", package: "ChaosStore"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      // What the processes of a backend read their clock by.
      resources: [.embedInCode("clock.c")], swiftSettings: strict),
    .executableTarget(
      name: "chaos-gateway",
      dependencies: [
        "HeldBackends", "StoreService", "StoreSignatures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Invariants", package: "ChaosStore"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "signing-samples", dependencies: ["StoreSignatures"], path: "Tests/signing-samples",
      swiftSettings: strict),
    .testTarget(
      name: "StoreSignaturesTests", dependencies: ["StoreSignatures"], swiftSettings: strict),
    .testTarget(
      name: "HeldBackendsTests",
      dependencies: [
        "HeldBackends", "StoreService", .product(name: "Invariants", package: "ChaosStore"),
      ], swiftSettings: strict),
    .testTarget(
      name: "StoreServiceTests",
      dependencies: [
        "StoreService", "StoreSignatures",
        .product(name: "ChaosStore", package: "ChaosStore"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Invariants", package: "ChaosStore"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ], swiftSettings: strict),
  ]
)

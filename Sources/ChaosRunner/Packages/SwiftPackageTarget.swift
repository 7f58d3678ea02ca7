import Foundation

/// A target of somebody's Swift package, as `swift package dump-package` tells it.
struct SwiftPackageTarget {
  let name: String
  private(set) var sources: [String] = []
  private(set) var resources: [String] = []
  private(set) var isSwift6 = false

  private struct Manifest: Decodable {
    struct Target: Decodable {
      struct Resource: Decodable { var path: String }
      var name: String
      var type: String
      var path: String?
      var exclude: [String]?
      var resources: [Resource]?
    }
    struct Version: Decodable { var _version: String }
    var targets: [Target]
    var toolsVersion: Version?
    var swiftLanguageVersions: [String]?
  }

  /// The named target, or the only one that is no test.
  init(folder: String, name: String?) throws(Failure) {
    let manifest = try Self.manifest(folder)
    let targets = manifest.targets.filter { ["regular", "executable"].contains($0.type) }
    let names = targets.map(\.name).sorted()
    let target: Manifest.Target
    if let name {
      guard let found = targets.first(where: { $0.name == name }) else {
        throw .usage(
          "--target: found '\(name)', expected a target of \(folder): \(names.joined(separator: ", "))"
        )
      }
      target = found
    } else {
      guard targets.count == 1 else {
        throw .usage(
          "\(folder) has the targets \(names.joined(separator: ", ")): choose one with --target NAME"
        )
      }
      target = targets[0]
    }
    self.name = target.name
    let place = target.path ?? Self.usualPath(target.name, in: folder)
    let root = folder + "/" + place
    let excluded = (target.exclude ?? []).map { root + "/" + $0 }
    let files = AppSources.inside(root).filter { path in
      !excluded.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    sources = files.filter { $0.hasSuffix(".swift") }
    resources = (target.resources ?? []).map { root + "/" + $0.path }
    let version =
      manifest.toolsVersion?._version.split(separator: ".").first.flatMap { Int($0) } ?? 5
    isSwift6 = manifest.swiftLanguageVersions.map { $0.contains("6") } ?? (version >= 6)
  }

  private static func usualPath(_ name: String, in folder: String) -> String {
    ["Sources", "Source", "src", "srcs"].map { "\($0)/\(name)" }
      .first { FileManager.default.fileExists(atPath: folder + "/" + $0) } ?? "Sources/\(name)"
  }

  private static func manifest(_ folder: String) throws(Failure) -> Manifest {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder, "dump-package"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure.noVerdict(
          "\(folder)/Package.swift cannot be read: 'swift package dump-package' in that folder says why"
        )
      }
      return try JSONDecoder().decode(Manifest.self, from: data)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .noVerdict("\(folder)/Package.swift cannot be read: \(error.localizedDescription)")
    }
  }
}

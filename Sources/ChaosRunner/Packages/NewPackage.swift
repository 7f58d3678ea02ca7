import ChaosSources
import ChaosStore
import Foundation

/// A test package that is written for an app's files.
struct NewPackage {
  let module: String
  let folder: String
  let chaosStore: String
  let sources: AppSources
  let survey: PurchaseSurvey
  let entry: PurchaseSurvey.Entry
  let catalog: ProductCatalog

  private var hasBackend: Bool { survey.network != nil }

  /// Whether the app's files look for resources where the test's program has none.
  private var hasResources: Bool {
    !sources.resources.isEmpty
      && survey.survey.files.contains { _, text in
        text.tokens.indices.contains { index in
          text.has("Bundle", at: index) && text.has(".", at: index + 1)
            && text.has("main", at: index + 2)
            && !text.has("appStoreReceiptURL", at: index + 4)
        }
      }
  }

  private var resources: AppResources { AppResources(sources.resources) }

  private var adapter: String {
    AdapterText(
      module: module, survey: survey, entry: entry, catalog: catalog, hasBackend: hasBackend
    ).text
  }

  /// Writes all of it.
  func write(_ console: Console) throws(Failure) {
    let texts = PackageText(
      module: module, chaosStore: Self.relative(chaosStore, to: folder), survey: survey,
      sources: sources, catalog: catalog, hasBackend: hasBackend, hasResources: hasResources,
      language: hasResources ? resources.language : nil)
    let target = "Sources/\(module)"
    let paths = sources.files.map { Self.relative($0.path, to: folder) }
    var files = [
      ("Package.swift", texts.manifest), ("README.md", texts.readme),
      (".gitignore", ".build/\nPackage.resolved\n"),
      ("\(target)/sources.txt", texts.sourceList(paths)), ("\(target)/Adapter.swift", adapter),
      ("Sources/\(texts.command)/Main.swift", texts.main),
      ("Tests/\(module)Tests/\(module)Tests.swift", texts.test),
      ("Tests/\(module)Tests/\(module)Tests.regressions/README.md", texts.regressions),
    ]
    // Without a product there is nothing to buy in a world; what the adapter names is sold in the default ones.
    if !catalog.products.isEmpty { files.append(("scenarios.json", texts.scenarios)) }
    if hasBackend { files.append(("\(target)/Backend.swift", texts.backend)) }
    if hasResources {
      files.append(("\(target)/Resources.swift", texts.bundle))
      files.append(("Sources/\(module)Resources/Resources.swift", texts.resources))
    }
    do {
      for (path, text) in files { try console.write(text, "\(folder)/\(path)") }
      guard hasResources else { return }
      let place = "\(folder)/Sources/\(module)Resources/Files"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      for file in resources.files {
        let target = "\(place)/\(file.place)"
        try FileManager.default.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: file.path, toPath: target)
      }
    } catch {
      // It was not there before, and half of it is of no use.
      try? FileManager.default.removeItem(atPath: folder)
      throw .noVerdict("\(folder) cannot be written: \(error.localizedDescription)")
    }
  }

  /// What was found and written, and what is to be done next.
  func report(program: String, width: Int) -> String {
    let function = entry.function
    let parameters = function.parameters.map { ($0.label ?? "_") + ":" }.joined()
    let open = adapter.split(separator: "\n").filter { $0.contains("#error(") }.count
    var rows = [
      ("buys", "\(entry.type.name).\(function.name)(\(parameters))"),
      ("files", sources.files.map(\.path).joined(separator: ", ")),
      (
        "products",
        catalog.products.isEmpty
          ? "none found" : catalog.products.map(\.id).joined(separator: ", ")
      ),
    ]
    if let network = survey.network {
      rows.append(
        ("backend", "spoken to in \(network.path):\(network.line), so the package has one"))
    }
    for product in catalog.leftOut { rows.append(("left out", product)) }
    for file in sources.leftOut + (hasResources ? resources.leftOut : []) {
      rows.append(("left out", "\(file.path): \(file.reason)"))
    }
    let others = survey.entries().dropFirst().filter {
      ($0.type.name, $0.function.name) != (entry.type.name, function.name)
    }
    if !others.isEmpty {
      let names = others.map { "\($0.type.name).\($0.function.name)" }.joined(separator: ", ")
      let isElsewhere = others.contains { $0.type.name != entry.type.name }
      rows.append(("also buy", names + (isElsewhere ? "; --type TYPE chooses" : "")))
    }
    var lines = ["wrote \(folder)"]
    for (head, text) in rows {
      lines += String.hanging(
        "  " + head + String(repeating: " ", count: max(1, 10 - head.count)), text, width: width)
    }
    lines += ["", "Next:", "  cd \(folder)"]
    if open > 0 {
      lines.append(
        "  swift build    # \(open.of("question")) to answer in Sources/\(module)/Adapter.swift")
    }
    lines.append("  swift run -c release \(module.kebabCase)-chaos")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A path as it is from a folder on.
  static func relative(_ path: String, to folder: String) -> String {
    let from = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents
    let to = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let shared = zip(from, to).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}

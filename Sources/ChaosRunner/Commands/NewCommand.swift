import ChaosSources
import ChaosStore
import Foundation

/// `new`: writes a test package for somebody's purchase code.
struct NewCommand: Command {
  static let name = "new"
  static let summary = "write a test package for your own purchase code"
  static let discussion = """
    Reads an app's source files, finds out who sells and how somebody buys, and writes a Swift package \
    that runs them under every fault: the manifest, an adapter, a test, scenarios. The files stay where \
    they are. What only their author can know is left open by an #error with a sentence, so that \
    'swift build' in the new folder lists it.
    """
  static let options = [
    Option(
      "into", "DIR", "the folder to write; NAME-chaos by default, and it must not be there yet"),
    Option("name", "NAME", "what the app is called; by default as its folder, target or manager"),
    Option("type", "TYPE", "the type with which somebody buys, where several could be"),
    Option("target", "TARGET", "the target of a Swift package or an Xcode project"),
    Option("chaosstore", "DIR", "where ChaosStore is; by default where this program was built"),
  ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "the package was written"),
    ExitCodeMeaning(
      .noVerdict, "it was not: nothing in the files buys, or the folder is there already"),
  ]
  static let examples = [
    Example("new Shop/StoreManager.swift", "a package for one file"),
    Example(
      "new MyApp.xcodeproj --target MyApp",
      "for what uses StoreKit in an Xcode project's target, and what that needs"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "PATH...", isRequired: true,
        about: """
          source files; a folder of them, a Swift package or an Xcode project, of which the files that \
          use StoreKit are taken, and those that they need; .storekit files and property lists, which say \
          what is sold
          """)
    ]
  }

  private let paths: [String]
  private let folder: String?
  private let name: String?
  private let type: String?
  private let target: String?
  private let chaosStore: String?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    guard !words.operands.isEmpty else {
      throw .usage("'new' needs the app's source files, a folder of them, a package or a project")
    }
    paths = words.operands
    folder = words.first("into")
    name = words.first("name")
    type = words.first("type")
    target = words.first("target")
    chaosStore = words.first("chaosstore")
    if let name, !Self.isName(name) {
      throw .usage(
        "--name: found '\(name)', expected a name of letters and digits, such as CoinShop")
    }
  }

  /// Modules that the package has besides.
  private static let taken: Set<String> = [
    "StoreKit", "Combine", "Foundation", "Observation", "Testing", "Swift", "ChaosStore",
    "ChaosStoreKit",
    "ChaosRunner", "ChaosHost", "ChaosCombine", "ChaosLog", "ChaosSources", "Invariants",
    "Synchronization",
  ]

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let isFirst = { (byte: UInt8) in (65...90).contains(byte) || (97...122).contains(byte) }
    return isFirst(first) && text.utf8.allSatisfy { isFirst($0) || (48...57).contains($0) }
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let sources = try AppSources(paths, target: target, console: console)
    let survey = PurchaseSurvey(SourceSurvey(sources.files.map { ($0.path, $0.text) }))
    let entry = try entry(survey, sources)
    let module = moduleName(sources, entry, survey)
    let folder = folder ?? "\(module.kebabCase)-chaos"
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw .noVerdict("\(folder) is there already: name another folder with --into")
    }
    let package = NewPackage(
      module: module, folder: folder, chaosStore: try store(), sources: sources, survey: survey,
      entry: entry,
      catalog: try ProductCatalog(
        storeKitFiles: sources.storeKitFiles.map { ($0.path, $0.text) },
        lists: sources.resources.filter { $0.hasSuffix(".plist") }, survey: survey))
    try package.write(console)
    console.out(package.report(program: environment.program, width: console.width))
    return .asExpected
  }

  private func entry(_ survey: PurchaseSurvey, _ sources: AppSources) throws(Failure)
    -> PurchaseSurvey.Entry
  {
    let entries = survey.entries(of: type)
    if let entry = entries.first { return entry }
    let files = sources.files.map(\.path).joined(separator: ", ")
    if let type {
      let known = survey.survey.type(type) != nil
      throw .usage(
        known
          ? "--type: no function of \(type) that others can call buys anything"
          : "--type: found '\(type)', expected a type of \(files)")
    }
    throw .noVerdict(
      "nothing buys in \(files): expected a function that others can call and that calls "
        + "Product.purchase or makes an SKPayment, or one that calls such a function")
  }

  private func moduleName(
    _ sources: AppSources, _ entry: PurchaseSurvey.Entry, _ survey: PurchaseSurvey
  ) -> String {
    var name = name ?? sources.name ?? entry.type.name
    // `my-shop` is MyShop.
    name = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    if !Self.isName(name) { name = entry.type.name }
    // A module that is called like one of its types hides the type's members from others.
    let isTaken = survey.survey.type(name) != nil || Self.taken.contains(name)
    return isTaken ? name + "App" : name
  }

  /// Where ChaosStore's package is: what was said, or the folder above this program that has it.
  private func store() throws(Failure) -> String {
    if let chaosStore {
      guard Self.isChaosStore(chaosStore) else {
        throw .usage(
          "--chaosstore: found '\(chaosStore)', expected the folder of ChaosStore's Package.swift")
      }
      return chaosStore
    }
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path ?? ""
    for start in [program, FileManager.default.currentDirectoryPath + "/x"] {
      var folder = (start as NSString).deletingLastPathComponent
      while folder.count > 1 {
        if Self.isChaosStore(folder) { return folder }
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    throw .usage(
      "where ChaosStore is cannot be told from where this program is: say --chaosstore DIR")
  }

  private static func isChaosStore(_ folder: String) -> Bool {
    let text = try? TextFile.contents(of: folder + "/Package.swift")
    return text?.contains("name: \"ChaosStore\",\n") ?? false
  }
}

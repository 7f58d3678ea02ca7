/// Where in somebody's tests a check stands.
struct TestPlace {
  /// The path of the source file.
  let filePath: String
  /// The name of the function without its parentheses.
  let function: String
  private let module: String
  private let line: Int

  init(filePath: String, fileID: String, function: String, line: Int) {
    self.filePath = filePath
    self.line = line
    module = String(fileID.prefix { $0 != "/" })
    self.function = String(function[..<(function.lastIndex(of: "(") ?? function.endIndex)])
  }

  /// Such as `ShopTests.swift:12`.
  var text: String { "\(fileName):\(line)" }

  var fileName: String { filePath.split(separator: "/").last.map(String.init) ?? filePath }

  /// The folder that plans are kept in, named after the source file.
  var folder: String {
    (filePath.hasSuffix(".swift") ? String(filePath.dropLast(6)) : filePath) + ".regressions"
  }

  /// The end of a path into the folder, for people.
  func shortPath(_ name: String) -> String {
    "\(folder.split(separator: "/").last ?? "")/\(name)"
  }

  /// A line for a shell that runs this test alone under some variables.
  func command(_ variables: String) -> String {
    "\(variables) swift test --filter \(filter.shellQuoted)"
  }

  /// A pattern that finds the test by its module and name, in a suite, in a class or by itself.
  ///
  /// What stands before the name in a test's identifier is a dot or a slash, and what follows it a
  /// parenthesis, or nothing in XCTest; a name in words has its backticks. (There is no word boundary
  /// between a dot and a letter.)
  private var filter: String {
    let name = function.map { #".^$*+?()[]{}|\"#.contains($0) ? #"\"# + String($0) : String($0) }
    return module + "[./](.*[./])?`?" + name.joined() + #"`?(\(|$)"#
  }
}

import ChaosSources
import Testing

@Suite("An app's files without Objective-C")
struct PortableSourceTests {
  private func rewritten(_ files: String..., path: String = "Shop.swift") throws -> String {
    let texts = files.map { SwiftText($0) }
    let text = try PortableSource(texts).rewritten(texts[0], path: path)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "#sourceLocation(file: \"\(path)\", line: 1)")
    #expect(
      lines.count - 1 == files[0].split(separator: "\n", omittingEmptySubsequences: false).count)
    return lines.dropFirst().joined(separator: "\n")
  }

  @Test(
    "What only Objective-C has is put differently, and each line stays in its line",
    arguments: [
      ("@objc class A {}", " class A {}"), ("@objcMembers final class A {}", " final class A {}"),
      ("@objc(SHPStore) class A {}", " class A {}"),
      ("@objc private func f(_ x: Int) {}", " private func f(_ x: Int) {}"),
      (
        "let s = #selector(changed(_:))",
        "let s = Selector(Self.changed(_:), named: \"changed(_:)\")"
      ),
      ("let s = #selector(self.changed)", "let s = Selector(Self.changed, named: \"changed\")"),
      (
        "let s = #selector(Store.changed(_:))",
        "let s = Selector(Store.changed(_:), named: \"changed(_:)\")"
      ),
      ("f(#selector(\n  changed\n))", "f(Selector(Self.changed, named: \"changed\")\n\n)"),
      ("import UIKit", "import Foundation"), ("import os.log", "import os"),
      ("import OSLog", "import os"), ("import os", "import os"),
      ("import SwiftUI", "import Foundation; import Combine; import Observation"),
      ("import class UIKit.UIImage", "import Foundation"),
      (
        "import Foundation\nlet s = URLSession.shared",
        "import Foundation; import FoundationNetworking\nlet s = URLSession.shared"
      ),
      ("import StoreKit", "import StoreKit"),
      ("@objc protocol P { func f() }", " protocol P: AnyObject { func f() }"),
      ("@objc protocol P: Q {}", " protocol P: AnyObject, Q {}"),
      (
        "@objc public protocol P: NSObjectProtocol {}",
        " public protocol P: NSObjectProtocol {}"
      ),
      (
        "@objc protocol P {\n  @objc optional func ended(_ id: String)\n}\nweak var d: P?\nd?.ended?(x)",
        " protocol P: AnyObject {\n    func ended(_ id: String)\n}; extension P { func ended(_ id: String) {} }\nweak var d: P?\nd?.ended(x)"
      ),
      // What is none of it.
      (
        "// @objc\n/* #selector(f) */ let s = \"@objc \\(f(\"import UIKit\"))\"",
        "// @objc\n/* #selector(f) */ let s = \"@objc \\(f(\"import UIKit\"))\""
      ),
      ("handler.completion?(x)", "handler.completion?(x)"),
    ])
  func rewriting(original: String, expected: String) throws {
    #expect(try rewritten(original) == expected)
  }

  @Test("Where Objective-C is there only modules of other devices are put differently")
  func withObjectiveC() throws {
    let original = """
      import UIKit
      import SwiftUI
      import StoreKit
      @objc class A { let s = #selector(changed) }
      """
    let text = try PortableSource([SwiftText(original)], hasObjectiveC: true)
      .rewritten(SwiftText(original), path: "A.swift")
    #expect(
      text == "#sourceLocation(file: \"A.swift\", line: 1)\n"
        + original.replacing("UIKit", with: "Foundation"))
  }

  @Test("A function that one file lets classes leave out is called without a question in another")
  func acrossFiles() throws {
    let text = try rewritten(
      "func f() { delegate?.failed?() }", "@objc protocol D { @objc optional func failed() }")
    #expect(text == "func f() { delegate?.failed() }")
  }

  @Test(
    "What cannot be put differently is told with its line and what to write",
    arguments: [
      ("\nlet s = #selector(getter: name)", 2, "a selector of a property"),
      ("let s = #selector(store.changed)", 1, "with the type's name"),
      ("@objc protocol P {\n@objc optional func f() -> Int\n}", 2, "give 'f' no result"),
      ("@objc protocol P {\n\n@objc optional var f: Int { get }\n}", 3, "optional property"),
    ])
  func refusing(original: String, line: Int, part: String) throws {
    let problem = try #require(
      #expect(throws: PortableSource.Problem.self) { try rewritten(original) })
    #expect(problem.line == line)
    #expect(problem.message.contains(part))
    #expect("\(problem)".hasPrefix("Shop.swift:\(line): error: "))
  }

  @Test("Text that ends in the middle of something is read to its end")
  func endings() {
    for text in [
      "\"", "\"\"\"", "/*", "#\"", "`", "@objc(", "#selector(", "import", "@objc protocol P",
      "\"\\(", "@", "#",
    ] {
      let read = SwiftText(text)
      _ = try? PortableSource([read]).rewritten(read, path: "x")
    }
  }
}

import Foundation
import Testing

@testable import StoreSignatures

@Suite("Numbers from outside")
struct NumberTests {
  @Test("a number that does not fit becomes the nearest one that does")
  func clamps() {
    #expect(Int(clamping: -1e300) == .min)
    #expect(Int(clamping: 1e300) == .max)
    #expect(Int(clamping: Double.nan) == 0)
    #expect(Int64(clamping: -Double.infinity) == .min)
    #expect(UInt32(clamping: -0.5) == 0)
    #expect(UInt32(clamping: 7.9) == 7)
    #expect(Int64.min.clampedDifference(1) == .min)
    #expect(Int64.max.clampedDifference(-1) == .max)
    #expect(Int64.max.clampedSum(1) == .max)
    #expect(Int64.min.clampedSum(-1) == .min)
    #expect(Int64(3).clampedDifference(5) == -2)
  }

  @Test(
    "every conversion of the gateway's sources says what it does with a number that does not fit")
  func law() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var looked = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      looked += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { continue }
        for found in Self.unnamed(in: String(code)) {
          Issue.record("\(file.lastPathComponent):\(place + 1): \(found)")
        }
      }
    }
    #expect(looked > 30)
  }

  @Test("the law sees what ends a process, and lets pass what does not")
  func bites() {
    for code in [
      "Int(now - exp)", ".map(UInt32.init)", "Int(text)", "pid_t(x)", "a(host!)", "try! f()",
    ] {
      #expect(Self.unnamed(in: code).count == 1, "\(code)")
    }
    for code in [
      "Int(clamping: x)", "Int(exactly: x)", "UInt8(ascii: \"Q\")", "Int(f(a), radix: g(b))",
      "print(1)", "a != b", "!isOver", "Int64.max", "\"Ready!\"",
    ] { #expect(Self.unnamed(in: code).isEmpty, "\(code)") }
  }

  private static func unnamed(in code: String) -> [String] {
    var found: [String] = []
    let number =
      /\b(?:U?Int(?:8|16|32|64)?|pid_t|id_t|in_port_t|in_addr_t|socklen_t|nfds_t|sa_family_t)/
    for match in code.matches(of: number) {
      let rest = code[match.range.upperBound...]
      if rest.hasPrefix(".init)") || rest.hasPrefix(".init,") {
        found.append(String(match.output) + ".init")
      }
      guard rest.hasPrefix("(") else { continue }
      var depth = 0
      let inside = rest.prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0
      }.dropFirst()
      let names = [
        "exactly:", "clamping:", "truncatingIfNeeded:", "ascii:", "bitPattern:", "bigEndian:",
      ]
      if !names.contains(where: inside.hasPrefix), !inside.contains(", radix: ") {
        found.append("\(match.output)(\(inside))")
      }
    }
    let isText = code.contains("\"")
    if !isText, code.contains(/[\])A-Za-z]!(?:[^=]|$)/) || code.contains(/\bas!/) {
      found.append(code)
    }
    return found
  }
}

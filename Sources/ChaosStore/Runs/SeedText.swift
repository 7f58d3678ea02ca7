/// Seeds as people write them.
package enum SeedText {
  /// As reports have it, such as `0x2a`.
  package static func text(_ seed: UInt64) -> String { "0x" + String(seed, radix: 16) }

  /// Decimal, `0x` and up to 16 hex digits, or the 40 hex digits of a commit.
  package static func seed(_ text: String) throws(TextError) -> UInt64 {
    let digits = text.lowercased()
    if digits.utf8.count == 40, digits.dropFirst(0).isHex { return fold(digits) }
    if digits.hasPrefix("0x"), digits.utf8.count <= 18, digits.dropFirst(2).isHex,
      let seed = UInt64(digits.dropFirst(2), radix: 16)
    {
      return seed
    }
    if digits.allSatisfy({ $0.isASCII && $0.isNumber }), let seed = UInt64(digits) { return seed }
    let hint =
      UInt64(digits, radix: 16) != nil && digits.first != "-" && digits.first != "+"
      ? "; did you mean '0x\(digits)'?" : ""
    throw TextError(
      "'\(text)' is no seed: expected a decimal number below 2^64, 0x and at most 16 hex digits, "
        + "or the 40 hex digits of a commit" + hint)
  }

  /// The exclusive or of digits 1 to 16, 17 to 32 and 33 to 40.
  private static func fold(_ digits: String) -> UInt64 {
    var value: UInt64 = 0
    var rest = digits[...]
    while !rest.isEmpty {
      value ^= UInt64(rest.prefix(16), radix: 16) ?? 0
      rest = rest.dropFirst(16)
    }
    return value
  }

  /// `N` for 0..<N, or `A..<B`.
  package static func range(_ text: String) throws(TextError) -> Range<UInt64> {
    if let dots = text.firstRange(of: "..<") {
      let lower = try seed(String(text[..<dots.lowerBound]))
      let upper = try seed(String(text[dots.upperBound...]))
      guard lower < upper else { throw TextError("'\(text)' is empty: expected A below B") }
      guard canBeRun(lower..<upper) else { throw TextError("'\(text)' is more than can be run") }
      return lower..<upper
    }
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let count = UInt64(text),
      (1...1 << 62).contains(count)
    else {
      throw TextError(
        "'\(text)' is no number of seeds: expected N, or A..<B such as 2000..<4000")
    }
    return 0..<count
  }

  /// Whether their number can be counted, and the seeds after them as well.
  static func canBeRun(_ seeds: Range<UInt64>) -> Bool {
    seeds.upperBound - seeds.lowerBound <= 1 << 62 && seeds.upperBound <= .max - 1024
  }
}

extension Substring {
  /// Whether it is hex digits and nothing else; `isHexDigit` takes those of other scripts as well.
  fileprivate var isHex: Bool { allSatisfy { $0.isASCII && $0.isHexDigit } }
}

/// Why a text cannot be understood: what was found, and what was expected.
package struct TextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

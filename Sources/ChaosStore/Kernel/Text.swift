extension String {
  /// Filled with spaces up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  package func leftPadded(to width: Int, with filling: Character = " ") -> String {
    String(repeating: filling, count: max(0, width - count)) + self
  }

  /// As one word of a shell's command line.
  package var shellQuoted: String {
    let plain = allSatisfy { character in
      character.isASCII
        && (character.isLetter || character.isNumber || "-_./:,=+@".contains(character))
    }
    if plain, !isEmpty { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}

extension BinaryInteger {
  /// With a comma after each thousand.
  package var grouped: String {
    var text = ""
    for (index, digit) in String(self).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// `1 run`, `2 runs`.
  package func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension UInt64 {
  /// All sixteen of them.
  var hexDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// What text from outside may do to a terminal: nothing.
///
/// Names, paths, plans and messages may hold anything. A control character among them could move the
/// cursor, change the title or turn the order of letters around, so it is shown and not sent.
extension String {
  /// With control characters and the marks that turn text around as `\u{1b}`; lines stay lines.
  ///
  /// Colours that ``Style`` has asked for become escape sequences where there are any.
  func escapedForTerminal(hasColor: Bool = false) -> String {
    escaped { scalar in
      if scalar == "\n" { return nil }
      if hasColor, let sequence = Style.sequence(for: scalar) { return sequence }
      guard scalar.isControl || Style.isMark(scalar) else { return nil }
      return "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }

  /// JSON that says the same, with what could disturb a terminal as `\u009b`. It stands in texts only.
  var escapedAsJSON: String {
    escaped { scalar in
      guard scalar.isControl, scalar != "\n" else { return nil }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    // Most texts have nothing to replace, and long ones come as they are.
    guard let first = unicodeScalars.firstIndex(where: { replacement($0) != nil }) else {
      return self
    }
    var text = String(unicodeScalars[..<first])
    for scalar in unicodeScalars[first...] {
      if let instead = replacement(scalar) {
        text += instead
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// C0, DEL, C1, the separators of lines and paragraphs, and what overrides or isolates the direction.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

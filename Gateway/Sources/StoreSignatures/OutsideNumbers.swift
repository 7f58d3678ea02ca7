// Numbers that come from outside: from a request, a file, a database or another process.
//
// Every conversion in this package names what it does with a number that does not fit: `exactly:`, `clamping:`,
// `truncatingIfNeeded:`, or `radix:` for a text. A bare `Int(number)` ends the process. A test reads the sources.

extension FixedWidthInteger {
  /// The whole part of a number, or the nearest that this type has; 0 for what is no number.
  package init(clamping value: Double) {
    if let whole = Self(exactly: value.rounded(.towardZero)) {
      self = whole
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }

  /// The sum, or the nearest number that this type has.
  package func clampedSum(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number that this type has.
  package func clampedDifference(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}

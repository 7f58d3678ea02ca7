import ChaosStore

/// How text looks on a terminal: with colours, or without.
///
/// A colour is a mark in the text, which ``Console`` turns into an escape sequence: no escape
/// sequence that comes from anywhere else is let through.
struct Style {
  enum Color: String, CaseIterable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
    case bold = "1"
    case dim = "2"
    case redBold = "1;31"
  }

  var isOn: Bool

  func callAsFunction(_ text: String, _ color: Color?) -> String {
    guard isOn, let color, !text.isEmpty, let mark = Self.marks[color] else { return text }
    return "\(mark)\(text)\(Self.end)"
  }

  func callAsFunction(_ line: Story.Line) -> String {
    switch line.tone {
    case .plain: line.text
    case .heading: self(line.text, .bold)
    case .fault: self(line.text, .yellow)
    case .broken: self(line.text, .red)
    case .quiet: self(line.text, .dim)
    }
  }

  // MARK: - Marks

  /// Code points that Unicode sets aside for the inside of programs.
  private static let codes: ClosedRange<UInt32> = 0xFDD0...0xFDEF
  private static let end = mark(0)
  private static let marks = Dictionary(
    uniqueKeysWithValues: Color.allCases.enumerated().map { ($0.element, mark($0.offset + 1)) })
  private static let sequences = Dictionary(
    uniqueKeysWithValues: marks.map { ($0.value, "\u{1B}[\($0.key.rawValue)m") }
      + [(end, "\u{1B}[0m")])

  /// Whether this is such a mark, or could be one.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    codes.contains(scalar.value)
  }

  /// The escape sequence that a mark stands for.
  static func sequence(for scalar: Unicode.Scalar) -> String? {
    isMark(scalar) ? sequences[scalar] : nil
  }

  private static func mark(_ index: Int) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(codes.lowerBound + UInt32(index)) else {
      fatalError("bug: a mark that is no code point")
    }
    return scalar
  }
}

import ChaosStore

/// Turns a file of some kind into lines of facts.
protocol Conversion {
  /// Takes the next line of the file; what it amounts to is written to `output`.
  ///
  /// What is damaged is thrown, and the next line is another matter.
  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage)
  /// The file is over.
  mutating func end(_ output: (String) -> Void) throws(LineDamage)
}

extension Conversion {
  mutating func end(_ output: (String) -> Void) throws(LineDamage) {}
}

/// Texts in quotation marks may go on over several lines: lines that belong together.
struct JoinedLines {
  private var text = ""
  private var isOpen = false
  private let quote: UInt8

  init(quote: Character) { self.quote = quote.asciiValue ?? 0 }

  /// Whether a text has begun that has not ended.
  var isUnfinished: Bool { !text.isEmpty }

  /// All that belongs together once this line has come; nil where more of it must come.
  ///
  /// A statement goes on until what `isWhole` asks for is there, outside of quotation marks.
  mutating func joined(with line: String, isWhole: (String) -> Bool = { _ in true })
    throws(LineDamage) -> String?
  {
    text = text.isEmpty ? line : text + "\n" + line
    for byte in line.utf8 where byte == quote { isOpen.toggle() }
    guard text.utf8.count <= LineReader.longestLine else {
      text = ""
      isOpen = false
      throw LineDamage(
        found: "more than \(LineReader.longestLine) bytes that belong together",
        expected: "quotation marks that end")
    }
    guard !isOpen, isWhole(text) else { return nil }
    defer { text = "" }
    return text
  }
}

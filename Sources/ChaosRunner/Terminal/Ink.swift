import ChaosStore

/// Colours for a terminal, or none.
struct Ink {
  enum Color: String {
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
    guard isOn, let color, !text.isEmpty else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
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
}

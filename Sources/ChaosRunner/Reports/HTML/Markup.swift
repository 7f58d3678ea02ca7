import ChaosStore

extension String {
  /// The text as a page has it, between tags and in attributes.
  var html: String {
    var text = ""
    for character in escapedForTerminal() {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.append(character)
      }
    }
    return text
  }

  /// The text as an element, of a class where one is named.
  func tagged(_ tag: String, _ name: String = "") -> String {
    "<\(tag)\(name.isEmpty ? "" : " class=\"\(name)\"")>\(html)</\(tag)>"
  }
}

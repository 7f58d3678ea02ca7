/// Why a text is not the JSON that it should be: where, what was found, and what was expected.
struct DecodingComplaint: CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      description = "found \(error), expected JSON"
      return
    }
    description =
      switch error {
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        "found another value at \(Self.place(context)), expected \(Self.name(type))"
      case .keyNotFound(let key, let context):
        "found no '\(key.stringValue)' in \(Self.place(context)), expected one"
      case .dataCorrupted(let context):
        "found no JSON that can be read at \(Self.place(context)), expected the whole file: it is damaged"
      @unknown default: "found something else, expected JSON"
      }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    var text = ""
    for key in context.codingPath {
      text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
    }
    return text.isEmpty ? "the object" : "'\(text)'"
  }

  private static func name(_ type: Any.Type) -> String {
    switch "\(type)" {
    case "Int", "UInt64", "Int64", "UInt32", "Double": "a number"
    case "String": "a text"
    case "Bool": "true or false"
    case let name where name.hasPrefix("Array"): "an array"
    default: "an object"
    }
  }
}

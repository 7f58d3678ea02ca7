import ChaosStore

/// Where a transaction was made. Money moves in production alone.
enum StoreEnvironment: Equatable {
  case production, sandbox
  /// Neither: StoreKit testing in Xcode (`Xcode`, `LocalTesting`), or a name that is not known. Its facts are written as the
  /// sandbox's.
  case other(String)

  /// Apple's name of one; each signed transaction says it, and what was decoded without it is of production.
  init(_ value: JSONValue?) {
    switch value {
    case nil, .null: self = .production
    case .string(let name): self.init(name)
    case .some(let value): self = .other(value.described.clipped)
    }
  }

  init(_ name: String) {
    switch name.lowercased() {
    case "production": self = .production
    case "sandbox": self = .sandbox
    default: self = .other(name.clipped)
    }
  }

  /// Whether Apple uses this name.
  var isKnown: Bool {
    switch self {
    case .production, .sandbox: true
    case .other(let name): ["xcode", "localtesting"].contains(name.lowercased())
    }
  }

  /// Adds one to the environments that are to be told of.
  func count(in others: inout [String: Int]) {
    if case .other(let name) = self { others[name, default: 0] += 1 }
  }
}

import Foundation

/// Keys and placeholders that nobody knows are refused: a backend would be blamed for what a typing error does.
extension BackendFile {
  /// The keys that an object can have, and what stands behind them.
  indirect enum Known: Sendable {
    /// Whatever it is.
    case whatever
    case object([String: Known])
    case list(of: Known)

    private static let request = object([
      "method": .whatever, "path": .whatever, "json": .whatever, "headers": .whatever,
    ])
    private static let inner: [CodingKeys: Known] = [
      .ready: object(["path": .whatever, "within": .whatever]),
      .report: request, .probe: request,
      .answers: list(of: object(["status": .whatever, "json": .whatever, "means": .whatever])),
      .state: object([
        "sqlite": .whatever, "postgres": .whatever, "command": .whatever, "restart": .whatever,
      ]),
      .credits: object([
        "sql": .whatever, "path": .whatever, "log": .whatever,
        "keys": object(["account": .whatever, "transaction": .whatever, "thousandths": .whatever]),
      ]),
    ]
    static let file = object(
      Dictionary(
        uniqueKeysWithValues: CodingKeys.allCases.map { ($0.stringValue, inner[$0] ?? .whatever) }))
  }

  static func checkKeys(
    of value: JSONTemplate, as known: Known, at place: String, in path: String
  ) throws(Problem) {
    switch (value, known) {
    case (.object(let object), .object(let keys)):
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let place = place.isEmpty ? key : "\(place).\(key)"
        guard let known = keys[key] else {
          throw Problem(
            description: "\(path): \(place): found an unknown key, expected one of "
              + keys.keys.sorted().joined(separator: ", "))
        }
        try checkKeys(of: value, as: known, at: place, in: path)
      }
    case (.list(let list), .list(let known)):
      for (index, value) in list.enumerated() {
        try checkKeys(of: value, as: known, at: "\(place)[\(index)]", in: path)
      }
    default: break
    }
  }

  /// What is known before a process is started, as placeholders call it.
  enum Place: String, CaseIterable {
    case apple, appleSandbox, built, database, databaseURL, folder, port, proxy, root, rootPEM
  }

  /// What is known of a report.
  enum Said: String, CaseIterable {
    case account, accountNumber, appAccountToken, environment, orderToken, originalTransactionId
    case productId, purpose, quantity, receipt, signedTransactionInfo, transactionId
  }

  func checkPlaceholders() throws(Problem) {
    let places = Place.allCases.map(\.rawValue)
    for (index, text) in start.enumerated() { try check(text, places, "start[\(index)]") }
    for (index, text) in (build ?? []).enumerated() {
      try check(text, [Place.built.rawValue], "build[\(index)]")
    }
    for (name, text) in (environment ?? [:]).sorted(by: { $0.key < $1.key }) {
      try check(text, places, "environment.\(name)")
    }
    for (index, text) in (state?.command ?? []).enumerated() {
      try check(text, places, "state.command[\(index)]")
    }
    for (name, request) in [("report", report), ("probe", probe)] {
      guard let request else { continue }
      try check(request.path, Self.said, "\(name).path")
      for (header, text) in (request.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
        try check(text, Self.said, "\(name).headers.\(header)")
      }
      try check(request.json ?? .null, "\(name).json")
    }
  }

  private static let said = Said.allCases.map(\.rawValue)

  private func check(_ value: JSONTemplate, _ place: String) throws(Problem) {
    switch value {
    case .text(let text): try check(text, Self.said, place)
    case .list(let list):
      for (index, value) in list.enumerated() { try check(value, "\(place)[\(index)]") }
    case .object(let object):
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        try check(value, "\(place).\(key)")
      }
    case .null, .bool, .number: break
    }
  }

  /// A word in braces that is none of these was meant to be one, but for those of a shell's or an awk's.
  private func check(_ text: String, _ known: [String], _ place: String) throws(Problem) {
    let isReport = known == Self.said
    if !isReport, text.contains(where: \.isWhitespace) || text.contains("${") { return }
    for match in text.matches(of: /\{#?([A-Za-z]+)\}/) where !known.contains(String(match.1)) {
      throw Problem(
        description: "\(path): \(place): found the placeholder '{\(match.1)}', expected one of "
          + known.map { "{\($0)}" }.joined(separator: ", "))
    }
  }
}

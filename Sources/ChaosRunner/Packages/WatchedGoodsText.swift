import ChaosSources
import Foundation

/// The lines of an adapter that say which keys of `UserDefaults` have the goods.
///
/// What is wrong here accuses sound code of losing money, so a line stands without a question only where the files leave no
/// other meaning.
struct WatchedGoodsText {
  let survey: PurchaseSurvey
  let catalog: ProductCatalog
  /// What is added to each call where the screen shows the value.
  let shown: String

  /// An `#error` with a sentence, which 'swift build' lists.
  static func question(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "#error(\"\(escaped)\")"
  }

  private var all: [String] { catalog.products.map(\.id) }
  /// What may be owned for good, as far as the files say.
  private var owned: [String] { catalog.products.filter { $0.isConsumable != true }.map(\.id) }
  /// What may be bought again and again.
  private var counted: [String] { catalog.products.filter { $0.isConsumable != false }.map(\.id) }

  var lines: [String] {
    var certain: [String] = []
    var asked: [String] = []
    for key in survey.keys {
      switch key.name {
      case .text(let name):
        asked += key.isFlag ? flag(name) : balance(name)
      case .identifier(let written):
        // Nothing else can be under the identifier of something that is owned for good.
        if key.isFlag, counted.isEmpty, !survey.usesSuites {
          certain += ["// The key of each product is its identifier."] + flags(all)
        } else {
          asked += identifier(written, key, isSure: true)
        }
      case .value(let written): asked += identifier(written, key, isSure: false)
      case .expression(let written): asked += expression(written, key)
      }
    }
    if let first = asked.first, survey.usesSuites {
      asked[0] = first.replacing(
        "#error(\"",
        with: "#error(\"These files use a suite of UserDefaults: add suite: to each call "
          + "whose key stands in it. ")
    }
    return certain + asked
  }

  // MARK: -

  private func flag(_ name: String) -> [String] {
    // A flag does not show a second purchase, so it says nothing of what can be bought again.
    guard let product = likely(name) else { return [] }
    return [
      Self.question(
        """
        Which product does a buyer own once "\(name)" is true? Name it in the next line. If "\(name)" is about \
        something else, or the product is consumable, delete both lines: ChaosStore would report goods as lost that \
        never stood there.
        """),
      "device.watchPurchase(of: \"\(product)\", forKey: \"\(name)\"\(shown))",
    ]
  }

  private func balance(_ name: String) -> [String] {
    if counted.isEmpty { return [] }
    let amounts = counted.map { "\"\($0)\": \(Self.amount(in: $0))" }.joined(separator: ", ")
    return [
      Self.question(
        """
        How much does each product add to "\(name)"? Put the amounts in the next line. If "\(name)" is about something \
        else, delete both lines. With a wrong amount, ChaosStore reports the purchase as money lost.
        """),
      "device.watchBalance(forKey: \"\(name)\", amounts: [\(amounts)]\(shown))",
    ]
  }

  private func identifier(
    _ written: String, _ key: PurchaseSurvey.Key, isSure: Bool
  ) -> [String] {
    let place = place(of: key)
    if !key.isFlag {
      return [
        Self.question(
          """
          \(place) adds to the key \(written). If that is the identifier of the product, put what each product adds \
          below and delete this line. If it is not, write the keys. With a wrong key or amount, ChaosStore reports the \
          purchase as money lost.
          """)
      ] + all.map { "device.watchBalance(forKey: \"\($0)\", amounts: [\"\($0)\": 1]\(shown))" }
    }
    if owned.isEmpty { return [] }
    let identity =
      isSure
      ? "\(place) writes the identifier of the product as the key."
      : """
      Is \(written) in \(place) the identifier of the product? If it is not, write the key of each product below: with a \
      wrong key, ChaosStore reports the purchase as money lost.
      """
    let rest =
      counted.isEmpty
      ? "Then delete this line."
      : """
      Remove each consumable from the list, as a flag does not show that it was bought again, and delete this line.
      """
    return [Self.question("\(identity) \(rest)")] + flags(owned)
  }

  private func expression(_ written: String, _ key: PurchaseSurvey.Key) -> [String] {
    let products = key.isFlag ? owned : all
    if products.isEmpty { return [] }
    // What stands in it would end the placeholder, or the line.
    let placeholder = "<#\(written.contains("#>") ? "the key" : written)#>"
    let calls = products.map { id in
      key.isFlag
        ? "device.watchPurchase(of: \"\(id)\", forKey: \(placeholder)\(shown))"
        : "device.watchBalance(forKey: \(placeholder), amounts: [\"\(id)\": 1]\(shown))"
    }
    // A flag does not show a second purchase.
    let orConsumable = key.isFlag ? ", or the product is consumable" : ""
    return [
      Self.question(
        """
        Which key does \(place(of: key)) write for each product? It is worked out as \(written), and 'new' cannot tell \
        what comes of it. Write the keys below, or delete the lines if they are about something else\(orConsumable). With a \
        wrong key, ChaosStore reports the purchase as money lost.
        """)
    ] + calls
  }

  private func flags(_ ids: [String]) -> [String] {
    [
      "for id in [\(ids.map { "\"\($0)\"" }.joined(separator: ", "))] {",
      "  device.watchPurchase(of: id, forKey: id\(shown))", "}",
    ]
  }

  private func place(of key: PurchaseSurvey.Key) -> String {
    "\((key.path as NSString).lastPathComponent):\(key.line)"
  }

  /// The product that may be owned for good whose identifier a key resembles most, by the length of what both have.
  private func likely(_ key: String) -> String? {
    func shared(_ id: String) -> Int {
      let key = key.lowercased()
      let last = (id.split(separator: ".").last ?? "").lowercased()
      return (2...max(2, last.count)).reversed().first { length in
        (0...max(0, last.count - length)).contains { start in
          key.contains(last.dropFirst(start).prefix(length))
        }
      } ?? 0
    }
    return owned.enumerated().max {
      (shared($0.element), -$0.offset) < (shared($1.element), -$1.offset)
    }?
    .element
  }

  /// The number with which an identifier ends, which is what many call an amount; 1 without one.
  private static func amount(in id: String) -> Int {
    let digits = String(id.reversed().prefix { $0.isNumber }.reversed())
    return Int(digits).flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? 1
  }
}

import Invariants

/// The words of the form, looked up by their bytes.
struct FactWords {
  /// The keys that mean something.
  enum Key {
    case at, fact, history, transaction, original, intent, account, storeAccount, device, product
    case quantity, amount, verdict, message, environment, disturbedUntil
  }

  /// The kinds of fact, as they are written.
  static let kindNames = Fact.Kind.allCases.map { "\($0)" }

  private let keys: WordTable<Key>
  private let kinds: WordTable<Fact.Kind>
  private let verdicts: WordTable<Fact.Verdict>
  private let messages: WordTable<Fact.Message>
  private let environments: WordTable<Environment>

  init() {
    keys = WordTable([
      ("at", .at), ("fact", .fact), ("history", .history), ("transaction", .transaction),
      ("original", .original), ("intent", .intent), ("account", .account),
      ("storeAccount", .storeAccount), ("device", .device), ("product", .product),
      ("quantity", .quantity), ("amount", .amount), ("verdict", .verdict),
      ("message", .message), ("environment", .environment), ("disturbedUntil", .disturbedUntil),
    ])
    kinds = WordTable(Fact.Kind.allCases.map { ("\($0)", $0) })
    verdicts = WordTable([
      ("none", .none), ("accepted", .accepted), ("refused", .refused),
      ("inconclusive", .inconclusive),
    ])
    messages = WordTable([
      ("none", .none), ("success", .success), ("failure", .failure), ("pending", .pending),
    ])
    // Apple's own begin with a capital.
    environments = WordTable([
      ("production", .production), ("sandbox", .sandbox), ("Production", .production),
      ("Sandbox", .sandbox),
    ])
  }

  @inline(__always)
  func key(_ word: FactLine.Name) -> Key? { keys[word] }

  @inline(__always)
  func kind(_ word: FactLine.Name) -> Fact.Kind? { kinds[word] }

  func verdict(_ word: FactLine.Name) -> Fact.Verdict? { verdicts[word] }
  func message(_ word: FactLine.Name) -> Fact.Message? { messages[word] }
  func environment(_ word: FactLine.Name) -> Environment? { environments[word] }

  /// Whether a fact of this kind is about one unit where no quantity is given.
  static func counts(_ kind: Fact.Kind) -> Bool {
    switch kind {
    case .tapped, .charged, .credited, .renewed, .goodsLost, .granted, .reversed, .regranted: true
    default: false
    }
  }

  /// Whether it is about all of a purchase where no part is given.
  static func isWholeUnlessSaid(_ kind: Fact.Kind) -> Bool {
    kind == .refunded || kind == .reversed || kind == .regranted
  }

  /// Whether a word that is no string is a value of JSON.
  static func isPlainValue(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = String(decoding: word, as: UTF8.self)
    return text == "true" || text == "false" || text == "null"
      || word.first.map { $0 &- 48 < 10 || $0 == UInt8(ascii: "-") } ?? false
        && Double(text) != nil
  }
}

/// Words of at most sixteen bytes, each with what it stands for.
struct WordTable<Value> {
  private struct Entry {
    var low: UInt64
    var high: UInt64
    var count: Int
    var value: Value
  }

  private let entries: [Entry?]
  private let mask: Int

  init(_ words: [(String, Value)]) {
    var size = 64
    while size < words.count * 4 { size *= 2 }
    let mask = size - 1
    var entries = [Entry?](repeating: nil, count: size)
    for (text, value) in words {
      // Read as a line is: there is something behind the word.
      let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 16)
      bytes.withUnsafeBufferPointer { bytes in
        let (low, high) = Self.load(bytes.baseAddress!, text.utf8.count)
        var place = Self.place(low, high, text.utf8.count) & mask
        while entries[place] != nil { place = (place + 1) & mask }
        entries[place] = Entry(low: low, high: high, count: text.utf8.count, value: value)
      }
    }
    self.entries = entries
    self.mask = mask
  }

  subscript(word: FactLine.Name) -> Value? {
    @inline(__always) get {
      guard let start = word.start, word.count <= 16, word.count > 0 else { return nil }
      let (low, high) = Self.load(start, word.count)
      return entries.withUnsafeBufferPointer { entries in
        var place = Self.place(low, high, word.count) & mask
        while let entry = entries[place] {
          if entry.low == low, entry.high == high, entry.count == word.count { return entry.value }
          place = (place + 1) & mask
        }
        return nil
      }
    }
  }

  /// The bytes of a word, with zeros behind them. Eight bytes behind its start can be read, and behind its end.
  @inline(__always)
  private static func load(_ start: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    let raw = UnsafeRawPointer(start)
    let low = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
    if count <= 8 {
      return (count == 8 ? low : low & (1 << UInt64(count * 8) &- 1), 0)
    }
    let high = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return (low, count == 16 ? high : high & (1 << UInt64((count - 8) * 8) &- 1))
  }

  @inline(__always)
  private static func place(_ low: UInt64, _ high: UInt64, _ count: Int) -> Int {
    let mixed = (low ^ (high &* 0x9e37_79b9_7f4a_7c15)) &* 0xff51_afd7_ed55_8ccd
    return Int(truncatingIfNeeded: mixed >> 40) &+ count
  }
}

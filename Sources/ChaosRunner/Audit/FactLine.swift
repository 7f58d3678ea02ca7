import Invariants

/// One line of a log: a fact, with its identifiers as they are written.
///
/// The bytes belong to whoever read the line, and are good until they read on.
struct FactLine {
  /// What a line is.
  enum Content {
    case fact, begin, end
  }

  /// Bytes of the line; ``none`` where there is no such thing.
  struct Name {
    var start: UnsafePointer<UInt8>?
    var count = 0

    static var none: Name { Name(start: nil) }
    var isNone: Bool { start == nil }
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Account tokens are UUIDs, which one writes with capitals and another one without: here they have none.
    ///
    /// The bytes are the reader's own, and nobody else's.
    @inline(__always)
    func lowerIfUUID() { if count == 36 { lower() } }

    @inline(never)
    private func lower() {
      guard let start, [8, 13, 18, 23].allSatisfy({ start[$0] == UInt8(ascii: "-") }) else {
        return
      }
      let bytes = UnsafeMutablePointer(mutating: start)
      for place in 0..<count where 65...90 ~= bytes[place] { bytes[place] |= 32 }
    }
  }

  var content = Content.fact
  /// All of the fact but its identifiers.
  var fact = Fact(.tapped, at: .start)
  var transaction = Name.none
  var original = Name.none
  var intent = Name.none
  var account = Name.none
  var storeAccount = Name.none
  var device = Name.none
  var product = Name.none
  /// What a history that is whole says of its disturbances; nil where nothing is said.
  var disturbedUntil: Int64?

  var at: Int64 { fact.at.millis }

  /// Why it cannot be judged, as what was found and what was expected; nil where it can.
  ///
  /// A log of production need not name the account of the store or the device.
  var problem: LineDamage? {
    @inline(__always) func needs(_ name: Name, _ key: StaticString) -> LineDamage? {
      name.isNone ? lacks(key) : nil
    }
    switch fact.kind {
    case .reported, .verified, .answered, .credited, .told, .declined: return nil
    case .asked, .launched, .ended: return needs(device, "device")
    case .loggedIn: return needs(device, "device") ?? needs(account, "account")
    case .tapped: return needs(intent, "intent")
    case .attributed: return needs(transaction, "transaction") ?? needs(account, "account")
    case .renewed, .restored:
      return needs(transaction, "transaction") ?? needs(original, "original")
    case .charged:
      if fact.quantity == 0 {
        return LineDamage(found: "'charged' with quantity 0", expected: "at least 1")
      }
      return needs(transaction, "transaction")
    case .refunded, .reversed, .regranted:
      if fact.amount > 1000 {
        return LineDamage(
          found: "amount \(fact.amount)", expected: "thousandths of the purchase, 0 to 1000")
      }
      return needs(transaction, "transaction")
    case .deferred, .returned, .voided, .delivered, .withheld, .traceable, .finishing, .finished,
      .saved, .erased, .recordLost, .goodsLost, .forgotten, .expired, .granted, .givenUp:
      return needs(transaction, "transaction")
    }
  }
}

extension FactLine {
  @inline(never)
  private func lacks(_ key: StaticString) -> LineDamage {
    LineDamage(
      found: "'\(fact.kind)' without '\(key)'", expected: "one, as every '\(fact.kind)' has")
  }
}

extension String {
  /// As it is shown where it is wrong: a text that is too long to be read is cut.
  var clipped: String {
    utf8.count <= 80 ? self : String(unicodeScalars.prefix(80)) + "…"
  }
}

/// Why a line says nothing that can be judged.
struct LineDamage: Error, Equatable {
  var found: String
  var expected: String
}

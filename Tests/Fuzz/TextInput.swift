import ChaosStore

/// Seeds, ranges of seeds, and stretches of time.
enum TextInput {
  static func seed(_ random: inout Random) -> String {
    if random.oneIn(4) { return number(&random) }
    let text = random.pick(Hostile.seeds + Hostile.numbers)
    return random.oneIn(2) ? Hostile.mutated(text, &random) : text
  }

  static func seeds(_ random: inout Random) -> String {
    switch random.below(4) {
    case 0: seed(&random) + random.pick(["..<", "..<", "...", "..", "<"]) + seed(&random)
    case 1: number(&random) + "..<" + number(&random)
    case 2: Hostile.mutated(random.pick(Hostile.seedRanges), &random)
    default: random.pick(Hostile.seedRanges)
    }
  }

  static func duration(_ random: inout Random) -> String {
    if random.oneIn(2) { return number(&random) + random.pick(["ms", "s", "m", "h", "", "d"]) }
    let text = random.pick(Hostile.times)
    return random.oneIn(2) ? Hostile.mutated(text, &random) : text
  }

  private static func number(_ random: inout Random) -> String {
    let value = random.next() >> UInt64(random.below(64))
    return random.oneIn(2) ? "\(value)" : "0x" + String(value, radix: 16)
  }

  // MARK: -

  static func examineSeed(_ bytes: [UInt8]) throws(Finding) -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    let seed: UInt64
    do { seed = try SeedText.seed(text) } catch {
      guard plainSeed(text) == nil else { throw Finding("a seed refused that is one", text) }
      return try .refused(saying: error.description)
    }
    guard let meant = plainSeed(text) else { throw Finding("a seed accepted that is none", text) }
    guard seed == meant else { throw Finding("a seed that is another", "\(text) as \(seed)") }
    guard (try? SeedText.seed(SeedText.text(seed))) == seed else {
      throw Finding("a seed that changes when written and read", text)
    }
    return .accepted
  }

  static func examineSeeds(_ bytes: [UInt8]) throws(Finding) -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    let range: Range<UInt64>
    do { range = try SeedText.range(text) } catch {
      return try .refused(saying: error.description)
    }
    let sides = text.split(separator: "..<", omittingEmptySubsequences: false).map(String.init)
    let bounds = sides.map(plainSeed)
    let isPlain =
      sides.count == 2
      ? bounds == [range.lowerBound, range.upperBound]
      : sides.count == 1 && range.lowerBound == 0 && text.utf8.allSatisfy(isDigit)
        && bounds == [range.upperBound]
    guard isPlain, !range.isEmpty, range.count > 0 else {
      throw Finding("seeds accepted that are none", "\(text) as \(range)")
    }
    return .accepted
  }

  static func examineDuration(_ bytes: [UInt8]) throws(Finding) -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    let duration: Duration
    do { duration = try TimeText.duration(text) } catch {
      return try .refused(saying: error.description)
    }
    let units: [(String, Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    guard let (unit, millis) = units.first(where: { text.hasSuffix($0.0) }),
      text.utf8.dropLast(unit.utf8.count).allSatisfy(isDigit),
      let number = Int64(text.dropLast(unit.count)),
      duration == .milliseconds(number * millis), number > 0
    else { throw Finding("a time accepted that is none", "\(text) as \(duration)") }
    return .accepted
  }

  /// What a seed is, once more and by the letter: decimal digits, 0x and up to 16 hex digits, or the
  /// 40 hex digits of a commit.
  private static func plainSeed(_ text: String) -> UInt64? {
    let bytes = Array(text.utf8)
    func isHex(_ byte: UInt8) -> Bool {
      isDigit(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }
    if bytes.count == 40, bytes.allSatisfy(isHex) {
      let digits = Array(text)
      return [0..<16, 16..<32, 32..<40].reduce(0) { $0 ^ UInt64(String(digits[$1]), radix: 16)! }
    }
    if bytes.count > 2, bytes[0] == 0x30, bytes[1] | 0x20 == 0x78 {
      let digits = bytes.dropFirst(2)
      guard digits.count <= 16, digits.allSatisfy(isHex) else { return nil }
      return UInt64(text.dropFirst(2), radix: 16)
    }
    return bytes.allSatisfy(isDigit) ? UInt64(text) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

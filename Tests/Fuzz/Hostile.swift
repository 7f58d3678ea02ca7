/// Values that have broken programs before.
enum Hostile {
  static let numbers = [
    "0", "-0", "1", "-1", "2", "3", "10", "11", "63", "64", "65", "100", "101", "255", "256", "257",
    "1000", "4095", "4096", "65535", "65536", "999999", "1000000", "1000001", "10000000",
    "10000001", "67108863", "67108864", "67108865", "2147483647", "2147483648", "4294967295",
    "4294967296", "137438953471", "137438953472", "274877906943", "274877906944",
    "1000000000000", "1000000000001", "9007199254740993", "4611686018427387904",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999", "1.0",
    "0.5", "-0.0", "1e3", "1E3", "1e+3", "1e-3", "1e400", "-1e400", "1e-400", "1.5e308",
    "0.1e1", "12345678901234567890.5",
  ]

  /// What stands where a number should, and is none.
  static let rubbish = [
    "00", "01", "-01", "+1", ".5", "1.", "1.e3", "0x10", "1e", "1e+", "--1", "NaN", "nan",
    "Infinity", "-Infinity", "nul", "True", "FALSE", "undefined", "1_000", "1,", "'a'", "\"",
    "\"\\", "\"\\u12", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud83dn0de00\"", "\"\\ud83d\\n\"",
    "\"\\ud83d\\ud83d\"", "\"\\ud83d\\u0041\"", "\"\\x41\"", "\"\\u{41}\"", "\"\\u+041\"",
    "\"\\u 041\"", "\"\\uFFFF\"", "\"a\nb\"", "\"a\u{0}b\"", "{", "}", "[", "]", ":", ",", "",
    "/**/1", "//", "#", "\u{feff}1", "\u{a0}1", "\u{2028}1", "1\u{b}", "{\"a\"}", "{1:2}",
    "[1,]", "{\"a\":1,}", "[,1]", "{\"a\":1,\"a\":1}", "\u{1f600}",
  ]

  static let texts = [
    "", " ", "\t", "\n", "\u{0}", "\u{1b}[31mred", "\u{7f}", "\u{9b}31m", "\r\n", "\u{202e}abc",
    "\u{feff}", "\u{200b}", "\u{301}", "e\u{301}", "\u{e9}", "\u{1f600}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{ff11}", "\u{663}", "\u{10ffff}",
    "\u{fffd}", "*", "?", "[", "]", "**", "*?*?*?*", "'", "\"", "\\", "/", "../../etc/passwd",
    "/dev/null", "-", "--", "-1", "+1", "a b", "a,b", "a;b", "a=b", "$(true)", "`true`", "%s%n",
    "user0", "user1", "user2", "user01", "user+1", "user-1", "user 1", "user\u{661}",
    "user99999999999999999999", "apple1", "apple0", "phone0", "phone1", "phone2", "phone+1",
    "tx1", "step1", "attacker", "F01", "F99", "I01", "I25", "f01", "never", "all", "default",
    "true", "null",
  ]

  static let times = [
    "0", "0ms", "1ms", "10s", "59s", "60s", "61s", "270s", "600s", "5m", "24h", "25h", "86400001ms",
    "-1s", "+1s", " 1s", "1 s", "1S", "1h30m", "1.5s", "1e3ms", "s", "ms", "99999999999h",
    "9223372036854775807ms", "9223372036854775808ms", "2562047788015h", "2562047788016h",
    "137438953471ms", "137438953472ms", "\u{661}s", "1\u{ff4d}s", "1ms ", "0x10s", "1d",
  ]

  static let ranges = [
    "0..0", "0..1", "1..0", "0..200", "10..1499", "10..1500", "0..24h", "0..86400001", "..", "1..",
    "..1", "1...2", "1..2..3", "-1..1", "+1..2", "1ms..2s", "5", "0..99999999999999999999",
    "1..<2", "0 .. 1",
  ]

  static let ratios = [
    "0", "1", "1/1", "0/1", "1/2", "1/20", "2/1", "1/0", "0/0", "-1/2", "1/-2", "+1/2", "1/+2",
    "1/2/3", "/", "1/", "/2", " 1/2", "1 / 2", "0.5", "1/18446744073709551615",
    "1/18446744073709551616", "18446744073709551615/18446744073709551615",
    "18446744073709551614/18446744073709551615", "\u{661}/\u{662}",
  ]

  static let seeds = [
    "0", "1", "42", "0x2a", "0X2A", "0x", "0xg", "0xffffffffffffffff", "0x10000000000000000",
    "0x00000000000000000001", "18446744073709551615", "18446744073709551616", "-1", "+1", "1.0",
    "1e3", " 1", "1 ", "", "0b1", "deadbeef", "\u{ff10}x\u{ff11}", "0x\u{ff11}", "\u{661}",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
    "da39a3ee5e6b4b0d3255bfef95601890afd8070", "da39a3ee5e6b4b0d3255bfef95601890afd80709a",
    String(repeating: "\u{ff11}", count: 40), String(repeating: "0", count: 40),
    "0x" + String(repeating: "0", count: 38), "g" + String(repeating: "0", count: 39),
  ]

  static let seedRanges = [
    "1", "5", "100", "0..<10", "5..<9", "9..<5", "5..<5", "0..5", "0...5", "..<5", "5..<", "..<",
    "0..<1..<2", "0x10..<0x20", "0..<18446744073709551615", "18446744073709550591",
    "0..<4611686018427387904", "0..<4611686018427387905", "4611686018427387904",
    "4611686018427387905", "18446744073709550580..<18446744073709550591",
    "18446744073709550590..<18446744073709550592", "18446744073709551614..<18446744073709551615",
    "-5..<5", "+5", "0", "1e3", " 5", "5 ", "0 ..< 5",
  ]

  /// A text with something done to it: a character less, more, twice, changed, or two changed places.
  static func mutated(_ text: String, _ random: inout Random) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<random.few(upTo: 4) {
      let place = random.below(scalars.count + 1)
      switch random.below(7) {
      case 0 where place < scalars.count: scalars.remove(at: place)
      case 1: scalars.insert(contentsOf: random.pick(texts).unicodeScalars, at: place)
      case 2 where place < scalars.count: scalars.insert(scalars[place], at: place)
      case 3 where place < scalars.count:
        scalars[place] = Unicode.Scalar(UInt8(random.below(128)))
      case 4 where place + 1 < scalars.count: scalars.swapAt(place, place + 1)
      case 5: scalars.insert(contentsOf: random.pick(numbers).unicodeScalars, at: place)
      case 6 where place < scalars.count:
        let end = place + 1 + random.below(scalars.count - place)
        scalars.insert(contentsOf: scalars[place..<end], at: place)
      default: break
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }

  /// Bytes with something done to them: flipped, cut, doubled, mixed with others.
  static func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.few(upTo: 6) {
      let place = random.below(bytes.count + 1)
      let end = min(bytes.count, place + 1 + random.below(12))
      switch random.below(8) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1 where place < bytes.count: bytes[place] = UInt8(random.below(256))
      case 2 where place < end: bytes.removeSubrange(place..<end)
      case 3 where place < end: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.insert(contentsOf: random.pick(rubbish).utf8, at: place)
      case 5: bytes.insert(contentsOf: random.pick(texts).utf8, at: place)
      case 6: bytes.insert(contentsOf: random.pick(brokenUTF8), at: place)
      case 7 where random.oneIn(4): bytes.removeSubrange(place...)
      default: break
      }
    }
    return bytes
  }

  static let brokenUTF8: [[UInt8]] = [
    [0x80], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
    [0xf0, 0x9f, 0x98], [0xef, 0xbb, 0xbf], [0xfe, 0xff],
  ]
}

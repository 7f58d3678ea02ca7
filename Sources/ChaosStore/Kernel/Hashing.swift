/// The one mixing function, for decisions and for the trace hash.
///
/// A folded 64 x 64 -> 128 bit product: two of them spread every input bit over the result.
package enum Hashing {
  @inline(__always)
  static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// The hash of a name, equal on every platform and in every build (FNV-1a, then folded).
  package static func name(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return fold(hash ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93)
  }

  /// The value of one decision: of the seed, the question, the subject and the occurrence.
  @inline(__always)
  static func decision(seed: UInt64, question: UInt64, subject: UInt64, occurrence: UInt64)
    -> UInt64
  {
    decision(
      seeded: seed &+ question, mixed: mixed(question: question), subject: subject,
      occurrence: occurrence)
  }

  /// The same, where the parts that are the same at every question of a run are at hand: the sum of seed and
  /// question, and what ``mixed(question:)`` is.
  @inline(__always)
  static func decision(seeded: UInt64, mixed: UInt64, subject: UInt64, occurrence: UInt64)
    -> UInt64
  {
    let first = fold(
      seeded, (subject &+ occurrence &* 0x9e37_79b9_7f4a_7c15) ^ 0xa076_1d64_78bd_642f)
    return fold(first ^ 0xe703_7ed1_a0b4_28db, mixed)
  }

  @inline(__always)
  static func mixed(question: UInt64) -> UInt64 { question ^ 0x8ebc_6af0_9c88_c6e3 }
}

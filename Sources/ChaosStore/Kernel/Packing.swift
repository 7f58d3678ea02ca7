// What is passed on at every step of a run is kept in few words: a struct is passed field by field, and each
// small field would be taken out of a word and put into another at every call.

extension OptionSet {
  /// Puts members in, or takes them out.
  @inline(__always)
  mutating func set(_ members: Self, _ isIn: Bool) {
    if isIn { formUnion(members) } else { subtract(members) }
  }
}

/// Two numbers in one word.
struct Halves: BitwiseCopyable, Equatable, Sendable {
  private var word: UInt64

  @inline(__always)
  init(low: UInt32, high: UInt32) { word = UInt64(high) << 32 | UInt64(low) }

  var low: UInt32 {
    @inline(__always) get { UInt32(truncatingIfNeeded: word) }
    @inline(__always) set { word = UInt64(high) << 32 | UInt64(newValue) }
  }
  var high: UInt32 {
    @inline(__always) get { UInt32(truncatingIfNeeded: word >> 32) }
    @inline(__always) set { word = UInt64(newValue) << 32 | UInt64(low) }
  }
}

/// The random numbers of one run (SplitMix64).
struct HostRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    var start = 0
    while start < bytes.count {
      withUnsafeBytes(of: next().littleEndian) { word in
        let size = min(word.count, bytes.count - start)
        UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + size])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<size]))
        start += size
      }
    }
  }
}

/// The random numbers of the run that is under way, to hand to code that takes a generator.
///
/// Needed only where ``HostCapabilities/current`` lacks ``HostCapabilities/virtualRandomness``: elsewhere
/// `SystemRandomNumberGenerator` draws the same numbers. Code that outlives its run draws numbers that mean nothing.
public struct HostRandomNumberGenerator: RandomNumberGenerator {
  private var withoutRun = HostRandom(seed: 0)

  /// The generator of whatever run the thread that asks is in.
  public init() {}

  /// The next number that follows from the run's seed.
  public mutating func next() -> UInt64 { Host.current?.random.next() ?? withoutRun.next() }
}

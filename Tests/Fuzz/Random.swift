/// SplitMix64: the same numbers from the same seed, on every machine.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// For one case of a campaign; cases depend on nothing but their number.
  init(seed: UInt64, case number: Int) {
    var mixer = Random(seed: seed)
    state = mixer.next() ^ (UInt64(number) &+ 1) &* 0xd134_2543_de82_ef95
    _ = next()
  }

  /// For what is done with an input: it follows from the input alone, so that a saved one repeats.
  init(from bytes: [UInt8]) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    state = hash
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  /// From 0 to below the bound.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Whether the one in so many has come.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Mostly few, seldom as many as the most.
  mutating func few(upTo most: Int) -> Int {
    var count = 1
    while count < most, !oneIn(3) { count += 1 }
    return count
  }
}

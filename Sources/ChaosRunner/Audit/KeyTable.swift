/// Keys of 64 bits, each with two numbers: which purchase it belongs to, or what became of it.
///
/// A key is a hash of a name. That two of ten million names have the same has a chance of three in a million.
struct KeyTable: ~Copyable {
  struct Slot: BitwiseCopyable {
    /// 0 where there is nothing.
    var key: UInt64 = 0
    var value: UInt64 = 0
    var extra: UInt64 = 0
  }

  private(set) var count = 0
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int

  init() {
    mask = (1 << 10) - 1
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: Slot(), count: mask + 1)
  }

  deinit { slots.deallocate() }

  /// Where a key is; nil where it is not.
  @inline(__always)
  func place(of key: UInt64) -> Int? {
    var place = Int(truncatingIfNeeded: key) & mask
    while true {
      let found = slots[place].key
      if found == key { return place }
      if found == 0 { return nil }
      place = (place + 1) & mask
    }
  }

  /// What stands at a place that ``place(of:)`` has named since a key was last added.
  subscript(place: Int) -> Slot {
    @inline(__always) get { slots[place] }
    @inline(__always) nonmutating _modify { yield &slots[place] }
  }

  /// Sets what a key stands for.
  mutating func set(_ key: UInt64, _ value: UInt64, _ extra: UInt64 = 0) {
    if let place = place(of: key) {
      slots[place].value = value
      slots[place].extra = extra
      return
    }
    if (count + 1) * 10 > (mask + 1) * 7 { grow() }
    count += 1
    insert(Slot(key: key, value: value, extra: extra))
  }

  /// Takes a key away, and closes the gap.
  mutating func remove(_ key: UInt64) {
    guard var gap = place(of: key) else { return }
    count -= 1
    var next = (gap + 1) & mask
    while slots[next].key != 0 {
      let home = Int(truncatingIfNeeded: slots[next].key) & mask
      // Whether it would be found at the gap as well.
      if (next - home) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap] = Slot()
  }

  private func insert(_ slot: Slot) {
    var place = Int(truncatingIfNeeded: slot.key) & mask
    while slots[place].key != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }

  private mutating func grow() {
    let (old, size) = (slots, mask + 1)
    mask = size * 2 - 1
    slots = .allocate(capacity: size * 2)
    slots.initialize(repeating: Slot(), count: size * 2)
    for place in 0..<size where old[place].key != 0 { insert(old[place]) }
    old.deallocate()
  }

  /// The key of a name among those of its kind.
  @inline(__always)
  static func key(_ name: FactLine.Name, kind: UInt64) -> UInt64 {
    var hash = mixed(0x9e37_79b9_7f4a_7c15 ^ kind, 0xa076_1d64_78bd_642f ^ UInt64(name.count))
    guard let start = name.start else { return 0 }
    let raw = UnsafeRawPointer(start)
    var offset = 0
    while offset + 8 <= name.count {
      hash = mixed(
        hash ^ UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        0xe703_7ed1_a0b4_28db)
      offset += 8
    }
    if offset < name.count {
      // Behind a name there are always eight bytes that can be read.
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash = mixed(
        hash ^ word & (1 << UInt64((name.count - offset) * 8) &- 1), 0x8ebc_6af0_9c88_c6e3)
    }
    return hash == 0 ? 1 : hash
  }

  @inline(__always)
  private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

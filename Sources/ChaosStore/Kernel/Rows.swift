/// A growing table of plain values that keeps its memory from run to run.
///
/// Rows are reached through the pointer, so a write costs what it says and nothing else.
struct Rows<Row: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Row>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  func deallocate() { base.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Row {
    get {
      assert(index >= 0 && index < count, "bug: row \(index) of \(count)")
      return base[index]
    }
    nonmutating _modify {
      assert(index >= 0 && index < count, "bug: row \(index) of \(count)")
      yield &base[index]
    }
  }

  @inline(__always)
  subscript(index: UInt32) -> Row {
    get { self[Int(index)] }
    nonmutating _modify { yield &self[Int(index)] }
  }

  /// The row in its place, for those who read a few fields of a long one.
  @inline(__always)
  func at(_ index: UInt32) -> UnsafeMutablePointer<Row> {
    assert(Int(index) < count, "bug: row \(index) of \(count)")
    return base + Int(index)
  }

  /// Adds a row and returns its position.
  @inline(__always) @discardableResult
  mutating func append(_ row: Row) -> Int {
    if count == capacity { grow() }
    base[count] = row
    count += 1
    return count - 1
  }

  mutating func removeAll() { count = 0 }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Row>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}

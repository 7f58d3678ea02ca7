import Invariants

/// A growing table of plain values that keeps its memory from run to run.
///
/// Rows are reached through the pointer, so a write costs what it says and nothing else. Each table has
/// identifiers of its own type, so that no row of one is taken for a row of another.
struct Rows<Row: BitwiseCopyable, ID: Identifier> {
  private(set) var base: UnsafeMutablePointer<Row>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  func deallocate() { base.deallocate() }

  /// Whether there is such a row.
  @inline(__always)
  func holds(_ id: ID) -> Bool { id.index < count }

  /// The identifiers of all rows.
  var ids: some Sequence<ID> { (0..<count).lazy.map { ID(index: $0) } }

  @inline(__always)
  subscript(id: ID) -> Row {
    get {
      assert(holds(id), "bug: row \(id.raw) of \(count)")
      return base[id.index]
    }
    nonmutating _modify {
      assert(holds(id), "bug: row \(id.raw) of \(count)")
      yield &base[id.index]
    }
  }

  /// The row in its place, for those who read a few fields of a long one.
  @inline(__always)
  func at(_ id: ID) -> UnsafeMutablePointer<Row> {
    assert(holds(id), "bug: row \(id.raw) of \(count)")
    return base + id.index
  }

  /// The identifier that the next row will have.
  var nextID: ID { ID(index: count) }

  /// Adds a row and returns its identifier.
  @inline(__always) @discardableResult
  mutating func append(_ row: Row) -> ID {
    if count == capacity { grow() }
    base[count] = row
    count += 1
    return ID(index: count - 1)
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

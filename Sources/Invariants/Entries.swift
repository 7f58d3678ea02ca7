/// A growing list of plain records that keeps its memory and has one owner.
///
/// It is not an array because a record is changed at every fact: nothing here is counted or copied.
public struct Entries<Record: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Record>
  public private(set) var count = 0
  private var capacity = 8

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  public var indices: Range<Int> { 0..<count }

  /// The record at a position; a position that does not exist is a mistake of the caller.
  public internal(set) subscript(position: Int) -> Record {
    @inline(__always) get {
      precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "no such record")
      return base[position]
    }
    @inline(__always) _modify {
      precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "no such record")
      yield &base[position]
    }
  }

  mutating func removeAll() { count = 0 }

  mutating func reserve(_ most: Int) { if most > capacity { grow(to: most) } }

  /// Adds copies of a record until there is one at this position.
  @inline(__always)
  mutating func makeRoom(for position: Int, _ record: @autoclosure () -> Record) {
    if _slowPath(position >= count) { extend(to: position, with: record()) }
  }

  @inline(never)
  private mutating func extend(to position: Int, with record: Record) {
    if position >= capacity { grow(to: max(position + 1, capacity * 2)) }
    while count <= position {
      base[count] = record
      count += 1
    }
  }

  private mutating func grow(to larger: Int) {
    let copy = UnsafeMutablePointer<Record>.allocate(capacity: larger)
    copy.initialize(from: base, count: count)
    base.deallocate()
    base = copy
    capacity = larger
  }
}

/// A growing list of plain records that keeps its memory and has one owner.
///
/// It is not an array because a record is changed at every fact: nothing here is counted or copied.
/// Only the books add records and change them.
public struct Entries<Record: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Record>
  /// How many records there are.
  public private(set) var count = 0
  private var capacity = 8

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  /// The positions of all records.
  public var indices: Range<Int> { 0..<count }

  /// The record at a position, which must be one of ``indices``.
  public subscript(position: Int) -> Record {
    @inline(__always) get {
      if _slowPath(UInt(bitPattern: position) >= UInt(bitPattern: count)) {
        noSuchRecord()
      }
      return base[position]
    }
  }

  /// The same record, to be changed in its place.
  subscript(changing position: Int) -> Record {
    @inline(__always) get { self[position] }
    @inline(__always) _modify {
      if _slowPath(UInt(bitPattern: position) >= UInt(bitPattern: count)) {
        noSuchRecord()
      }
      yield &base[position]
    }
  }

  mutating func removeAll() { count = 0 }

  mutating func reserve(_ most: Int) { if most > capacity { grow(to: most) } }

  /// Adds copies of a record until there is one at this position.
  @inline(__always)
  mutating func makeRoom(for position: Int, _ record: @autoclosure () -> Record) {
    if _slowPath(position >= count) {
      // The next one is made in its place.
      if position == count, count < capacity {
        base[count] = record()
        count &+= 1
      } else {
        extend(to: position, with: record())
      }
    }
  }

  @inline(never)
  private mutating func extend(to position: Int, with record: Record) {
    if position >= capacity {
      // An identifier that is none, where the kind of the fact needs one.
      if position >= Int(UInt32.max) { noSuchRecord() }
      grow(to: max(position + 1, capacity * 2))
    }
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

/// Ends the process. It takes no arguments, so that the way there costs a caller next to nothing.
@inline(never)
private func noSuchRecord() -> Never {
  fatalError("bug: a record was asked for that is not there; its identifier may be none")
}

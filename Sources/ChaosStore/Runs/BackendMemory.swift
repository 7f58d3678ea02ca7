/// What the processes of a backend remember from one request to the next.
///
/// A change can be seen where all of it lies in the value itself: numbers, and collections that are empty
/// at first, since one that holds something lies elsewhere.
final class BackendMemory {
  private let bytes: UnsafeRawBufferPointer
  private let start: [UInt8]
  private var wasStart = true
  /// Whether a change can be seen.
  let isComparable: Bool

  /// For values that were just made, and live as long as this does.
  init<Backend>(of values: UnsafeMutablePointer<Backend>, count: Int, isShared: Bool) {
    bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(start: values, count: count))
    start = Array(bytes)
    isComparable = !isShared && (0..<count).allSatisfy { Self.isWhole(values[$0]) }
  }

  func begin() { wasStart = true }

  /// Whether it is, or was when this was asked last, other than at the start.
  var isChanged: Bool {
    let isStart = start.withUnsafeBytes { start in
      start.indices.allSatisfy { bytes[$0] == start[$0] }
    }
    defer { wasStart = isStart }
    return !isStart || !wasStart
  }

  private static func isWhole<Value>(_ value: Value) -> Bool {
    if _isPOD(Value.self) { return true }
    if let collection = value as? any Collection { return collection.isEmpty }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple else { return false }
    return mirror.children.allSatisfy { isWhole(any: $0.value) }
  }

  private static func isWhole(any value: Any) -> Bool {
    func open<Value>(_ value: Value) -> Bool { isWhole(value) }
    return _openExistential(value, do: open)
  }
}

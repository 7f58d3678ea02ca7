import Foundation

/// What `UserDefaults` can hold, and its bytes in the simulated storage.
///
/// Data is kept as it is, so that what an app encoded itself is found in a record unchanged; everything
/// else, and data that begins with the same byte, follows a mark. The same value has the same bytes
/// in every process.
indirect enum StoredValue: Equatable {
  case data(Data)
  case string(String)
  case bool(Bool)
  case integer(Int)
  case number(Double)
  /// Seconds since 2001.
  case date(Double)
  case array([StoredValue])
  /// Sorted by key.
  case dictionary([Entry])

  struct Entry: Equatable {
    var key: String
    var value: StoredValue
  }

  /// Nil for what is no property list.
  init?(_ value: Any) {
    if let string = value as? String {
      self = .string(string)
    } else if let data = value as? Data {
      self = .data(data)
    } else if let date = value as? Date {
      self = .date(date.timeIntervalSinceReferenceDate)
    } else if let number = value as? NSNumber {
      self.init(number)
    } else if let values = value as? [Any] {
      let stored = values.compactMap { StoredValue($0) }
      guard stored.count == values.count else { return nil }
      self = .array(stored)
    } else if let values = value as? [String: Any] {
      let stored = values.compactMap { key, value in
        StoredValue(value).map { Entry(key: key, value: $0) }
      }
      guard stored.count == values.count else { return nil }
      self = .dictionary(stored.sorted { $0.key < $1.key })
    } else {
      return nil
    }
  }

  private init(_ number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c", "B": self = .bool(number.boolValue)
    case "f", "d": self = .number(number.doubleValue)
    default: self = .integer(number.intValue)
    }
  }

  /// The same as Foundation keeps it.
  var object: NSObject {
    switch self {
    case .data(let data): NSData(data: data)
    case .string(let string): NSString(string: string)
    case .bool(let bool): NSNumber(value: bool)
    case .integer(let integer): NSNumber(value: integer)
    case .number(let number): NSNumber(value: number)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .array(let values): NSArray(array: values.map(\.object))
    case .dictionary(let entries):
      NSDictionary(
        objects: entries.map(\.value.object), forKeys: entries.map { NSString(string: $0.key) })
    }
  }
}

// MARK: - Bytes

extension StoredValue {
  /// No text begins with it.
  private static let mark: UInt8 = 0xFF

  private enum Tag {
    static let data: UInt8 = 0
    static let string: UInt8 = 1
    static let bool: UInt8 = 2
    static let integer: UInt8 = 3
    static let number: UInt8 = 4
    static let date: UInt8 = 5
    static let array: UInt8 = 6
    static let dictionary: UInt8 = 7
  }

  var encoded: Data {
    if case .data(let data) = self, data.first != Self.mark { return data }
    var bytes = Data([Self.mark])
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout Data) {
    func put(_ tag: UInt8, _ number: UInt64) {
      bytes.append(tag)
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    switch self {
    case .data(let data):
      put(Tag.data, UInt64(data.count))
      bytes.append(data)
    case .string(let string):
      put(Tag.string, UInt64(string.utf8.count))
      bytes.append(contentsOf: string.utf8)
    case .bool(let bool): put(Tag.bool, bool ? 1 : 0)
    case .integer(let integer): put(Tag.integer, UInt64(bitPattern: Int64(integer)))
    case .number(let number): put(Tag.number, number.bitPattern)
    case .date(let seconds): put(Tag.date, seconds.bitPattern)
    case .array(let values):
      put(Tag.array, UInt64(values.count))
      for value in values { value.append(to: &bytes) }
    case .dictionary(let entries):
      put(Tag.dictionary, UInt64(entries.count))
      for entry in entries {
        StoredValue.string(entry.key).append(to: &bytes)
        entry.value.append(to: &bytes)
      }
    }
  }

  /// Reads what `encoded` wrote.
  init(encoded data: Data) {
    guard data.first == Self.mark else {
      self = .data(data)
      return
    }
    var rest = data.dropFirst()
    self.init(readingFrom: &rest)
  }

  private init(readingFrom bytes: inout Data) {
    guard bytes.count >= 9, let tag = bytes.popFirst() else {
      fatalError("bug: a stored value ends before it is whole")
    }
    let number = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    bytes.removeFirst(8)
    func take() -> Data {
      defer { bytes.removeFirst(Int(number)) }
      return Data(bytes.prefix(Int(number)))
    }
    switch tag {
    case Tag.data: self = .data(take())
    case Tag.string: self = .string(String(decoding: take(), as: UTF8.self))
    case Tag.bool: self = .bool(number != 0)
    case Tag.integer: self = .integer(Int(Int64(bitPattern: number)))
    case Tag.number: self = .number(Double(bitPattern: number))
    case Tag.date: self = .date(Double(bitPattern: number))
    case Tag.array:
      self = .array((0..<number).map { _ in StoredValue(readingFrom: &bytes) })
    case Tag.dictionary:
      self = .dictionary(
        (0..<number).map { _ in
          guard case .string(let key) = StoredValue(readingFrom: &bytes) else {
            fatalError("bug: the key of a stored value is no text")
          }
          return Entry(key: key, value: StoredValue(readingFrom: &bytes))
        })
    default: fatalError("bug: a stored value of kind \(tag)")
    }
  }
}

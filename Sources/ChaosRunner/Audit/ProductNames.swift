import Invariants

/// The products of a log, numbered in the order in which they are met; the subscriptions come first.
struct ProductNames: ~Copyable {
  private var numbers = KeyTable()
  private(set) var names: [String] = []

  init(_ subscriptions: [(name: String, level: Int)]) {
    for (name, _) in subscriptions {
      var bytes = Array(name.utf8)
      let count = bytes.count
      bytes += [UInt8](repeating: 0, count: 16)
      bytes.withUnsafeBufferPointer {
        _ = number(FactLine.Name(start: $0.baseAddress, count: count))
      }
    }
  }

  /// All from some number on share the last one.
  @inline(__always)
  mutating func number(_ name: FactLine.Name) -> ProductID {
    if name.isNone { return .none }
    let key = KeyTable.key(name, kind: 9)
    if let place = numbers.place(of: key) { return ProductID(UInt32(numbers[place].value)) }
    return add(name, key)
  }

  private mutating func add(_ name: FactLine.Name, _ key: UInt64) -> ProductID {
    let most = ClosedPurchase.mostProducts
    if names.count == most { return ProductID(index: most - 1) }
    names.append(names.count == most - 1 ? "all other products" : name.text)
    numbers.set(key, UInt64(names.count - 1))
    return ProductID(index: names.count - 1)
  }

  func text(_ product: ProductID) -> String? {
    product.index < names.count ? names[product.index] : nil
  }
}

import Invariants

/// What is still open of a log: the facts of each purchase, and what its identifiers are called.
///
/// All of it is records of a fixed size that are used again, so its memory is that of the purchases that are open.
struct OpenPurchases: ~Copyable {
  /// What identifies something within a purchase.
  enum NameKind: UInt8 {
    case transaction, intent, account, storeAccount, device
  }

  static let none = UInt32.max

  /// One purchase: a charge with its restores and renewals, and the wish that it answers.
  struct Purchase: BitwiseCopyable {
    var firstFact = OpenPurchases.none
    var lastFact = OpenPurchases.none
    var facts: UInt32 = 0
    var firstName = OpenPurchases.none
    var lastName = OpenPurchases.none
    var lastAt: Int64
    /// Which was born before which.
    var order: UInt64
    /// How many names of each kind there are.
    var names = SIMD8<UInt16>()
    var charges: UInt16 = 0
    var credits: UInt16 = 0
    var finishes: UInt16 = 0
    var hasRefund = false
    var hasTap = false
    var hasSubscription = false

    func count(of kind: NameKind) -> Int { Int(names[Int(kind.rawValue)]) }

    /// Whether nothing is to come of it any more, as far as it is known.
    var isComplete: Bool {
      charges > 0 && credits >= charges && finishes >= charges && !hasRefund && !hasSubscription
    }
  }

  /// One fact of a purchase; its identifiers are those of the purchase.
  struct Entry: BitwiseCopyable {
    var fact: Fact
    var place: LogPlace
    var next = OpenPurchases.none
    /// Whether it stands for what was known of a purchase that was closed before.
    var isOld = false
    /// Whether it was told as the renewal of a subscription.
    var isRenewal = false
    /// What was known of that beside.
    var state: ClosedPurchase.State = []
    /// By how many milliseconds it was told later than it is taken to have happened.
    var shift: Int32 = 0
  }

  /// One name, or a part of it.
  struct NameNode: BitwiseCopyable {
    static let size = 40

    var key: UInt64
    var next = OpenPurchases.none
    /// Where it goes on, if it is longer.
    var more = OpenPurchases.none
    var number: UInt16
    var kind: NameKind
    var count: UInt8 = 0
    var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  }

  var purchases = Pool<Purchase>()
  var entries = Pool<Entry>()
  var names = Pool<NameNode>()
  private var born: UInt64 = 0

  init() {}

  mutating func begin(at millis: Int64) -> UInt32 {
    born += 1
    return purchases.take(Purchase(lastAt: millis, order: born))
  }

  /// Puts a fact to the others of its purchase.
  @inline(__always)
  mutating func add(_ entry: Entry, to purchase: UInt32) {
    let number = entries.take(entry)
    let last = purchases[purchase].lastFact
    if last == Self.none {
      purchases[purchase].firstFact = number
    } else {
      entries[last].next = number
    }
    purchases[purchase].lastFact = number
    purchases[purchase].facts += 1
  }

  /// The number of a name within its purchase, and of its kind; a new one where it is met first.
  @inline(__always)
  mutating func number(
    of name: FactLine.Name, _ key: UInt64, _ kind: NameKind, in purchase: UInt32
  ) -> UInt32 {
    var node = purchases[purchase].firstName
    while node != Self.none {
      if names[node].key == key, names[node].kind == kind {
        if names[node].count == 0, name.count > 0 { write(name, to: node) }
        return UInt32(names[node].number)
      }
      node = names[node].next
    }
    return addName(name, key, kind, in: purchase)
  }

  private mutating func addName(
    _ name: FactLine.Name, _ key: UInt64, _ kind: NameKind, in purchase: UInt32
  ) -> UInt32 {
    let number = purchases[purchase].names[Int(kind.rawValue)]
    purchases[purchase].names[Int(kind.rawValue)] += 1
    let node = names.take(NameNode(key: key, number: number, kind: kind))
    let last = purchases[purchase].lastName
    if last == Self.none {
      purchases[purchase].firstName = node
    } else {
      names[last].next = node
    }
    purchases[purchase].lastName = node
    if name.count > 0 { write(name, to: node) }
    return UInt32(number)
  }

  private mutating func write(_ name: FactLine.Name, to first: UInt32) {
    // What is longer than that is no identifier, but is cut where people read it.
    var rest = UnsafeRawBufferPointer(name.bytes).prefix(1000)
    var node = first
    while true {
      let part = rest.prefix(NameNode.size)
      withUnsafeMutableBytes(of: &names[node].bytes) { $0.copyBytes(from: part) }
      names[node].count = UInt8(part.count)
      rest = rest.dropFirst(part.count)
      if rest.isEmpty { return }
      let more = names.take(NameNode(key: 0, number: 0, kind: names[first].kind))
      names[node].more = more
      node = more
    }
  }

  /// What something is called; nil where nobody has said so.
  func text(_ kind: NameKind, _ number: UInt32, in purchase: UInt32) -> String? {
    var node = purchases[purchase].firstName
    while node != Self.none {
      if names[node].kind == kind, UInt32(names[node].number) == number {
        return names[node].count == 0 ? nil : text(from: node)
      }
      node = names[node].next
    }
    return nil
  }

  private func text(from first: UInt32) -> String {
    var bytes: [UInt8] = []
    var node = first
    while node != Self.none {
      let part = names[node]
      withUnsafeBytes(of: part.bytes) { bytes += $0.prefix(Int(part.count)) }
      node = part.more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The keys of a kind, with the number of each.
  func eachKey(
    of purchase: UInt32, _ body: (_ key: UInt64, _ kind: NameKind, _ number: UInt32) -> Void
  ) {
    var node = purchases[purchase].firstName
    while node != Self.none {
      body(names[node].key, names[node].kind, UInt32(names[node].number))
      node = names[node].next
    }
  }

  /// Puts all that is known of one purchase to another one, and forgets it.
  mutating func merge(_ one: UInt32, into other: UInt32) {
    var numbers: [[UInt32]] = Array(repeating: [], count: 5)
    var node = purchases[one].firstName
    while node != Self.none {
      let name = names[node]
      var bytes = name.count == 0 ? [] : Array(text(from: node).utf8)
      // What is behind a name may be read.
      let count = bytes.count
      bytes += [UInt8](repeating: 0, count: 16)
      let number = bytes.withUnsafeBufferPointer {
        self.number(
          of: FactLine.Name(start: count == 0 ? nil : $0.baseAddress, count: count), name.key,
          name.kind, in: other)
      }
      numbers[Int(name.kind.rawValue)].append(number)
      node = name.next
    }
    func mapped(_ kind: NameKind, _ number: UInt32) -> UInt32 {
      number == .max ? .max : numbers[Int(kind.rawValue)][Int(number)]
    }
    var place = purchases[one].firstFact
    while place != Self.none {
      var entry = entries[place]
      let next = entry.next
      entry.next = Self.none
      let fact = entry.fact
      entry.fact.transaction = .init(mapped(.transaction, fact.transaction.raw))
      entry.fact.original = .init(mapped(.transaction, fact.original.raw))
      entry.fact.intent = .init(mapped(.intent, fact.intent.raw))
      entry.fact.account = .init(mapped(.account, fact.account.raw))
      entry.fact.storeAccount = .init(mapped(.storeAccount, fact.storeAccount.raw))
      entry.fact.device = .init(mapped(.device, fact.device.raw))
      add(entry, to: other)
      place = next
    }
    let old = purchases[one]
    purchases[other].lastAt = max(purchases[other].lastAt, old.lastAt)
    purchases[other].charges += old.charges
    purchases[other].credits += old.credits
    purchases[other].finishes += old.finishes
    if old.hasRefund { purchases[other].hasRefund = true }
    if old.hasTap { purchases[other].hasTap = true }
    if old.hasSubscription { purchases[other].hasSubscription = true }
    forget(one)
  }

  /// Gives back the memory of a purchase.
  mutating func forget(_ purchase: UInt32) {
    var place = purchases[purchase].firstFact
    while place != Self.none {
      let next = entries[place].next
      entries.giveBack(place)
      place = next
    }
    var node = purchases[purchase].firstName
    while node != Self.none {
      var part = node
      node = names[node].next
      while part != Self.none {
        let more = names[part].more
        names.giveBack(part)
        part = more
      }
    }
    purchases[purchase].order = 0
    purchases.giveBack(purchase)
  }
}

/// Whom a decision is about, named by origin and never by order of allocation.
///
/// `tx1` is what the first purchase of the scenario pays for, `tx1/2` a second payment for the
/// same intent, `tx1/a1` a further purchase it gave rise to, `tx1/f1` what the first other one of the family
/// has of it, `tx1/r1` its first restore, `tx1/n1` the first renewal of a subscription; `phone1` is what it says,
/// and `attacker` whoever sends dishonest reports (`attacker/2` pays as well).
/// `step1` is the first step of the scenario, which a plan can leave out, and `server1` what the first
/// process of the backend does without a request.
public struct Subject: Hashable, Sendable {
  /// What is hashed, equal for equal names: share 4 bits, kind 4, origin 32, again 4, payment 8, restore 12.
  package let key: UInt64

  enum Kind: UInt64 {
    case transaction = 1
    case phone, attacker, step, server, renewal
  }

  init(key: UInt64) { self.key = key }

  private init(_ kind: Kind, _ origin: Int) {
    key = kind.rawValue << 56 | UInt64(UInt32(truncatingIfNeeded: origin)) << 24
  }

  static func transaction(_ origin: Int) -> Subject { Subject(.transaction, origin) }
  static let attacker = Subject(.attacker, 0)
  static func phone(_ index: Int) -> Subject { Subject(.phone, index) }
  static func step(_ index: Int) -> Subject { Subject(.step, index) }
  static func server(_ index: Int) -> Subject { Subject(.server, index) }

  /// Which purchase of the scenario it goes back to, from 0; nil for what is no purchase.
  var origin: Int? {
    kind == .transaction || kind == .renewal ? Int(key >> 24 & 0xffff_ffff) : nil
  }

  private var kind: Kind? { Kind(rawValue: key >> 56 & 0xf) }

  /// Whether it is what somebody has whose family has bought it.
  var isShare: Bool { key >> 60 > 0 }

  /// The key of the purchase that it goes back to, whoever has it now, and whatever it has led to.
  var boughtKey: UInt64 { key & 0x00ff_ffff_ffff_f000 | Kind.transaction.rawValue << 56 }

  /// Whether it is about dishonest reports, or what was bought for them.
  var isAttacker: Bool { kind == .attacker }

  /// What a decision about it has to do with: a bit for the purchase it goes back to, of which more than 40
  /// share them; none for a device; all where somebody is dishonest.
  var touches: UInt64 {
    if let origin { return 1 << UInt64(origin % 40) }
    return isAttacker ? .max : 0
  }

  /// The same of another purchase of the scenario.
  func with(origin: Int) -> Subject {
    Subject(key: key & ~(0xffff_ffff << 24) | UInt64(UInt32(truncatingIfNeeded: origin)) << 24)
  }

  func again(_ ordinal: UInt64) -> Subject { Subject(key: key | (ordinal & 0xf) << 20) }
  func payment(_ ordinal: UInt64) -> Subject { Subject(key: key | (ordinal & 0xff) << 12) }
  func restore(_ ordinal: UInt64) -> Subject { Subject(key: key | ordinal & 0xfff) }

  /// What others of the family have of a purchase.
  func share(_ ordinal: UInt64) -> Subject {
    Subject(
      key: key & 0x00ff_ffff_ffff_f000 | (ordinal & 0xf) << 60 | Kind.transaction.rawValue << 56)
  }

  /// Of a subscription, which no restore begins.
  func renewal(_ ordinal: UInt64) -> Subject {
    Subject(key: key & 0xf0ff_ffff_ffff_f000 | Kind.renewal.rawValue << 56 | ordinal & 0xfff)
  }

  /// The name a person reads and writes.
  public var name: String {
    let origin = String(Int(key >> 24 & 0xffff_ffff) + 1)
    switch kind {
    case .transaction, .renewal:
      var text = "tx" + origin
      if key >> 20 & 0xf > 0 { text += "/a\(key >> 20 & 0xf)" }
      if key >> 12 & 0xff > 0 { text += "/\((key >> 12 & 0xff) + 1)" }
      if isShare { text += "/f\(key >> 60)" }
      let mark = kind == .renewal ? "n" : "r"
      if key & 0xfff > 0 { text += "/\(mark)\(key & 0xfff)" }
      return text
    case .phone: return "phone" + origin
    case .step: return "step" + origin
    case .server: return "server" + origin
    case .attacker:
      let payment = key >> 12 & 0xff
      return payment > 0 ? "attacker/\(payment + 1)" : "attacker"
    case nil: fatalError("bug: a subject of no kind")
    }
  }

  /// Reads a name such as `tx1/r1`; nil if it names nothing.
  public init?(name: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let head = parts.first else { return nil }
    if head == "attacker" {
      let payment = parts.count > 1 ? UInt64(parts[1]) : 1
      guard let payment, (1...256).contains(payment) else { return nil }
      self = .attacker.payment(payment - 1)
      if self.name != name { return nil }
      return
    }
    let kinds: [(String, Kind)] = [
      ("tx", .transaction), ("phone", .phone), ("step", .step), ("server", .server),
    ]
    guard let (prefix, kind) = kinds.first(where: { head.hasPrefix($0.0) }),
      let origin = Int(head.dropFirst(prefix.count)), origin > 0, origin < 1 << 31
    else { return nil }
    var subject = Subject(kind, origin - 1)
    for part in parts.dropFirst() {
      guard kind == .transaction else { return nil }
      if part.hasPrefix("a"), let n = UInt64(part.dropFirst()), (1...15).contains(n) {
        subject = subject.again(n)
      } else if part.hasPrefix("f"), let n = UInt64(part.dropFirst()), (1...15).contains(n) {
        subject = subject.share(n)
      } else if part.hasPrefix("r"), let n = UInt64(part.dropFirst()), (1...4095).contains(n) {
        subject = subject.restore(n)
      } else if part.hasPrefix("n"), let n = UInt64(part.dropFirst()), (1...4095).contains(n) {
        subject = subject.renewal(n)
      } else if let n = UInt64(part), (2...256).contains(n) {
        subject = subject.payment(n - 1)
      } else {
        return nil
      }
    }
    self = subject
    // One name for each: no sign, no leading zero, nothing twice, in this order only.
    if self.name != name { return nil }
  }
}

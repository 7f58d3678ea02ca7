import Invariants

/// What one event of a run depends on and changes: two events that touch nothing in common come to the
/// same in either order.
///
/// A bit stands for a purchase with all that grew out of it, a device with its app and who uses it, what
/// the store holds for a store account, the memory of the backend, or what people find in a balance. There
/// may be bits too many, and never too few.
struct Footprint: Equatable {
  private(set) var reads: UInt64 = 0
  private(set) var writes: UInt64 = 0

  /// Of an event of which nothing is known, but that it calls nothing back.
  static let everything = Footprint(reads: ~callbacks, writes: ~callbacks)
  var isEverything: Bool { writes == Self.everything.writes }

  /// Whether the order of the two may matter.
  func meets(_ other: Footprint) -> Bool {
    writes & (other.reads | other.writes) | reads & other.writes != 0
  }

  /// Whether both call something back on one device, so that it matters whether they come together.
  func comesInOneArray(with other: Footprint) -> Bool {
    reads & other.reads & Self.callbacks != 0 && meets(other)
  }

  mutating func read(_ bits: UInt64) { reads |= bits }
  mutating func write(_ bits: UInt64) { writes |= bits & ~Self.callbacks }
  /// What it calls back, it still does.
  mutating func becomeEverything() {
    read(Self.everything.reads)
    write(Self.everything.writes)
  }

  /// A purchase, by the place of what it goes back to; more than 40 share the bits.
  static func purchase(_ key: UInt64) -> UInt64 {
    let subject = Subject(key: key)
    return subject.origin == nil ? .max : subject.touches
  }
  static let allPurchases: UInt64 = 1 << 40 - 1
  static func device(_ device: DeviceID) -> UInt64 { 1 << UInt64(40 + device.index % 6) }
  /// Written where a life of the device's app ends; read by what comes for a life that is over.
  static func ending(_ device: DeviceID) -> UInt64 { 1 << UInt64(46 + device.index % 6) }
  /// The purchases of all store accounts, and the receipts that are made of them: who may be meant by a
  /// purchase from elsewhere is looked for in all.
  static let store: UInt64 = 1 << 52
  static let backendMemory: UInt64 = 1 << 60
  /// Who uses the app with which store account: such people may have what was bought outside of it.
  static let users: UInt64 = 1 << 61
  /// Read where a transaction is called back: those of one millisecond come in one array.
  static let callbacks: UInt64 = 1 << 62
  /// What people find when they look at a balance.
  static let balances: UInt64 = 1 << 63
}

/// Finds the footprint of each event while a run is listed.
///
/// It knows the world's events, what their handlers can reach through the ports, and the facts that came
/// of them. What it does not know it takes for everything.
final class Footprints: WorldObserver {
  // A run has one thread, and to check each of these accesses is a fifth of its time.
  /// One for each event, in order.
  @exclusivity(unchecked) private var all: [Footprint] = []
  /// For each event, what happened, apart from when, under names that do not depend on the order.
  @exclusivity(unchecked) private var contents: [UInt64] = []
  /// For each event, what the store holds for the device on which it happens.
  @exclusivity(unchecked) private var stores: [UInt64] = []
  private var handle: WorldHandle?
  /// From now on every event may have to do with every other.
  @exclusivity(unchecked) private var isEverything = false
  @exclusivity(unchecked) private var isBackend = false
  private let memory: BackendMemory
  /// A bit for each kind of fact to which a rule listens of which nothing is known.
  private let watched: UInt64
  private let hasOutside: Bool
  private let transfers: Bool

  init(_ scenario: Scenario, _ memory: BackendMemory) {
    self.memory = memory
    watched = scenario.invariants.reduce(0) { bits, rule in
      if Catalogue.invariants.contains(where: { type(of: $0) == type(of: rule) }) { return bits }
      return rule.listensTo.reduce(bits) { $0 | 1 << UInt64($1.rawValue) }
    }
    hasOutside = scenario.setup.steps.contains { step in
      if case .buyOutside = step.action { true } else { false }
    }
    transfers = scenario.setup.transfersOnRestore
  }

  func begin(_ handle: WorldHandle) {
    self.handle = handle
    all.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    stores.removeAll(keepingCapacity: true)
    isEverything = false
    isBackend = false
    memory.begin()
  }

  func saw(_ event: Event) {
    guard let handle else { return }
    endEvent(handle)
    isBackend = event.kind == .request || event.kind == .verifierAnswer || event.kind == .resume
    stores.append(0)
    all.append(.everything)
    contents.append(content(of: event, handle))
    all[all.count - 1] = footprint(of: event, handle)
    if isEverything { all[all.count - 1].becomeEverything() }
  }

  func saw(_ fact: Fact) {
    guard !all.isEmpty, let handle else { return }
    let last = all.count - 1
    contents[last] = Self.mix(contents[last], content(of: fact, handle))
    switch fact.kind {
    case .ended, .loggedIn, .voided: all[last].becomeEverything()
    case .credited: all[last].write(Footprint.balances)
    // From now on what is said of one wish may be about another's purchase, or a purchase anybody's.
    case .returned: isEverything = true
    case .charged where fact.intent.isNone, .restored where transfers: isEverything = true
    case .charged, .restored, .finished, .withheld:
      all[last].write(store(of: fact.transaction, handle))
    case .told where !fact.product.isNone: all[last].write(Footprint.allPurchases)
    // What is asked of a person is the device's, which its app's events write.
    default: break
    }
    if hasOutside {
      switch fact.kind {
      case .tapped, .reported, .credited, .told: all[last].write(Footprint.users)
      default: break
      }
    }
    if isEverything || watched & 1 << UInt64(fact.kind.rawValue) != 0 {
      all[last].becomeEverything()
    }
    all[last].write(
      purchase(fact.transaction, handle) | purchase(fact.original, handle)
        | wish(fact.intent, handle))
  }

  /// What is found, with what each event asked about, see ``Script/touched``.
  func finish(_ touched: [UInt64]) -> ([Footprint], course: UInt64) {
    if let handle { endEvent(handle) }
    for (index, bits) in zip(all.indices, touched) {
      if bits == .max { all[index].becomeEverything() } else { all[index].write(bits) }
    }
    return (all, course)
  }

  /// A hash of what happened in which order, as far as the order matters: of each event, with that of
  /// those before it which it has to do with.
  private var course: UInt64 {
    let bits = bitsThatTellApart
    var writes = [UInt64](repeating: 0, count: 64)
    var reads = writes
    // What was written, and what was touched since, where the last that has to do with all stands.
    var wall: UInt64 = 0
    var touched: UInt64 = 0
    var sum: UInt64 = 0
    for (footprint, content) in zip(all, contents) {
      if footprint.isEverything {
        var hash = wall
        for bit in Bits(touched) {
          hash = Self.mix(hash ^ UInt64(bit), writes[bit] ^ reads[bit] &* 3)
        }
        wall = Self.mix(hash, content)
        touched = 0
        sum &+= wall
        continue
      }
      var hash = content
      let written = footprint.writes & bits
      let seen = footprint.reads & bits | written
      for bit in Bits(seen & ~touched) { (writes[bit], reads[bit]) = (wall, 0) }
      touched |= seen
      for bit in Bits(seen) { hash = Self.mix(hash ^ UInt64(bit), writes[bit]) }
      for bit in Bits(written) { hash = Self.mix(hash, reads[bit]) }
      for bit in Bits(seen & ~written) { reads[bit] &+= hash }
      for bit in Bits(written) { (writes[bit], reads[bit]) = (hash, 0) }
      sum &+= hash
    }
    return sum
  }

  /// The bits but those of purchases that only come with all others: one stands for them.
  private var bitsThatTellApart: UInt64 {
    var named = ~Footprint.allPurchases | 1
    for footprint in all {
      let (reads, writes) = (footprint.reads, footprint.writes)
      if reads & Footprint.allPurchases != Footprint.allPurchases { named |= reads }
      if writes & Footprint.allPurchases != Footprint.allPurchases { named |= writes }
    }
    return named
  }

  /// A fold in which zeros count.
  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    Hashing.fold(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db)
  }

  private func content(of event: Event, _ handle: WorldHandle) -> UInt64 {
    let world = handle
    var subject = UInt64(event.subject)
    var detail = event.detail
    switch event.kind {
    case .callback, .purchaseResult, .timer, .charge, .finishArrives:
      subject = key(event.transaction, world)
      detail = UInt64(event.phone.raw)
    case .productList:
      subject = key(event.intent, world)
      detail = UInt64(event.phone.raw)
    case .furtherTap: subject = key(event.intent, world)
    case .request, .verifierAnswer, .resume, .reply:
      let row = world.world.exchanges[event.exchange]
      subject = Self.mix(
        key(row.route.about, world) ^ UInt64(row.route.device.raw) << 40
          ^ UInt64(row.session.raw) << 48,
        UInt64(row.evidence.kind.rawValue) << 40 ^ UInt64(row.payload)
          ^ key(row.evidence.transaction, world))
      detail = UInt64(row.tag) << 32 ^ UInt64(UInt32(bitPattern: row.status)) << 16
      detail ^= UInt64(row.answer) ^ UInt64(row.replica.raw) << 63
    default: break
    }
    // The generation of a request's row says nothing of the request.
    let life = event.kind == .verifierAnswer || event.kind == .resume ? 0 : event.life
    return Self.mix(
      subject ^ UInt64(event.kind.rawValue) << 56 ^ UInt64(event.tag) << 48, detail ^ UInt64(life))
  }

  private func content(of fact: Fact, _ handle: WorldHandle) -> UInt64 {
    Self.mix(
      UInt64(fact.kind.rawValue) << 56 ^ UInt64(fact.verdict.rawValue) << 48
        ^ UInt64(fact.message.rawValue) << 40 ^ UInt64(fact.device.raw) << 32
        ^ UInt64(fact.account.raw),
      key(fact.transaction, handle) ^ key(fact.original, handle) &* 3 ^ key(fact.intent, handle)
        &* 5
        ^ UInt64(fact.product.raw) << 32)
  }

  private func key(_ id: TransactionID, _ handle: WorldHandle) -> UInt64 {
    handle.world.purchases.holds(id) ? handle.world.purchases[id].key : 0
  }

  private func key(_ id: IntentID, _ handle: WorldHandle) -> UInt64 {
    handle.world.intents.holds(id) ? handle.world.intents[id].key : 0
  }

  private func endEvent(_ handle: WorldHandle) {
    guard let last = all.indices.last else { return }
    if isBackend, memory.isChanged { all[last].write(Footprint.backendMemory) }
    if handle.world.looksAtStore { all[last].read(stores[last]) }
    // What is called back in the same millisecond comes to it, and later to nobody.
    if handle.world.detachesListener { all[last].read(Footprint.callbacks) }
    // A row can be about any purchase.
    if handle.world.usesOwnTables { all[last].becomeEverything() }
    handle.world.looksAtStore = false
    handle.world.detachesListener = false
    handle.world.usesOwnTables = false
  }

  private func footprint(of event: Event, _ handle: WorldHandle) -> Footprint {
    let world = handle
    if let device = missed(event, world) {
      var found = Footprint()
      found.read(Footprint.ending(device))
      return found
    }
    switch event.kind {
    case .callback:
      var found = app(event.phone, purchase(event.transaction, world), world)
      found.read(Footprint.callbacks)
      addElsewhere(event.transaction, event.phone, world, to: &found)
      return found
    case .purchaseResult, .timer:
      return app(event.phone, purchase(event.transaction, world), world)
    case .productList: return app(event.phone, wish(event.intent, world), world)
    case .furtherTap:
      return app(world.world.intents[event.intent].device, wish(event.intent, world), world)
    case .step:
      let step = world.world.setup.steps[event.step.index]
      guard case .buy = step.action, !event.isHurried else { return .everything }
      let key = Subject.transaction(world.world.origin(ofStep: event.step)).key
      return app(DeviceID(index: step.device), Footprint.purchase(key), world)
    case .reply:
      let route = world.world.exchanges[event.exchange].route
      // Nobody gets it.
      if route.isFromAttacker { return Footprint() }
      return app(route.device, purchase(route.about, world), world)
    case .flush, .visit, .restoreEnd: return app(event.device, 0, world)
    case .receiptRefresh, .restoreSent:
      var found = app(event.device, 0, world)
      found.read(stores[stores.count - 1])
      return found
    case .charge where world.world.isWholeStore: return .everything
    case .charge, .finishArrives:
      var found = Footprint()
      found.write(purchase(event.transaction, world) | store(of: event.transaction, world))
      return found
    case .request, .verifierAnswer, .resume: return backend(event, world)
    // An app that opens looks at the store and shows a balance; what is asked about a purchase is known.
    case .launch:
      var found = app(event.device, Footprint.users | Footprint.balances, world)
      found.write(stores[stores.count - 1])
      return found
    case .arrival, .reopen, .quit, .serverStart, .networkHeals, .switchAway, .switchBack,
      .subscription, .notification, .news, .job:
      return .everything
    }
  }

  /// The device whose app an event was meant for that is gone by now, so that nothing comes of it.
  private func missed(_ event: Event, _ handle: WorldHandle) -> DeviceID? {
    let device: DeviceID
    var life = event.life
    switch event.kind {
    case .timer, .productList: device = event.phone
    case .visit, .flush, .restoreSent, .restoreEnd, .quit: device = event.device
    case .reply:
      let route = handle.world.exchanges[event.exchange].route
      if route.isFromAttacker { return nil }
      (device, life) = (route.device, route.life)
    default: return nil
    }
    let row = handle.world.devices[device]
    return row.isRunning && row.life == life || row.foregroundAt > handle.world.now ? nil : device
  }

  /// An app reaches all that is on its device, and may look at what the store holds for it.
  private func app(_ device: DeviceID, _ purchases: UInt64, _ handle: WorldHandle) -> Footprint {
    stores[stores.count - 1] = Footprint.store
    var found = Footprint()
    found.write(Footprint.device(device) | purchases)
    return found
  }

  /// What a callback has to do with other phones.
  ///
  /// A purchase that was made on another device or in the store itself may stand for one of this device that was
  /// not handed over, which depends on whether that was charged and credited. And what another device was
  /// handed last is in that one's queue no longer.
  private func addElsewhere(
    _ id: TransactionID, _ device: DeviceID, _ handle: WorldHandle, to found: inout Footprint
  ) {
    let row = handle.world.purchases.holds(id) ? handle.world.purchases[id] : nil
    let isMadeHere =
      row.map {
        $0.device == device && $0.original == id && $0.intent != .none
          && handle.world.intents[$0.intent].isTapped
      } ?? false
    if !isMadeHere { found.read(Footprint.store | Footprint.allPurchases) }
    let wasHandedHere = row.map { $0.deliveredTo == .none || $0.deliveredTo.device == device }
    if wasHandedHere != true { found.write(Footprint.store) }
  }

  /// A handler of the backend reaches the purchases that its request names, and its memory.
  private func backend(_ event: Event, _ handle: WorldHandle) -> Footprint {
    let row = handle.world.exchanges[event.exchange]
    let evidence = row.evidence
    if !memory.isComparable || row.route.sender != .app || evidence.isOutside || evidence.isForged {
      return .everything
    }
    var found = Footprint()
    found.read(Footprint.backendMemory)
    found.write(purchase(row.route.about, handle) | purchase(evidence.transaction, handle))
    if event.kind == .resume { found.write(purchase(event.resumedAbout, handle)) }
    if row.token.kind == .order { found.write(wish(IntentID(row.token.value), handle)) }
    if evidence.kind == .receipt {
      let listed = listed(in: evidence, handle)
      found.write(listed)
      // What a backend does about a receipt of nothing is about whoever sent it.
      if listed == 0 { found.write(Footprint.backendMemory) }
    }
    // A number can name any.
    if evidence.kind == .none || row.payload != 0 { found.write(Footprint.allPurchases) }
    return found
  }

  /// The purchases that were in a receipt when it was written.
  private func listed(in receipt: Evidence, _ handle: WorldHandle) -> UInt64 {
    let world = handle
    var bits: UInt64 = 0
    var row = world.world.storeAccounts[receipt.storeAccount].first
    while row != .none {
      let purchase = world.world.purchases[row]
      if world.world.receipt(asOf: receipt.asOf, holds: purchase) {
        bits |= Footprint.purchase(purchase.key)
      }
      row = purchase.next
    }
    return bits
  }

  private func purchase(_ id: TransactionID, _ handle: WorldHandle) -> UInt64 {
    guard handle.world.purchases.holds(id) else { return 0 }
    return Footprint.purchase(handle.world.purchases[id].key)
  }

  private func wish(_ id: IntentID, _ handle: WorldHandle) -> UInt64 {
    guard handle.world.intents.holds(id) else { return 0 }
    return Footprint.purchase(handle.world.intents[id].key)
  }

  private func store(of id: TransactionID, _ handle: WorldHandle) -> UInt64 {
    handle.world.purchases.holds(id) ? Footprint.store : 0
  }
}

/// The positions of the bits that are set, lowest first.
private struct Bits: Sequence, IteratorProtocol {
  private var left: UInt64
  init(_ bits: UInt64) { left = bits }

  mutating func next() -> Int? {
    guard left != 0 else { return nil }
    defer { left &= left - 1 }
    return left.trailingZeroBitCount
  }
}

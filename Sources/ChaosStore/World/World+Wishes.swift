import Invariants

/// For whom an app buys and speaks that does not say it: hosted apps know products, and no taps.
extension World {
  /// The wish that a purchase of a product is made for.
  ///
  /// `intent` is the wish in whose context the app asks for it; none if it cannot be told. That wish is
  /// meant, unless it has its payment already and another wish for the product still waits for one: an
  /// app may well gather purchases and make them all in the context of one. Where there is a single wish
  /// for the product on the phone it is that one. Anything else would be a guess, so it is a wish of its
  /// own, which accuses nobody; see ``IntentRow/isOpen``.
  mutating func wish(
    for product: ProductID, on device: DeviceID, inContextOf intent: IntentID
  ) -> IntentID {
    let context = isWish(intent, for: product, on: device) ? intent : .none
    var count = 0
    var last = IntentID.none
    var othersWait = false
    for other in intents.ids where isWish(other, for: product, on: device) {
      count += 1
      last = other
      if other != context, intents[other].awaitsPayment { othersWait = true }
    }
    if !context.isNone, intents[context].awaitsPayment || !othersWait { return context }
    guard count > 1 else { return last }
    return openWish(after: last)
  }

  private func isWish(_ intent: IntentID, for product: ProductID, on device: DeviceID) -> Bool {
    guard intents.holds(intent) else { return false }
    let row = intents.at(intent)
    return row.pointee.isTapped && row.pointee.product == product && row.pointee.device == device
  }

  /// A wish that may be anybody's on the phone of this one. A purchase has fifteen names for what it
  /// gave rise to, and the first is taken; the last one stands for all that there are no names for.
  private mutating func openWish(after intent: IntentID) -> IntentID {
    let source = intents[intent]
    let root = Subject.transaction(Subject(key: source.key).origin ?? 0)
    var ordinal: UInt64 = 2
    for other in intents.ids where intents[other].isOpen {
      guard intents[other].key == root.again(ordinal).key else { continue }
      if ordinal == 15 { return other }
      ordinal += 1
    }
    let open = addIntent(
      key: root.again(ordinal).key, device: source.device,
      account: devices[source.device].account, product: source.product, quantity: source.quantity)
    intents[open].isOpen = true
    return open
  }

  /// The wish that somebody is told about where an app names the product alone; none if that would be
  /// a guess. Read like ``wish(for:on:inContextOf:)``, with answers for payments.
  func wishToldAbout(
    _ product: ProductID, on device: DeviceID, inContextOf intent: IntentID
  ) -> IntentID {
    let context = isWish(intent, for: product, on: device) ? intent : .none
    var count = 0
    var last = IntentID.none
    var othersWait = false
    for other in intents.ids where isWish(other, for: product, on: device) {
      count += 1
      last = other
      if other != context, intents[other].awaitsAnswer { othersWait = true }
    }
    if !context.isNone, intents[context].awaitsAnswer || !othersWait { return context }
    return count == 1 ? last : .none
  }

  /// What facts say of a wish: nothing, where it may be anybody's.
  @inline(__always)
  func stated(_ intent: IntentID) -> IntentID {
    intent != .none && _slowPath(intents[intent].isOpen) ? .none : intent
  }
}

// MARK: - For hosted apps

extension Phone {
  /// The tap that a purchase of a product is made for; `intent` is the wish in whose context the app
  /// asks for it, none if that cannot be told.
  package func tap(for product: ProductID, inContextOf intent: IntentID) -> Tap {
    guard isAlive, world.knows(product) else { return .none }
    let wish = world.wish(for: product, on: device, inContextOf: intent)
    return wish.isNone ? .none : world.tapValue(wish)
  }

  /// Tells the person something about a product, in the context of a wish if that can be told.
  package func tell(
    _ message: Fact.Message, about product: ProductID, inContextOf intent: IntentID
  ) {
    guard isAlive, world.knows(product) else { return }
    let wish = world.wishToldAbout(product, on: device, inContextOf: intent)
    tell(message, intent: wish, product: wish.isNone ? product : .none, transaction: .none)
  }
}

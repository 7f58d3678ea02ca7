import Invariants

/// The link between an app and its backend: two legs, each of which can fail.
extension World {
  @inline(__always)
  mutating func addExchange(_ row: ExchangeRow) -> ExchangeID {
    guard let (place, generation) = takeFree() else { return exchanges.append(row) }
    exchanges.at(place).pointee = row
    exchanges.at(place).pointee.generation = generation
    return place
  }

  /// A copy of a row, in a place of its own.
  @inline(never)
  mutating func addExchange(copyOf exchange: ExchangeID) -> ExchangeID {
    guard let (place, generation) = takeFree() else {
      return exchanges.append(exchanges[exchange])
    }
    // As a whole; an assignment goes field by field.
    exchanges.at(place).update(from: exchanges.at(exchange), count: 1)
    exchanges.at(place).pointee.generation = generation
    return place
  }

  /// A row that nobody has any more, and which request of that row the next one is.
  @inline(__always)
  private mutating func takeFree() -> (place: ExchangeID, generation: UInt16)? {
    if freeExchange == .none { return nil }
    let place = freeExchange
    let used = exchanges.at(place)
    freeExchange = used.pointee.nextFree
    return (place, used.pointee.generation &+ 1)
  }

  @inline(__always)
  mutating func free(_ exchange: ExchangeID) {
    assert(exchanges[exchange].waits == 0, "bug: a request that somebody waits in is forgotten")
    exchanges.at(exchange).pointee.isWork = false
    exchanges.at(exchange).pointee.nextFree = freeExchange
    freeExchange = exchange
  }

  /// A request leaves the app.
  mutating func send(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if !row.isFromAttacker {
      if _slowPath(asksAttacker) { attack(with: exchange, who) }
      if _slowPath(asksSwitch), row.about != .none {
        planSwitch(.switchAtReport, on: row.device, who)
      }
      if goesOffline(row.device) {
        free(exchange)
        return
      }
    }
    if decisions.strikes(.dropRequest, who) {
      free(exchange)
      return
    }
    schedule(.request(exchange), after: decisions.delay(.delayRequest, who))
    if decisions.strikes(.duplicateRequest, who) {
      let twin = addExchange(copyOf: exchange)
      exchanges[twin].replica = exchanges[twin].replica.other
      schedule(.request(twin), after: decisions.delay(.delayRequest, who))
    }
  }

  /// Whether the device has no network now, or loses it now (F45).
  @inline(__always)
  private mutating func goesOffline(_ device: DeviceID) -> Bool {
    if devices[device].isOffline { return true }
    let who = who(device: device)
    guard decisions.strikes(.partitionPhone, who) else { return false }
    goOffline(device)
    return true
  }

  /// Whether a payment is asked for without a network: it is away already, or lost now.
  @inline(__always)
  mutating func goesOfflineToPay(_ device: DeviceID, _ who: Who) -> Bool {
    if _slowPath(devices.at(device).pointee.isOffline) { return true }
    guard decisions.strikes(.partitionAtPay, who) else { return false }
    goOffline(device)
    return true
  }

  /// Nothing goes out and nothing comes in until the phone is back.
  mutating func goOffline(_ device: DeviceID) {
    let delay = decisions.delay(.delayNetworkHeal, who(device: device))
    devices[device].isOffline = true
    devices[device].offlineAsOf = storeClock
    devices[device].onlineAt = min(now + delay, max(now, setup.healMillis))
    decisions.disturb(until: devices[device].onlineAt)
    schedule(.networkHeals(device), after: delay)
  }

  /// The phone is back; a receipt that the store rewrote meanwhile is on it.
  mutating func goOnline(_ device: DeviceID) {
    devices[device].isOffline = false
    guard devices[device].isReceiptDue else { return }
    devices[device].isReceiptDue = false
    writeReceipt(device)
  }

  /// Whether something that the store sends must wait until the phone is online; then it comes again.
  @inline(__always)
  mutating func waits(_ event: Event, for device: DeviceID) -> Bool {
    guard _slowPath(devices.at(device).pointee.isOffline),
      !purchases[event.transaction].flags.contains(.unsent)
    else { return false }
    postpone(event, untilTheEndOf: .delayNetworkHeal, on: device, at: devices[device].onlineAt)
    return true
  }

  /// An answer leaves the backend.
  @inline(__always)
  mutating func sendReply(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if decisions.strikes(.dropReply, who) {
      free(exchange)
      return
    }
    schedule(.reply(exchange), after: decisions.delay(.delayReply, who))
    if decisions.strikes(.duplicateReply, who) {
      let twin = addExchange(copyOf: exchange)
      schedule(.reply(twin), after: decisions.delay(.delayReply, who))
    }
  }

  /// The answer reaches the app that asked; nil if that app is no more.
  @inline(__always)
  mutating func replyArrives(_ exchange: ExchangeID) -> Reply? {
    let row = exchanges.at(exchange)
    free(exchange)
    let route = row.pointee.route
    let device = devices.at(route.device)
    guard !route.isFromAttacker, device.pointee.isRunning, device.pointee.life == route.life,
      !device.pointee.isOffline
    else { return nil }
    if _slowPath(asksSwitch), route.about != .none {
      planSwitch(.switchAtReply, on: route.device, who(purchase: route.about))
    }
    return Reply(
      outcome: row.pointee.outcome, status: row.pointee.status,
      transaction: route.about, purpose: row.pointee.purpose,
      tag: row.pointee.tag, payload: row.pointee.answer)
  }
}

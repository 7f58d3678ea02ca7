import Invariants

/// The link between an app and its backend: two legs, each of which can fail.
extension World {
  @inline(__always)
  mutating func addExchange(_ row: ExchangeRow) -> ExchangeID {
    if freeExchange != .none {
      let place = freeExchange
      let used = exchanges.at(place)
      freeExchange = used.pointee.nextFree
      let generation = used.pointee.generation &+ 1
      used.pointee = row
      used.pointee.generation = generation
      return place
    }
    return exchanges.append(row)
  }

  @inline(__always)
  mutating func free(_ exchange: ExchangeID) {
    exchanges.at(exchange).pointee.nextFree = freeExchange
    freeExchange = exchange
  }

  /// A request leaves the app.
  mutating func send(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if !row.isFromAttacker {
      if _slowPath(asksAttacker) { attack(with: exchange, who) }
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
      var copy = exchanges[exchange]
      copy.replica = copy.replica.other
      let twin = addExchange(copy)
      schedule(.request(twin), after: decisions.delay(.delayRequest, who))
    }
  }

  /// Whether the device has no network now, or loses it now (F45).
  private mutating func goesOffline(_ device: DeviceID) -> Bool {
    if devices[device].isOffline { return true }
    let who = who(device: device)
    guard decisions.strikes(.partitionPhone, who) else { return false }
    devices[device].isOffline = true
    schedule(.networkHeals(device), after: decisions.delay(.delayNetworkHeal, who))
    return true
  }

  /// An answer leaves the backend.
  mutating func sendReply(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if decisions.strikes(.dropReply, who) {
      free(exchange)
      return
    }
    schedule(.reply(exchange), after: decisions.delay(.delayReply, who))
    if decisions.strikes(.duplicateReply, who) {
      let twin = addExchange(exchanges[exchange])
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
    return Reply(
      outcome: row.pointee.outcome, status: row.pointee.status,
      transaction: route.about, purpose: row.pointee.purpose,
      tag: row.pointee.tag, payload: row.pointee.answer)
  }
}

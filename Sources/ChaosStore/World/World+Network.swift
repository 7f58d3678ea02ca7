import Invariants

/// The link between an app and its backend: two legs, each of which can fail.
extension World {
  @inline(__always)
  mutating func addExchange(_ row: ExchangeRow) -> UInt32 {
    if freeExchange != .max {
      let place = freeExchange
      let used = exchanges.at(place)
      freeExchange = used.pointee.nextFree
      let generation = used.pointee.generation &+ 1
      used.pointee = row
      used.pointee.generation = generation
      return place
    }
    return UInt32(exchanges.append(row))
  }

  @inline(__always)
  mutating func free(_ exchange: UInt32) {
    exchanges.at(exchange).pointee.nextFree = freeExchange
    freeExchange = exchange
  }

  /// A request leaves the app.
  mutating func send(_ exchange: UInt32) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if !row.isFromAttacker {
      var fact = fact(.reported)
      fact.transaction = TransactionID(row.about)
      fact.account = AccountID(exchanges.at(exchange).pointee.session)
      fact.device = DeviceID(row.device)
      emit(fact)
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
    queue.schedule(
      at: now + decisions.delay(.delayRequest, who), .request, subject: exchange)
    if decisions.strikes(.duplicateRequest, who) {
      var copy = exchanges[exchange]
      copy.replica ^= 1
      let twin = addExchange(copy)
      queue.schedule(at: now + decisions.delay(.delayRequest, who), .request, subject: twin)
    }
  }

  /// Whether the device has no network now, or loses it now (F45).
  private mutating func goesOffline(_ device: UInt32) -> Bool {
    if devices[device].isOffline { return true }
    let who = who(device: device)
    guard decisions.strikes(.partitionPhone, who) else { return false }
    devices[device].isOffline = true
    queue.schedule(
      at: now + decisions.delay(.delayNetworkHeal, who), .networkHeals, subject: device)
    return true
  }

  /// An answer leaves the backend.
  mutating func sendReply(_ exchange: UInt32) {
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if decisions.strikes(.dropReply, who) {
      free(exchange)
      return
    }
    queue.schedule(at: now + decisions.delay(.delayReply, who), .reply, subject: exchange)
    if decisions.strikes(.duplicateReply, who) {
      let twin = addExchange(exchanges[exchange])
      queue.schedule(at: now + decisions.delay(.delayReply, who), .reply, subject: twin)
    }
  }

  /// The answer reaches the app that asked; nil if that app is no more.
  @inline(__always)
  mutating func replyArrives(_ exchange: UInt32) -> Reply? {
    let row = exchanges.at(exchange)
    free(exchange)
    let route = row.pointee.route
    let device = devices.at(route.device)
    guard !route.isFromAttacker, device.pointee.isRunning, device.pointee.life == route.life,
      !device.pointee.isOffline
    else { return nil }
    return Reply(
      outcome: row.pointee.outcome, status: row.pointee.status,
      transaction: TransactionID(route.about), purpose: row.pointee.purpose,
      tag: row.pointee.tag, payload: row.pointee.answer)
  }
}

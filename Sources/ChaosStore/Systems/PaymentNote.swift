import Invariants

/// What an app has on the disk about its payments: whether one may be under way, and whether the person
/// was asked for their password because of that.
///
/// Where there is none, the app is new on this phone, or the phone has lost it: then a payment may be
/// under way. So a loss costs a prompt, and not a purchase.
package struct PaymentNote {
  /// That the person was asked for their password, for a fresh receipt.
  package struct Ask: Equatable {
    /// The receipt that was on the disk. A newer one answers what was asked for.
    package let receipt: Evidence
    /// When it was, by the phone's clock, in whole seconds.
    package let seconds: UInt32
    /// How often it was, one time after the other without a fresh receipt, up to ``most``.
    package let times: UInt32

    static let most: UInt32 = 2

    /// For how long the person is left alone then: a minute the first time, and two from then on. No longer, for
    /// what was paid and is on that receipt alone waits as long.
    private var pause: Int64 { Int64(times) * 60_000 }

    /// For how long still; no longer than that, though the clock may have been put back.
    package func rest(at now: Int64) -> Int64 { min(pause, Int64(seconds) * 1000 + pause - now) }
  }

  private static let key = UInt64.max

  /// Whether something may have been paid for that was not answered for good.
  package private(set) var isOpen = true
  /// The last time that the person was asked because of it; nil if it has not come to that.
  package private(set) var ask: Ask?
  private var isWritten = false

  /// One that says nothing yet.
  package init() {}

  /// The one that is on the disk.
  package init(on phone: Phone) {
    for (key, record) in phone.records where key == Self.key {
      isWritten = true
      isOpen = record.payload & 1 != 0
      let times = record.payload >> 1 & 7
      if times > 0 {
        ask = Ask(receipt: record.evidence, seconds: record.payload >> 4, times: times)
      }
      return
    }
  }

  /// Whether this receipt, of those on the disk, has come since the person was asked.
  package func isAnswered(by receipt: Evidence) -> Bool {
    ask.map { receipt.isNewer(than: $0.receipt) } ?? false
  }

  /// A payment is asked for next. A receipt that is there by then says nothing about it.
  package mutating func pays(on phone: Phone) { write(isOpen: true, nil, on: phone) }

  /// The person is asked for their password next.
  package mutating func asks(_ receipt: Evidence, on phone: Phone) {
    let times = min((ask?.times ?? 0) + 1, Ask.most)
    let ask = Ask(receipt: receipt, seconds: UInt32((phone.now + 999) / 1000), times: times)
    write(isOpen: true, ask, on: phone)
  }

  /// Whether anything is still under way.
  package mutating func write(isOpen: Bool, on phone: Phone) {
    write(isOpen: isOpen, isOpen ? ask : nil, on: phone)
  }

  /// On the disk when it returns, and not only in memory.
  private mutating func write(isOpen: Bool, _ ask: Ask?, on phone: Phone) {
    guard !isWritten || isOpen != self.isOpen || ask != self.ask else { return }
    isWritten = true
    self.isOpen = isOpen
    self.ask = ask
    var record = StoredRecord(transaction: .none, payload: isOpen ? 1 : 0)
    if let ask {
      record.evidence = ask.receipt
      record.payload |= ask.times << 1 | ask.seconds << 4
    }
    phone.save(record, key: Self.key, isFlushed: true)
  }
}

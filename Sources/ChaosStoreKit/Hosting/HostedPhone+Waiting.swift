import ChaosStore
import Invariants

extension HostedPhone {
  /// Who waits for the phone, each in the order in which they began to.
  struct Waiting {
    /// Who waits, and the wish in whose context they began to.
    typealias Waiter<Answer> = (wish: IntentID, done: (Answer) -> Void)

    var loading: [(tap: Tap, waiter: Waiter<[StoreProduct]?>)] = []
    var purchasing: [(tap: Tap, waiter: Waiter<StorePurchase>)] = []
    var replies: [(tag: UInt32, waiter: Waiter<Reply?>)] = []
    var refreshes: [Waiter<Bool>] = []
    var restores: [Waiter<Bool>] = []
    /// Each with the tag of the request that it ends the wait for, or 0.
    var alarms: [(due: Int64, tag: UInt32, waiter: Waiter<Void>)] = []

    /// Tells those who wait for an answer that there is none.
    func end() {
      for request in replies { request.waiter.done(nil) }
      for purchase in purchasing { purchase.waiter.done(.failed) }
      for waiter in refreshes { waiter.done(false) }
      for waiter in restores { waiter.done(false) }
    }
  }
}

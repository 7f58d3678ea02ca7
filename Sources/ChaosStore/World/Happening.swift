import Invariants

/// What is scheduled: a kind of event, and what that kind is about.
///
/// The queue moves numbers. Here stands what they mean, once for putting them in, and in
/// ``Event``'s accessors once for taking them out.
struct Happening {
  let kind: EventKind
  let subject: UInt32
  let tag: UInt8
  let life: UInt16
  let detail: UInt64

  @inline(__always)
  private init(
    _ kind: EventKind, _ subject: some Identifier, tag: UInt8 = 0, life: UInt16 = 0,
    detail: UInt64 = 0
  ) {
    self.kind = kind
    self.subject = subject.raw
    self.tag = tag
    self.life = life
    self.detail = detail
  }

  @inline(__always)
  private init(_ kind: EventKind, tag: UInt8 = 0) {
    self.init(kind, StepID(0), tag: tag)
  }
}

// MARK: - What people do

extension Happening {
  /// A person does what the scenario says; `isHurried` if it comes before its time.
  static func step(_ step: StepID, isHurried: Bool = false) -> Self {
    Self(.step, step, tag: isHurried ? 1 : 0)
  }

  /// A person taps again for a wish that is there already, or for one that grew out of it.
  static func furtherTap(_ intent: IntentID) -> Self { Self(.furtherTap, intent, tag: 2) }

  /// A person tries once more because they were told that it failed.
  static func retry(_ intent: IntentID) -> Self {
    Self(.furtherTap, intent, tag: 2, detail: 1)
  }

  /// The next of many purchases that arrive evenly.
  static var arrival: Self { Self(.arrival) }

  /// Another user logs in.
  static func switchAway(_ device: DeviceID) -> Self { Self(.switchAway, device, tag: 1) }

  /// The device's own user logs in again.
  static func switchBack(_ device: DeviceID) -> Self { Self(.switchBack, device) }

  /// A person opens the shop page, if the app still lives that life.
  static func visit(_ device: DeviceID, life: UInt16) -> Self { Self(.visit, device, life: life) }

  /// The app is started.
  static func launch(_ device: DeviceID) -> Self { Self(.launch, device) }

  /// A person closes the app, if it still lives that life, and opens it later.
  static func quit(_ device: DeviceID, life: UInt16) -> Self { Self(.quit, device, life: life) }

  /// A person closes the app, if it still lives that life, and leaves it closed.
  static func leave(_ device: DeviceID, life: UInt16) -> Self {
    Self(.quit, device, tag: 2, life: life)
  }

  /// A person looks at another app, if this one still lives that life.
  static func background(_ device: DeviceID, life: UInt16) -> Self {
    Self(.quit, device, tag: 1, life: life)
  }

  /// The app is closed, and opened again.
  static func reopen(_ device: DeviceID) -> Self { Self(.reopen, device) }
}

// MARK: - What the store does

extension Happening {
  /// The store takes the money, or declines to.
  static func charge(_ transaction: TransactionID) -> Self { Self(.charge, transaction) }

  /// A listener is called.
  @inline(__always)
  static func callback(
    _ transaction: TransactionID, to device: DeviceID, _ kind: CallbackKind
  ) -> Self {
    Self(.callback, transaction, tag: kind.rawValue, detail: UInt64(device.raw))
  }

  /// `purchase()` returns or throws, if the app still lives that life.
  static func purchaseResult(
    _ transaction: TransactionID, of intent: IntentID, to device: DeviceID, life: UInt16,
    _ kind: CallbackKind
  ) -> Self {
    Self(
      .purchaseResult, transaction, tag: kind.rawValue, life: life,
      detail: UInt64(device.raw) | UInt64(intent.raw) << 32)
  }

  /// The products that an app asked for, for a tap or for none; or an error.
  static func productList(
    _ intent: IntentID, to device: DeviceID, life: UInt16, hasFailed: Bool
  ) -> Self {
    Self(
      .productList, intent, tag: hasFailed ? 1 : 0, life: life, detail: UInt64(device.raw))
  }

  /// The message that finishes a transaction reaches the store.
  static func finishArrives(_ transaction: TransactionID, from device: DeviceID) -> Self {
    Self(.finishArrives, transaction, detail: UInt64(device.raw))
  }

  /// Something becomes of a subscription, unless something else has meanwhile.
  static func subscription(
    _ event: SubscriptionEvent, _ id: SubscriptionID, version: UInt16
  ) -> Self {
    Self(.subscription, id, tag: event.rawValue, life: version)
  }

  /// Money of a charge is given back.
  static func refund(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.refund.rawValue)
  }

  /// It is taken again.
  static func refundReversal(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.refundReversal.rawValue)
  }

  /// Somebody asks for it.
  static func refundRequest(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.refundRequest.rawValue)
  }

  /// Apple decides about that.
  static func refundDecision(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.refundDecision.rawValue)
  }

  /// Others of the family get what was charged for.
  static func share(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.share.rawValue)
  }

  /// Who has this from their family leaves the family.
  static func familyLeft(_ transaction: TransactionID) -> Self {
    Self(.subscription, transaction, tag: SubscriptionEvent.familyLeft.rawValue)
  }

  /// An app that lives that life hears something about a purchase, beside transactions.
  static func news(
    _ kind: StoreNews.Kinds, _ transaction: TransactionID, to device: DeviceID, life: UInt16
  ) -> Self {
    Self(.news, transaction, tag: kind.rawValue, life: life, detail: UInt64(device.raw))
  }

  /// It hears that somebody wants to buy, and tapped for it in the App Store.
  static func wish(_ intent: IntentID, to device: DeviceID, life: UInt16) -> Self {
    Self(
      .news, intent, tag: StoreNews.Kinds.wishes.rawValue, life: life, detail: UInt64(device.raw))
  }

  /// Apple sends a notification, or one arrives.
  static func notification(_ id: NotificationID, isAttempt: Bool) -> Self {
    Self(.notification, id, tag: isAttempt ? 1 : 0)
  }

  /// A refresh of the receipt file ends.
  static func receiptRefresh(_ device: DeviceID, life: UInt16, hasFailed: Bool) -> Self {
    Self(.receiptRefresh, device, tag: hasFailed ? 1 : 0, life: life)
  }

  /// A restore that waited for the network begins, if the app still lives that life; somebody tapped
  /// for it, or nobody.
  static func restoreSent(_ device: DeviceID, life: UInt16, for account: AccountID) -> Self {
    Self(.restoreSent, device, life: life, detail: UInt64(account.raw))
  }

  /// All restored transactions were handed over.
  static func restoreEnd(_ device: DeviceID, life: UInt16) -> Self {
    Self(.restoreEnd, device, life: life)
  }
}

// MARK: - What phone, network and backend do

extension Happening {
  /// A timer of an app fires, if the app still lives that life.
  @inline(__always)
  static func timer(
    _ tag: UInt8, about transaction: TransactionID, on device: DeviceID, life: UInt16
  ) -> Self {
    Self(.timer, transaction, tag: tag, life: life, detail: UInt64(device.raw))
  }

  /// What the app has stored reaches the disk.
  static func flush(_ device: DeviceID, life: UInt16) -> Self { Self(.flush, device, life: life) }

  /// The device is online again.
  static func networkHeals(_ device: DeviceID) -> Self { Self(.networkHeals, device) }

  /// A request reaches the backend.
  @inline(__always)
  static func request(_ exchange: ExchangeID) -> Self { Self(.request, exchange) }

  /// An answer reaches the phone.
  @inline(__always)
  static func reply(_ exchange: ExchangeID) -> Self { Self(.reply, exchange) }

  /// Apple answers, fails, or has not answered in time.
  @inline(__always)
  static func verifierAnswer(
    _ exchange: ExchangeID, generation: UInt16, _ question: VerifierQuestion,
    _ fate: VerifierQuestion.Fate
  ) -> Self {
    Self(
      .verifierAnswer, exchange, tag: question.rawValue | fate.rawValue, life: generation)
  }

  /// A handler goes on after a round trip to the database.
  static func resume(
    _ exchange: ExchangeID, generation: UInt16, at step: UInt8, about transaction: TransactionID
  ) -> Self {
    Self(
      .resume, exchange, tag: step, life: generation, detail: UInt64(transaction.raw))
  }

  /// The job queue hands out a job, once more where `isAgain`.
  static func job(
    _ step: UInt8, about transaction: TransactionID, payload: UInt32, isAgain: Bool
  ) -> Self {
    Self(.job, transaction, tag: step, life: isAgain ? 1 : 0, detail: UInt64(payload))
  }

  /// A process of the backend starts.
  static func serverStart(_ replica: ReplicaID) -> Self { Self(.serverStart, replica) }
}

/// Why a listener is called.
enum CallbackKind: UInt8 {
  /// A payment was charged, or is still unfinished.
  case charged
  /// The same again.
  case duplicate
  /// A payment failed.
  case failed
  /// It was finished before.
  case replay
  /// It was bought before, and is handed over once more.
  case restored
  /// Somebody else must agree to a payment first.
  case deferred
}

// MARK: - Taking events out

extension Event {
  /// The device it happens on; of a launch, a visit and whatever else is about a device alone.
  @inline(__always) var device: DeviceID { DeviceID(subject) }
  /// The transaction it is about.
  @inline(__always) var transaction: TransactionID { TransactionID(subject) }
  /// The wish it is about, of a further tap or a list of products.
  @inline(__always) var intent: IntentID { IntentID(subject) }
  /// The step it is, of the scenario.
  @inline(__always) var step: StepID { StepID(subject) }
  /// The subscription it is about.
  var subscription: SubscriptionID { SubscriptionID(subject) }
  /// The notification it is about, and whether Apple sends it only now.
  var notification: NotificationID { NotificationID(subject) }
  var isAttempt: Bool { tag == 1 }
  /// The request it is about.
  @inline(__always) var exchange: ExchangeID { ExchangeID(subject) }
  /// The process of the backend it is about.
  @inline(__always) var replica: ReplicaID { ReplicaID(subject) }

  /// The device that is called, or from which something came; of an event about a transaction.
  @inline(__always) var phone: DeviceID { DeviceID(UInt32(truncatingIfNeeded: detail)) }
  /// The wish whose purchase has a result.
  @inline(__always) var resultOf: IntentID { IntentID(UInt32(truncatingIfNeeded: detail >> 32)) }
  /// What a resumed handler is about.
  @inline(__always) var resumedAbout: TransactionID {
    TransactionID(UInt32(truncatingIfNeeded: detail))
  }
  /// Which request of its row it is about.
  @inline(__always) var generation: UInt16 { life }
  /// Whether a step comes before its time.
  @inline(__always) var isHurried: Bool { tag == 1 }
  /// Whether a tap is made because the last one was said to have failed.
  @inline(__always) var isRetry: Bool { detail == 1 }

  /// Whether there is an error instead of products.
  @inline(__always) var hasFailed: Bool { tag == 1 }
  /// Who tapped for a restore; none for nobody.
  var restoresFor: AccountID { AccountID(UInt32(truncatingIfNeeded: detail)) }

  /// Whether a job was handed out before.
  var isAgain: Bool { life == 1 }

  /// Why a listener is called, or how a purchase ended.
  @inline(__always) var callback: CallbackKind {
    guard let kind = CallbackKind(rawValue: tag) else {
      fatalError("bug: a callback of no kind")
    }
    return kind
  }

  /// Of somebody who leaves the app: whether they only look at another one, and whether they leave it closed.
  var isToBackground: Bool { tag == 1 }
  var isForLong: Bool { tag == 2 }

  /// What Apple was asked, and what became of it.
  @inline(__always) var verifier: (question: VerifierQuestion, fate: VerifierQuestion.Fate) {
    (VerifierQuestion(of: tag), VerifierQuestion.Fate(of: tag))
  }
}

extension World {
  /// Puts something into the queue, for `millis` of virtual time; nothing happens in the past.
  @inline(__always)
  mutating func schedule(_ happening: Happening, at millis: Int64) {
    assert(millis >= now, "bug: \(happening.kind) is scheduled for \(millis) ms at \(now) ms")
    queue.schedule(
      at: millis, happening.kind, subject: happening.subject, tag: happening.tag,
      life: happening.life, detail: happening.detail)
  }

  /// Puts something into the queue, for so many milliseconds from now.
  @inline(__always)
  mutating func schedule(_ happening: Happening, after delay: Int64) {
    schedule(happening, at: now + delay)
  }

  /// Puts something into the queue that waits for the end of a phone's delay, for so many milliseconds
  /// after it.
  mutating func schedule(
    _ happening: Happening, after delay: Int64 = 0, theEndOf question: Question,
    on device: DeviceID, at end: Int64
  ) {
    tieNext(toTheEndOf: question, on: device, at: end)
    schedule(happening, at: end + delay)
  }

  /// Has something that cannot come now come at the end of a phone's delay.
  mutating func postpone(
    _ event: Event, untilTheEndOf question: Question, on device: DeviceID, at end: Int64
  ) {
    tieNext(toTheEndOf: question, on: device, at: end)
    queue.schedule(
      at: end, event.kind, subject: event.subject, tag: event.tag, life: event.life,
      detail: event.detail)
  }

  /// Whoever lists orders of events learns what the next one waits for.
  @inline(never)
  private mutating func tieNext(
    toTheEndOf question: Question, on device: DeviceID, at end: Int64
  ) {
    decisions.script?.waits(
      Tie(
        order: queue.scheduled, question: question, subject: .phone(device.index), end: end))
  }
}

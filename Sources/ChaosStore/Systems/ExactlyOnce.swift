import Invariants

/// The corrected design: StoreKit's queue is the record, the backend's unique key the judge.
///
/// Its backend is sound for any app that reports a StoreKit 2 transaction by its id, so an app of
/// your own can be tested against it: `typealias Backend = ExactlyOnce.Backend`.
public enum ExactlyOnce: PurchaseSystem {
  /// `exactly-once`, in a StoreKit 2 and a StoreKit 1 form.
  public static let entry = SystemEntry(
    name: "exactly-once",
    summary: "The corrected design: report by id until answered, finish on a final answer only.",
    about: """
      The listener is attached at launch and never removed. A purchase carries the account's UUID. \
      Whatever brings a transaction (callback, purchase result, the unfinished, the receipt) is \
      reported by its id until there is an answer; an answer that decides nothing is waited out, a \
      final one finishes. As long as a payment has not come back, or something is unfinished, the \
      app looks again every half minute, and not at launches alone. In StoreKit 1 a note is on the \
      disk before a payment is asked for; at each launch the receipt is shown to the backend: a fresh \
      one, for which the person is asked for their password, while that note stands, and else the one \
      that is there. The note says when they were asked, and of which receipt: a newer one answers it, \
      and until then they are left alone for a minute, and then for two each time. The backend looks \
      the id up with Apple, at the other address too where one does not know it, finds the owner by \
      the UUID, and enters (environment, transaction id) and the credit in one commit; a repeat answers \
      success. Variants: `storekit2`, `storekit1`, `server-finish` (StoreKit 2; the backend finishes at \
      Apple's, and the app goes on reporting what is unfinished).
      """,
    source: "ChaosStore", backends: [.idempotent])

  /// Which of the two payment queues the app uses.
  public enum Variant: String, CaseIterable, Sendable {
    /// StoreKit 2: purchase results, updates, and the unfinished.
    case storeKit2 = "storekit2"
    /// StoreKit 1: a transaction observer, its queue, and the receipt.
    case storeKit1 = "storekit1"
    /// StoreKit 2, and the backend has Apple finish what it has decided.
    case serverFinish = "server-finish"
  }

  /// Reports each transaction until there is a final answer, and only then finishes it.
  public struct App: PurchaseApp {
    private enum Timer {
      static let retry: UInt8 = 0
      static let patience: UInt8 = 1
      static let refresh: UInt8 = 2
      static let probe: UInt8 = 3
      static let look: UInt8 = 4
      static let watch: UInt8 = 5
      static let subscription: UInt8 = 6
    }

    /// Which receipt is shown to the backend: the one that is on the disk, or a fresh one.
    private enum Probe { case done, onDisk, refreshing, refreshed }

    /// For how long a payment may take to come back, and how often is looked for what did not.
    private static let patience: Int64 = 30_000
    /// How often is looked for what was bought outside the app while it stays open.
    private static let watch: Int64 = 120_000

    private let usesStoreKit2: Bool
    /// Whether it finishes what was delivered, and not its backend.
    private let finishes: Bool
    /// Taps whose payment has not come back yet.
    private var paying = TapList()
    /// Taps whose purchase has no final answer yet.
    private var delivering = TapList()
    /// Transactions that are being reported.
    private var open = TransactionSet()
    /// Transactions that were answered for good in this life.
    private var settled = TransactionSet()
    /// Those of them that the app is to finish.
    private var finishable = TransactionSet()
    /// All taps that were paid for.
    private var asked = TapList()
    /// Taps that were answered with somebody else's older purchase.
    private var blocked: [(tap: Tap, by: TransactionID)] = []
    /// Timers at whose end is looked for what is unfinished.
    private var looks = 0
    private var probing = Probe.done
    /// Tells the answers to one probe from those to the next.
    private var probes: UInt32 = 0
    /// StoreKit 1: what is on the disk about payments that are under way.
    private var note = PaymentNote()
    /// How often something came up that may have been paid for and never called back, and how many of
    /// these cases a fresh receipt has answered.
    private var doubts = 0
    private var answeredDoubts = 0
    /// How many it will have answered when the backend has looked at it.
    private var coveredDoubts = 0
    /// Whether somebody is left alone who did not give their password.
    private var isLeftAlone = false
    private var subscriptions = SubscriptionReports()

    /// A new process, which knows nothing of the last one.
    public init(_ launch: Launch) {
      let variant = launch.variant(of: ExactlyOnce.self)
      usesStoreKit2 = variant != .storeKit1
      finishes = variant != .serverFinish
    }

    /// Listens, and takes up what is unfinished: the queue in StoreKit 2, the receipt in StoreKit 1.
    public mutating func launched(_ phone: Phone) {
      phone.observe()
      phone.follow(.wishes)
      if usesStoreKit2 {
        for transaction in phone.unfinished { begin(transaction.id, phone) }
        if phone.sellsSubscriptions { subscriptions.begin(timer: Timer.subscription, phone) }
      } else {
        note = PaymentNote(on: phone)
        // What is called back now may be another phone's of the same Apple account. So it does not show
        // that nothing is missing, if a payment was under way when the last process ended.
        let receipt = phone.receipt()
        if note.isOpen || receipt.isNone { doubts += 1 }
        // The last process may have asked, and ended before the backend had looked at what came of it.
        receiptRefreshed(note.isAnswered(by: receipt), phone)
      }
      phone.startTimer(after: Self.watch, tag: Timer.watch)
    }

    // MARK: - Buying

    /// Pays, unless a purchase of the same product is under way.
    public mutating func tapped(_ tap: Tap, _ phone: Phone) {
      // One payment of a product at a time: a second tap must not become a second charge. And as long
      // as the first is not finished, StoreKit would answer the second with it.
      guard !paying.contains(product: tap.product), !delivering.contains(product: tap.product)
      else { return phone.tell(.pending, about: tap) }
      paying.append(tap, at: phone.now)
      asked.append(tap, at: phone.now)
      looks += 1
      phone.startTimer(after: Self.patience, tag: Timer.patience)
      if usesStoreKit2 {
        phone.purchase(tap, appAccountToken: .account(tap.account))
      } else {
        // On the disk before the payment is asked for: from here on the app may die.
        note.pays(on: phone)
        phone.add(tap, applicationUsername: .account(tap.account))
      }
    }

    /// Who tapped in the App Store is served as if they had tapped here.
    public mutating func heard(_ news: StoreNews, _ phone: Phone) {
      if case .wish(let tap) = news { tapped(tap, phone) }
    }

    /// Reports what was bought; of an error it says no more than that the purchase is pending.
    public mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      phone.tell(.pending, about: tap)
      // An error does not say that nothing was charged, and another payment might be charged as well. So
      // the product waits until patience ends, as in StoreKit 1.
      guard case .success(let transaction) = result else { return }
      let tappedAt = paying.remove(product: tap.product)?.millis ?? 0
      // Success may be an older purchase.
      let isOlder =
        transaction.chargedMillis < tappedAt || transaction.original != transaction.id
      if isOlder, transaction.token.accountNumber != tap.account.raw {
        blocked.append((tap, by: transaction.id))
      }
      begin(transaction.id, for: isOlder ? .none : tap, phone)
      if settled.contains(transaction.id) { tellBlocked(by: transaction.id, isOf: .none, phone) }
    }

    /// Reports what is called back, and finishes what failed.
    public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      switch transaction.state {
      case .deferred: phone.tell(.pending, about: transaction)
      case .failed:
        // Only that it is not known: a failure is called back for what is charged as well. And nothing
        // tells it from that of an earlier payment, so the product waits until patience ends.
        phone.tell(.pending, about: transaction)
        phone.finish(transaction)
      case .purchased where isEndOfSubscription(transaction):
        subscriptions.report(transaction.id, timer: Timer.subscription, phone)
      case .purchased, .restored:
        // In StoreKit 2 the result of the purchase ends it. In StoreKit 1 what is called back does, unless
        // it was charged before the tap, or lacks the buyer's UUID and may have been bought outside the
        // app meanwhile: then it says nothing of the payment that is under way.
        if !usesStoreKit2,
          let paid = paying.remove(
            product: transaction.product, by: transaction.token,
            until: transaction.chargedMillis)
        {
          phone.tell(.pending, about: paid)
          begin(transaction.id, for: paid, phone)
        } else {
          begin(transaction.id, phone)
        }
      }
    }

    /// Whether it says that a subscription has ended, as its money was given back, and nothing else: what is
    /// unfinished is taken up at the launch in StoreKit 2, but in StoreKit 1 only when it is called back.
    private func isEndOfSubscription(_ transaction: PaymentTransaction) -> Bool {
      transaction.revokedMillis != nil && transaction.expiresMillis != nil
        && (usesStoreKit2 || transaction.isFinished)
    }

    // MARK: - Reporting

    private mutating func begin(
      _ transaction: TransactionID, for tap: Tap = .none, _ phone: Phone
    ) {
      // Still there although it is done: the finish may have been lost.
      if finishable.contains(transaction) { return phone.finish(transaction) }
      if !tap.isNone { delivering.append(tap, at: phone.now, bought: transaction) }
      if open.insert(transaction) { report(transaction, phone) }
    }

    private func report(_ transaction: TransactionID, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
      phone.startTimer(after: 8000, about: transaction, tag: Timer.retry)
    }

    /// Finishes on a final answer; any other leaves the transaction open for the next try.
    public mutating func replied(_ reply: Reply, _ phone: Phone) {
      if reply.purpose == .probe {
        return reply.tag == SubscriptionReports.tag
          ? subscriptions.answered(reply) : probed(reply, phone)
      }
      guard reply.outcome.isFinal else {
        return phone.tell(.pending, about: reply.transaction)
      }
      open.remove(reply.transaction)
      let tap = delivering.remove(bought: reply.transaction)
      let isNews = settled.insert(reply.transaction)
      // Apple does for no backend what it has given the money back for.
      if finishes || !reply.isDelivered {
        finishable.insert(reply.transaction)
        phone.finish(reply.transaction)
      }
      if isNews {
        // The answer says whose it is. Anybody else would take the word for an answer to their tap.
        let owner = AccountID(reply.payload &- 1)
        tellBlocked(by: reply.transaction, isOf: owner, phone)
        if !reply.isDelivered {
          phone.tell(.failure, about: reply.transaction)
        } else if usesStoreKit2, !tap.isNone, tap.account == owner {
          // Whoever is logged in by now, this is about the tap of who bought it.
          phone.tell(.success, about: tap)
        } else if owner == phone.account || !tap.isNone && owner == tap.account {
          // StoreKit 1 does not say for which payment it calls back: this is about the purchase.
          phone.tell(.success, about: reply.transaction)
        }
      }
      // Only now: what is called back and not credited yet may be swallowed at the next launch.
      if !usesStoreKit2 { writeNote(phone) }
      // Nothing says whether the finish arrived.
      lookLater(phone)
    }

    /// Nothing was charged for these taps, and now the older purchase is out of the way. An earlier tap
    /// for the product may have been paid all the same.
    private mutating func tellBlocked(
      by transaction: TransactionID, isOf owner: AccountID, _ phone: Phone
    ) {
      for entry in blocked where entry.by == transaction {
        let tap = entry.tap
        let isFirst = asked.count(tap.product, by: tap.account) == 1
        // Who has tapped again since would take the word for an answer to that.
        let isUnderWay =
          paying.contains(product: tap.product) || delivering.contains(product: tap.product)
        let answer: Fact.Message =
          switch tap.account == owner {
          case true: isUnderWay ? .pending : .success
          case false: isFirst ? .failure : .pending
          }
        phone.tell(answer, about: tap)
      }
      blocked.removeAll { $0.by == transaction }
    }

    /// Reports again what has no final answer, eight seconds later each time, and looks for what was
    /// not called back.
    public mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      switch tag {
      case Timer.subscription: subscriptions.timerFired(tag, about: transaction, phone)
      case Timer.retry: if open.contains(transaction) { report(transaction, phone) }
      case Timer.patience:
        for tap in paying { phone.tell(.pending, about: tap) }
        // By now it is charged, or will not be; if it is, StoreKit answers the next payment with it.
        // It may come back in the next launch only; a receipt has it now.
        if paying.removeAll(until: phone.now - Self.patience) { doubts += 1 }
        if !usesStoreKit2, isInDoubt { beginProbe(phone) }
        look(phone)
      case Timer.refresh:
        isLeftAlone = false
        beginProbe(phone)
      case Timer.probe: if probing == .onDisk || probing == .refreshed { probe(phone) }
      case Timer.watch:
        // Of a purchase made outside the app nothing here knows, and it may be called back at the next
        // launch only.
        if takeUp(phone) { lookLater(phone) }
        if !usesStoreKit2, !isInDoubt { beginProbe(phone) }
        phone.startTimer(after: Self.watch, tag: Timer.watch)
      default: look(phone)
      }
    }

    // MARK: - What is called back at the next launch only, and the app stays open

    private mutating func lookLater(_ phone: Phone) {
      guard looks == 0 else { return }
      looks = 1
      phone.startTimer(after: Self.patience, tag: Timer.look)
    }

    /// Takes up whatever is unfinished; as long as there is something, looks again later.
    private mutating func look(_ phone: Phone) {
      looks -= 1
      if takeUp(phone) { lookLater(phone) }
    }

    private mutating func takeUp(_ phone: Phone) -> Bool {
      var isAny = false
      for transaction in usesStoreKit2 ? phone.unfinished : phone.queued {
        isAny = true
        begin(transaction.id, phone)
      }
      return isAny
    }

    // MARK: - What StoreKit 1 may never call back, the receipt still lists

    private var isInDoubt: Bool { answeredDoubts < doubts }

    /// Whether there is a doubt, and it may cost a prompt. As long as a payment may still come back there is
    /// time: one prompt for all of them.
    private var mayAsk: Bool { isInDoubt && paying.isEmpty && !isLeftAlone }

    /// Shows the backend a fresh receipt, or the one that is on the disk.
    private mutating func beginProbe(_ phone: Phone) {
      guard probing == .done else { return }
      let receipt = phone.receipt()
      if mayAsk {
        probing = .refreshing
        // On the disk before the prompt: who closes the app meanwhile is not asked at each launch.
        note.asks(receipt, on: phone)
        phone.refreshReceipt()
      } else if !receipt.isNone {
        show(.onDisk, phone)
      }
    }

    private mutating func show(_ receipt: Probe, _ phone: Phone) {
      probing = receipt
      probes += 1
      probe(phone)
    }

    /// The receipt on the disk may lack a charge, so a doubt is left until a fresh one was looked at.
    private mutating func probed(_ reply: Reply, _ phone: Phone) {
      guard reply.tag == probes, reply.outcome.isFinal else { return }
      switch probing {
      case .onDisk: probing = .done
      case .refreshed:
        probing = .done
        answeredDoubts = coveredDoubts
        writeNote(phone)
      case .done, .refreshing: return
      }
      if mayAsk { beginProbe(phone) }
    }

    /// Shows the fresh receipt. Who did not give their password is asked again after a minute, and from then
    /// on every two minutes, in a later launch too; meanwhile the receipt on the disk has to do.
    public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      if succeeded {
        coveredDoubts = doubts
        return show(.refreshed, phone)
      }
      probing = .done
      leaveAlone(phone)
      beginProbe(phone)
    }

    private mutating func leaveAlone(_ phone: Phone) {
      guard let rest = note.ask?.rest(at: phone.now), rest > 0 else { return }
      isLeftAlone = true
      phone.startTimer(after: rest, tag: Timer.refresh)
    }

    private mutating func writeNote(_ phone: Phone) {
      note.write(isOpen: isInDoubt || !paying.isEmpty || !delivering.isEmpty, on: phone)
    }

    private func probe(_ phone: Phone) {
      phone.send(
        Report(session: phone.account, purpose: .probe, evidence: phone.receipt()), about: .none,
        tag: probes)
      phone.startTimer(after: 15_000, tag: Timer.probe)
    }
  }
}

extension Reply.Outcome {
  /// Whether asking again can change nothing.
  fileprivate var isFinal: Bool {
    switch self {
    case .delivered, .alreadyDelivered, .refused: true
    case .retry, .businessError, .unauthorized, .serverError: false
    }
  }
}

import Invariants

/// A run in the words of the people and machines in it, one column for each participant.
public struct Timeline: Sendable {
  /// Who did it.
  public enum Participant: String, Sendable, CaseIterable {
    /// A fault that struck.
    case fault
    /// Somebody with a phone.
    case person
    /// The app on a phone.
    case app
    /// The App Store and the payment queue.
    case store
    /// What is between the phone and the backend.
    case network
    /// The app's own server.
    case backend
    /// Apple's servers, which the backend asks.
    case apple
  }

  /// One line.
  public struct Entry: Sendable, Equatable {
    /// When, in virtual time.
    public var at: Instant
    /// Who did it.
    public var participant: Participant
    /// What was done, such as `charges tx1: coins`.
    public var text: String
    /// What it means, where the text does not say.
    public var note = ""
    /// How many facts had been seen with it; 0 for what is not a fact.
    public var position = 0
    /// The number of the event in which it happened, from 1; 0 before the first, and in a history that goes on.
    public var event = 0
    /// Who else caused it; nil for what comes from nobody else.
    public var from: Participant?
    /// Whom else it reaches; nil for what somebody does by themselves.
    public var to: Participant?
  }

  /// The lines, as they happened.
  public var entries: [Entry]
}

extension Timeline.Entry {
  /// What a fact says.
  init(_ fact: Fact, _ handle: WorldHandle) {
    let names = Names(handle)
    let tx = names.purchase(fact.transaction)
    let device = names.device(fact.device)
    let participant: Timeline.Participant
    let text: String
    switch fact.kind {
    case .tapped:
      participant = .person
      text =
        "\(names.account(fact.account)) taps buy \(names.goods(fact)) on \(device)"
        + " (\(names.intent(fact.intent)))"
    case .charged:
      participant = .store
      text =
        Self.isShared(fact)
        ? "shares \(tx): \(names.goods(fact)), as somebody of the family has paid"
        : "charges \(tx): \(names.goods(fact))" + Self.offer(fact)
          + (fact.intent.isNone && fact.account.isNone ? " (nobody can tell for which tap)" : "")
    case .restored:
      participant = .store
      text = "restores \(names.purchase(fact.original)) as \(tx)"
    case .returned:
      participant = .store
      text = "answers with the old \(tx), no charge"
    case .voided:
      participant = .apple
      text = "\(tx) is to be treated as never bought (21010)"
    case .delivered:
      participant = .app
      text = "\(device) is called back with \(tx)"
    case .withheld:
      participant = .store
      text = "will not call \(device) back with \(tx) again"
    case .reported:
      participant = .backend
      text = "hears of \(tx) from \(device) as \(names.account(fact.account))"
    case .verified:
      participant = .apple
      text = "about \(tx): \(Self.word(fact.verdict))"
    case .answered:
      participant = .backend
      text = "answers about \(tx): \(Self.word(fact.verdict))"
    case .attributed:
      participant = .backend
      text = "notes that \(tx) is \(names.account(fact.account))'s"
    case .traceable:
      participant = .store
      text = "\(tx) carries a token that names its owner"
    case .credited where !fact.device.isNone:
      participant = .app
      text = "\(device) hands out \(names.goods(fact)) for \(tx)"
    case .credited:
      participant = .backend
      text = "credits \(names.account(fact.account)) with \(names.goods(fact)) for \(tx)"
    case .finishing:
      participant = .app
      text = "\(device) calls finish(\(tx))"
    case .finished:
      participant = .store
      text = "\(tx) is finished"
    case .told:
      participant = .person
      text = "is told: \(Self.word(fact.message))"
    case .saved:
      participant = .app
      text = "\(device) stores a record of \(tx)"
    case .erased:
      participant = .app
      text = "\(device) removes its record of \(tx)"
    case .recordLost:
      participant = .app
      text = "\(device)'s record of \(tx) is gone"
    case .forgotten:
      participant = .backend
      text = "what was said of \(tx) is lost with the process that was told"
    case .goodsLost:
      participant = .app
      text = "what \(device) had for \(tx) is gone"
    case .deferred:
      participant = .store
      text = "\(tx) is pending: somebody must agree first"
    case .declined:
      participant = .person
      text =
        fact.transaction.isNone
        ? "never meant to pay for \(names.intent(fact.intent))"
        : "\(tx) will not be paid: cancelled, or declined"
    case .renewed:
      participant = .store
      text =
        "\(Self.isShared(fact) ? "shares" : "charges") \(tx): another period of \(names.goods(fact))"
        + Self.offer(fact)
    case .expired:
      participant = .store
      text = "what \(tx) paid for is over"
    case .refunded:
      participant = .store
      text =
        switch fact.amount {
        case 0: "takes the money of \(tx) again: the refund is reversed"
        case 1000 where tx.contains("/f"): "shares \(tx) no more"
        case 1000: "gives the money of \(tx) back"
        default: "gives \(Self.part(fact)) of the money of \(tx) back"
        }
    case .granted:
      participant = .backend
      text =
        "lets \(names.account(fact.account)) use \(names.goods(fact)) until "
        + "\(names.moments.text(seconds: Int64(fact.amount))), for \(tx)"
    case .reversed:
      participant = .backend
      text =
        "takes \(Self.part(fact)) of \(names.goods(fact)) from \(names.account(fact.account)), for \(tx)"
    case .regranted:
      participant = .backend
      text =
        "gives \(Self.part(fact)) of \(names.goods(fact)) to \(names.account(fact.account)) again, for \(tx)"
    case .givenUp:
      participant = .store
      text = "sends no notification about \(tx) any more: none has arrived"
    case .launched:
      participant = .app
      text = "\(device) starts"
    case .ended:
      participant = .app
      text = "\(device) ends"
    case .loggedIn:
      participant = .person
      text = "\(names.account(fact.account)) logs in on \(device)"
    case .asked:
      participant = .person
      text =
        "is asked for the password on \(device)"
        + (fact.account.isNone ? "" : ", having tapped \"restore\"")
        + (fact.verdict == .refused ? ", and does not give it" : "")
    }
    self.init(
      at: fact.at, participant: participant, text: text, position: handle.world.judge.factCount)
    switch fact.kind {
    case .tapped, .loggedIn: to = .app
    case .delivered: from = .store
    case .returned, .deferred: to = .app
    case .verified: to = .backend
    case .answered: to = .network
    case .finishing: to = .store
    case .told: from = .app
    case .asked: from = .store
    default: break
    }
  }

  /// What an event says that no fact says; nil for the rest.
  init?(_ event: Event, _ handle: WorldHandle) {
    let names = Names(handle)
    let participant: Timeline.Participant
    let text: String
    switch event.kind {
    case .request:
      let row = handle.world.exchanges[event.exchange].route
      participant = .network
      text =
        (row.isFromAttacker
          ? "an attacker's report about \(names.purchase(row.about)) arrives"
          : "the report about \(names.purchase(row.about)) arrives")
        + Self.place(of: handle.world.exchanges[event.exchange].replica, handle)
    case .reply:
      let row = handle.world.exchanges[event.exchange].route
      guard !row.isFromAttacker else { return nil }
      participant = .network
      text =
        "the answer about \(names.purchase(row.about))"
        + (Self.isDead(row.device, row.life, handle)
          ? " finds the app that asked dead"
          : " arrives: \(handle.world.exchanges[event.exchange].outcome)")
    case .notification:
      let message = handle.world.notifications[event.notification].message
      guard !event.isAttempt else { return nil }
      participant = .network
      let about =
        message.kind == .test ? "" : " about \(names.purchase(message.transaction))"
      text = "\(message.kind.name)\(about) arrives"
    case .job:
      participant = .backend
      let about =
        handle.world.purchases.holds(event.transaction)
        ? " about \(names.purchase(event.transaction))" : ""
      text = "is handed a job\(about) by its queue" + (event.isAgain ? ", once more" : "")
    case .networkHeals:
      participant = .network
      text = "\(names.device(event.device)) is online again"
    case .serverStart:
      participant = .backend
      text = "server\(event.replica.raw + 1) is back"
    case .receiptRefresh:
      participant = .store
      text =
        "\(names.device(event.device))'s receipt refresh ends"
        + (Self.isDead(event.device, event.life, handle) ? "; the app that asked is dead" : "")
    default: return nil
    }
    self.init(at: Instant(millis: event.millis), participant: participant, text: text)
    switch event.kind {
    case .request, .notification: to = .backend
    case .reply: to = .app
    default: break
    }
  }

  /// Which of the backend's processes takes a request for this one: the other where it is down.
  private static func place(of replica: ReplicaID, _ handle: WorldHandle) -> String {
    let servers = [replica, replica.other].filter { handle.world.servers[$0].isRunning }
    return servers.first.map { " at server\($0.raw + 1)" } ?? " where no server runs"
  }

  /// Whether the process that asked for something is over.
  private static func isDead(_ device: DeviceID, _ life: UInt16, _ handle: WorldHandle) -> Bool {
    !handle.world.devices[device].isRunning || handle.world.devices[device].life != life
  }

  /// Whether somebody of the family has paid.
  private static func isShared(_ fact: Fact) -> Bool { fact.amount == 5 }

  /// With which kind of offer a charge was made, where it was.
  private static func offer(_ fact: Fact) -> String {
    switch fact.amount {
    case 1: ", with the introductory offer"
    case 2: ", with a promotional offer"
    case 3: ", with a code"
    case 4: ", with a win-back offer"
    default: ""
    }
  }

  private static func part(_ fact: Fact) -> String {
    switch fact.amount {
    case 1000: "all"
    case let part where part % 10 == 0: "\(part / 10) %"
    case let part: "\(part) thousandths"
    }
  }

  private static func word(_ verdict: Fact.Verdict) -> String {
    switch verdict {
    case .none: "nothing"
    case .accepted: "accepted"
    case .refused: "refused for good"
    case .inconclusive: "undecided"
    }
  }

  private static func word(_ message: Fact.Message) -> String {
    switch message {
    case .none: "nothing"
    case .success: "bought"
    case .failure: "the purchase failed"
    case .pending: "not confirmed yet"
    }
  }
}

/// The names of things in a run.
struct Names: WorldUser {
  let handle: WorldHandle

  init(_ handle: WorldHandle) { self.handle = handle }

  var moments: Moments { Moments(world.setup) }

  func purchase(_ id: TransactionID) -> String {
    id.isNone ? "no transaction" : Subject(key: world.purchases[id].key).name
  }

  func intent(_ id: IntentID) -> String {
    id.isNone ? "nothing" : Subject(key: world.intents[id].key).name
  }

  func device(_ id: DeviceID) -> String { id.isNone ? "no phone" : "phone\(id.raw + 1)" }

  func account(_ id: AccountID) -> String {
    if id.isNone { return "nobody" }
    return id.index >= world.setup.accounts ? "attacker" : "user\(id.raw + 1)"
  }

  func goods(_ fact: Fact) -> String {
    let isKnown = !fact.product.isNone && world.knows(fact.product)
    let product = isKnown ? world.setup.products[fact.product.index].name : "?"
    return fact.quantity == 1 ? product : "\(fact.quantity) \(product)"
  }
}

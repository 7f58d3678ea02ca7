import Invariants

/// What a backend asks Apple, and what is seen of what it does.
extension LiveStore {
  /// What the store has written down.
  public var books: StoreBooks { StoreBooks(handle: handle) }

  /// The port through which a backend asks; its questions are answered by ``ask(_:)`` alone.
  var server: Server {
    Server(
      handle: handle, exchange: .none, generation: 0, replica: ReplicaID(0),
      life: world.servers[ReplicaID(0)].life, who: world.who(server: ReplicaID(0)))
  }

  /// What Apple has answered, and the port that reads it, such as by ``Server/historyPage(in:)``.
  public struct Answered {
    /// The answer, with what went wrong in its ``VerifierAnswer/status``.
    public let answer: VerifierAnswer
    /// What reads it.
    public let server: Server

    /// An answer, and a port of the world that it came from.
    public init(_ answer: VerifierAnswer, _ server: Server) {
      self.answer = answer
      self.server = server
    }
  }

  /// Asks Apple one thing, and has the answer at once: no time passes.
  ///
  ///     store.ask { $0.history(of: transaction, in: .production) }
  ///
  /// - Returns: nil where nothing was asked.
  public func ask(_ question: (Server) -> UInt64?) -> Answered? {
    world.heldQuestion = nil
    guard question(server) != nil, let held = world.heldQuestion else { return nil }
    world.heldQuestion = nil
    _ = world.endsWait(held.exchange)
    let answer = world.verifierAnswers(held.exchange, held.question, held.fate)
    world.leaveWork(held.exchange)
    lines.noteStrikes()
    return Answered(answer, server)
  }

  /// The receipt file that a person's phone has, as it was last written; nil where nothing was bought on it.
  public func receipt(of person: Int, in environment: Environment) -> Evidence? {
    let device = Self.device(of: person, in: environment)
    guard world.devices[device].hasReceipt else { return nil }
    return world.receipt(on: device)
  }

  /// The store writes a person's receipt file anew. StoreKit 1: `SKReceiptRefreshRequest`.
  public func refreshReceipt(of person: Int, in environment: Environment) {
    world.writeReceipt(Self.device(of: person, in: environment))
  }

  /// verifyReceipt: what Apple says of a receipt at one of its addresses.
  public func verify(_ receipt: Evidence, at environment: Environment) -> Answered? {
    ask { $0.verify(VerifierQuestion.productionReceipt.at(environment), receipt: receipt) }
  }

  // MARK: - What is seen

  /// What a backend is seen to have done.
  public var ledger: SeenLedger { SeenLedger(handle: handle) }
}

/// What somebody has seen a backend do to its ledger, which is none of this world's: nothing strikes here, and what was
/// done is done.
public struct SeenLedger: WorldUser {
  let handle: WorldHandle

  /// It has credited an account with what a transaction bought; with none, or one that was never charged, it gave
  /// something away. An account that is not there gets nothing.
  public func credited(_ transaction: TransactionID, to account: Int) {
    guard (0..<world.setup.accounts).contains(account) else { return }
    let isKnown = StoreBooks(handle: handle).chargeRow(transaction) != nil
    world.credit(
      isKnown ? world.verified(transaction, hasToken: true) : .none, to: AccountID(index: account))
  }

  /// It has taken so many thousandths of what a transaction bought back; less than nothing gives it again.
  /// More than a million count as a million.
  public func takenBack(_ transaction: TransactionID, thousandths: Int) {
    let thousandths = min(max(thousandths, -1_000_000), 1_000_000)
    guard let charge = StoreBooks(handle: handle).chargeRow(transaction), thousandths != 0 else {
      return
    }
    world.takeBack(charge, thousandths)
  }

  /// It lets an account use a subscription until then, in milliseconds since the history began.
  public func entitled(_ transaction: TransactionID, _ account: Int, until millis: Int64) {
    guard let charge = StoreBooks(handle: handle).chargeRow(transaction),
      world.purchases[charge].subscription != .none, (0..<world.setup.accounts).contains(account)
    else { return }
    // What lies before the history or far behind it is the same as its edge.
    let millis = min(max(millis, 0), Int64(UInt32.max) * 1000)
    let account = AccountID(index: account)
    _ = world.creditCharges(ofSubscription: charge, to: account)
    world.grant(world.verified(charge, hasToken: true), to: account, until: millis)
  }
}

/// A real process in the place of a simulated one.
extension Server {
  /// What the process is seen to have done to its ledger.
  public var ledger: SeenLedger { SeenLedger(handle: handle) }

  /// The process has begun a round trip to its database, and waits: ``PurchaseBackend/resumed(at:about:for:_:)`` gets
  /// this step when the request reaches the database.
  public func beginTrip(_ step: UInt8) {
    guard isAlive else { return }
    wait(step, .none, world.decisions.delay(.delayDatabase, who))
  }

  /// What becomes of a round trip that is under way to the database.
  public enum TripFate: Sendable, Equatable {
    /// It arrives.
    case arrives
    /// The process dies before, and nothing arrives.
    case isLost
    /// The process dies, and what it has said arrives all the same, after so many milliseconds: others may have done the
    /// work again by then.
    case arrivesLate(afterMillis: Int64)
  }

  /// A round trip reaches the database, unless its process dies.
  public func reachesDatabase() -> TripFate {
    guard isAlive else { return .isLost }
    if let seconds = world.decisions.choice(.holdRecord, who) {
      world.crashServer(replica: replica, who)
      return .arrivesLate(afterMillis: Int64(seconds) * 1000)
    }
    return enter(.crashServerBeforeRecord) ? .arrives : .isLost
  }

  /// The database has done what it was asked. The process may die before it hears of that; false then.
  public func hearsOfDatabase() -> Bool { isAlive && !dies(.crashServerAfterRecord) }

  /// The process has ended of itself, or is to end: it is started again after some time.
  public func end() {
    guard isAlive else { return }
    world.crashServer(replica: replica, who)
  }

  /// What a real process has said becomes a part of the history's hash, so that one that says something else next time
  /// is found out.
  ///
  /// - Parameters:
  ///   - content: All that it has said.
  ///   - words: The same for a person to read, as a line of the backend's column: `answers 503 {"state": "busy"}`.
  ///     Nothing is shown where there are none.
  public func note(content: String, as words: String? = nil) {
    world.trace = Hashing.fold(world.trace ^ 0x8ebc_6af0_9c88_c6e3, Hashing.name(content))
    if let words { world.observer?.saw(saying: words) }
  }

  /// The process does what no verdict can be founded on, such as to work without an end: the run ends, and has none.
  public func makeUnfit(_ why: String) { world.abandon(why) }

  /// The program is told to end: the run ends with this event, and says nothing.
  @_spi(Gateway) public func interrupt() {
    world.isInterrupted = true
    world.isAbandoned = true
  }

  /// Which of the backend's processes it is, from 0, and how many of this one there were, this one included.
  public var process: (number: Int, life: Int) { (replica.index, Int(life)) }
}

extension Server {
  /// Asks Apple about a receipt that no request brought; answered by ``PurchaseBackend/verified(_:for:_:)``.
  ///
  /// - Returns: the ``request`` of the work that gets the answer; nil where none will come.
  public func verify(_ question: VerifierQuestion, receipt: Evidence) -> UInt64? {
    ask(question, about: .none) { $0.evidence = receipt }
  }
}

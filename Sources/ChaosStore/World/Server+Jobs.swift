import Invariants

/// A job queue beside the database: what is handed to it outlives every process, and is done at least once.
extension Server {
  /// Hands a job to the queue: ``PurchaseBackend/resumed(at:about:for:_:)`` of a process that runs gets this step after
  /// so many milliseconds, for a report that names the transaction and brings the payload and nothing else.
  ///
  /// It is done once all work at it is over. Where the process dies before, it comes once more half a minute later; and
  /// it can come twice all the same (F54).
  ///
  /// - Returns: whether it was handed over for certain; where not, the process has died, and it was or it was not.
  @discardableResult
  public func enqueue(
    _ step: UInt8, about transaction: TransactionID, payload: UInt32 = 0, after millis: Int64 = 0
  ) -> Bool {
    guard enter(.crashServerBeforeRecord) else { return false }
    world.schedule(
      .job(step, about: transaction, payload: payload, isAgain: false),
      after: max(millis, 0) + world.decisions.delay(.delayDatabase, who))
    return !dies(.crashServerAfterRecord)
  }
}

/// Which copy of the database is read.
extension Server {
  /// A copy of the database.
  public enum Copy: Sendable {
    /// The one that is written to: it has every commit.
    case primary
    /// One that follows it: it may not have the last commit yet (F55), for a minute at most.
    case replica
  }

  /// Whether the table of credited transactions has it, in a copy of the database.
  public func isRecorded(_ purchase: VerifiedPurchase, in copy: Copy) -> Bool {
    guard isRecorded(purchase) else { return false }
    return copy == .primary
      || !(world.mayLack(key(of: purchase)) && world.decisions.strikes(.staleRead, who))
  }

  /// What is kept under a key, in a copy of the database; nil for nothing.
  public func read(_ key: UInt64, from table: Table, in copy: Copy) -> UInt64? {
    let value = read(key, from: table)
    guard copy == .replica, isAlive,
      let (before, _) = world.tables.beforeLastCommit(table, key, since: world.now - World.lag),
      world.decisions.strikes(.staleRead, who)
    else { return value }
    return before
  }
}

extension World {
  /// How old a commit may be that a replica does not have.
  static let lag: Int64 = 60_000
  /// After how long a queue hands out a job again of which it does not hear that it is done.
  private static let redelivery: Int64 = 30_000

  /// A charge is entered into the table of credited transactions.
  @inline(__always)
  mutating func noteRecorded(_ charge: TransactionID) {
    purchases[charge].flags.insert(.recorded)
    lastRecorded = charge
    lastRecordedMillis = now
  }

  /// Whether a replica may lack what says that a charge was credited.
  func mayLack(_ charge: TransactionID) -> Bool {
    lastRecorded == charge && now - lastRecordedMillis < Self.lag
  }

  /// The queue hands a job out; nil where no process runs to take it, which gets it a second later.
  mutating func jobArrives(_ event: Event) -> ExchangeID? {
    let about = purchases.holds(event.transaction) ? event.transaction : .none
    let payload = UInt32(truncatingIfNeeded: event.detail)
    var replica = ReplicaID(event.isAgain ? 1 : 0)
    if !servers[replica].isRunning { replica = replica.other }
    guard servers[replica].isRunning else {
      schedule(
        .job(event.tag, about: about, payload: payload, isAgain: event.isAgain), after: 1000)
      return nil
    }
    let who = about.isNone ? who(server: ReplicaID(0)) : who(purchase: about)
    if !event.isAgain, decisions.strikes(.repeatJob, who) {
      schedule(
        .job(event.tag, about: about, payload: payload, isAgain: true), after: Self.redelivery)
    }
    var row = ExchangeRow(
      route: .init(
        about: about, device: .none, life: 0,
        sender: replica == ReplicaID(0) ? .server1 : .server2),
      session: .none, product: .none, tag: 0, payload: payload, token: .none,
      evidence: about.isNone ? Evidence() : lookUp(of: about), purpose: .deliver,
      claimsTransaction: !about.isNone)
    row.replica = replica
    row.serverLife = servers[replica].life
    row.isClosed = true
    row.isWork = true
    row.isJob = true
    hasBegunJob = true
    row.jobStep = event.tag
    return addExchange(row)
  }

  /// A process dies: the jobs that it was at are handed out again.
  mutating func handBackJobs(of replica: ReplicaID) {
    guard hasBegunJob else { return }
    for id in exchanges.ids {
      let row = exchanges.at(id)
      guard row.pointee.isJob, row.pointee.isWork, row.pointee.replica == replica,
        isRunning(replica, life: row.pointee.serverLife)
      else { continue }
      row.pointee.isJob = false
      schedule(
        .job(
          row.pointee.jobStep, about: row.pointee.route.about, payload: row.pointee.payload,
          isAgain: true),
        after: Self.redelivery)
    }
  }
}

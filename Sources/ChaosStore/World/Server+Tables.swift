import Invariants

/// Tables of the backend's own: orders, an outbox, idempotency keys.
///
/// Their rows outlive every process. Each write is a commit of its own, before and after which the process
/// can die, and which can fail; ``transaction(_:)`` makes one commit of several.
extension Server {
  /// A table of the backend's own, by its name.
  public struct Table: Hashable, Sendable {
    private let number: UInt64

    /// The table with this name, which is there and empty when a run begins.
    public init(_ name: String) { number = Hashing.name(name) }

    /// What stands for a key in words.
    package static func key(_ name: String) -> UInt64 { Hashing.name(name) }
  }

  /// A row of a table.
  public struct Row: Equatable, Sendable {
    /// What it is found by; one row of a table has it.
    public let key: UInt64
    /// What is kept.
    public let value: UInt64
  }

  /// What became of a write to a table, or of a transaction.
  public enum Write: Sendable {
    /// All of it is there now.
    case written
    /// A row was there, or a purchase was credited, that was not to be; nothing happened.
    case alreadyThere
    /// The database is down; nothing happened.
    case unavailable
    /// The connection to the database broke: all of it is there now, or nothing happened.
    case unknown
  }

  /// What is kept under a key; nil for nothing.
  public func read(_ key: UInt64, from table: Table) -> UInt64? {
    guard isAlive else { return nil }
    world.reads(.read, .none)
    world.usesOwnTables = true
    return world.tables.read(table, key)
  }

  /// All rows of a table, in the order in which they were entered.
  public func rows(of table: Table) -> [Row] {
    guard isAlive else { return [] }
    world.reads(.read, .none)
    world.usesOwnTables = true
    return world.tables.rows(of: table)
  }

  /// Writes a row, whatever was there.
  @discardableResult
  public func write(_ value: UInt64, to table: Table, at key: UInt64) -> Write {
    alone { $0.write(value, to: table, at: key) }
  }

  /// Enters a row unless one with this key is there: a unique constraint.
  @discardableResult
  public func insert(_ value: UInt64, into table: Table, at key: UInt64) -> Write {
    alone { $0.insert(value, into: table, at: key) }
  }

  /// Removes a row; one that is not there is removed already.
  @discardableResult
  public func remove(_ key: UInt64, from table: Table) -> Write {
    alone { $0.remove(key, from: table) }
  }

  /// Makes one commit of several writes and credits: all of them happen, or none does.
  ///
  ///     server.transaction {
  ///       $0.commit(purchase, to: owner)
  ///       $0.insert(1, into: receipts, at: order)
  ///     }
  ///
  /// It reads nothing: what was read before it may have changed, and what must not be there is asked for by
  /// ``Transaction/insert(_:into:at:)`` and ``Transaction/commit(_:to:)``.
  @discardableResult
  public func transaction(_ body: (inout Transaction) -> Void) -> Write {
    perform(body, .transaction, .crashServerBeforeCommit, .crashServerAfterCommit)
  }

  private func alone(_ body: (inout Transaction) -> Void) -> Write {
    perform(body, .write, .crashServerBeforeRecord, .crashServerAfterRecord)
  }

  private func perform(
    _ body: (inout Transaction) -> Void, _ use: TableUses, _ before: Question, _ after: Question
  ) -> Write {
    var transaction = Transaction()
    body(&transaction)
    guard transaction.credits.allSatisfy({ isValid($0.purchase) }),
      transaction.reversals.allSatisfy({ isValid($0.purchase) }), enter(before)
    else { return .unavailable }
    if let failure = commitFails() { return failure == .unknown ? .unknown : .unavailable }
    world.usesOwnTables = true
    world.writes(use, transaction.credits.first.map { original(of: $0.purchase) } ?? .none)
    guard isPossible(transaction) else {
      dies(after)
      return .alreadyThere
    }
    apply(transaction)
    if dies(after) { return .written }
    return world.decisions.strikes(.dropCommitted, who) ? .unknown : .written
  }

  /// Several writes and credits that will happen together, in this order.
  public struct Transaction {
    fileprivate enum Change {
      case write(UInt64, Table, UInt64)
      case insert(UInt64, Table, UInt64)
      case remove(UInt64, Table)
    }

    fileprivate struct Credit {
      var purchase: VerifiedPurchase
      var account: AccountID
      /// Whether the purchase is entered with it, and must not be there.
      var isKeyed: Bool
    }

    fileprivate var changes: [Change] = []
    fileprivate var credits: [Credit] = []
    fileprivate var reversals: [(purchase: VerifiedPurchase, thousandths: Int)] = []

    /// Writes a row, whatever was there.
    public mutating func write(_ value: UInt64, to table: Table, at key: UInt64) {
      changes.append(.write(value, table, key))
    }

    /// Enters a row; where one with this key is there, nothing of all this happens.
    public mutating func insert(_ value: UInt64, into table: Table, at key: UInt64) {
      changes.append(.insert(value, table, key))
    }

    /// Removes a row; one that is not there is removed already.
    public mutating func remove(_ key: UInt64, from table: Table) {
      changes.append(.remove(key, table))
    }

    /// Enters (environment, transaction id) and the credit; where it is there, nothing of all this happens.
    public mutating func commit(_ purchase: VerifiedPurchase, to account: AccountID) {
      credits.append(Credit(purchase: purchase, account: account, isKeyed: true))
    }

    /// Credits without asking whether it was done before.
    public mutating func credit(_ purchase: VerifiedPurchase, to account: AccountID) {
      credits.append(Credit(purchase: purchase, account: account, isKeyed: false))
    }

    /// Takes a part of a purchase back, in thousandths, without asking whether that was done before; less than
    /// nothing gives it again. With an ``insert(_:into:at:)`` of what says so, once.
    public mutating func takeBack(_ purchase: VerifiedPurchase, thousandths: Int) {
      reversals.append((purchase, thousandths))
    }
  }

  /// Whether no constraint speaks against it.
  private func isPossible(_ transaction: Transaction) -> Bool {
    var tables: [(table: Table, key: UInt64, isThere: Bool)] = []
    for change in transaction.changes {
      switch change {
      case .write(_, let table, let key): tables.append((table, key, true))
      case .remove(let key, let table): tables.append((table, key, false))
      case .insert(_, let table, let key):
        let own = tables.last { $0.table == table && $0.key == key }
        if own?.isThere ?? (world.tables.read(table, key) != nil) { return false }
        tables.append((table, key, true))
      }
    }
    var keys: [TransactionID] = []
    for credit in transaction.credits where credit.isKeyed {
      guard !credit.purchase.transaction.isNone else { return false }
      let key = original(of: credit.purchase)
      if world.purchases[key].flags.contains(.recorded) || keys.contains(key) { return false }
      keys.append(key)
    }
    return true
  }

  private func apply(_ transaction: Transaction) {
    world.tables.beginCommit(at: world.now)
    for change in transaction.changes {
      switch change {
      case .write(let value, let table, let key), .insert(let value, let table, let key):
        world.tables.write(table, key, value)
      case .remove(let key, let table): world.tables.remove(table, key)
      }
    }
    for credit in transaction.credits {
      if credit.isKeyed {
        world.noteRecorded(original(of: credit.purchase))
      }
      world.credit(credit.purchase, to: credit.account)
    }
    for (purchase, thousandths) in transaction.reversals where !purchase.transaction.isNone {
      world.takeBack(original(of: purchase), thousandths)
    }
    noteCommit()
  }
}

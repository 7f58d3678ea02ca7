import Invariants

/// Uses of the ledger and of a backend's tables, as those that ran as one step.
///
/// A check and an act that nothing can come between are sound in a simulation and need not be on a server.
public struct TableUses: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// A bit for each use.
  public let rawValue: UInt32
  /// The uses with these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ bit: Int) { rawValue = 1 << UInt32(bit) }

  /// ``Server/isRecorded(_:)``.
  public static let isRecorded = TableUses(0)
  /// ``Server/isUnclaimed(_:)``.
  public static let isUnclaimed = TableUses(1)
  /// ``Server/isCached(_:)``.
  public static let isCached = TableUses(2)
  /// ``Server/creditedAccount(of:)``.
  public static let creditedAccount = TableUses(3)
  /// ``Server/read(_:from:)`` and ``Server/rows(of:)``.
  public static let read = TableUses(4)
  /// ``Server/hasSeen(_:)``, which writes as well.
  public static let hasSeen = TableUses(5)
  /// ``Server/closeOrder(_:)``, which writes as well.
  public static let closeOrder = TableUses(6)
  /// ``Server/commit(_:to:)``.
  public static let commit = TableUses(7)
  /// ``Server/credit(_:to:)``.
  public static let credit = TableUses(8)
  /// ``Server/record(_:)``.
  public static let record = TableUses(9)
  /// ``Server/addUnclaimed(_:)``.
  public static let addUnclaimed = TableUses(10)
  /// ``Server/removeUnclaimed(_:)``.
  public static let removeUnclaimed = TableUses(11)
  /// ``Server/cache(_:)``.
  public static let cache = TableUses(12)
  /// ``Server/write(_:to:at:)``, ``Server/insert(_:into:at:)`` and ``Server/remove(_:from:)``.
  public static let write = TableUses(13)
  /// ``Server/transaction(_:)``.
  public static let transaction = TableUses(14)

  private static let names = [
    "isRecorded", "isUnclaimed", "isCached", "creditedAccount", "read", "hasSeen", "closeOrder",
    "commit", "credit", "record", "addUnclaimed", "removeUnclaimed", "cache", "write",
    "transaction",
  ]

  /// The ports, what reads first.
  public var names: [String] {
    Self.names.indices.filter { contains(TableUses($0)) }.map { Self.names[$0] }
  }
}

/// What a handler of the backend has used since it was called, or since it last waited.
struct StepOfBackend: BitwiseCopyable {
  /// The event that it handles.
  var event = -1
  /// The charge it is about; none for what is not about one alone.
  var about = TransactionID.none
  var used: TableUses = []
}

extension World {
  /// A handler looks into a table.
  @inline(__always)
  mutating func reads(_ use: TableUses, _ about: TransactionID) {
    if _slowPath(step.event == events) { _ = follow(about) } else { begin(about) }
    step.used.insert(use)
  }

  /// A handler enters something; with what it did before in the same step, nothing can come between.
  @inline(__always)
  mutating func writes(_ use: TableUses, _ about: TransactionID) {
    if _slowPath(step.event == events) {
      if follow(about) { stepsAsOne.formUnion([step.used, use]) }
    } else {
      begin(about)
    }
    step.used.insert(use)
  }

  /// A handler waits: another request may come.
  @inline(__always)
  mutating func endStep() { step.event = -1 }

  @inline(__always)
  private mutating func begin(_ about: TransactionID) {
    step = StepOfBackend(event: events, about: about)
  }

  /// Whether the handler goes on with what it was about; another purchase is another step.
  @inline(never)
  private mutating func follow(_ about: TransactionID) -> Bool {
    let isOther = about != step.about && !about.isNone && !step.about.isNone
    if isOther {
      begin(about)
    } else if !about.isNone {
      step.about = about
    }
    return !isOther
  }
}

/// What a backend keeps beside the ledger: rows that outlive its processes, in the order of their insertion.
struct DurableTables {
  private struct Place: Hashable {
    var table: Server.Table
    var key: UInt64
  }

  private struct Entry {
    var place: Place
    var value: UInt64
    var isLive = true
  }

  private var entries: [Entry] = []
  /// Where a row is; only looked up.
  private var places: [Place: Int] = [:]
  /// What the rows of the last commit held before it, and when it was.
  private var last: [(place: Place, before: UInt64?)] = []
  private var lastMillis: Int64 = 0

  mutating func removeAll() {
    if entries.isEmpty { return }
    last.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  func read(_ table: Server.Table, _ key: UInt64) -> UInt64? {
    places[Place(table: table, key: key)].map { entries[$0].value }
  }

  /// What is written from now on is one commit.
  mutating func beginCommit(at millis: Int64) {
    last.removeAll(keepingCapacity: true)
    lastMillis = millis
  }

  /// What the last commit has changed under a key, as it was before; nil where it was another, or too long ago.
  func beforeLastCommit(
    _ table: Server.Table, _ key: UInt64, since millis: Int64
  ) -> (value: UInt64?, Void)? {
    guard lastMillis >= millis,
      let row = last.first(where: { $0.place == Place(table: table, key: key) })
    else { return nil }
    return (row.before, ())
  }

  mutating func write(_ table: Server.Table, _ key: UInt64, _ value: UInt64) {
    let place = Place(table: table, key: key)
    if let index = places[place] {
      last.append((place, entries[index].value))
      entries[index].value = value
    } else {
      last.append((place, nil))
      places[place] = entries.count
      entries.append(Entry(place: place, value: value))
    }
  }

  mutating func remove(_ table: Server.Table, _ key: UInt64) {
    let place = Place(table: table, key: key)
    guard let index = places.removeValue(forKey: place) else { return }
    last.append((place, entries[index].value))
    entries[index].isLive = false
  }

  func rows(of table: Server.Table) -> [Server.Row] {
    entries.filter { $0.isLive && $0.place.table == table }
      .map { Server.Row(key: $0.place.key, value: $0.value) }
  }
}

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

  mutating func removeAll() {
    if entries.isEmpty { return }
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  func read(_ table: Server.Table, _ key: UInt64) -> UInt64? {
    places[Place(table: table, key: key)].map { entries[$0].value }
  }

  mutating func write(_ table: Server.Table, _ key: UInt64, _ value: UInt64) {
    let place = Place(table: table, key: key)
    if let index = places[place] {
      entries[index].value = value
    } else {
      places[place] = entries.count
      entries.append(Entry(place: place, value: value))
    }
  }

  mutating func remove(_ table: Server.Table, _ key: UInt64) {
    guard let index = places.removeValue(forKey: Place(table: table, key: key)) else { return }
    entries[index].isLive = false
  }

  func rows(of table: Server.Table) -> [Server.Row] {
    entries.filter { $0.isLive && $0.place.table == table }
      .map { Server.Row(key: $0.place.key, value: $0.value) }
  }
}

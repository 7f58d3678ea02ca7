import ChaosStore
import Foundation
import Invariants
import StoreService

/// What was last seen in a backend's ledger.
struct LedgerView {
  private struct Key: Hashable, Comparable {
    var account: String
    var transaction: String

    static func < (a: Key, b: Key) -> Bool {
      (a.account, a.transaction) < (b.account, b.transaction)
    }
  }

  /// How often something was credited, and how many thousandths of it stand.
  private struct Entry: Equatable {
    var count = 0
    var thousandths = 0
  }

  private var entries: [Key: Entry] = [:]

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// Tells the world what is new in these rows: account, transaction, and where there is a third column how many
  /// thousandths stand.
  mutating func update(
    _ rows: [[String?]], _ names: Names?, _ server: Server
  ) throws(Unreadable) {
    var now: [Key: Entry] = [:]
    for row in rows {
      guard row.count >= 2, let account = row[0] else {
        throw Unreadable(
          description: "found a row of \(row.count) columns, expected account and transaction")
      }
      var thousandths = 1000
      if row.count > 2, let text = row[2] {
        guard let number = Int(text) else {
          throw Unreadable(
            description:
              "found '\(text)' in the third column, expected a whole number of thousandths")
        }
        thousandths = number
      }
      let key = Key(account: account, transaction: row[1] ?? "")
      now[key, default: Entry()].count += 1
      now[key, default: Entry()].thousandths += thousandths
    }
    guard now != entries else { return }
    let known = entries
    entries = now
    for key in Set(known.keys).union(now.keys).sorted() {
      let (before, after) = (known[key] ?? Entry(), now[key] ?? Entry())
      guard before != after else { continue }
      guard let account = names?.account(called: key.account) else {
        throw Unreadable(
          description: "found the account '\(key.account)', expected one as reports name it")
      }
      let transaction = StoreDesk.transaction(called: key.transaction)
      let new = max(0, after.count - before.count)
      for _ in 0..<new { server.ledger.credited(transaction, to: account) }
      let standing = before.thousandths + new * 1000
      if standing != after.thousandths {
        server.ledger.takenBack(transaction, thousandths: standing - after.thousandths)
      }
    }
  }
}

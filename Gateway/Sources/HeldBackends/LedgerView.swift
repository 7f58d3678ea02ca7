import ChaosStore
import Foundation
import Invariants
import StoreService

/// A line of somebody's ledger, as it is seen.
struct LedgerRow: Equatable {
  var account: String
  /// The transaction that was paid with; empty where the ledger names none.
  var transaction = ""
  /// How many thousandths of it stand, or what was taken back, where that is negative.
  var thousandths = 1000
  /// Whether something was credited; otherwise what was taken back is given again.
  var isCredit = true

  /// How many thousandths a line may name; sums of such numbers always fit.
  private static let thousandths = -1_000_000...1_000_000

  /// What no line of a ledger can be.
  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// A line with its account, its transaction, and, where there are such, its thousandths.
  init(_ columns: [String?]) throws(Unreadable) {
    guard (2...3).contains(columns.count) else {
      throw Unreadable(
        description:
          "found a row of \(columns.count) columns, expected account, transaction, and in a third, "
          + "where there is one, how many thousandths stand")
    }
    guard let account = columns[0] else {
      throw Unreadable(
        description: "found a row without an account, expected one in the first column")
    }
    self.account = account
    transaction = columns[1] ?? ""
    if columns.count > 2, let text = columns[2] {
      guard let number = Int(text, radix: 10), Self.thousandths.contains(number) else {
        throw Unreadable(
          description:
            "found '\(text)' in the third column, expected a whole number of thousandths "
            + "from -1000000 to 1000000")
      }
      thousandths = number
    }
    isCredit = thousandths >= 0
  }
}

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

  /// Tells the world what is new in these rows.
  mutating func update(
    _ rows: [LedgerRow], _ names: Names?, _ server: Server
  ) throws(LedgerRow.Unreadable) {
    var now: [Key: Entry] = [:]
    for row in rows {
      let key = Key(account: row.account, transaction: row.transaction)
      if row.isCredit { now[key, default: Entry()].count += 1 }
      now[key, default: Entry()].thousandths += row.thousandths
    }
    guard now != entries else { return }
    let known = entries
    entries = now
    for key in Set(known.keys).union(now.keys).sorted() {
      let (before, after) = (known[key] ?? Entry(), now[key] ?? Entry())
      guard before != after else { continue }
      guard let account = names?.account(called: key.account), account < server.books.accountCount
      else {
        throw LedgerRow.Unreadable(
          description: "found the account '\(key.account)', expected one as reports name it")
      }
      guard let transaction = StoreDesk.transaction(called: key.transaction) else {
        throw LedgerRow.Unreadable(
          description:
            "found the transaction '\(key.transaction)', expected one as Apple calls it, a number of 15 "
            + "or 16 digits, or an empty text where the ledger names none")
      }
      let new = max(0, after.count - before.count)
      for _ in 0..<new { server.ledger.credited(transaction, to: account) }
      let standing = before.thousandths + new * 1000
      if standing != after.thousandths {
        server.ledger.takenBack(transaction, thousandths: standing - after.thousandths)
      }
    }
  }
}

/// The credits that a backend prints, a line each.
final class CreditLog {
  private var output: PrintedFile
  private let pattern: Regex<AnyRegexOutput>
  private var rows: [LedgerRow] = []

  init(output: String, pattern: String) throws {
    self.output = PrintedFile(path: output)
    self.pattern = try Regex(pattern)
  }

  /// A run begins: what was printed before it is not meant.
  func begin() {
    output.skip()
    rows = []
  }

  /// What was printed since the run began.
  func read() throws -> [LedgerRow] {
    for line in output.newLines() {
      guard let match = try? pattern.firstMatch(in: line) else { continue }
      var row = try LedgerRow(
        ["account", "transaction", "thousandths"].map { name in
          match.output[name]?.substring.map(String.init)
        })
      row.isCredit = row.isCredit && !givesAgain(row)
      rows.append(row)
    }
    return rows
  }

  /// Whether it is no more than what was taken back of the same credit.
  private func givesAgain(_ row: LedgerRow) -> Bool {
    let same = rows.filter { $0.account == row.account && $0.transaction == row.transaction }
    let standing = same.reduce(0) { $0 + $1.thousandths }
    return standing + row.thousandths <= same.count { $0.isCredit } * 1000
  }
}

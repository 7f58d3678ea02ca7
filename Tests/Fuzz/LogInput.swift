import ChaosRunner
import ChaosStore
import Foundation
import Invariants

/// Logs of facts that `audit` judges, and what `convert` turns into them.
enum LogInput {
  private static let facts = [
    #"{"at": 1000, "fact": "charged", "transaction": "1", "account": "u", "product": "coins", "quantity": 2}"#,
    #"{"at": "1970-01-01T00:00:01.500Z", "fact": "credited", "transaction": 1, "account": "u", "product": "coins"}"#,
    #"{"at": 2000, "fact": "delivered", "transaction": "1", "device": "d", "storeAccount": "s"}"#,
    #"{"at": 2000, "fact": "finishing", "transaction": "1", "device": "d"}"#,
    #"{"at": 2001, "fact": "finished", "transaction": "1"}"#,
    #"{"at": 86400000, "fact": "refunded", "transaction": "1", "amount": 500}"#,
    #"{"at": 86400001, "fact": "reversed", "transaction": "1", "amount": 500}"#,
    #"{"at": 3000, "fact": "renewed", "transaction": "3", "original": "1", "product": "monthly"}"#,
    #"{"at": 3000, "fact": "granted", "transaction": "3", "account": "u", "amount": 99}"#,
    #"{"at": 3000, "fact": "restored", "transaction": "2", "original": "1"}"#,
    #"{"at": 3000, "fact": "verified", "transaction": "2", "verdict": "refused"}"#,
    #"{"at": 3000, "fact": "told", "message": "success", "device": "d"}"#,
    #"{"at": 900, "fact": "tapped", "intent": "w", "account": "u", "product": "coins"}"#,
    #"{"at": 0, "history": "begin", "name": "n", "heal": 60, "within": 30, "products": ["coins"], "kept": [1]}"#,
    #"{"at": 9000000, "history": "end"}"#, #"{"at": 9, "disturbedUntil": 80}"#, "",
  ]

  /// Of each kind of file: what is asked, and lines of it.
  private static let kinds: [(words: [String], lines: [String])] = [
    (["audit", "--within", "1s", "--window", "1h", "--subscription", "monthly"], facts),
    (["audit", "--format", "json", "--details"], facts),
    (["audit", "--format", "html", "--transfer-on-restore", "--most", "2"], facts),
    (
      ["convert", "notifications"],
      [
        #"{"notificationType": "REFUND", "notificationUUID": "n", "signedDate": 5, "data": {"signedTransactionInfo": {"transactionId": "1", "productId": "coins", "purchaseDate": 4, "revocationDate": 5, "revocationPercentage": 50000}}}"#,
        #"{"notificationType": "DID_RENEW", "signedDate": 5, "data": {"signedTransactionInfo": {"transactionId": 2, "originalTransactionId": "1", "productId": "m", "type": "Auto-Renewable Subscription", "purchaseDate": 4}}}"#,
        #"{"signedPayload": "e30.eyJub3RpZmljYXRpb25UeXBlIjoiVEVTVCJ9.e30"}"#, "e30.e30.e30",
      ]
    ),
    (
      ["convert", "transactions"],
      [
        #"{"transactionId": "1", "productId": "coins", "purchaseDate": 4, "quantity": 3, "appAccountToken": "a", "environment": "Sandbox"}"#,
        #"{"signedTransactions": ["e30.e30.e30", {"transactionId": "1", "productId": "coins", "purchaseDate": 4}]}"#,
      ]
    ),
    (
      ["convert", "csv", "--fact", "credited", "--columns", "transaction=txn"],
      [
        "at,txn,account,note", "1000,1,u,\"a, \"\"b\"\"", "c\"", "2026-01-01 10:00:00+02,2,u,",
        "at;txn", "1;2",
      ]
    ),
    (
      [
        "convert", "sql", "--table", "t", "--facts", "c=credited", "--columns",
        "fact=k,transaction=x",
      ],
      [
        "CREATE TABLE t (at TEXT, k TEXT, x TEXT);",
        "INSERT INTO t VALUES('2026-01-01','c','1'),(2,'c',NULL);",
        "INSERT INTO \"t\" (at, k) VALUES(E'1\\n', 'c');", "COPY public.t (at, k, x) FROM stdin;",
        "1\tc\t\\N", "\\.",
      ]
    ),
  ]

  /// A digit for the kind, and the file.
  static func file(_ random: inout Random) -> [UInt8] {
    let kind = random.below(kinds.count)
    // Lines in their order for the most part, as a table's first one says how to read the rest.
    var lines = kinds[kind].lines
    for _ in 0..<random.few(upTo: 8) {
      let place = random.below(lines.count)
      switch random.below(6) {
      case 0: lines.swapAt(place, random.below(lines.count))
      case 1: lines.insert(lines[place], at: random.below(lines.count))
      case 2 where lines.count > 1: lines.remove(at: place)
      default: lines[place] = other(lines[place], &random)
      }
    }
    let bytes = Array(lines.joined(separator: random.oneIn(8) ? "\r\n" : "\n").utf8)
    return Array("\(kind)".utf8) + (random.oneIn(3) ? Hostile.mutated(bytes, &random) : bytes)
  }

  /// A line with a number or a text of it replaced.
  private static func other(_ line: String, _ random: inout Random) -> String {
    let parts = line.split(
      separator: random.oneIn(2) ? " " : "\"", omittingEmptySubsequences: false)
    guard parts.count > 1, !random.oneIn(4) else { return Hostile.mutated(line, &random) }
    var texts = parts.map(String.init)
    texts[random.below(texts.count)] = random.pick(
      random.oneIn(2) ? Hostile.numbers + Hostile.times : Hostile.texts + Hostile.rubbish)
    return texts.joined(separator: line.contains("\": ") && parts.count < 12 ? " " : "\"")
  }

  // MARK: -

  private static let path = FileManager.default.temporaryDirectory
    .appending(path: "chaos-fuzz-\(ProcessInfo.processInfo.processIdentifier).log").path

  /// A log is judged, or there is nothing in it; what `convert` writes is JSON that `audit` takes.
  static func examine(_ bytes: [UInt8]) throws(Finding) -> Answer {
    guard let digit = bytes.first, let kind = Int(String(UnicodeScalar(digit))), kind < kinds.count
    else { return .accepted }
    let asked = kinds[kind].words
    let outcome = try run(asked, on: bytes.dropFirst())
    if asked[0] == "convert", outcome.code == 0 {
      let judged = try run(["audit", "--format", "json"], on: outcome.out.utf8)
      let document =
        (try? JSONSerialization.jsonObject(with: Data(judged.out.utf8))) as? [String: Any]
      let damaged = document?["damaged"] as? [String: Any]
      for damage in damaged?["first"] as? [[String: Any]] ?? [] {
        // The form is as it should be, and what it says is not.
        let found = damage["found"] as? String ?? ""
        if ["charged again", "' without '", "quantity 0", "amount "].contains(where: found.contains)
        {
          continue
        }
        throw Finding("what 'convert' wrote is damaged for 'audit'", "\(damage)")
      }
    }
    return outcome.code < 2 ? .accepted : .refused(outcome.err)
  }

  private static func run(_ words: [String], on bytes: some Sequence<UInt8>) throws(Finding)
    -> Rehearsal.Outcome
  {
    defer { try? FileManager.default.removeItem(atPath: path) }
    do { try Data(bytes).write(to: URL(fileURLWithPath: path)) } catch {
      throw Finding("a file that cannot be written", "\(error)")
    }
    let outcome = Rehearsal(files: [:]).run(words + [path])
    try CommandInput.check(outcome, of: words)
    guard outcome.code <= 2 else { throw Finding("exit \(outcome.code)", "\(words)") }
    return outcome
  }
}

import Foundation
import Testing

@testable import ChaosRunner

/// `convert`: what becomes of what a shop keeps anyway.
@Suite struct ConvertTests {
  private func converted(_ kind: String, _ text: String, _ options: String...) throws
    -> Bench.Output
  {
    try Conversions.converted(kind, text, options)
  }

  private static func signed(_ json: String) -> String { Conversions.signed(json) }

  @Test func `A history of transactions is charges, renewals, restores and refunds`() throws {
    let coins = """
      {"transactionId": "1", "originalTransactionId": "1", "productId": "coins", "type": "Consumable",
       "purchaseDate": 1000, "quantity": 3, "appAccountToken": "a-1", "inAppOwnershipType": "PURCHASED"}
      """.replacing("\n", with: " ")
    let month = """
      {"transactionId": "3", "originalTransactionId": "2", "productId": "monthly", "purchaseDate": 3000, \
      "signedDate": 2500, "expiresDate": 8000, \
      "type": "Auto-Renewable Subscription", "transactionReason": "RENEWAL", "environment": "Sandbox"}
      """
    let level = """
      {"transactionId": "4", "originalTransactionId": "4", "productId": "level", "purchaseDate": 4000, \
      "type": "Non-Consumable", "revocationDate": 9000, "revocationReason": 1}
      """
    let again = """
      {"transactionId": "5", "originalTransactionId": "4", "productId": "level", "purchaseDate": 5000, \
      "type": "Non-Consumable"}
      """
    let family = """
      {"transactionId": "6", "productId": "level", "purchaseDate": 6000, "type": "Non-Consumable", \
      "inAppOwnershipType": "FAMILY_SHARED", "revocationDate": 9000}
      """
    let half = """
      {"transactionId": "7", "productId": "coins", "purchaseDate": 7000, "revocationDate": 9000, \
      "revocationPercentage": 50000}
      """
    let page = """
      {"revision": "r", "hasMore": false, "signedTransactions": ["\(Self.signed(month))", "damaged", \
      "\(Self.signed(level))"]}
      """
    let lines = [coins, page, Self.signed(again), "[\(family), \(half)]", ""]
    let output = try converted("transactions", lines.joined(separator: "\n"))
    #expect(output.code == 0)
    #expect(
      output.out == """
        {"at": 1000, "fact": "charged", "transaction": "1", "account": "a-1", "product": "coins", "quantity": 3}
        {"at": 1000, "fact": "traceable", "transaction": "1", "account": "a-1", "product": "coins"}
        {"at": 2500, "fact": "renewed", "transaction": "3", "original": "2", "product": "monthly", "quantity": 1, \
        "environment": "sandbox"}
        {"at": 4000, "fact": "charged", "transaction": "4", "product": "level", "quantity": 1}
        {"at": 5000, "fact": "restored", "transaction": "5", "original": "4", "product": "level"}
        {"at": 6000, "fact": "charged", "transaction": "6", "product": "level", "quantity": 1}
        {"at": 7000, "fact": "charged", "transaction": "7", "product": "coins", "quantity": 1}
        {"at": 9000, "fact": "refunded", "transaction": "4", "product": "level", "amount": 1000}
        {"at": 9000, "fact": "refunded", "transaction": "6", "product": "level", "amount": 1000}
        {"at": 9000, "fact": "refunded", "transaction": "7", "product": "coins", "amount": 500}

        """)
    #expect(
      output.err == """
        INPUT:2: found 'damaged', expected a JWS of three parts, or an object
        1 damaged row left out; 10 facts written.

        """)
  }

  @Test func `A dump of PostgreSQL has one table read, and the others passed over`() throws {
    let dump = #"""
      --
      -- PostgreSQL database dump
      --
      CREATE TABLE public.users (
          id integer NOT NULL,
          note text DEFAULT 'INSERT INTO ledger'::text
      );
      CREATE TABLE public.ledger (
          at timestamp with time zone NOT NULL,
          txn text,
          "user" text,
          item text,
          CONSTRAINT ledger_txn UNIQUE (txn)
      );
      COPY public.users (id, note) FROM stdin;
      1	COPY public.ledger (at) FROM stdin;
      \.
      COPY public.ledger (at, txn, "user", item) FROM stdin;
      2026-01-02 10:00:02+00	1	a\tb	coins
      2026-01-02 11:00:02.5+01	2	\N	co\\ins
      yesterday	3	u	coins
      \.
      ALTER TABLE ONLY public.ledger ADD CONSTRAINT l PRIMARY KEY (txn);

      """#
    let options = ["--table", "ledger", "--fact", "credited"]
    let columns = ["--columns", "transaction=txn,account=user,product=item"]
    let output = try converted(
      "sql", dump, options[0], options[1], options[2], options[3], columns[0], columns[1])
    #expect(output.code == 0)
    #expect(
      output.out == #"""
        {"at": 1767348002000, "fact": "credited", "transaction": "1", "account": "a\tb", "product": "coins"}
        {"at": 1767348002500, "fact": "credited", "transaction": "2", "product": "co\\ins"}

        """#)
    #expect(output.err.hasPrefix("INPUT:21: found the time 'yesterday', expected "))
  }

  @Test func `A dump of SQLite has rows, with whatever stands in its texts`() throws {
    let dump = """
      PRAGMA foreign_keys=OFF;
      BEGIN TRANSACTION;
      CREATE TABLE IF NOT EXISTS "ledger" (id INTEGER PRIMARY KEY, at INTEGER, kind TEXT, txn TEXT, who TEXT, PRIMARY KEY (id));
      CREATE TABLE other (at INTEGER, txn TEXT);
      INSERT INTO ledger VALUES(1,1767348002,'credit','1','O''Hara; or
      somebody else');
      INSERT INTO other VALUES(1767348002,'9');
      INSERT INTO "ledger" VALUES(2,1767348003,'debit','1',NULL),(3,1767348004,'credit','2','u'),(4,-1,'credit','3','u');
      INSERT INTO ledger(at,kind,txn) VALUES(1767348005,'credit','4');
      INSERT INTO ledger VALUES(5,1767348006,'gift','5',x'00');
      COMMIT;

      """
    let output = try converted(
      "sql", dump, "--table", "ledger", "--seconds", "--facts", "credit=credited,debit=reversed",
      "--columns",
      "fact=kind,transaction=txn,account=who")
    #expect(
      output.out == """
        {"at": 1767348002000, "fact": "credited", "transaction": "1", "account": "O'Hara; or\\nsomebody else"}
        {"at": 1767348003000, "fact": "reversed", "transaction": "1"}
        {"at": 1767348004000, "fact": "credited", "transaction": "2", "account": "u"}
        {"at": 1767348005000, "fact": "credited", "transaction": "4"}

        """)
    #expect(output.err.contains("INPUT:8: found the time '-1', expected "))
    #expect(output.err.contains("2 damaged rows left out; 4 facts written."))
  }

  @Test func `A dump has comments, columns that are worked out, and texts that SQLite takes apart`()
    throws
  {
    let dump = #"""
      CREATE TABLE ledger(
       at INTEGER, -- time (ms; it's UTC, as ever
       /* the store's; */ txn TEXT, who TEXT,
       day TEXT GENERATED ALWAYS AS (date(at/1000, 'unixepoch')) VIRTUAL, item TEXT);
      INSERT INTO ledger VALUES(1767348002000,'1',replace('a\nb','\n',char(10)),'coins');
      INSERT INTO ledger VALUES(1767348003000,'2',unistr('a\u000ab\\'),'gems');
      INSERT INTO ledger VALUES
      	(1767348004000,'3','u',DEFAULT,'coins'),
      	(1767348005000,'4',DEFAULT,DEFAULT,'coins');

      """#
    let output = try converted(
      "sql", dump, "--table", "ledger", "--fact", "credited", "--columns",
      "transaction=txn,account=who,product=item")
    #expect(output.err == "")
    #expect(
      output.out == #"""
        {"at": 1767348002000, "fact": "credited", "transaction": "1", "account": "a\nb", "product": "coins"}
        {"at": 1767348003000, "fact": "credited", "transaction": "2", "account": "a\nb\\", "product": "gems"}
        {"at": 1767348004000, "fact": "credited", "transaction": "3", "account": "u", "product": "coins"}
        {"at": 1767348005000, "fact": "credited", "transaction": "4", "product": "coins"}

        """#)
  }

  @Test
  func
    `A ledger in CSV has blanks in its head, money in 'amount', and a quotation mark that nothing closes`()
    throws
  {
    let ledger = """
      at, transaction, account ,product,amount,quantity,environment
      1767348003000,2,u,"co""ins",499,2.00,Sandbox
      1767348002000,1,o"brien,coins,499,,
      1767348004000,3,"u,coins,499,,
      1767348005000,4,u,coins,499,,

      """
    let output = try converted("csv", ledger, "--fact", "credited")
    #expect(
      output.out == #"""
        {"at": 1767348002000, "fact": "credited", "transaction": "1", "account": "o\"brien", "product": "coins"}
        {"at": 1767348003000, "fact": "credited", "transaction": "2", "account": "u", "product": "co\"ins", \#
        "quantity": 2, "environment": "sandbox"}

        """#)
    #expect(
      output.err.contains(
        "found a quotation mark in line 4 that nothing closes, expected another one; 2 lines from there on are left out"
      ))
    let long =
      "at,transaction\n1767348002000,\"1\n" + String(repeating: "1767348003000,2\n", count: 1500)
    #expect(
      try converted("csv", long, "--fact", "credited").out.split(separator: "\n").count == 501)
    let nameless = try converted("csv", "at,txn\n1767348002000,1\n", "--fact", "credited")
    #expect(nameless.code == 2)
    #expect(
      nameless.err.contains(
        "found the columns at, txn, expected a column 'transaction' for 'transaction'"))
    let seconds = try converted("csv", "at,transaction\n1767348002,1\n", "--fact", "credited")
    #expect(
      seconds.err.contains(
        "found the time '1767348002', expected milliseconds since 1970; --seconds"))
    let none = try converted(
      "csv", "at,transaction,quantity\n1767348002000,1,few\n", "--fact", "credited", "--columns",
      "quantity=")
    #expect(none.out == #"{"at": 1767348002000, "fact": "credited", "transaction": "1"}"# + "\n")
  }

  @Test func `Two quotation marks too many take the lines between them, and say so`() throws {
    let ledger = """
      at,transaction,account,note
      2026-01-01 10:00:01,1,u,ok
      2026-01-01 10:00:02,2,u,"5 coins
      2026-01-01 10:00:03,3,u,x
      2026-01-01 10:00:04,4,u,"gift
      2026-01-01 10:00:05,,u,x
      2026-01-01 10:00:06,6,u,x

      """
    let output = try converted("csv", ledger, "--fact", "credited")
    #expect(output.out.split(separator: "\n").count == 2)
    #expect(
      output.err.contains(
        "INPUT:5: found text behind a closing quotation mark, in a row that begins in line 3, expected a separator; 3 lines left out"
      ))
    #expect(
      output.err.contains("INPUT:6: found a row without a transaction, expected one of the store's")
    )
  }

  @Test func `A dump that calls functions in one another is no way to fill the memory`() throws {
    var value = "'aaaaaaaa'"
    for _ in 0..<9 { value = "replace(\(value),'a','aaaaaaaa')" }
    let deep = String(repeating: "replace(", count: 20_000) + "'a'"
    for text in [value, deep + String(repeating: ",'a','b')", count: 20_000)] {
      let dump =
        "CREATE TABLE ledger(at INTEGER,\"transaction\" TEXT,account TEXT);\n"
        + "INSERT INTO ledger VALUES(1767348002000,'1',\(text));\n"
        + "INSERT INTO ledger VALUES(1767348002000,'2','u');\n"
      let output = try converted("sql", dump, "--table", "ledger", "--fact", "credited")
      #expect(output.code == 0)
      #expect(output.out.split(separator: "\n").count == 1)
      #expect(output.err.contains("1 damaged row left out; 1 fact written."))
    }
  }

  @Test func `A subscription expires between two periods, and not before it was asked for`() throws
  {
    func period(_ id: Int, _ begin: Int, _ end: Int, signed: Int) -> String {
      #"{"transactionId": "\#(id)", "originalTransactionId": "1", "productId": "sub", "type": "Auto-Renewable Subscription", "purchaseDate": \#(begin), "expiresDate": \#(end), "signedDate": \#(signed)}"#
    }
    let coins =
      #"{"transactionId": "9", "productId": "coins", "purchaseDate": 90000, "signedDate": 90000}"#
    func expired(_ lines: String...) throws -> [String] {
      try converted("transactions", lines.joined(separator: "\n")).out.split(separator: "\n")
        .filter { $0.contains("expired") }.map { String($0.prefix { $0 != "," }) }
    }
    #expect(try expired(period(1, 1000, 2000, signed: 1500), coins) == [])
    #expect(try expired(period(1, 1000, 2000, signed: 3000), coins) == [#"{"at": 2000"#])
    #expect(
      try expired(period(1, 1000, 2000, signed: 9000), period(2, 2000, 3000, signed: 9000))
        == [#"{"at": 3000"#])
    #expect(
      try expired(period(2, 5000, 9500, signed: 9000), period(1, 1000, 2000, signed: 9000))
        == [#"{"at": 2000"#])
  }

  @Test func `A page of the notification history is each of its notifications`() throws {
    let coins = Self.signed(#"{"transactionId": "1", "productId": "coins", "purchaseDate": 1000}"#)
    let told = Self.signed(
      #"{"notificationType": "ONE_TIME_CHARGE", "notificationUUID": "n", "signedDate": 2000, "data": {"signedTransactionInfo": "\#(coins)"}}"#
    )
    let shared = Self.signed(
      #"{"transactionId": "2", "productId": "level", "type": "Non-Consumable", "purchaseDate": 1000, "inAppOwnershipType": "FAMILY_SHARED"}"#
    )
    let gone = Self.signed(
      #"{"notificationType": "REVOKE", "notificationUUID": "m", "signedDate": 3000, "data": {"signedTransactionInfo": "\#(shared)"}}"#
    )
    let page =
      #"{"hasMore": false, "notificationHistory": [{"signedPayload": "\#(told)"}, {"signedPayload": "x"}, {"signedPayload": "\#(gone)"}, {"signedPayload": "\#(told)"}]}"#
    let output = try converted("notifications", page)
    #expect(
      output.out == """
        {"at": 1000, "fact": "charged", "transaction": "1", "product": "coins", "quantity": 1}
        {"at": 3000, "fact": "refunded", "transaction": "2", "product": "level", "amount": 1000}

        """)
    #expect(output.err.contains("INPUT:1: found 'x', expected a JWS of three parts, or an object"))
  }

  @Test func `What was paid for is over when its period or its grace is, not when the store tells`()
    throws
  {
    let period =
      #"{"transactionId": "2", "originalTransactionId": "1", "productId": "gold", "type": "Auto-Renewable Subscription", "purchaseDate": 1000, "expiresDate": 5000}"#
    func end(_ more: String, signed: Int) throws -> String {
      let line =
        #"{"notificationType": "EXPIRED", "signedDate": \#(signed), "data": {"signedTransactionInfo": \#(period)\#(more)}}"#
      return String(try converted("notifications", line).out.prefix { $0 != "," })
    }
    #expect(try end("", signed: 9000) == #"{"at": 5000"#)
    let grace = #", "signedRenewalInfo": {"gracePeriodExpiresDate": 7000}"#
    #expect(try end(grace, signed: 9000) == #"{"at": 7000"#)
    // The store cannot have told of it before.
    #expect(try end(grace, signed: 4000) == #"{"at": 4000"#)
    #expect(try end(#", "signedRenewalInfo": {}"#, signed: 9000) == #"{"at": 5000"#)
  }

  @Test func `A period whose money was given back is one that followed`() throws {
    func period(_ number: Int, _ begin: Int, _ more: String = "") -> String {
      #"{"transactionId": "\#(number)", "originalTransactionId": "1", "productId": "gold", "type": "Auto-Renewable Subscription", "purchaseDate": \#(begin), "expiresDate": \#(begin + 1000), "signedDate": 9000\#(more)}"#
    }
    func ends(_ more: String) throws -> [String] {
      try converted("transactions", period(1, 1000) + "\n" + period(2, 2000, more)).out
        .split(separator: "\n").filter { $0.contains("expired") }.map { String($0.prefix(50)) }
    }
    #expect(try ends("") == [#"{"at": 3000, "fact": "expired", "transaction": "2""#])
    #expect(
      try ends(#", "revocationDate": 5000"#)
        == [#"{"at": 3000, "fact": "expired", "transaction": "2""#])
    // What was given back before its end was over by that.
    #expect(try ends(#", "revocationDate": 2500"#) == [])
  }

  @Test func `Who subscribes once more is charged, whatever the transaction continues`() throws {
    let again =
      #"{"transactionId": "2", "originalTransactionId": "1", "productId": "gold", "type": "Auto-Renewable Subscription", "purchaseDate": 1000}"#
    for (type, fact) in [("SUBSCRIBED", "charged"), ("DID_RENEW", "renewed")] {
      let line =
        #"{"notificationType": "\#(type)", "subtype": "RESUBSCRIBE", "signedDate": 1000, "data": {"signedTransactionInfo": \#(again)}}"#
      #expect(try converted("notifications", line).out.contains(#""fact": "\#(fact)""#))
    }
  }

  @Test func `A row that would say nothing is left out, with the column that it lacks`() throws {
    let rows = "at,transaction,until\n2026-01-02T00:00:00Z,1,1767866400\n"
    let access = try converted("csv", rows, "--fact", "granted", "--columns", "amount=until")
    #expect(
      access.out.contains(#""fact": "granted", "transaction": "1", "amount": 1767866400}"#))
    for (fact, field) in [
      ("granted", "amount"), ("renewed", "original"), ("restored", "original"),
      ("attributed", "account"), ("tapped", "intent"),
    ] {
      let output = try converted("csv", rows, "--fact", fact)
      #expect(output.out == "")
      #expect(output.err.contains("found '\(fact)' without '\(field)'"), "\(output.err)")
      #expect(output.err.contains("--columns \(field)=COLUMN"))
    }
  }

  @Test func `What is not there is said, and nothing comes of it`() throws {
    let dump = "CREATE TABLE ledger (at TEXT);\nINSERT INTO ledger VALUES('2026-01-02');\n"
    let table = try converted("sql", dump, "--table", "credits", "--fact", "credited")
    #expect(table.code == 2)
    #expect(table.err.contains("found no rows of a table 'credits', expected INSERT or COPY of it"))
    let column = try converted(
      "sql", dump.replacing("at TEXT", with: "at TEXT, \"transaction\" TEXT"), "--table", "ledger",
      "--fact", "credited", "--columns", "account=who")
    #expect(column.code == 2)
    #expect(
      column.err.contains(
        "INPUT:2: found the columns at, transaction, expected a column 'who' for 'account'"))
    let cut = try converted(
      "sql", "INSERT INTO ledger VALUES('a", "--table", "ledger", "--fact", "credited")
    #expect(cut.code == 2)
    #expect(
      cut.err.contains("found the end of the file, expected the end of a statement before it"))
    for options in [
      ["sql", "a"], ["csv", "a", "--table", "t"], ["transactions", "a", "--fact", "credited"],
      ["ledger", "a"],
      ["csv", "a", "--columns", "sum=x"], ["csv", "a", "--fact", "paid"], ["csv"],
    ] {
      #expect(Bench().run(["convert"] + options).code == 64, "\(options)")
    }
  }
}

import Foundation
import Testing

@testable import ChaosRunner

/// Runs `convert` over a text.
enum Conversions {
  static func converted(_ kind: String, _ text: String, _ options: [String]) throws -> Bench.Output
  {
    let folder = try AuditFolder()
    let path = try folder.write("input", text)
    var output = Bench().run(["convert", kind, path] + options)
    output.err = output.err.replacing(path, with: "INPUT")
    return output
  }

  /// A JWS as Apple signs it, but for the signature.
  static func signed(_ json: String) -> String {
    let middle = Data(json.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "eyJhbGciOiJFUzI1NiJ9.\(middle).c2lnbmF0dXJl"
  }
}

/// `convert`: environments, numbers and identifiers that files have, and how they are read or refused.
@Suite struct ConvertValueTests {
  private func converted(_ kind: String, _ text: String, _ options: String...) throws
    -> Bench.Output
  {
    try Conversions.converted(kind, text, options)
  }

  private static func signed(_ json: String) -> String { Conversions.signed(json) }

  // MARK: - Environments

  private static func coins(_ environment: String) -> String {
    #"{"transactionId": "1", "productId": "coins", "purchaseDate": 1000, "environment": \#(environment)}"#
  }

  @Test(
    arguments: [
      (#""Xcode""#, "Xcode"), (#""LocalTesting""#, "LocalTesting"), (#""Staging""#, "Staging"),
      ("7", "7"), ("{}", "an object"),
    ])
  func `A transaction of an environment that is not production moves no money`(
    environment: String, name: String
  ) throws {
    let expected =
      #"{"at": 1000, "fact": "charged", "transaction": "1", "product": "coins", "quantity": 1, "environment": "sandbox"}"#
      + "\n"
    let remark =
      "INPUT: the environment '\(name)' is not production: 1 record of it written as sandbox\n"
    let transaction = try converted("transactions", Self.coins(environment))
    #expect(transaction.code == 0)
    #expect(transaction.out == expected)
    #expect(transaction.err == remark)
    // The notification around it may say it.
    let inside = Self.coins(environment)
      .replacing(#", "environment": \#(environment)"#, with: "")
    let notification =
      #"{"notificationType": "ONE_TIME_CHARGE", "signedDate": 1000, "data": {"environment": \#(environment), "signedTransactionInfo": \#(inside)}}"#
    let output = try converted("notifications", notification)
    #expect(output.out == expected)
    #expect(output.err == remark)
  }

  @Test func `Production and the sandbox need no remark, and what names none is production`() throws
  {
    for (environment, text) in [
      (#""Production""#, ""), (#""production""#, ""), ("null", ""),
      (#""Sandbox""#, #", "environment": "sandbox""#),
    ] {
      let output = try converted("transactions", Self.coins(environment))
      #expect(output.out.hasSuffix(#""quantity": 1\#(text)}"# + "\n"))
      #expect(output.err == "")
    }
  }

  @Test
  func `A ledger's row of Xcode is one of the sandbox, and one of an unknown name is left out`()
    throws
  {
    let rows = """
      at,transaction,environment
      1767348002000,1,Xcode
      1767348002000,2,prod
      1767348002000,3,PRODUCTION

      """
    let output = try converted("csv", rows, "--fact", "credited")
    #expect(
      output.out == """
        {"at": 1767348002000, "fact": "credited", "transaction": "1", "environment": "sandbox"}
        {"at": 1767348002000, "fact": "credited", "transaction": "3", "environment": "production"}

        """)
    #expect(
      output.err == """
        INPUT:3: found environment 'prod', expected production or sandbox
        INPUT: the environment 'Xcode' is not production: 1 record of it written as sandbox
        1 damaged row left out; 2 facts written.

        """)
  }

  // MARK: - Numbers

  @Test func `Fractions of milliseconds are read, as StoreKit testing in Xcode signs them`() throws
  {
    let period =
      #"{"transactionId": "1", "productId": "gold", "type": "Auto-Renewable Subscription", "purchaseDate": 1700000000123.456, "expiresDate": 1700000005000.9, "signedDate": 1.700000006e12}"#
    let output = try converted("transactions", Self.signed(period))
    #expect(output.err == "")
    #expect(
      output.out == """
        {"at": 1700000000123, "fact": "charged", "transaction": "1", "product": "gold", "quantity": 1}
        {"at": 1700000005000, "fact": "expired", "transaction": "1", "product": "gold"}

        """)
    let refund =
      #"{"notificationType": "REFUND", "signedDate": 1700000009000.25, "data": {"signedTransactionInfo": \#(Self.signed(period).debugDescription)}}"#
    #expect(try converted("notifications", refund).out.hasPrefix(#"{"at": 1700000009000,"#))
  }

  @Test(
    arguments: [
      ("purchaseDate", "1e300", "milliseconds since 1970"),
      ("purchaseDate", "-1", "milliseconds since 1970"),
      ("purchaseDate", "253402300800000", "milliseconds since 1970"),
      ("signedDate", "-1e300", "milliseconds since 1970"),
      ("signedDate", #""1700000000000""#, "milliseconds since 1970"),
      ("expiresDate", "99999999999999999999", "milliseconds since 1970"),
      ("revocationDate", "true", "milliseconds since 1970"),
      ("revocationPercentage", "1e19", "a whole number"), ("quantity", "1.5", "a whole number"),
      ("transactionId", "4.8E+14", "a text, or a whole number"),
      ("originalTransactionId", "4.8E+14", "a text, or a whole number"),
    ])
  func `A number that cannot be is refused, not replaced by another one`(
    key: String, value: String, expected: String
  ) throws {
    var members = ["transactionId": "\"1\"", "productId": "\"coins\"", "purchaseDate": "1000"]
    members[key] = value
    let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    let output = try converted("transactions", "{\(text.joined(separator: ", "))}")
    #expect(output.code == 2)
    #expect(output.out == "")
    #expect(output.err.contains("INPUT:1: found \(key) "), "\(output.err)")
    #expect(output.err.contains(", expected \(expected)\n"), "\(output.err)")
  }

  @Test func `A quantity of 2.0 is two, and a percentage without end is all of it`() throws {
    let line =
      #"{"transactionId": "1", "productId": "coins", "purchaseDate": 1000, "quantity": 2.0, "revocationDate": 2000, "revocationPercentage": 9223372036854775807}"#
    let output = try converted("transactions", line)
    #expect(output.out.contains(#""quantity": 2}"#))
    #expect(output.out.contains(#""amount": 1000}"#))
  }

  @Test(arguments: ["4.8E+14", "4,8E+14", "4.8e+14", "5E+14"])
  func `An identifier that spreadsheet software has shortened is refused with what to do`(
    identifier: String
  ) throws {
    let rows = "at;transaction;account\n1767348002000;\(identifier);u\n1767348002000;2;u\n"
    let output = try converted("csv", rows, "--fact", "credited")
    #expect(output.out.split(separator: "\n").count == 1)
    #expect(
      output.err == """
        INPUT:2: found transaction '\(identifier)', expected all of its digits: spreadsheet software such as Excel \
        shortened the number, and now two purchases can have the same one. Export the file again and convert it before \
        you open it there, or import this column as text
        1 damaged row left out; 1 fact written.

        """)
    let time = try converted("csv", "at,transaction\n1.76735E+12,1\n", "--fact", "credited")
    #expect(time.err.contains("found the time '1.76735E+12', expected all of its digits"))
  }

  @Test func `An identifier that only looks a little like a number is one`() throws {
    let rows = "at,transaction,product\n1767348002000,12e34,1E5\n"
    let output = try converted("csv", rows, "--fact", "credited")
    #expect(output.out.contains(#""transaction": "12e34", "product": "1E5"}"#))
  }

  // MARK: - Single answers of the server API

  @Test func `The answer to one transaction is that transaction`() throws {
    let page = #"{"signedTransactionInfo": "\#(Self.signed(Self.coins("\"Production\"")))"}"#
    let output = try converted("transactions", page)
    #expect(output.out.contains(#""fact": "charged", "transaction": "1""#))
  }

  @Test func `Who redeems an offer for a downgrade has not been charged yet`() throws {
    let period =
      #"{"transactionId": "2", "originalTransactionId": "1", "productId": "gold", "type": "Auto-Renewable Subscription", "purchaseDate": 1000}"#
    func told(_ subtype: String) throws -> Bench.Output {
      try converted(
        "notifications",
        #"{"notificationType": "OFFER_REDEEMED", "subtype": "\#(subtype)", "signedDate": 1000, "data": {"signedTransactionInfo": \#(period)}}"#
      )
    }
    #expect(try told("DOWNGRADE").out == "")
    #expect(try told("RESUBSCRIBE").out.contains(#""fact": "renewed""#))
  }
}

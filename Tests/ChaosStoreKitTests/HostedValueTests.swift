import ChaosHost
import Foundation
import Invariants
import Testing

@testable import ChaosStore
@testable import StoreKit

/// A phone at the other end of a pipe, as far as an app process asks for what it keeps there.
private final class FarPhone: PhonePort {
  let identity: PhoneIdentity
  var isAlive = true
  var account = AccountID(index: 0)
  var now: Int64 = 0
  let payloads = Payloads()
  private(set) var asked: [String] = []

  init(number: Int = 0, launches: Int = 1) throws {
    var sent = PipeMessage(.launch)
    sent.put(number)
    sent.put(launches)
    sent.put(Setup.Device(environment: .sandbox).environment)
    sent.put([Setup.Product("coins"), Setup.Product("map", isConsumable: false)])
    sent.put(Int64(1_800_000_000))
    sent.put(Int64(-90))
    sent.put(true)
    sent.put(false)
    sent.put(false)
    var received = PipeMessage(received: sent.bytes)
    _ = try received.takeKind()
    identity = try received.take()
  }

  func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer {
    asked.append("\(Call.self)")
    let answer: Any? =
      switch call {
      case let call as PhoneCalls.KeepPayload: done { payloads.keep(call.data) }
      case let call as PhoneCalls.Payload: payloads.payload(call.number)
      case let call as PhoneCalls.KeepReceipt: payloads.receipt(call.evidence)
      case let call as PhoneCalls.EvidenceInReceipt: payloads.evidence(inReceipt: call.data)
      case let call as PhoneCalls.StoredName: payloads.storedName(call.key)
      case is PhoneCalls.WholeRecords:
        [
          PhoneCalls.WholeRecords.Entry(
            key: 9, record: StoredRecord(transaction: .none, payload: 7), name: "gems",
            bytes: Data([4]), millis: 12)
        ]
      default: Done()
      }
    guard let answer = answer as? Call.Answer else { fatalError("bug: no answer to \(call)") }
    return answer
  }

  private func done(_ body: () -> UInt32) -> Done {
    _ = body()
    return Done()
  }
}

@Suite("What hosted processes share besides numbers")
struct HostedValueTests {
  private func evidence(_ number: UInt32) -> Evidence {
    var evidence = Evidence()
    evidence.asOf = number
    return evidence
  }

  @Test("Payloads are numbered from one, and are gone when another run begins")
  func payloads() {
    let payloads = Payloads()
    #expect(payloads.keep(Data([7])) == 1)
    #expect(payloads.keep(Data([8])) == 2)
    #expect((0...3).map { payloads.payload($0) } == [nil, Data([7]), Data([8]), nil])
    payloads.keep(storedName: "coins", 5)
    payloads.forget()
    #expect(payloads.payload(1) == nil)
    #expect(payloads.keep(Data([9])) == 1)
    #expect(payloads.storedName(5) == "coins" && payloads.storedName(6) == nil)
  }

  @Test("The same receipt has the same bytes in a run, and other bytes mean no receipt")
  func receipts() {
    let payloads = Payloads()
    let first = payloads.receipt(evidence(1))
    let second = payloads.receipt(evidence(2))
    #expect(first == Data("simulated receipt 1".utf8))
    #expect(second == Data("simulated receipt 2".utf8))
    #expect(payloads.receipt(evidence(1)) == first)
    #expect(payloads.evidence(inReceipt: first) == evidence(1))
    #expect(payloads.evidence(inReceipt: second) == evidence(2))
    let none = [
      "", "simulated receipt", "simulated receipt 0", "simulated receipt 3", "simulated receipt x",
      "forged receipt 1", "simulated receipt 1 more", "simulated receipt -1",
    ]
    #expect(none.filter { payloads.evidence(inReceipt: Data($0.utf8)) != nil } == [])
  }

  @Test("Receipts of a run are none in the next one, whose first is the first again")
  func receiptsOfTheNextRun() {
    let payloads = Payloads()
    let first = payloads.receipt(evidence(1))
    _ = payloads.receipt(evidence(2))
    payloads.forget()
    #expect(payloads.evidence(inReceipt: first) == nil)
    #expect(payloads.receipt(evidence(2)) == first)
    #expect(payloads.evidence(inReceipt: first) == evidence(2))
  }

  @Test("An app process asks the simulator for what it does not know, and tells it a name once")
  func elsewhere() throws {
    let phone = try FarPhone()
    let payloads = Payloads(elsewhere: phone)
    // Its own copy, under the number that the simulator gives it.
    #expect(phone.payloads.keep(Data([6])) == 1)
    payloads.advance(to: phone.payloads.last)
    #expect(payloads.keep(Data([7])) == 2 && phone.payloads.last == 2)
    #expect(payloads.payload(2) == Data([7]) && phone.payloads.payload(2) == Data([7]))
    #expect(payloads.payload(1) == Data([6]))
    let receipt = payloads.receipt(evidence(1))
    #expect(payloads.receipt(evidence(1)) == receipt)
    #expect(payloads.evidence(inReceipt: receipt) == evidence(1))
    let other = phone.payloads.receipt(evidence(2))
    #expect(payloads.evidence(inReceipt: other) == evidence(2))
    payloads.keep(storedName: "coins", 5)
    payloads.keep(storedName: "coins", 5)
    #expect(payloads.storedName(5) == "coins")
    phone.payloads.keep(storedName: "gems", 6)
    #expect(payloads.storedName(6) == "gems")
    #expect(
      phone.asked == [
        "KeepPayload", "Payload", "KeepReceipt", "EvidenceInReceipt", "KeepName", "StoredName",
      ])
  }

  @Test("What is on the disk comes to an app process with its names, bytes and times")
  func records() throws {
    let phone = try FarPhone()
    let payloads = Payloads(elsewhere: phone)
    #expect(payloads.records(of: phone).map(\.key) == [9])
    #expect(payloads.storedName(9) == "gems")
    #expect(payloads.payload(7) == Data([4]) && payloads.time(of: 7) == 12)
    #expect(phone.asked == ["WholeRecords"])
  }

  @Test("What stays the same for a process comes out of a message as it was put in")
  func identity() throws {
    let identity = try FarPhone(number: 3, launches: 4).identity
    #expect(identity.number == 3 && identity.launches == 4)
    #expect(identity.environment == .sandbox)
    #expect(identity.products == [.init("coins"), .init("map", isConsumable: false)])
    var sent = PipeMessage(.launch)
    sent.put(identity)
    var received = PipeMessage(received: sent.bytes)
    _ = try received.takeKind()
    let other: PhoneIdentity = try received.take()
    #expect(other.number == 3 && other.launches == 4 && other.environment == .sandbox)
    #expect(other.products == identity.products)
    #expect(other.beginsSeconds == 1_800_000_000 && other.clockSkewSeconds == -90)
    #expect(other.keepsOutput)
    #expect(!other.hasBackend)
  }

  @Test("App processes of their own draw random numbers of their own, the same in each run")
  func randomness() throws {
    func drawn(_ number: Int, _ launches: Int) throws -> UUID {
      let phone = try FarPhone(number: number, launches: launches)
      let run = HostedRun(at: phone)
      let port = run.begin(phone)
      var found: UUID?
      port.enter { found = UUID() }
      run.end(port)
      return try #require(found)
    }
    #expect(try drawn(0, 1) == drawn(0, 1))
    #expect(try Set([drawn(0, 1), drawn(0, 2), drawn(1, 1), drawn(1, 2)]).count == 4)
  }

  @Test("An app is not started again after three deaths in a row at launch, on that phone only")
  func launchDeaths() {
    var deaths = LaunchDeaths()
    #expect(deaths.mayStart(0))
    let first = [deaths.died(0), deaths.died(0)]
    deaths.survived(0)
    let second = [deaths.died(0), deaths.died(0)]
    #expect(first + second == [true, true, true, true])
    #expect(deaths.mayStart(0))
    let last = deaths.died(0)
    #expect(!last && !deaths.mayStart(0) && deaths.mayStart(1))
    deaths.survived(1)
    #expect(!deaths.mayStart(0))
  }

  @Test("The UUID of an account or an order stands for it, and no other UUID for anything")
  func identifiers() {
    let account = AccountID(index: 0x0102_0304)
    #expect(SimulatedUUID.token(SimulatedUUID.of(account)) == .account(account))
    #expect(SimulatedUUID.of(.account(account)) == SimulatedUUID.of(account))
    let order = SimulatedUUID.of(.order(number: 0x0506_0708))
    #expect(SimulatedUUID.token(order) == .order(number: 0x0506_0708))
    #expect(SimulatedUUID.of(.username(account)) == nil && SimulatedUUID.of(Token.none) == nil)
    #expect(SimulatedUUID.token(nil) == .none)
    #expect(SimulatedUUID.token(SimulatedStore.uuid(3 << 56 | 1)) == .none)
    let bytes = SimulatedUUID.of(account).uuid
    var others = [bytes, bytes, bytes]
    others[0].0 = 0
    others[1].1 = 0
    others[2].2 = 0
    #expect(others.map { SimulatedUUID.token(UUID(uuid: $0)) } == [.none, .none, .none])
  }

  @Test("A username stands for the account that it names, and any other text for who is logged in")
  func usernames() {
    let account = AccountID(index: 6)
    func token(_ text: String?) -> Token { SimulatedUUID.token(username: text, account) }
    #expect(token(nil) == .none)
    #expect(token("user3") == .username(AccountID(index: 2)))
    #expect(token("user1") == .username(AccountID(index: 0)))
    let others = ["user0", "user-1", "user", "anna", "username", ""].map(token)
    #expect(others == Array(repeating: .username(account), count: 6))
    let other = AccountID(index: 4)
    #expect(token(SimulatedUUID.of(other).uuidString) == .account(other))
    #expect(SimulatedUUID.plainUsername(.username(other)) == "user5")
    #expect(SimulatedUUID.plainUsername(.account(other)) == nil)
  }

  @Test(
    "A signed transaction stands for the transaction with its number, and no other text for any")
  func signatures() {
    let transaction = TransactionID(index: 4)
    let number = SimulatedJWS.number(transaction)
    #expect(number == 2_000_000_000_000_005)
    #expect(SimulatedJWS.transaction(number) == transaction)
    #expect(SimulatedJWS.number(.none) == 0)
    #expect(SimulatedJWS.transaction(0) == .none)
    #expect(SimulatedJWS.transaction(2_000_000_000_000_000) == .none)
    #expect(SimulatedJWS.transaction(2_000_000_000_000_001) == TransactionID(index: 0))
    let text = SimulatedJWS.text(number)
    #expect(text == "simulated.2000000000000005.signature")
    #expect(SimulatedJWS.transaction(in: text) == transaction)
    let others = [
      "", "x", "simulated.5.signature", "simulated.02000000000000005.signature",
      "forgeries.2000000000000005.signature", "simulated.2000000000000005.forgeries",
    ]
    #expect(others.filter { SimulatedJWS.transaction(in: $0) != .none } == [])
  }

  @Test("A number is kept as what it is, and what is no property list is not kept at all")
  func storedValues() {
    #expect(StoredValue(Float(1.5)) == .number(1.5))
    #expect(StoredValue(2.0) == .number(2))
    #expect(StoredValue(2) == .integer(2))
    #expect(StoredValue(true) == .bool(true) && StoredValue(false) == .bool(false))
    #expect(StoredValue([1, "a"] as [Any]) == .array([.integer(1), .string("a")]))
    #expect(StoredValue([1, NSObject()] as [Any]) == nil)
    #expect(StoredValue(["a": NSObject()] as [String: Any]) == nil)
    #expect(
      StoredValue(["b": 1, "a": 2])
        == .dictionary([.init(key: "a", value: .integer(2)), .init(key: "b", value: .integer(1))]))
    #expect(StoredValue.data(Data([0xFF, 1])).encoded.first == 0xFF)
    #expect(StoredValue.data(Data([0xFF, 1])).encoded != Data([0xFF, 1]))
    #expect(StoredValue.data(Data()).encoded == Data())
    #expect(StoredValue.bool(false).encoded != StoredValue.bool(true).encoded)
  }

  @Test("An answer of the backend is a delivery if the goods are there")
  func responses() {
    let delivered = [Reply.Outcome.delivered, .alreadyDelivered].map { BackendResponse($0) }
    #expect(delivered.map(\.isDelivered) == [true, true])
    let others: [Reply.Outcome] = [
      .refused, .retry, .businessError, .unauthorized, .serverError,
    ]
    #expect(others.filter { BackendResponse($0).isDelivered } == [])
    #expect(others.allSatisfy { BackendResponse($0).status == Int($0.status) })
    #expect(BackendResponse(.refused, body: Data([1])).body == Data([1]))
  }

  @Test("A program is given at least a second to handle an event")
  func patience() {
    #expect(HostedProgram(path: "/a", patience: 0).patience == 1)
    #expect(HostedProgram(path: "/a", patience: 7).patience == 7)
    #expect(HostedProgram(path: "/a").patience == 30)
    #expect(HostedProgram.named("other").path.hasSuffix("/other"))
  }
}

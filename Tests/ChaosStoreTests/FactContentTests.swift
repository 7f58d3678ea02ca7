import ChaosStore
import Foundation
import Invariants
import Testing

@Suite("What the facts of a run say")
struct FactContentTests {
  /// The second user buys three maps on the second phone, in the sandbox, and restores them later.
  private func record() throws -> Record {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap, applicationUsername: .account(tap.account))
    }
    hands.received = { _, server, _ in server.verify(.sandboxTransaction) }
    return try Probe.run(hands) { setup in
      setup.accounts = 2
      setup.storeAccounts = 2
      setup.devices = [
        .init(), .init(storeAccount: 1, account: 1, environment: .sandbox),
      ]
      setup.products = [.init("coins"), .init("map", isConsumable: false)]
      setup.steps = [
        .init(atMillis: 1000, device: 1, .buy(product: 1, quantity: 3, account: 1)),
        .init(atMillis: 9000, device: 1, .restore),
        .init(atMillis: 15_000, device: 1, .buy(product: 1, quantity: 2, account: 1)),
        .init(atMillis: 20_000, device: 1, .quit),
      ]
    }
  }

  @Test("The documentation of a fact's amount names exactly the kinds that use it")
  func amounts() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appending(path: "Sources/Invariants/Fact.swift"), encoding: .utf8)
    // Each kind with the comment before it.
    var ofKinds: Set<String> = []
    var comment = ""
    for line in text.split(separator: "\n").map({ $0.trimmingPrefix { $0 == " " } }) {
      if line.hasPrefix("///") {
        comment += line
      } else {
        if line.hasPrefix("case "), comment.contains("`amount`") {
          ofKinds.insert(String(line.dropFirst(5)))
        }
        if line.hasPrefix("public var amount") { break }
        comment = ""
      }
    }
    var ofAmount: Set<String> = []
    for line in comment.components(separatedBy: "///") where line.hasPrefix(" - ") {
      let names = line.prefix { $0 != ":" }.split(separator: "`").filter { !$0.contains(" ") }
      ofAmount.formUnion(names.map(String.init))
    }
    #expect(
      ofAmount == [
        "charged", "renewed", "granted", "refunded", "reversed", "regranted", "givenUp",
      ])
    #expect(ofKinds == ofAmount)
    var used: Set<String> = []
    for scenario in try ScenarioFile.scenarios(
      fromJSON: String(
        contentsOf: root.appending(path: "scenarios.json"), encoding: .utf8),
      systems: BuiltIn.systems)
    {
      let facts = Simulation(scenario).record(seed: 1).facts
      used.formUnion(facts.filter { $0.amount > 0 }.map { "\($0.kind)" })
    }
    #expect(used.isSubset(of: ofAmount))
    #expect(used.count > 4)
  }

  private func fact(_ kind: Fact.Kind, at millis: Int64, _ change: (inout Fact) -> Void) -> Fact {
    var fact = Fact(kind, at: Instant(millis: millis))
    change(&fact)
    return fact
  }

  @Test("A tap says who wants what, how many of it, and where")
  func tapped() throws {
    let expected = fact(.tapped, at: 1000) {
      $0.intent = IntentID(0)
      $0.account = AccountID(1)
      $0.device = DeviceID(1)
      $0.product = ProductID(1)
      $0.quantity = 3
    }
    #expect(try record().facts.first { $0.kind == .tapped } == expected)
  }

  @Test("A charge says who pays for what, where, and whether it is real money")
  func charged() throws {
    let expected = fact(.charged, at: 1050) {
      $0.transaction = TransactionID(0)
      $0.intent = IntentID(0)
      $0.account = AccountID(1)
      $0.storeAccount = StoreAccountID(1)
      $0.device = DeviceID(1)
      $0.product = ProductID(1)
      $0.quantity = 3
      $0.environment = .sandbox
    }
    let traceable = fact(.traceable, at: 1050) {
      $0.transaction = TransactionID(0)
      $0.account = AccountID(1)
    }
    let record = try record()
    #expect(record.facts.filter { $0.kind == .charged } == [expected])
    #expect(record.facts.filter { $0.kind == .traceable } == [traceable])
  }

  @Test("What is handed over, reported, verified and answered names its transaction and its phone")
  func delivered() throws {
    let record = try record()
    func first(_ kind: Fact.Kind) -> Fact? { record.facts.first { $0.kind == kind } }
    let delivered = fact(.delivered, at: 1051) {
      $0.transaction = TransactionID(0)
      $0.device = DeviceID(1)
    }
    let reported = fact(.reported, at: 1061) {
      $0.transaction = TransactionID(0)
      $0.account = AccountID(1)
      $0.device = DeviceID(1)
    }
    let verified = fact(.verified, at: 1081) {
      $0.transaction = TransactionID(0)
      $0.verdict = .accepted
    }
    let answered = fact(.answered, at: 1081) {
      $0.transaction = TransactionID(0)
      $0.verdict = .accepted
    }
    #expect(first(.delivered) == delivered)
    #expect(first(.reported) == reported)
    #expect(first(.verified) == verified)
    #expect(first(.answered) == answered)
  }

  @Test("A credit says to whom, of what, how many, and in which environment's units")
  func credited() throws {
    let expected = fact(.credited, at: 1081) {
      $0.transaction = TransactionID(0)
      $0.account = AccountID(1)
      $0.product = ProductID(1)
      $0.quantity = 3
      $0.environment = .sandbox
    }
    #expect(try record().facts.filter { $0.kind == .credited } == [expected])
  }

  @Test("A finish names its transaction; what a person is told names their wish as well")
  func finished() throws {
    let record = try record()
    func first(_ kind: Fact.Kind) -> Fact? { record.facts.first { $0.kind == kind } }
    let finishing = fact(.finishing, at: 1091) {
      $0.transaction = TransactionID(0)
      $0.device = DeviceID(1)
    }
    let finished = fact(.finished, at: 1091) { $0.transaction = TransactionID(0) }
    let told = fact(.told, at: 1091) {
      $0.transaction = TransactionID(0)
      $0.intent = IntentID(0)
      $0.message = .success
      $0.device = DeviceID(1)
    }
    #expect(first(.finishing) == finishing)
    #expect(first(.finished) == finished)
    #expect(first(.told) == told)
  }

  @Test("A restore names the charge it stands for, and who asked; an answer names the new wish")
  func restored() throws {
    let record = try record()
    let restored = [9000, 15_000].enumerated().map { index, millis in
      fact(.restored, at: millis) {
        $0.transaction = TransactionID(index: index + 1)
        $0.original = TransactionID(0)
        $0.account = AccountID(1)
        $0.device = DeviceID(1)
      }
    }
    let returned = fact(.returned, at: 15_000) {
      $0.transaction = TransactionID(2)
      $0.intent = IntentID(1)
      $0.device = DeviceID(1)
    }
    #expect(record.facts.filter { $0.kind == .restored } == restored)
    #expect(record.facts.filter { $0.kind == .returned } == [returned])
  }

  @Test("A launch and an end name the phone and the Apple account on it")
  func processes() throws {
    let record = try record()
    let launched = (0..<2 as Range<UInt32>).map { number in
      fact(.launched, at: 0) {
        $0.device = DeviceID(number)
        $0.storeAccount = StoreAccountID(number)
        $0.account = AccountID(number)
      }
    }
    let ended = fact(.ended, at: 20_000) {
      $0.device = DeviceID(1)
      $0.storeAccount = StoreAccountID(1)
    }
    #expect(record.facts.filter { $0.kind == .launched } == launched)
    #expect(record.facts.filter { $0.kind == .ended } == [ended])
  }

  @Test("What a phone will never be called back with again is withheld from it alone")
  func withheld() throws {
    let record = try Probe.run(
      Probe.Hands(), "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    ) {
      $0.devices = [.init(), .init()]
      $0.steps = [.init(atMillis: 1000, device: 1, .buy(product: 0, quantity: 1, account: 0))]
    }
    let expected = fact(.withheld, at: 2051) {
      $0.transaction = TransactionID(0)
      $0.device = DeviceID(1)
    }
    #expect(record.facts.filter { $0.kind == .withheld } == [expected])
  }

  @Test("A failed transaction has no identifier, and the person is told about their wish by it")
  func failures() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.tell(.failure, about: transaction)
      phone.finish(transaction)
    }
    let record = try Probe.run(hands, "interrupt store.payment tx1 #1") { $0.retaps = 0 }
    let told = record.facts.filter { $0.kind == .told }
    #expect(told.map(\.intent.index) == [0, 0])
    #expect(told.map(\.transaction) == [.none, TransactionID(0)])
    #expect(record.times(.finishing) == [2050], "what failed is no charge, and ends none")
  }
}

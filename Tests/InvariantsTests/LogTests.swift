import Invariants
import Testing

@Suite("A history from a log")
struct LogTests {
  @Test("Facts read from a log of production are judged by the same rules")
  func audited() throws {
    // As an accountant has it: what the store reports, what the ledger says, and when.
    let log: [(day: Int64, kind: Fact.Kind, order: String)] = [
      (0, .charged, "A-17"), (0, .charged, "B-02"), (1, .credited, "A-17"), (3, .credited, "A-17"),
    ]
    var orders: [String: TransactionID] = [:]
    var judge = Judge(rules: Catalogue.invariants, terms: Books.Terms())
    for line in log {
      let next = TransactionID(index: orders.count)
      var fact = Fact(line.kind, at: Instant(millis: line.day * 86_400_000))
      fact.transaction = orders[line.order, default: next]
      orders[line.order] = fact.transaction
      fact.account = AccountID(0)
      fact.storeAccount = StoreAccountID(0)
      fact.product = ProductID(0)
      fact.quantity = 1
      try judge.observe(checking: fact)
    }
    judge.close(at: Instant(millis: 30 * 86_400_000))
    let broken = judge.violations.map { judge.rules[$0.rule].name }
    // The other order is stuck, not lost: nothing says that its app ever ran again.
    #expect(broken == ["no-double-credit", "conservation", "traceability"])
  }

  @Test("Of what a ledger takes back any amount can be read, and no sum of it is too large")
  func largeAmounts() throws {
    var judge = Judge(rules: Catalogue.invariants, terms: Books.Terms())
    let kinds: [Fact.Kind] = [.charged, .credited, .reversed, .reversed, .regranted]
    for (millis, kind) in kinds.enumerated() {
      var fact = Fact(kind, at: Instant(millis: Int64(millis)))
      fact.transaction = TransactionID(0)
      fact.account = AccountID(0)
      fact.storeAccount = StoreAccountID(0)
      fact.quantity = .max - 1
      fact.amount = .max - 1
      try judge.observe(checking: fact)
    }
    judge.close(at: Instant(millis: 5))
    #expect(judge.violations.contains { judge.rules[$0.rule].code == "I07" })
  }

  @Test("A fact that cannot stand in a history is refused, and says where, what and what else")
  func refused() throws {
    var charged = Fact(.charged, at: Instant(millis: 50))
    charged.transaction = TransactionID(0)
    charged.storeAccount = StoreAccountID(0)
    charged.quantity = 1
    var judge = Judge(rules: Catalogue.invariants, terms: Books.Terms())
    try judge.observe(checking: charged)

    func refusal(_ kind: Fact.Kind, _ fill: (inout Fact) -> Void) -> String? {
      var fact = charged
      fact.kind = kind
      fill(&fact)
      do {
        try judge.observe(checking: fact)
        return nil
      } catch { return "\(error)" }
    }
    #expect(
      refusal(.finished) { $0.at = Instant(millis: 49) }
        == "fact 2 (finished): found 49 ms, expected 50 ms or later, as the fact before it")
    #expect(
      refusal(.finished) { $0.transaction = .none }
        == "fact 2 (finished): found no transaction, expected one, as every fact of this kind has")
    #expect(
      refusal(.charged) { _ in }
        == "fact 2 (charged): found transaction 0 charged again, expected one charge for a transaction"
    )
    #expect(
      refusal(.charged) {
        $0.transaction = TransactionID(1)
        $0.quantity = 0
      } == "fact 2 (charged): found quantity 0, expected at least 1")
    #expect(
      refusal(.finished) { $0.transaction = TransactionID(1_000_000) }
        == "fact 2 (finished): found transaction 1000000, expected at most 65537: things of a kind "
        + "are numbered from 0, without gaps")
    #expect(
      refusal(.restored) { $0.original = $0.transaction }
        == "fact 2 (restored): found transaction 0 restored from itself, expected another one")
    // Nothing of this was entered.
    #expect(judge.factCount == 1)
    #expect(refusal(.finished) { _ in } == nil)
    #expect(judge.factCount == 2)
  }

  @Test(
    "Every field that a kind of fact cannot do without is asked for", arguments: Fact.Kind.allCases)
  func missing(kind: Fact.Kind) {
    let needed: [String] =
      switch kind {
      case .tapped: ["intent"]
      case .charged: ["transaction", "storeAccount"]
      case .restored: ["transaction", "original"]
      case .attributed: ["transaction", "account"]
      case .loggedIn: ["account", "device"]
      case .launched, .ended: ["device", "storeAccount"]
      case .asked: ["device"]
      case .renewed: ["original", "storeAccount", "transaction"]
      case .reported, .verified, .answered, .credited, .told, .declined: []
      default: ["transaction"]
      }
    var full = Fact(kind, at: .start)
    full.intent = IntentID(0)
    full.transaction = TransactionID(0)
    full.original = TransactionID(1)
    full.account = AccountID(0)
    full.storeAccount = StoreAccountID(0)
    full.device = DeviceID(0)
    full.quantity = 1
    let fields: [(name: String, empty: (inout Fact) -> Void)] = [
      ("intent", { $0.intent = .none }), ("transaction", { $0.transaction = .none }),
      ("original", { $0.original = .none }), ("account", { $0.account = .none }),
      ("storeAccount", { $0.storeAccount = .none }), ("device", { $0.device = .none }),
    ]
    var asked: [String] = []
    for field in fields {
      var fact = full
      field.empty(&fact)
      var judge = Judge(rules: Catalogue.invariants, terms: Books.Terms())
      do {
        try judge.observe(checking: fact)
      } catch {
        asked.append(field.name)
        #expect(error.found == "no \(field.name)")
      }
    }
    #expect(asked.sorted() == needed.sorted())
  }

  @Test("A fact without the identifier that its kind needs ends the process at once")
  func none() async {
    await #expect(processExitsWith: .failure) {
      var judge = Judge(rules: [], terms: Books.Terms())
      judge.observe(Fact(.launched, at: .start))
    }
    await #expect(processExitsWith: .failure) {
      var judge = Judge(rules: [], terms: Books.Terms())
      judge.observe(Fact(.finished, at: .start))
    }
  }
}

import Invariants
import Testing

@Suite("The catalogue is in order")
struct CatalogueTests {
  @Test("The catalogue has these twenty-six invariants, in the order of their codes")
  func all() {
    let lines = Catalogue.invariants.map { "\($0.code) \($0.name)" }
    #expect(
      lines == [
        "I01 no-charge-without-delivery",
        "I02 no-double-credit",
        "I03 finish-only-after-credit",
        "I04 right-account",
        "I05 no-credit-without-charge",
        "I06 queue-drains",
        "I07 refund-reverses-once",
        "I08 environment-isolation",
        "I09 access-follows-payment",
        "I10 no-lost-notification",
        "I11 conservation",
        "I12 news-in-order",
        "I13 one-tap-one-charge",
        "I14 honest-answers",
        "I15 no-finish-on-doubt",
        "I16 transient-is-not-permanent",
        "I17 poison-isolation",
        "I18 local-record-discipline",
        "I19 fidelity",
        "I20 idempotent-acknowledgement",
        "I21 restore-neutrality",
        "I22 pending-is-not-paid",
        "I23 no-cross-user-leak",
        "I24 traceability",
        "I26 few-prompts",
        "I27 no-endless-wait",
      ])
  }

  @Test("No two invariants of the catalogue share a name or a code")
  func unique() {
    let codes = Catalogue.invariants.map(\.code)
    let names = Catalogue.invariants.map(\.name)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == codes.count)
    #expect(Set(names).count == names.count)
  }

  @Test("An invariant is found by its name, or by its code in any case")
  func lookup() {
    #expect(Catalogue.invariant(named: "no-double-credit")?.code == "I02")
    #expect(Catalogue.invariant(named: "i02")?.name == "no-double-credit")
    #expect(Catalogue.invariant(named: "I99") == nil)
  }

  @Test("Every invariant says what must be true, why it matters, and where it was broken")
  func explained() {
    for rule in Catalogue.invariants {
      #expect(rule.summary.hasSuffix("."), "\(rule.code)")
      #expect(rule.summary.count <= 100, "\(rule.code)")
      #expect(rule.meaning.hasSuffix("."), "\(rule.code)")
      #expect((2...3).contains(rule.evidence.count), "\(rule.code)")
    }
  }
}

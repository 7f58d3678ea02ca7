import ChaosStore
import Invariants
import Testing

/// What the published designs make of subscriptions, refunds and repairs, plan by plan.
@Suite struct `Published designs that meet a subscription` {
  /// What breaks under a plan, with a heal after so many days where one is given.
  private func run(
    _ name: String, _ plan: String = "", healDays: Int64? = nil
  ) throws -> (broken: [String], record: Record) {
    var scenario = try #require(ScenarioText.ofThePackage().first { $0.name == name })
    if let healDays { scenario.setup.healMillis = healDays * 86_400_000 }
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [], "\(name) under \(plan)")
    #expect(record.ruleBreaks == [] && record.problems.isEmpty, "\(name) under \(plan)")
    // The design finishes before its backend knows of it, always.
    let broken = record.broken(in: scenario).filter { $0 != "finish-only-after-credit" }
    return (broken.sorted(), record)
  }

  private func first(_ kind: Fact.Kind, _ record: Record) throws -> Int64 {
    try #require(record.facts.first { $0.kind == kind }).at.millis
  }

  // MARK: - storekit2-order-token

  @Test func `The order token is not told of a first payment, and of a renewal it is`() throws {
    let plan = "drop verify.request tx1 #1"
    // SUBSCRIBED came, and is none of the two kinds that it handles.
    let year = try run("storekit2-order-token/idempotent/subscriber-unreported", plan)
    #expect(year.broken == ["access-follows-payment", "no-charge-without-delivery"])
    #expect(year.record.count(.granted) == 0)
    let month = try run("storekit2-order-token/idempotent/notification-lost", plan)
    #expect(try first(.granted, month.record) > first(.renewed, month.record))
  }

  @Test func `The order token finds a renewal by the app where no notification of it comes`()
    throws
  {
    let lost = (1...6).map { "drop store.notification tx1/n1 #\($0)" }.joined(separator: ", ")
    let (broken, record) = try run("storekit2-order-token/idempotent/notification-lost", lost)
    #expect(broken == [] && record.count(.granted) == record.count(.renewed) + 1)
  }

  @Test func `A refund takes the access that was bought, where the renewal was told first`()
    throws
  {
    let name = "refund-before-renewal"
    let plan = "refund store.charge tx1/n1 #1"
    #expect(
      try !run("storekit2-order-token/idempotent/\(name)", plan).broken
        .contains("access-follows-payment"))
    // StoreKit calls back with what was refunded, and a backend without keys delivers it again.
    #expect(
      try run("storekit2-order-token/naive/\(name)", plan).broken.contains("news-in-order"))
    // DID_RENEW is an hour late, and comes for what was refunded meanwhile.
    #expect(
      try run(
        "storekit2-order-token/idempotent/\(name)",
        plan + ", drop store.notification tx1/n1 #1"
      ).broken.contains("access-follows-payment"))
  }

  @Test func `The order token does not know of grace periods`() throws {
    let plan = "fail store.renewal tx1 #1, abandon store.renewal tx1 #1"
    let name = "storekit2-order-token/idempotent/billing-problem"
    #expect(try run(name, plan, healDays: 31).broken == ["access-follows-payment"])
    #expect(try run(name, healDays: 31).broken == [])
  }

  @Test func `What is taken back by the original id is taken from who has paid since`() throws {
    let plan = "refund store.charge tx1 #1, delay store.refund tx1 #1 = 650000000ms"
    #expect(try run("storekit2-order-token/idempotent/old-period-refunded", plan).broken == [])
    let (broken, record) = try run("storekit2-order-token/idempotent/original-refund", plan)
    #expect(broken.contains("access-follows-payment") && broken.contains("news-in-order"))
    #expect(try first(.refunded, record) > first(.renewed, record))
  }

  @Test func `A refund is taken back for each notification of it, where nothing is written down`()
    throws
  {
    let plan = "refund store.charge tx1 #1, duplicate store.notification tx1 #2"
    #expect(
      try run("storekit2-order-token/naive/refund-told-twice", plan).broken
        .contains("refund-reverses-once"))
    #expect(try run("storekit2-order-token/idempotent/refund-told-twice", plan).broken == [])
  }

  @Test func `An order number from a mail finds what was finished before the backend knew of it`()
    throws
  {
    let plan = "crash app after finish tx1 #1"
    let lost = try run("storekit2-order-token/idempotent/crash-after-finish", plan)
    #expect(lost.broken.contains("no-charge-without-delivery") && lost.record.count(.credited) == 0)
    let repaired = try run("storekit2-order-token/idempotent/look-up", plan)
    #expect(!repaired.broken.contains("no-charge-without-delivery"))
    #expect(repaired.record.count(.credited) == 1)
  }

  @Test func `An order number races the report that was only late`() throws {
    let plan = "crash app after send tx1 #1, delay verify.request tx1 #1 = late"
    let naive = try run("storekit2-order-token/naive/look-up-of-late", plan)
    #expect(naive.broken.contains("no-double-credit") && naive.record.count(.credited) == 2)
    let idempotent = try run("storekit2-order-token/idempotent/look-up-of-late", plan)
    #expect(idempotent.broken == [] && idempotent.record.count(.credited) == 1)
  }

  @Test func `An order number as applicationUsername is found though the device shows it no more`()
    throws
  {
    let plan = "crash app on callback tx1 #1, hide store.token tx1 #1"
    let (broken, record) = try run("storekit2-order-token/idempotent/storekit1-username", plan)
    #expect(broken == [] && record.count(.credited) == 1)
    #expect(
      try run("white-black-tables/idempotent/username-gone", plan).broken
        .contains("no-charge-without-delivery"))
  }

  @Test func `StoreKit 1 asks whether to go on with a payment from the store, and nobody does`()
    throws
  {
    let (broken, record) = try run("storekit2-order-token/storekit1-promoted")
    #expect(broken == ["no-endless-wait"] && record.count(.charged) == 0)
  }

  // MARK: - white-black-tables

  @Test(arguments: ["naive", "idempotent"])
  func `The white table has the original id, by which no renewal is found`(backend: String) throws {
    let (broken, record) = try run("white-black-tables/\(backend)/renewal-off")
    #expect(broken == ["access-follows-payment"])
    #expect(record.count(.granted) == 1 && record.count(.renewed) > 1)
  }

  @Test func `What a receipt lists for good is given again, where nobody looks at the black table`()
    throws
  {
    #expect(try run("white-black-tables/naive/handed-over").broken == [])
    #expect(try run("white-black-tables/naive/auto-credit").broken == ["no-cross-user-leak"])
    #expect(try run("white-black-tables/idempotent/auto-credit").broken == [])
  }

  @Test func `What is credited by itself is found where it is not called back, and is found twice`()
    throws
  {
    let plan = "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    #expect(
      try run("white-black-tables/idempotent/missing-redelivery", plan).broken
        .contains("no-charge-without-delivery"))
    #expect(try run("white-black-tables/idempotent/auto-credit-lost", plan).broken == [])
    #expect(
      try run("white-black-tables/naive/auto-credit-lost").broken.contains("no-double-credit"))
  }

  // MARK: - stored-expiry

  @Test func `A date that is kept until it is over knows of no refund`() throws {
    let plan = "refund store.charge tx1 #1"
    #expect(try run("stored-expiry/subscriber-refunded", plan).broken == ["access-follows-payment"])
    #expect(try run("stored-expiry/each-launch/subscriber-refunded", plan).broken == [])
  }

  @Test(arguments: ["stored-expiry", "stored-expiry/each-launch"])
  func `An expiry date is over before a grace period is`(design: String) throws {
    let plan = "fail store.renewal tx1 #1, abandon store.renewal tx1 #1"
    let name = "\(design)/billing-problem"
    #expect(try run(name, plan, healDays: 31).broken == ["access-follows-payment"])
    #expect(try run(name, healDays: 31).broken == [])
  }

  @Test func `What was finished before the date was kept is nobody's`() throws {
    #expect(try run("stored-expiry/renewal-off").broken == [])
    let (broken, record) = try run("stored-expiry/subscriber-dies", "crash app after finish tx1 #1")
    #expect(broken == ["access-follows-payment", "no-charge-without-delivery"])
    #expect(record.count(.granted) == 0)
  }

  @Test func `Who installs the app anew has paid, and is not known any more`() throws {
    let (broken, _) = try run("stored-expiry/subscriber-reinstalls", "reinstall app phone1 #1")
    #expect(broken.contains("access-follows-payment"))
  }
}

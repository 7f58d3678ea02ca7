import Invariants
import Testing

@testable import ChaosStore

/// A StoreKit 1 shop that has subscriptions: the app posts its receipt, and the backend keeps it and asks every day.
@Suite struct `Subscriptions in a receipt` {
  private static let day: Int64 = 86_400_000

  /// Writes down, whenever it has changed, what a receipt says of a subscription's renewal.
  private func shop() -> Probe.Hands {
    let hands = Probe.Hands()
    var last = ""
    hands.updated = { transaction, phone in
      Probe.postReceipt(about: transaction.id, phone)
    }
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.resumed = { _, _, server in server.verify(.productionReceipt) }
    hands.verified = { answer, report, server in
      let entries = server.latestReceiptInfo(in: answer)
      for renewal in server.pendingRenewals(in: answer) {
        let words = Self.words(renewal)
        if words != last { hands.note("\(server.now / Self.day): \(words)") }
        last = words
        guard let latest = entries.first(where: { $0.original == renewal.original }) else {
          continue
        }
        let paid = latest.cancelledMillis ?? latest.expiresMillis ?? 0
        server.entitle(
          latest.purchase, to: report.session,
          until: max(paid, renewal.graceExpiresMillis ?? paid))
      }
      server.wake(after: Self.day, 1)
      server.reply(.delivered)
    }
    return hands
  }

  private static func words(_ renewal: PendingRenewal) -> String {
    var words = renewal.renews ? "on" : "off"
    if renewal.isInBillingRetry { words += ", retry" }
    if let grace = renewal.graceExpiresMillis { words += ", grace until \(grace / day)" }
    if let intent = renewal.expirationIntent { words += ", over for \(intent.rawValue)" }
    return words
  }

  private func run(_ plan: String, graceDays: Int = 0) throws -> (log: [String], record: Record) {
    let hands = shop()
    let record = try Probe.run(hands, plan) {
      $0.products = [
        .init("pro", .autoRenewable(.init(Period(1, .month), graceDays: graceDays)))
      ]
      $0.healMillis = 70 * Self.day
      $0.horizonMillis = 110 * Self.day
    }
    return (hands.log, record)
  }

  @Test func `What is renewed is on, and is paid for by the latest entry`() throws {
    let (log, record) = try run("")
    #expect(log == ["0: on"] && record.count(.renewed) == 3)
    // A month of the calendar each, in seconds from 14 November on.
    let until = record.facts.filter { $0.kind == .granted }.map { Int64($0.amount) / 86_400 }
    #expect(Set(until) == [30, 61, 92, 121])
  }

  @Test func `Who turns it off has an intent when it is over, and not before`() throws {
    let (log, record) = try run("cancel person.renewal tx1 #1")
    #expect(log == ["0: on", "29: off", "30: off, over for 1"])
    #expect(record.count(.renewed) == 0)
  }

  @Test func `A payment that fails is tried for sixty days, with grace and without`() throws {
    let failing = "fail store.renewal tx1 #1, abandon store.renewal tx1 #1"
    #expect(
      try run(failing).log == [
        "0: on", "29: on, retry", "30: on, retry, over for 2", "90: on, over for 2",
      ])
    #expect(
      try run(failing, graceDays: 16).log == [
        "0: on", "29: on, retry, grace until 46", "46: on, retry, over for 2",
        "90: on, over for 2",
      ])
  }

  @Test func `A receipt of no subscription has neither`() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in Probe.postReceipt(about: transaction.id, phone) }
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.verified = { answer, _, server in
      hands.note(
        "\(Array(server.purchases(in: answer)).count) "
          + "\(server.latestReceiptInfo(in: answer).count) "
          + "\(server.pendingRenewals(in: answer).count)")
      server.reply(.retry)
    }
    try Probe.run(hands)
    #expect(hands.log.first == "1 0 0")
  }
}

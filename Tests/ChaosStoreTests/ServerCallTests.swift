import Invariants
import Testing

@testable import ChaosStore

@Suite struct `What a backend has Apple do` {
  private static let day: Int64 = 86_400_000

  /// Has Apple do it about what is reported, before it is credited or after; writes down each answer.
  private func calling(
    _ command: AppStoreCommand, first: Bool = false, in environment: Environment = .production
  ) -> Probe.Hands {
    let hands = Probe.Hands()
    if first {
      hands.received = { report, server, _ in
        server.call(command, about: report.transaction, in: environment)
        server.verify(.transaction)
      }
    }
    let usual = hands.verified
    hands.verified = { answer, report, server in
      guard answer.question != command.question(environment) else {
        return hands.note("\(answer.question) \(answer.status)")
      }
      usual(answer, report, server)
      if !first { server.call(command, about: report.transaction, in: environment) }
    }
    // The app finishes nothing.
    hands.replied = { reply, phone in phone.tell(.success, about: reply.transaction) }
    return hands
  }

  private func broken(_ record: Record) -> [String] {
    record.violations.map { Catalogue.invariants[$0.rule].code }
  }

  @Test func `Finishing at Apple's is as good as finishing in the app`() throws {
    let hands = calling(.finish)
    let record = try Probe.run(hands)
    #expect(hands.log == ["finish 0"])
    #expect(record.count(.finished) == 1 && record.outcome.broken == 0)
  }

  @Test func `Finishing at Apple's before anything is credited is finishing too early`() throws {
    let record = try Probe.run(
      calling(.finish, first: true), "delay verifier.answer tx1 #2 = 200ms")
    #expect(broken(record) == ["I03"])
  }

  @Test
  func `What Apple was to do is not done where the call is lost, and done where the answer is`()
    throws
  {
    let lost = calling(.finish)
    let never = try Probe.run(lost, "drop verifier.command tx1 #1")
    #expect(lost.log == ["finish -1"])
    #expect(never.count(.finished) == 0 && broken(never) == ["I06"])
    let silent = calling(.finish)
    let done = try Probe.run(silent, "drop verifier.answer tx1 #2")
    #expect(silent.log == ["finish -1"])
    #expect(done.count(.finished) == 1 && done.outcome.broken == 0)
  }

  @Test func `The other address knows nothing of it`() throws {
    let hands = calling(.finish, in: .sandbox)
    let record = try Probe.run(hands)
    #expect(hands.log == ["sandboxFinish 4040010"] && record.count(.finished) == 0)
  }

  @Test func `A token is set on what began a purchase, and is in each later answer`() throws {
    let hands = Probe.Hands()
    let owner = AccountID(index: 1)
    hands.verified = { answer, report, server in
      let token = Array(server.purchases(in: answer)).first?.token ?? .none
      hands.note("\(answer.question) \(answer.status) \(server.owner(of: token) == owner)")
      if answer.question == .transaction, server.owner(of: token).isNone {
        server.call(.setAppAccountToken(.account(owner)), about: report.transaction)
        server.call(.setAppAccountToken(.username(owner)), about: report.transaction)
      } else if answer.question == .setAppAccountToken, answer.status == 0 {
        server.verify(.transaction, about: report.transaction)
      }
    }
    try Probe.run(hands) {
      $0.accounts = 2
      $0.steps = [.init(atMillis: 1000, .buyOutside(product: 0, quantity: 1, account: 1))]
    }
    #expect(
      hands.log == [
        "transaction 0 false", "setAppAccountToken 0 true", "setAppAccountToken 4000183 false",
        "transaction 0 true",
      ])
  }

  @Test func `A renewal date can be put off twice, by ninety days at most, while it is paid for`()
    throws
  {
    let hands = Probe.Hands()
    hands.started = { server, _ in
      guard server.number == 0 else { return }
      for at in [5, 6, 7, 8, 90] { server.wake(after: Int64(at) * Self.day, UInt8(at)) }
    }
    hands.resumed = { step, _, server in
      // On the sixth day too much; on the ninetieth it has been over for long.
      server.call(.extendRenewalDate(days: step == 6 ? 91 : 10), about: TransactionID(0))
    }
    var told: [String] = []
    hands.notified = { notification, server in
      told.append(notification.kind.name)
      server.reply(.alreadyDelivered)
    }
    let usual = hands.verified
    hands.verified = { answer, report, server in
      guard answer.question == .extendRenewalDate else { return usual(answer, report, server) }
      hands.note("\(server.now / Self.day): \(answer.status)")
    }
    let record = try Probe.run(hands, "cancel person.renewal tx1 #1") {
      $0.products = [.init("pro", .autoRenewable(.init(Period(1, .month))))]
      $0.healMillis = 60 * Self.day
      $0.horizonMillis = 100 * Self.day
    }
    #expect(hands.log == ["5: 0", "6: 4000009", "7: 0", "8: 4030005", "90: 4030004"])
    // A month and twice ten days.
    #expect(record.facts.filter { $0.kind == .expired }.map { $0.at.millis / Self.day } == [50])
    #expect(told.filter { $0 == "RENEWAL_EXTENDED" }.count == 2)
  }

  @Test func `A history has twenty transactions a page, whether they are finished or not`() throws {
    let hands = Probe.Hands()
    hands.started = { server, _ in
      if server.number == 0 { server.wake(after: 200_000, 1) }
    }
    hands.resumed = { _, _, server in
      server.history(of: TransactionID(0))
      server.refundHistory(of: TransactionID(3))
      server.history(of: TransactionID(0), in: .sandbox)
      server.history(of: TransactionID(99))
    }
    let usual = hands.verified
    hands.verified = { answer, report, server in
      guard report.session.isNone else { return usual(answer, report, server) }
      let page = server.historyPage(in: answer)
      let ids = page.purchases.map { "\($0.transaction.raw)" }
      hands.note(
        "\(answer.question) \(answer.status): \(ids.first ?? "-") to \(ids.last ?? "-")"
          + (page.hasMore ? " and more" : ""))
      if page.hasMore { server.history(of: TransactionID(0), after: page.revision) }
    }
    let record = try Probe.run(
      hands, "refund store.charge tx7 #1, delay store.refund tx7 #1 = 60000ms"
    ) {
      $0.isWholeStore = true
      $0.steps = (0..<25).map {
        .init(atMillis: 1000 + Int64($0) * 5000, .buyOutside(product: 0, quantity: 1, account: 0))
      }
    }
    #expect(record.count(.finished) == 25)
    #expect(
      hands.log.sorted() == [
        "history 0: 0 to 19 and more", "history 0: 20 to 24", "history 4040010: - to -",
        "refundHistory 0: 6 to 6", "sandboxHistory 4040010: - to -",
      ])
  }
}

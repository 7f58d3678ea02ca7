import ChaosStore
import Invariants
import Testing

@Suite("People and their phones, case by case")
struct PersonCaseTests {
  private static func buy(at millis: Int64, product: Int = 0, account: Int = 0) -> Setup.Step {
    .init(atMillis: millis, .buy(product: product, quantity: 1, account: account))
  }

  /// Nothing is done about a tap.
  private func idle() -> Probe.Hands {
    let hands = Probe.Hands()
    hands.tapped = { _, _ in }
    return hands
  }

  // MARK: - Taps

  @Test("Who paid already taps again only where the app still runs; who did not opens it")
  func tapsOnAClosedApp() throws {
    for pays in [true, false] {
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in
        if pays { phone.add(tap) }
        phone.tell(.failure, about: tap)
      }
      hands.updated = { _, _ in }
      let record = try Probe.run(hands) { setup in
        setup.retaps = 1
        setup.steps.append(.init(atMillis: 2000, .quit))
      }
      #expect(record.times(.launched) == (pays ? [0] : [0, 4000]))
      #expect(record.times(.tapped) == (pays ? [1000] : [1000, 4500]))
    }
  }

  @Test("Who paid already and is told of a failure taps again where the app still runs")
  func tapsAfterAPayment() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.tell(.failure, about: tap)
    }
    hands.updated = { _, _ in }
    #expect(try Probe.run(hands) { $0.retaps = 1 }.times(.tapped) == [1000, 4000])
  }

  @Test("A tap on an app that is about to be opened comes half a second after that")
  func tapsWaitForTheLaunch() throws {
    let record = try Probe.run(
      Probe.Hands(), "crash app before pay tx1 #1, delay app.launch phone1 #1 = 9000ms"
    ) { $0.steps.append(Self.buy(at: 5000)) }
    #expect(record.times(.launched) == [0, 10_000])
    #expect(record.times(.tapped) == [1000, 10_500])
  }

  @Test("Whether a tap is repeated is asked once for a wish, after its first tap")
  func repeatedOnce() throws {
    let record = try Probe.run(idle(), "repeat person.tap tx1 #1")
    #expect(record.times(.tapped) == [1000, 1050])
    #expect(record.asked(.tapAgain, "tx1") == 1)
  }

  @Test("Only a purchase is hurried: not another step, and not what is no step")
  func hurriedSteps() throws {
    let record = try Probe.run(idle()) { setup in
      setup.steps += [.init(atMillis: 2000, .restore), Self.buy(at: 3000), Self.buy(at: 4000)]
    }
    #expect(record.asked(.tapEarly, "tx1") == 0, "a restore follows")
    #expect(record.asked(.tapEarly, "tx2") == 1)
    #expect(record.asked(.tapEarly, "tx3") == 0, "nothing follows")
  }

  @Test("The 64th step is the last that can be brought forward, and later ones are taken as well")
  func manySteps() throws {
    let record = try Probe.run(idle()) { setup in
      setup.steps = (1...67).map { Self.buy(at: Int64($0) * 100) }
    }
    #expect(record.count(.tapped) == 67)
    #expect(record.asked(.tapEarly, "tx63") == 1)
    #expect(record.asked(.tapEarly, "tx64") == 0)
    #expect(record.asked(.tapEarly, "tx66") == 0)
  }

  @Test("Who buys the same again wants the same thing, as often, on the same phone and account")
  func theSameAgain() throws {
    let record = try Probe.run(
      Probe.Hands(), "repeat person.purchase tx1 #1, duplicate store.callback tx1 #1"
    ) { setup in
      setup.accounts = 2
      setup.devices = [.init(), .init(account: 1)]
      setup.products = [.init("coins"), .init("gems")]
      setup.steps = [
        .init(atMillis: 1000, device: 1, .buy(product: 1, quantity: 3, account: 1))
      ]
    }
    let again = try #require(record.facts.last { $0.kind == .tapped })
    #expect((again.intent, again.product, again.quantity) == (IntentID(1), ProductID(1), 3))
    #expect((again.account, again.device) == (AccountID(1), DeviceID(1)))
    #expect(record.asked(.buyAgain, "tx1") == 1, "once is enough")
  }

  @Test("What arrives evenly is of each product in turn, one of it")
  func arrivals() throws {
    let record = try Probe.run { setup in
      setup.steps = []
      setup.products = [.init("coins"), .init("gems")]
      setup.arrivals = .init(count: 3, overMillis: 300)
    }
    let charges = record.facts.filter { $0.kind == .charged }
    #expect(charges.map(\.product.index) == [0, 1, 0])
    #expect(charges.map(\.quantity) == [1, 1, 1])
    #expect(record.asked(.crashOnCallback, "tx3") == 1)
  }

  // MARK: - Apps

  @Test("Reinstalling an app that is closed, or restoring its backup, does not open it")
  func closedAppsStayClosed() throws {
    for action in [Setup.Step.Action.reinstall, .restoreBackup] {
      let record = try Probe.run { setup in
        setup.steps = [.init(atMillis: 1000, .quit), .init(atMillis: 2000, action)]
      }
      #expect(record.times(.launched) == [0])
    }
  }

  @Test("Reinstalling an app that runs, or restoring its backup, takes five seconds")
  func reinstalling() throws {
    for action in [Setup.Step.Action.reinstall, .restoreBackup] {
      let record = try Probe.run { $0.steps = [.init(atMillis: 1000, action)] }
      #expect(record.times(.ended) == [1000])
      #expect(record.times(.launched) == [0, 6000])
    }
  }

  @Test("A launch that was called off is none, though another one waits by then")
  func calledOff() throws {
    let record = try Probe.run(
      Probe.Hands(),
      "crash app before pay tx1 #1, delay app.launch phone1 #1 = 9000ms, "
        + "crash app before pay tx2 #1, delay app.launch phone1 #2 = 20000ms"
    ) { setup in
      setup.steps += [
        .init(atMillis: 2000, .quit), .init(atMillis: 3000, .open), Self.buy(at: 4000),
      ]
    }
    #expect(record.times(.launched) == [0, 3000, 24_000])
  }

  @Test("An app that is to be started by itself is not opened before, at the time of reopening")
  func reopenedNoSooner() throws {
    let record = try Probe.run { setup in
      setup.reopenEveryMillis = 30_000
      setup.healMillis = 20_000
      setup.horizonMillis = 60_000
      setup.steps = [.init(atMillis: 49_000, .reinstall)]
    }
    #expect(record.times(.ended) == [49_000])
    #expect(record.times(.launched) == [0, 54_000])
  }

  @Test("Who opens an app that runs, or closes one that does not, changes nothing")
  func openingTwice() throws {
    let record = try Probe.run { setup in
      setup.steps = [
        .init(atMillis: 1000, .open), .init(atMillis: 2000, .quit), .init(atMillis: 3000, .quit),
      ]
    }
    #expect(record.times(.launched) == [0])
    #expect(record.times(.ended) == [2000])
  }

  @Test("An app that somebody opened before its time is not started a second time")
  func openedBeforeItsTime() throws {
    let record = try Probe.run(
      Probe.Hands(), "crash app before pay tx1 #1, delay app.launch phone1 #1 = 5000ms"
    ) { $0.steps += [.init(atMillis: 2000, .open), .init(atMillis: 3000, .quit)] }
    #expect(record.times(.launched) == [0, 2000])
  }

  @Test("An app that is closed when apps are opened from time to time is opened, once")
  func reopeningClosedApps() throws {
    let record = try Probe.run { setup in
      setup.steps = [.init(atMillis: 1000, .quit)]
      setup.healMillis = 10_000
      setup.reopenEveryMillis = 20_000
      setup.horizonMillis = 55_000
    }
    #expect(record.times(.launched) == [0, 30_000])
    #expect(record.times(.ended) == [1000])
  }

  @Test("Nothing is restored where the app does not run")
  func restoringWithoutTheApp() throws {
    let hands = idle()
    hands.restoreEnded = { hands.note("\($0.now)") }
    try Probe.run(hands) { setup in
      setup.steps = [
        .init(atMillis: 1000, .quit), .init(atMillis: 2000, .restore), .init(atMillis: 3000, .open),
      ]
    }
    #expect(hands.log == [])
  }

  @Test("A receipt can be lost where there is one, and swapped where there are two Apple accounts")
  func receiptQuestions() throws {
    func asked(_ question: Question, storeAccounts: Int, buys: Bool) throws -> Int {
      try Probe.run(buys ? Probe.Hands() : idle()) { setup in
        setup.storeAccounts = storeAccounts
        setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 9500, .open)]
      }.asked(question, "phone1")
    }
    #expect(try asked(.loseReceipt, storeAccounts: 1, buys: true) == 1)
    #expect(try asked(.loseReceipt, storeAccounts: 1, buys: false) == 0)
    #expect(try asked(.swapReceipt, storeAccounts: 1, buys: true) == 0)
    #expect(try asked(.swapReceipt, storeAccounts: 2, buys: true) == 1)
    #expect(try asked(.swapReceipt, storeAccounts: 2, buys: false) == 0)
  }

  @Test("The receipt of the last Apple account is swapped for that of the first, until the heal")
  func swappedReceipts() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      if phone.launches >= 2 { Probe.postReceipt(phone) }
    }
    hands.received = { report, server, _ in
      server.verify(report.transaction.isNone ? .productionReceipt : .transaction)
    }
    hands.verified = { answer, report, server in
      if report.transaction.isNone {
        hands.note("\(server.purchases(in: answer).map(\.transaction.index))")
      }
      server.reply(.retry)
    }
    try Probe.run(hands, "swap receipt.file phone2 #1") { setup in
      setup.accounts = 2
      setup.storeAccounts = 2
      setup.devices = [.init(), .init(storeAccount: 1, account: 1)]
      setup.steps += [
        .init(atMillis: 2000, device: 1, .buy(product: 0, quantity: 1, account: 1)),
        .init(atMillis: 9000, device: 1, .quit), .init(atMillis: 9500, device: 1, .open),
        .init(atMillis: 69_000, device: 1, .quit), .init(atMillis: 69_500, device: 1, .open),
      ]
    }
    #expect(hands.log == ["[0]", "[1]"])
  }

  // MARK: - Who is logged in

  private func sessions(_ plan: String, _ change: (inout Setup) -> Void) throws -> [String] {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      hands.note("\(phone.now) launch: user\(phone.account.index + 1)")
    }
    hands.sessionChanged = { hands.note("\($0.now): user\($0.account.index + 1)") }
    try Probe.run(hands, plan, change)
    return hands.log
  }

  @Test("After the last user comes the first, where another of them logs in")
  func switchingWraps() throws {
    let lines = try sessions("switch person.account tx1 #1") { setup in
      setup.accounts = 2
      setup.devices = [.init(account: 1)]
      setup.steps = [Self.buy(at: 1000, account: 1)]
    }
    #expect(lines == ["0 launch: user2", "1050: user1", "21050: user2"])
  }

  @Test("Where there is one user nobody is asked whether another logs in")
  func oneUser() throws {
    #expect(try Probe.run().asked(.switchAccount, "tx1") == 0)
  }

  @Test("Who logs in while the app is closed is found by its next launch")
  func switchingWhileClosed() throws {
    let plan = "switch person.account tx1 #1, delay person.switch tx1 #1 = 100ms"
    let lines = try sessions("\(plan), crash app on callback tx1 #1") { $0.accounts = 2 }
    #expect(lines == ["0 launch: user1", "2051 launch: user2", "21150: user1"])
    let byStep = try sessions("") { setup in
      setup.accounts = 2
      setup.steps = [
        .init(atMillis: 1000, .quit), .init(atMillis: 2000, .logIn(account: 1)),
        .init(atMillis: 3000, .open),
      ]
    }
    #expect(byStep == ["0 launch: user1", "3000 launch: user2"])
  }
}

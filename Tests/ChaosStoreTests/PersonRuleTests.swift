import ChaosStore
import Invariants
import Testing

@Suite("People, and the processes of their apps")
struct PersonRuleTests {
  @Test("Who is told of a failure taps again after three seconds, as often as the scenario says")
  func retaps() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in phone.tell(.failure, about: tap) }
    for (retaps, times) in [(0, [1000]), (2, [1000, 4000, 7000])] as [(UInt32, [Int64])] {
      #expect(try Probe.run(hands) { $0.retaps = retaps }.times(.tapped) == times)
    }
    hands.tapped = { tap, phone in phone.tell(.pending, about: tap) }
    #expect(try Probe.run(hands).times(.tapped) == [1000])
  }

  @Test("Who taps again of their own accord after a failure has tried once more, and not twice")
  func retriesThatWereMade() throws {
    // The first tap fails after a second, the others as said; a double tap follows after 1100 ms.
    func taps(_ answers: [Fact.Message?]) throws -> [Int64] {
      var rest = answers[...]
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in
        if let answer = rest.popFirst() ?? nil { phone.tell(answer, about: tap) }
      }
      return try Probe.run(hands, "repeat person.tap tx1 #1, delay person.tap tx1 #1 = 100ms")
        .times(.tapped)
    }
    #expect(try taps([.failure, nil]) == [1000, 1100], "no word came to the second")
    #expect(try taps([.failure, .pending]) == [1000, 1100], "the word came that it is pending")
    #expect(try taps([.failure, .failure, nil]) == [1000, 1100], "the second failed as well")
    #expect(try taps([nil, .failure, nil]) == [1000, 1100, 4100], "only the second failed")
  }

  @Test("Who cannot tap as the app dies at each launch tries three sittings, then the next one")
  func deadAtEachLaunch() throws {
    let hour: Int64 = 3_600_000
    let scenario = Probe.scenario {
      $0.steps = [.init(atMillis: hour + 1000, .buy(product: 0, quantity: 1, account: 0))]
      $0.sittings = .init(everyMillis: 2 * hour, forMillis: 60_000)
      $0.mix = FaultMix([.appCrash])
      $0.mix.isSwarmed = false
      $0.mix.entries[.appCrash] = .init(chance: Ratio(1, 1)!, sites: [.crashBeforeObserve])
      $0.healMillis = 5 * hour
      $0.horizonMillis = 9 * hour
    }
    let record = Simulation(scenario).record(seed: 1)
    #expect(!record.outcome.isCutOff)
    // Three for the tap, and two more after each that begins anyway, until just after a full minute; from the heal
    // on nothing dies.
    let minutes = Set(record.times(.launched).map { $0 / 60_000 })
    #expect(
      minutes.sorted() == [0, 60, 61, 62, 63, 120, 121, 122, 123, 240, 241, 242, 243, 360, 480])
    #expect(record.times(.tapped) == [6 * hour + 500])
  }

  @Test("Who was told of the goods does not tap again; who has them and does not know of it does")
  func servedPeople() throws {
    let plan = "repeat person.tap tx1 #1, delay person.tap tx1 #1 = 300ms"
    let hands = Probe.Hands()
    hands.tapped = { _, _ in }
    #expect(try Probe.run(hands, plan).times(.tapped) == [1000, 1300])
    hands.tapped = { tap, phone in phone.tell(.success, about: tap) }
    #expect(try Probe.run(hands, plan).times(.tapped) == [1000])
    // Credited at 1081, and told nothing.
    let credited = Probe.Hands()
    credited.replied = { _, _ in }
    #expect(try Probe.run(credited, plan).times(.tapped) == [1000, 1300])
  }

  @Test("Who is told of a failure taps again though the ledger has the credit, unless they saw it")
  func wronglyToldPeople() throws {
    func taps(quitAt: Int64? = nil, account: Int = 0) throws -> [Int64] {
      let hands = Probe.Hands()
      hands.replied = { reply, phone in phone.tell(.failure, about: reply.transaction) }
      return try Probe.run(hands) { setup in
        setup.accounts = 2
        if let quitAt {
          setup.steps += [
            .init(atMillis: quitAt, .quit), .init(atMillis: quitAt + 1, .logIn(account: account)),
            .init(atMillis: quitAt + 2, .open),
          ]
        }
      }.times(.tapped)
    }
    // Credited at 1081, told of a failure at 1091.
    #expect(try taps() == [1000, 4091])
    #expect(try taps(quitAt: 2000) == [1000], "the app shows the balance when it opens")
    #expect(try taps(quitAt: 2000, account: 1) == [1000, 4091], "somebody else looked at theirs")
    // The first report is lost with the network, and what comes next opens without one.
    let offline = "partition network phone1 #2, delay network.heal phone1 #1 = 20000ms"
    let hands = Probe.Hands()
    hands.replied = { reply, phone in
      phone.tell(.failure, about: reply.transaction)
      Probe.report(reply.transaction, phone)
    }
    let record = try Probe.run(hands, offline) {
      $0.steps += [.init(atMillis: 2000, .quit), .init(atMillis: 2002, .open)]
    }
    #expect(record.times(.tapped) == [1000, 4091])
  }

  @Test("Who logs in again sees what came meanwhile")
  func lookingAtTheBalance() throws {
    for (owner, taps) in [(0, [1000]), (1, [1000, 4091])] as [(Int, [Int64])] {
      let hands = Probe.Hands()
      hands.replied = { reply, phone in phone.tell(.failure, about: reply.transaction) }
      hands.verified = { answer, _, server in
        for purchase in server.purchases(in: answer) {
          server.credit(purchase, to: AccountID(index: owner))
        }
        server.reply(.delivered)
      }
      let record = try Probe.run(
        hands, "switch person.account tx1 #1, delay person.return phone1 #1 = 2000ms"
      ) { $0.accounts = 2 }
      #expect(record.times(.credited).first == 1081)
      #expect(record.times(.tapped) == taps, "credited to user\(owner + 1)")
      let loggingIn = try Probe.run(hands) { setup in
        setup.accounts = 2
        setup.steps.append(.init(atMillis: 2000, .logIn(account: 0)))
      }
      #expect(loggingIn.times(.tapped) == taps)
    }
  }

  @Test("A tap that is hurried comes right after the one before it, and not a second time")
  func hurriedTaps() throws {
    let record = try Probe.run(Probe.Hands(), "hurry person.tap tx1 #1") { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps.append(.init(atMillis: 20_000, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(record.times(.tapped) == [1000, 1050])
    #expect(record.count(.charged) == 2)
  }

  @Test("Whoever buys again while a purchase is unfinished does so once, and not for the second")
  func buyingAgain() throws {
    let record = try Probe.run(
      Probe.Hands(), "repeat person.purchase tx1 #1, repeat person.purchase tx1/a1 #1", vain: 1)
    #expect(record.times(.tapped) == [1000, 1251])
    #expect(record.asked(.buyAgain, "tx1/a1") == 0)
  }

  @Test("An app that is closed is opened for a tap, which comes half a second later")
  func closedApps() throws {
    let closed = try Probe.run { $0.steps.insert(.init(atMillis: 500, .quit), at: 0) }
    #expect(closed.times(.launched) == [0, 1000])
    #expect(closed.times(.tapped) == [1500])
    let stays = try Probe.run { setup in
      setup.steps.insert(.init(atMillis: 500, .quit), at: 0)
      setup.relaunches = false
    }
    #expect(stays.times(.launched) == [0])
    #expect(stays.count(.tapped) == 0)
  }

  @Test("An app that has died is opened again, unless the scenario says that nobody does")
  func relaunches() throws {
    for (relaunches, times) in [(true, [0, 2000]), (false, [0])] as [(Bool, [Int64])] {
      let record = try Probe.run(Probe.Hands(), "crash app before pay tx1 #1") {
        $0.relaunches = relaunches
      }
      #expect(record.times(.launched) == times)
      #expect(record.times(.ended) == [1000])
    }
  }

  @Test("The first launch of a history is none after which an app could have been reinstalled")
  func firstLaunch() throws {
    for fault in ["reinstall app", "restore backup"] {
      try Probe.run(Probe.Hands(), "\(fault) phone1 #1", vain: 1)
      try Probe.run(Probe.Hands(), "\(fault) phone1 #1") { setup in
        setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 9500, .open)]
      }
    }
  }

  private func sessions(_ plan: String, vain: Int = 0, _ change: (inout Setup) -> Void) throws
    -> [String]
  {
    let hands = Probe.Hands()
    hands.sessionChanged = { hands.note("\($0.now): user\($0.account.index + 1)") }
    try Probe.run(hands, plan, vain: vain) { setup in
      setup.accounts = 3
      change(&setup)
    }
    return hands.log
  }

  @Test("Somebody else logs in after a purchase, and later whoever it was before")
  func accountSwitch() throws {
    let plan = "switch person.account tx1 #1, delay person.switch tx1 #1 = 400ms"
    #expect(try sessions(plan) { _ in } == ["1450: user2", "21450: user1"])
    // Who logged in by themselves is who comes back.
    let second = try sessions(plan) { setup in
      setup.steps[0].action = .buy(product: 0, quantity: 1, account: 1)
      setup.steps.insert(.init(atMillis: 500, .logIn(account: 1)), at: 0)
    }
    #expect(second == ["500: user2", "1450: user3", "21450: user2"])
  }

  @Test("Nobody else logs in at the heal or after it")
  func noSwitchAfterTheHeal() throws {
    let plan = "switch person.account tx1 #1, delay person.switch tx1 #1 = 400ms"
    #expect(try sessions(plan) { $0.healMillis = 1450 } == [])
    #expect(try sessions(plan) { $0.healMillis = 1451 }.first == "1450: user2")
  }

  @Test("A tap of another person tells the app first that they have logged in")
  func tapsLogIn() throws {
    let lines = try sessions("") { $0.steps[0].action = .buy(product: 0, quantity: 1, account: 2) }
    #expect(lines == ["1000: user3"])
    #expect(try sessions("") { _ in } == [])
  }

  @Test("What arrives evenly arrives at equal distances, from the start on, over all devices")
  func arrivals() throws {
    let record = try Probe.run { setup in
      setup.steps = []
      setup.devices = [.init(), .init(account: 1)]
      setup.accounts = 2
      setup.arrivals = .init(count: 4, overMillis: 1000)
    }
    #expect(record.times(.charged) == [50, 300, 550, 800])
    #expect(
      record.facts.filter { $0.kind == .charged }.map(\.device.index) == [0, 1, 0, 1])
  }

  @Test("A timer ends with the life of the app that set it")
  func timers() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      if phone.launches == 1 { phone.startTimer(after: 5000) }
    }
    hands.timerFired = { _, phone in hands.note("\(phone.now)") }
    hands.tapped = { _, _ in }
    try Probe.run(hands)
    #expect(hands.log == ["5000"])
    try Probe.run(hands, "crash app after tap tx1 #1")
    #expect(hands.log == ["5000"])
  }

  @Test("An app's ports are dead from its death on, though the app runs again")
  func deadPorts() throws {
    let hands = Probe.Hands()
    var first: Phone?
    hands.launched = { phone in
      if first == nil { first = phone }
      guard let old = first, phone.launches == 2 else { return }
      hands.note("\(old.isAlive) \(phone.isAlive)")
      old.observe()
      old.save(StoredRecord(transaction: .none), key: 1)
      hands.note("\(Array(phone.records).count) \(Array(old.unfinished).count)")
      old.send(Report(session: old.account, evidence: Evidence()), about: .none)
      old.tell(.success, about: TransactionID(0))
    }
    hands.updated = { _, phone in hands.note("called back") }
    let record = try Probe.run(hands, "crash app after pay tx1 #1")
    #expect(hands.log == ["false true", "0 0"])
    #expect(record.count(.charged) == 1)
    #expect(record.count(.reported) + record.count(.told) == 0)
  }

  @Test("A task that is named next exists, however many wait")
  func tasks() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      hands.note((1...4).map { "\(phone.nextTask(of: $0))" }.joined())
    }
    let plan = (1...3).map { "reorder app.task phone1 #\($0) = 3" }.joined(separator: ", ")
    try Probe.run(hands, plan)
    #expect(hands.log == ["0123"])
  }
}

import ChaosStore
import Invariants
import Testing

/// A system that does what a test tells it, and writes down what the test wants to see.
///
/// Untold, the app listens from its launch on, reports what it is handed, and finishes and says so
/// when it is answered; the backend looks a transaction up and credits what that proves.
enum Probe: PurchaseSystem {
  static let entry = SystemEntry(name: "probe", summary: "For these tests.")

  /// What the processes of a simulation do.
  final class Hands: @unchecked Sendable {
    var launched: (Phone) -> Void = { $0.observe() }
    var tapped: (Tap, Phone) -> Void = { tap, phone in phone.add(tap) }
    var sessionChanged: (Phone) -> Void = { _ in }
    /// Told whether they came.
    var products: (Bool, Tap, Phone) -> Void = { _, _, _ in }
    var updated: (PaymentTransaction, Phone) -> Void = { transaction, phone in
      guard transaction.state != .failed else { return phone.finish(transaction) }
      Probe.report(transaction.id, phone)
    }
    var purchaseEnded: (PurchaseResult, Tap, Phone) -> Void = { result, _, phone in
      if case .success(let transaction) = result { Probe.report(transaction.id, phone) }
    }
    var restoreEnded: (Phone) -> Void = { _ in }
    var refreshed: (Bool, Phone) -> Void = { _, _ in }
    var replied: (Reply, Phone) -> Void = { reply, phone in
      guard reply.isDelivered else { return }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
    var timerFired: (TransactionID, Phone) -> Void = { _, _ in }

    /// Told how many processes of the backend ran before this one.
    var started: (Server, Int) -> Void = { _, _ in }
    /// Told as well how many processes of the backend were started before this one.
    var received: (Report, Server, Int) -> Void = { _, server, _ in server.verify(.transaction) }
    var verified: (VerifierAnswer, Report, Server) -> Void = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        server.credit(purchase, to: report.session)
        return server.reply(.delivered)
      }
      server.reply(answer.class == .permanent ? .refused : .retry)
    }
    var resumed: (UInt8, Report, Server) -> Void = { _, _, _ in }
    var notified: (StoreNotification, Server) -> Void = { _, server in
      server.reply(.alreadyDelivered)
    }

    /// What was seen, in order.
    var log: [String] = []
    fileprivate var backends = 0

    func note(_ text: String) { log.append(text) }
  }

  /// Those of the simulations that are made meanwhile.
  @TaskLocal static var hands = Hands()

  static func makeShared() -> AnyObject? { hands }

  /// Reports a transaction by its identifier.
  static func report(_ transaction: TransactionID, _ phone: Phone) {
    phone.send(
      Report(
        session: phone.account, transaction: transaction,
        evidence: phone.evidence(for: transaction)),
      about: transaction)
  }

  /// Posts the receipt file as it is now.
  static func postReceipt(about transaction: TransactionID = .none, _ phone: Phone) {
    phone.send(Report(session: phone.account, evidence: phone.receipt()), about: transaction)
  }

  struct App: PurchaseApp {
    private let hands: Hands

    init(_ launch: Launch) { hands = launch.shared as! Hands }

    mutating func launched(_ phone: Phone) { hands.launched(phone) }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { hands.tapped(tap, phone) }
    mutating func sessionChanged(_ phone: Phone) { hands.sessionChanged(phone) }
    mutating func productsArrived(for tap: Tap, _ phone: Phone) { hands.products(true, tap, phone) }
    mutating func productsFailed(for tap: Tap, _ phone: Phone) { hands.products(false, tap, phone) }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      hands.updated(transaction, phone)
    }
    mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
      hands.purchaseEnded(result, tap, phone)
    }
    mutating func restoreEnded(_ phone: Phone) { hands.restoreEnded(phone) }
    mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      hands.refreshed(succeeded, phone)
    }
    mutating func replied(_ reply: Reply, _ phone: Phone) { hands.replied(reply, phone) }
    mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone) {
      hands.timerFired(transaction, phone)
    }
  }

  struct Backend: PurchaseBackend {
    private let hands: Hands
    private let number: Int

    init(_ launch: Launch) {
      hands = launch.shared as! Hands
      number = hands.backends
      hands.backends += 1
    }

    mutating func started(_ server: Server) {
      // The first two were made with the simulation, and never ran.
      hands.started(server, number - 2)
    }
    mutating func received(_ report: Report, _ server: Server) {
      hands.received(report, server, number)
    }
    mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
      hands.verified(answer, report, server)
    }
    mutating func notified(_ notification: StoreNotification, _ server: Server) {
      hands.notified(notification, server)
    }
    mutating func resumed(
      at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
    ) {
      hands.resumed(step, report, server)
    }
  }
}

extension Probe {
  /// One purchase of coins by one person on one phone, whose app is not reopened by itself.
  static func scenario(_ change: (inout Setup) -> Void = { _ in }) -> Scenario {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 270_000
    setup.reopenEveryMillis = nil
    change(&setup)
    return Scenario(name: "probe", system: AnySystem(Probe.self), setup: setup)
  }

  /// Runs a plan once and writes it down; each of its decisions must be asked for, but for `vain`.
  @discardableResult
  static func run(
    _ hands: Hands = Hands(), _ plan: String = "", vain: Int = 0,
    _ change: (inout Setup) -> Void = { _ in }, at place: SourceLocation = #_sourceLocation
  ) throws -> Record {
    let plan = try Plan(parsing: plan)
    let record = $hands.withValue(hands) {
      Simulation(
        scenario { setup in
          setup.mix.allowWaits()
          change(&setup)
        }
      ).record(seed: nil, plan: plan, listsQuestions: true)
    }
    #expect(
      record.unmatched.count == vain, "the plan names \(record.unmatched) in vain",
      sourceLocation: place)
    #expect(record.ruleBreaks == [], sourceLocation: place)
    return record
  }
}

extension FaultMix {
  /// Allows what waits for a launch where no launch comes.
  mutating func allowWaits(of faults: [Fault] = Fault.waitingForLaunch) {
    for fault in faults where entries[fault] == nil { entries[fault] = Entry(chance: .one) }
    nameSites(of: faults)
  }
}

extension Record {
  /// When a kind of fact happened, in milliseconds.
  func times(_ kind: Fact.Kind) -> [Int64] {
    facts.filter { $0.kind == kind }.map(\.at.millis)
  }

  /// How often a question was asked about somebody.
  func asked(_ question: Question, _ subject: String) -> Int {
    questions.filter { $0.question == question && $0.subject.name == subject }.count
  }
}

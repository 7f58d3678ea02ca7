import ChaosStore
import Foundation
import Invariants
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

@Suite("Backends that are hosted as they are")
struct HostedBackendTests {
  /// One phone of two users on which one product is bought five times.
  private func scenario(_ system: AnySystem) -> Scenario {
    var setup = Setup()
    setup.accounts = 2
    setup.retaps = 0
    setup.products = [.init("coins")]
    func buy(_ millis: Int64, _ account: Int) -> Setup.Step {
      Setup.Step(atMillis: millis, .buy(product: 0, quantity: 1, account: account))
    }
    setup.steps = [
      buy(1_000, 0), buy(1_600, 0), buy(4_000, 1), buy(30_000, 1), buy(45_000, 0),
    ]
    setup.horizonMillis = 270_000
    setup.backend = .idempotent
    // What the app is not made for: it has no guard against a double tap, and reads no receipt.
    setup.mix = FaultMix(
      Fault.allCases.filter { ![.doubleTap, .tokenHidden, .missingRedelivery].contains($0) })
    return Scenario(name: system.entry.name, system: system, setup: setup)
  }

  private func broken(_ system: AnySystem, seeds: UInt64 = whereOptimised(1500, otherwise: 500))
    -> [String]
  {
    var budget = Budget(seeds: 0..<seeds)
    budget.jobs = 1
    let findings = RandomSearch().search(scenario(system), budget)
    #expect(findings.unfit == nil)
    #expect(findings.stepsAsOne == [])
    return Catalogue.invariants.indices.filter { findings.rules[$0].runs > 0 }.map {
      Catalogue.invariants[$0].name
    }
  }

  @Test("A backend that looks first and credits then is found crediting twice, with no pause in it")
  func checkThenAct() throws {
    let failure = try #require(throws: PropertyFailure.self) {
      try PropertyTest.check(BackendShop<CheckingBackend>.self, seeds: 0..<50)
    }
    #expect(failure.description.contains("no-double-credit"))
    let plan = try Plan(parsing: "duplicate verify.request tx1 #1")
    let record = Simulation(scenario(AnySystem(BackendShop<CheckingBackend>.self)))
      .record(seed: nil, plan: plan)
    let broken = record.violations.map { Catalogue.invariants[$0.rule].name }
    #expect(broken.contains("no-double-credit"))
  }

  static let sound: [AnySystem] = [
    AnySystem(BackendShop<TwinBackend>.self), AnySystem(BackendShop<OutboxBackend>.self),
    AnySystem(BackendShop<AcceptingBackend>.self), AnySystem(BackendShop<KeyedBackend>.self),
  ]

  @Test(
    "A backend that commits once, by a key, through an outbox or after its answer, is not blamed",
    arguments: sound)
  func soundBackends(_ system: AnySystem) { #expect(broken(system) == []) }

  @Test("An outbox that is kept in memory loses what its process had accepted")
  func forgetful() {
    #expect(
      broken(AnySystem(BackendShop<ForgetfulBackend>.self)).contains("no-charge-without-delivery"))
  }

  @Test("A backend that takes an unknown outcome for a failure, and has no key, credits twice")
  func unknownOutcome() throws {
    let plan = try Plan(parsing: "drop database.answer tx1 #1")
    for (system, isSound) in [
      (AnySystem(BackendShop<InsistingBackend>.self), false),
      (AnySystem(BackendShop<TwinBackend>.self), true),
    ] {
      let record = Simulation(scenario(system)).record(seed: nil, plan: plan)
      #expect(record.unmatched.isEmpty)
      #expect(record.violations.isEmpty == isSound)
    }
  }

  @Test("What is in the outbox when the process dies is delivered by the next one")
  func outboxAfterCrash() throws {
    let plan = try Plan(parsing: "crash server after commit tx1 #1")
    let record = Simulation(scenario(AnySystem(BackendShop<OutboxBackend>.self)))
      .record(seed: nil, plan: plan, listsQuestions: true)
    #expect(record.violations.isEmpty)
    #expect(record.questions.contains { $0.subject.name.hasPrefix("server") })
  }

  @Test("Each use of the database is one question about its delay, and the next one waits for it")
  func questions() throws {
    let record = Simulation(scenario(AnySystem(BackendShop<CheckingBackend>.self)))
      .record(seed: nil, plan: Plan(), listsQuestions: true)
    let asked = record.questions.filter {
      $0.question == .delayDatabase && $0.subject.name == "tx1"
    }
    // isRecorded, credit and record.
    #expect(asked.count == 3)
  }

  @Test("A backend's tasks that sleep are woken in time, and not at all when it has died")
  func sleepers() throws {
    func slept(_ plan: String) throws -> (log: [String], reports: Int) {
      SleepingBackend.log.withLock { $0 = [] }
      let plan = try Plan(parsing: plan)
      let record = Simulation(scenario(AnySystem(BackendShop<SleepingBackend>.self)))
        .record(seed: nil, plan: plan)
      #expect(record.unmatched.isEmpty)
      let first = record.facts.first { $0.kind == .charged }?.transaction
      let reports = record.facts.filter { $0.kind == .reported && $0.transaction == first }.count
      return (SleepingBackend.log.withLock { $0.filter { $0 == "0" } }, reports)
    }
    #expect(try slept("") == (["0"], 1))
    #expect(try slept("crash server after commit tx1 #1") == (["0"], 2))
  }
}

/// The app that reports until it has a final answer, with another backend.
enum BackendShop<Kind: SimulatedBackend>: HostedSystem {
  typealias App = HostedApp<TwinApp<InOneCall, Sound>>
  typealias Backend = HostedBackend<Kind>
  static var entry: SystemEntry {
    SystemEntry(
      name: "shop-\(Kind.self)".lowercased(), summary: "One app, several backends.",
      backends: [.idempotent])
  }
}

extension SimulatedBackend {
  /// The purchase that a report proves, and whose it is; or the answer where there is none.
  fileprivate func verified(_ request: ReceivedRequest, _ services: BackendServices) async -> (
    purchase: VerifiedPurchase?, owner: AccountID, answer: BackendResponse
  ) {
    guard let answer = await services.verify(.transaction) else {
      return (nil, .none, BackendResponse(.retry))
    }
    switch answer.class {
    case .retry, .notFound: return (nil, .none, BackendResponse(.retry))
    case .permanent, .otherEnvironment: return (nil, .none, BackendResponse(.refused))
    case .valid: break
    }
    for purchase in services.purchases(in: answer) where purchase.isOurs {
      let owner = services.owner(of: purchase)
      return (purchase, owner.isNone ? request.account : owner, BackendResponse(.delivered))
    }
    return (nil, .none, BackendResponse(.refused))
  }
}

/// Looks whether it was credited, credits, and writes it down: three statements, and nothing said of
/// what can come between.
final class CheckingBackend: SimulatedBackend {
  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    if await services.isRecorded(purchase) { return BackendResponse(.alreadyDelivered) }
    guard await services.credit(purchase, to: owner) == .credited else {
      return BackendResponse(.retry)
    }
    await services.record(purchase)
    return BackendResponse(.delivered)
  }
}

/// A unique key of its own, in one transaction with the credit.
final class KeyedBackend: SimulatedBackend {
  private static let keys = Server.Table("keys")

  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    let write = await services.transaction {
      $0.insert(into: Self.keys, at: "\(purchase.transaction.index)")
      $0.credit(purchase, to: owner)
    }
    switch write {
    case .written: return BackendResponse(.delivered)
    case .alreadyThere: return BackendResponse(.alreadyDelivered)
    case .unavailable, .unknown: return BackendResponse(.retry)
    }
  }
}

/// Enters what it accepts into an outbox, and credits from there, also after a crash.
final class OutboxBackend: SimulatedBackend {
  private static let outbox = Server.Table("outbox")

  init(_ kind: BackendKind) {}

  func started(_ services: BackendServices) async {
    for row in await services.rows(of: Self.outbox) { await deliver(row.key, services) }
  }

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    let credited = await services.creditedAccount(of: purchase)
    if !credited.isNone { return BackendResponse(.alreadyDelivered) }
    let key = "\(purchase.transaction.index)"
    let entered = await services.transaction {
      $0.insert(Data("\(owner.index)".utf8), into: Self.outbox, at: key)
    }
    guard entered != .unavailable else { return BackendResponse(.retry) }
    Task { await deliver(key, services) }
    return BackendResponse(.retry)
  }

  private func deliver(_ key: String, _ services: BackendServices) async {
    guard let value = await services.read(key, from: Self.outbox),
      let owner = Int(String(decoding: value, as: UTF8.self)), let number = Int(key)
    else { return }
    let purchase = services.purchase(TransactionID(index: number))
    while true {
      let write = await services.transaction {
        $0.commit(purchase, to: AccountID(index: owner))
        $0.remove(key, from: Self.outbox)
      }
      switch write {
      case .written: return
      case .alreadyThere:
        await services.remove(key, from: Self.outbox)
        return
      case .unavailable, .unknown:
        do { try await Task.sleep(for: .seconds(2)) } catch { return }
      }
    }
  }
}

/// Answers that it has accepted a report, then looks into it; the app asks again.
final class AcceptingBackend: SimulatedBackend {
  private static let refused = Server.Table("refused")

  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let known = services.purchase(request.transaction)
    let credited = await services.creditedAccount(of: known)
    if !credited.isNone { return BackendResponse(.alreadyDelivered) }
    let key = "\(request.transaction.index)"
    if await services.read(key, from: Self.refused) != nil { return BackendResponse(.refused) }
    Task {
      let (found, owner, answer) = await verified(request, services)
      if let purchase = found {
        _ = await services.commit(purchase, to: owner)
      } else if answer.outcome == .refused {
        await services.write(to: Self.refused, at: key)
      }
    }
    return BackendResponse(.retry)
  }
}

/// Says "delivered" of what it will credit in five seconds, if it lives.
final class ForgetfulBackend: SimulatedBackend {
  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    Task {
      try? await Task.sleep(for: .seconds(5))
      _ = await services.commit(purchase, to: owner)
    }
    return BackendResponse(.delivered)
  }
}

/// Credits until it is told that it has, without a key.
final class InsistingBackend: SimulatedBackend {
  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    for _ in 0..<3 where await services.credit(purchase, to: owner) == .credited {
      return BackendResponse(.delivered)
    }
    return BackendResponse(.retry)
  }
}

/// Sleeps beside the commit, and says when it has slept.
final class SleepingBackend: SimulatedBackend {
  nonisolated static let log = Mutex<[String]>([])

  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    let (found, owner, answer) = await verified(request, services)
    guard let purchase = found else { return answer }
    Task {
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
      Self.log.withLock { $0.append("\(purchase.transaction.index)") }
    }
    let commit = await services.commit(purchase, to: owner)
    return BackendResponse(commit.isThere ? .delivered : .retry)
  }
}

import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// What is seen of the backend, and what the store makes of it.
extension Shop {
  private struct Addresses: Codable {
    var production: String?
    var sandbox: String?
  }

  func setNotifications(_ body: [UInt8]) throws(BadBody) -> Answer {
    let asked = try JSON.decode(Addresses.self, from: body, keys: ["production", "sandbox"])
    for (key, text) in [("production", asked.production), ("sandbox", asked.sandbox)] {
      guard let text else { continue }
      if let problem = NotificationTarget.problem(with: text, allowing: settings.notifiedHosts) {
        throw BadBody("\(key): \(problem)")
      }
    }
    var urls: [Environment: String] = [:]
    urls[.production] = asked.production
    urls[.sandbox] = asked.sandbox
    setNotifications(urls)
    return .json(asked)
  }

  private struct Credit: Codable {
    var account: Int
    var transactionId: String?
  }

  func credit(_ body: [UInt8]) throws(BadBody) -> Answer {
    catchUp()
    let credit = try JSON.decode(Credit.self, from: body, keys: ["account", "transactionId"])
    let id = try credit.transactionId.map { text throws(BadBody) in try known(text) } ?? .none
    store.ledger.credited(id, to: try person(credit.account))
    return .json(credit, status: 201)
  }

  private struct Reversal: Codable {
    var transactionId: String
    var percent: Double?
  }

  func reverse(_ body: [UInt8]) throws(BadBody) -> Answer {
    catchUp()
    let reversal = try JSON.decode(Reversal.self, from: body, keys: ["transactionId", "percent"])
    let percent = reversal.percent ?? 100
    guard percent != 0, (-100...100).contains(percent) else {
      throw BadBody("percent: found \(percent), expected a number from -100 to 100, and not 0")
    }
    store.ledger.takenBack(
      try known(reversal.transactionId), thousandths: Int(clamping: (percent * 10).rounded()))
    return .json(reversal, status: 201)
  }

  private struct Entitlement: Codable {
    var account: Int
    var transactionId: String
    var until: Int64
  }

  func entitle(_ body: [UInt8]) throws(BadBody) -> Answer {
    catchUp()
    let entitlement = try JSON.decode(
      Entitlement.self, from: body, keys: ["account", "transactionId", "until"])
    let id = try known(entitlement.transactionId)
    guard store.books.subscription(of: id) != nil else {
      throw BadBody(
        "transactionId: found '\(entitlement.transactionId)', expected that of a subscription")
    }
    store.ledger.entitled(
      id, try person(entitlement.account), until: entitlement.until.clampedDifference(date(0)))
    return .json(entitlement, status: 201)
  }

  struct History: Codable {
    struct Line: Codable {
      var number: Int
      var at: Int64
      var who: String
      var text: String
      var note: String?
    }
    var first: Int
    var lines: [Line]
  }

  func history(from number: Int) -> Answer {
    catchUp()
    let (first, lines) = store.history(from: number)
    return .json(
      History(
        first: first,
        lines: lines.enumerated().map { place, line in
          History.Line(
            number: first + place, at: date(line.at.millis), who: line.participant.rawValue,
            text: readable(line.text), note: line.note.isEmpty ? nil : line.note)
        }))
  }

  /// A line with the identifiers of transactions, where the store has names of its own for them.
  private func readable(_ text: String) -> String {
    while named < store.books.transactionCount {
      let id = TransactionID(index: named)
      named += 1
      guard let name = store.books.name(of: id), let charge = store.books.charge(id) else {
        continue
      }
      identifiers[name] = Names.transaction(id, charge.purchase.environment)
    }
    return text.replacing(#/tx[0-9]+(/[a-z]?[0-9]+)*/#) {
      identifiers[String($0.output.0)] ?? String($0.output.0)
    }
  }

  struct Verdict: Codable {
    struct Broken: Codable {
      var code: String
      var name: String
      var summary: String
      var transactionId: String?
      var at: Int64?
    }
    var holds: Bool
    var broken: [Broken]
    var remark: String?
  }

  func verdict() -> Answer {
    catchUp()
    let broken = store.verdict().map { one in
      Verdict.Broken(
        code: one.code, name: one.name, summary: one.summary,
        transactionId: one.subject.flatMap { id in
          store.books.charge(id).map { Names.transaction(id, $0.purchase.environment) }
        }, at: one.atMillis.map(date))
    }
    return .json(
      Verdict(
        holds: broken.isEmpty, broken: broken,
        remark: store.knowsCredits
          ? nil
          : "Nobody has said what the backend credits: say it with POST /chaos/v1/credits and "
            + "/chaos/v1/entitlements."))
  }

  private struct Founding: Codable { var seed: UInt64? }

  func reset(_ body: [UInt8]) throws(BadBody) -> Answer {
    let asked =
      body.isEmpty ? Founding() : try JSON.decode(Founding.self, from: body, keys: ["seed"])
    do { try reset(seed: asked.seed) } catch { throw BadBody(error.description) }
    return state()
  }

  struct State: Codable {
    var bundleId: String
    var appAppleId: Int64
    var seed: UInt64
    var clock: String
    var now: Int64
    var accounts: Int
    var people: Int
    var transactions: Int
    var notifications: Int
    var products: [Product]

    struct Product: Codable {
      var productId: String
      var type: String
      var price: Int
      var offers: [String]
    }
  }

  func state() -> Answer {
    catchUp()
    return .json(
      State(
        bundleId: settings.app.bundle, appAppleId: settings.app.id, seed: settings.terms.seed,
        clock: settings.clock.rawValue, now: now, accounts: accounts,
        people: settings.terms.people, transactions: store.books.transactionCount,
        notifications: store.books.notificationCount,
        products: settings.terms.products.enumerated().map { place, product in
          State.Product(
            productId: product.name, type: StoreDesk.type(product),
            price: desk.price(of: ProductID(index: place)),
            offers: product.renewal?.offers.compactMap(\.name) ?? [])
        }))
  }
}

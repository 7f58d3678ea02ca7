import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// Carries notifications to a backend.
public protocol NotificationPoster: Sendable {
  /// Posts a body to an address, and says what came back.
  func post(_ body: [UInt8], to url: String) async -> LiveStore.Answer
}

/// An App Store that answers: one app, its people, what they buy, and what it signs of that.
public actor Shop {
  /// How time passes.
  public enum Clock: String, Sendable, CaseIterable {
    /// As on the wall, and in leaps where somebody says so.
    case following
    /// Only where somebody says so: the same requests have the same answers.
    case standing
  }

  /// What a shop is opened with.
  public struct Settings: Sendable {
    /// What is sold, and to whom.
    public var terms: LiveStore.Terms
    /// The app that is sold in.
    public var app = StoreDesk.App()
    /// How time passes.
    public var clock = Clock.following
    /// Where notifications go; an environment without an address gets none.
    public var notificationURLs: [Environment: String] = [:]
    /// The hosts beside this machine that whoever drives the store may send notifications to.
    public var notifiedHosts: Set<String> = []

    /// The settings of a shop, for an app of which nothing else is known.
    public init(terms: LiveStore.Terms) { self.terms = terms }
  }

  var settings: Settings
  var store: LiveStore
  /// Says in Apple's words what the store knows.
  var desk: StoreDesk
  private let signer: StoreSigner
  /// What somebody signs with who is not Apple.
  private var forger: StoreSigner?
  private let poster: any NotificationPoster
  /// The identifiers of transactions by their names in the history, as far as those were looked at.
  var identifiers: [String: String] = [:]
  var named = 0
  /// What extensions for all subscribers came to, by environment, product and identifier.
  var massExtensions: [String: APIBody.MassExtensionStatus] = [:]
  /// How many people have an account.
  var accounts = 0
  /// How the responder of the chain answers whether it is revoked.
  var revocation = RevocationResponder.Mode.good
  /// How many more times it answers so; nil for always.
  var revocationsLeft: Int?

  private let wall = ContinuousClock()
  private var opened: ContinuousClock.Instant
  /// How far time has leapt beside that of the wall.
  private var leapt: Int64 = 0
  /// Who lets time pass one after the other.
  private var leaping: Task<Void, Never>?

  /// Opens a shop; throws where its terms make no sense.
  public init(
    _ settings: Settings, signer: StoreSigner, poster: any NotificationPoster
  ) throws(ScenarioError) {
    self.settings = settings
    self.signer = signer
    self.poster = poster
    store = try LiveStore(settings.terms)
    desk = StoreDesk(store.books, settings.app, Names(seed: settings.terms.seed), signer)
    opened = wall.now
    desk.app.prices = settings.terms.prices
    desk.app.notified = Set(settings.notificationURLs.keys)
  }

  /// Founds the store again: nothing was bought, and the same requests have the same answers as the first time.
  func reset(seed: UInt64?) throws(ScenarioError) {
    if let seed { settings.terms.seed = seed }
    store = try LiveStore(settings.terms)
    desk = StoreDesk(store.books, settings.app, Names(seed: settings.terms.seed), signer)
    takeSettings()
    identifiers = [:]
    named = 0
    massExtensions = [:]
    accounts = 0
    revocation = .good
    revocationsLeft = nil
    leapt = 0
    opened = wall.now
  }

  private func takeSettings() {
    desk.app.prices = settings.terms.prices
    desk.app.notified = Set(settings.notificationURLs.keys)
  }

  /// Where notifications go from now on.
  func setNotifications(_ urls: [Environment: String]) {
    settings.notificationURLs = urls
    takeSettings()
  }

  // MARK: - Time

  func date(_ millis: Int64) -> Int64 { desk.date(millis) }

  var now: Int64 { desk.now }

  /// Lets as much time pass as has on the wall.
  func catchUp() {
    guard settings.clock == .following else { return }
    let (seconds, attoseconds) = (wall.now - opened).components
    begin(until: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + leapt)
  }

  /// Lets time pass, and carries what it brings away without waiting for the answers.
  private func begin(until millis: Int64) {
    while let delivery = store.pass(to: millis) {
      let store = store
      Task { await self.carry(delivery, of: store) }
    }
  }

  /// When something happens next of itself, in milliseconds from now; nil for never.
  func untilNext() -> Int64? {
    guard settings.clock == .following else { return nil }
    catchUp()
    return store.nextMillis.map { max($0 - store.now, 0) }
  }

  /// Lets time pass, and waits for the answer to each notification before it goes on.
  ///
  /// Two that leap do so one after the other.
  func leap(by millis: Int64) async {
    let before = leaping
    let store = store
    let task = Task {
      await before?.value
      let end = store.now + millis
      while let delivery = store.pass(to: end) { await self.carry(delivery, of: store) }
    }
    leaping = task
    await task.value
    leapt += millis
  }

  /// Sees to what is due at this moment: waits for it, or not.
  func settle(waits: Bool) async {
    if waits { await leap(by: 0) } else { begin(until: store.now) }
  }

  private func carry(_ delivery: LiveStore.Delivery, of store: LiveStore) async {
    let answer = await post(delivery.notification)
    // The store may have been founded again meanwhile.
    if store === self.store { store.answered(delivery, answer) }
  }

  private func post(_ notification: StoreNotification) async -> LiveStore.Answer {
    guard let url = settings.notificationURLs[notification.environment] else { return .noResponse }
    do {
      let payload = try signed(notification)
      return await poster.post(
        Array(try JSON.encoder.encode(["signedPayload": payload])), to: url)
    } catch {
      return .noResponse
    }
  }

  private func signed(_ notification: StoreNotification) throws -> String {
    if notification.isSigned { return try desk.signed(notification) }
    if forger == nil {
      forger = try StoreSigner(SigningChain(responder: "http://127.0.0.1:1/", date: Date()))
    }
    return try desk.signed(notification, by: forger)
  }

  // MARK: - What a backend asks

  /// What a request to one of Apple's hosts is answered.
  func answer(_ request: AppleRequest) -> Answer {
    catchUp()
    defer { begin(until: store.now) }
    if let answer = massExtension(request) { return answer }
    switch desk.reaction(to: request) {
    case nil: return .text("Not found", status: 404)
    case .answer(let answer): return answer
    case .asks(let question, let body):
      guard let answered = store.ask(question) else { return .problem(5_000_000) }
      return Reaction.answer(to: answered, body)
    case .verifies(let receipt, let environment, let body):
      guard let answered = store.verify(receipt, at: environment) else { return .problem(503) }
      do { return try body(answered) } catch {
        return .text("this cannot be written: \(error)", status: 500)
      }
    }
  }
}

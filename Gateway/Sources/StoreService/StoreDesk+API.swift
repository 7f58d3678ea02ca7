import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// The App Store Server API.
extension StoreDesk {
  private func about(_ text: String, _ body: (TransactionID) -> Reaction) -> Reaction {
    guard let id = Names.transaction(text) else { return .problem(4_000_006) }
    return body(id)
  }

  /// Get Transaction Info.
  func transaction(_ text: String, _ environment: Environment) -> Reaction {
    about(text) { id in
      .asks({
        $0.verify(environment == .production ? .transaction : .sandboxTransaction, about: id)
      }) {
        guard let purchase = Array($0.server.purchases(in: $0.answer)).first,
          let payload = payload(purchase, signedMillis: books.now)
        else { return .problem(4_040_010) }
        return .json(APIBody.Transaction(signedTransactionInfo: try sign(payload)))
      }
    }
  }

  /// Get App Transaction Info.
  func appTransaction(_ text: String, _ environment: Environment) -> Reaction {
    about(text) { id in
      .asks({
        $0.verify(environment == .production ? .transaction : .sandboxTransaction, about: id)
      }) {
        _ in
        guard let charge = books.charge(id) else { return .problem(4_040_010) }
        return .json(
          APIBody.AppTransaction(
            signedAppTransactionInfo: try sign(
              AppTransactionPayload(
                receiptType: environment.name,
                appAppleId: environment == .production ? app.id : nil,
                bundleId: app.bundle, receiptCreationDate: now,
                originalPurchaseDate: date(0),
                appTransactionId: Names.appTransaction(charge.storeAccount)))))
      }
    }
  }

  /// Get Transaction History.
  func history(_ text: String, _ query: [String: [String]], _ environment: Environment) -> Reaction
  {
    about(text) { id in
      var filter = HistoryFilter()
      if let problem = read(query, into: &filter) { return .problem(problem) }
      guard let revision = revision(query) else { return .problem(4_000_005) }
      return .asks({ $0.history(of: id, where: filter, after: revision, in: environment) }) {
        let page = $0.server.historyPage(in: $0.answer)
        return .json(
          APIBody.History(
            revision: self.revision(page), hasMore: page.hasMore, bundleId: app.bundle,
            appAppleId: environment == .production ? app.id : nil,
            environment: environment.name, signedTransactions: try signed(page.purchases)))
      }
    }
  }

  /// Get Refund History.
  func refundHistory(
    _ text: String, _ query: [String: [String]], _ environment: Environment
  ) -> Reaction {
    about(text) { id in
      guard let revision = revision(query) else { return .problem(4_000_005) }
      return .asks({ $0.refundHistory(of: id, after: revision, in: environment) }) {
        let page = $0.server.historyPage(in: $0.answer)
        return .json(
          APIBody.Refunds(
            revision: self.revision(page), hasMore: page.hasMore,
            signedTransactions: try signed(page.purchases)))
      }
    }
  }

  private func signed(_ purchases: [VerifiedPurchase]) throws -> [String] {
    try purchases.compactMap {
      try payload($0, signedMillis: books.now).map { try sign($0) }
    }
  }

  /// What a page is followed by, and what it is asked for with: no more than a number to whoever holds it.
  private func revision(_ page: HistoryPage) -> String { "\(date(0))_\(page.revision)" }

  private func revision(_ query: [String: [String]]) -> UInt32? {
    guard let text = query["revision"]?.last else { return 0 }
    let parts = text.split(separator: "_")
    guard parts.count == 2, parts[0] == "\(date(0))" else { return nil }
    return UInt32(parts[1], radix: 10)
  }

  /// What is wrong with a query; nil where nothing is.
  private func read(_ query: [String: [String]], into filter: inout HistoryFilter) -> Int? {
    for text in query["productType"] ?? [] {
      switch text {
      case "AUTO_RENEWABLE": filter.productTypes.append(.autoRenewable)
      case "NON_CONSUMABLE": filter.productTypes.append(.nonConsumable)
      case "CONSUMABLE": filter.productTypes.append(.consumable)
      case "NON_RENEWABLE": filter.productTypes.append(.nonRenewable)
      default: return 4_000_022
      }
    }
    let products = books.products
    var wanted: [[ProductID]] = []
    if let texts = query["productId"] {
      wanted.append(
        products.indices.filter { texts.contains(products[$0].name) }.map(ProductID.init))
    }
    if let texts = query["subscriptionGroupIdentifier"] {
      wanted.append(
        products.indices.map(ProductID.init).filter {
          group(of: $0).map(texts.contains) ?? false
        })
    }
    if let first = wanted.first {
      let fitting = wanted.dropFirst().reduce(first) { $0.filter($1.contains) }
      // What is not sold nobody has bought.
      filter.products = fitting.isEmpty ? [.none] : fitting
    }
    if let text = query["startDate"]?.last {
      guard let millis = Int64(text, radix: 10) else { return 4_000_015 }
      filter.startMillis = millis.clampedDifference(date(0))
    }
    if let text = query["endDate"]?.last {
      guard let millis = Int64(text, radix: 10) else { return 4_000_016 }
      filter.endMillis = millis.clampedDifference(date(0))
    }
    if let text = query["revoked"]?.last?.lowercased() {
      guard let isRevoked = Bool(text) else { return 4_000_030 }
      filter.isRevoked = isRevoked
    }
    switch query["inAppOwnershipType"]?.last {
    case nil: break
    case "PURCHASED": filter.ownership = .purchased
    case "FAMILY_SHARED": filter.ownership = .familyShared
    default: return 4_000_026
    }
    switch query["sort"]?.last {
    case nil, "ASCENDING": break
    case "DESCENDING": filter.isDescending = true
    default: return 4_000_021
    }
    return nil
  }

  /// Get All Subscription Statuses.
  func statuses(_ text: String, _ query: [String: [String]], _ environment: Environment) -> Reaction
  {
    about(text) { id in
      let wanted = (query["status"] ?? []).map { Int($0, radix: 10) }
      guard wanted.allSatisfy({ $0.map { (1...5).contains($0) } ?? false }) else {
        return .problem(4_000_031)
      }
      let question =
        environment == .production
        ? VerifierQuestion.subscriptions : .sandboxSubscriptions
      return .asks({ $0.verify(question, about: id) }) { _ in
        var groups: [APIBody.Statuses.Group] = []
        for first in books.subscriptions(ofBuyerOf: id).reversed() {
          guard let status = books.subscription(of: first) else { continue }
          if !wanted.isEmpty, !wanted.contains(Int(clamping: status.state.rawValue)) { continue }
          let last = APIBody.Statuses.Last(
            originalTransactionId: Names.transaction(status.original, environment),
            status: Int(clamping: status.state.rawValue),
            signedTransactionInfo: try signedNow(status.latest) ?? "",
            signedRenewalInfo: try sign(payload(status, environment, signedMillis: books.now)))
          let name = group(of: status.product) ?? ""
          if let place = groups.firstIndex(where: { $0.subscriptionGroupIdentifier == name }) {
            groups[place].lastTransactions.append(last)
          } else {
            groups.append(.init(subscriptionGroupIdentifier: name, lastTransactions: [last]))
          }
        }
        return .json(
          APIBody.Statuses(
            environment: environment.name, bundleId: app.bundle,
            appAppleId: environment == .production ? app.id : nil, data: groups))
      }
    }
  }

  /// Look Up Order ID.
  func order(_ text: String, _ environment: Environment) -> Reaction {
    // What no order looks like is none.
    let order = Names.order(text) ?? OrderID(number: .max)
    let asked: Reaction.Ask = { $0.lookUp(order, in: environment) }
    return .asks(asked) {
      let found = $0.server.order(in: $0.answer)
      return .json(
        APIBody.OrderLookUp(
          status: found.isValid ? 0 : 1, signedTransactions: try signed(found.purchases)))
    }
  }

  // MARK: - Notifications

  /// Get Notification History.
  func notifications(
    _ body: [UInt8], _ query: [String: [String]], _ environment: Environment
  ) -> Reaction {
    guard let asked = try? JSON.decode(APIRequest.Notifications.self, from: body) else {
      return .problem(4_000_000)
    }
    guard asked.endDate > asked.startDate else { return .problem(4_000_013) }
    var from: UInt32 = 0
    if let text = query["paginationToken"]?.last {
      guard let number = UInt32(text, radix: 10) else { return .problem(4_000_014) }
      from = number
    }
    let transaction = asked.transactionId.map { Names.transaction($0) ?? TransactionID.none }
    let question =
      environment == .production
      ? VerifierQuestion.notificationHistory : .sandboxNotificationHistory
    let history: Reaction.Ask = { $0.verify(question, about: .none) }
    return .asks(history) { _ in
      var items: [APIBody.Notifications.Item] = []
      var next: UInt32?
      var number = from
      while number < UInt32(clamping: books.notificationCount) {
        defer { number += 1 }
        guard let sent = books.sent(number), sent.notification.environment == environment else {
          continue
        }
        let notification = sent.notification
        let signed = date(notification.signedMillis)
        guard signed >= asked.startDate, signed < asked.endDate,
          asked.notificationType.map({ $0 == notification.kind.name }) ?? true,
          asked.notificationSubtype.map({ $0 == notification.subtype?.name }) ?? true,
          transaction.map({ isSame($0, notification.transaction) }) ?? true,
          !(asked.onlyFailures ?? false) || !sent.isDelivered
        else { continue }
        if items.count == 20 {
          next = number
          break
        }
        items.append(
          .init(signedPayload: try self.signed(notification), sendAttempts: attempts(of: sent)))
      }
      return .json(
        APIBody.Notifications(
          notificationHistory: items, hasMore: next != nil, paginationToken: next.map(String.init)))
    }
  }

  /// Whether both are of one subscription, or the same.
  private func isSame(_ asked: TransactionID, _ other: TransactionID) -> Bool {
    guard let first = books.charge(asked), let second = books.charge(other) else { return false }
    return first.original == second.original
  }

  private func attempts(of sent: SentNotification) -> [APIBody.SendAttempt] {
    sent.attempts.compactMap { attempt in
      attempt.result.map {
        APIBody.SendAttempt(attemptDate: date(attempt.millis), sendAttemptResult: $0.name)
      }
    }
  }

  /// Request a Test Notification.
  func requestTest(_ environment: Environment) -> Reaction {
    guard app.notified.contains(environment) else { return .problem(4_040_007) }
    let asked: Reaction.Ask = { $0.requestTestNotification(in: environment) }
    return .asks(asked) {
      guard let token = $0.server.testNotificationToken(in: $0.answer) else {
        return .problem(5_000_000)
      }
      return .json(APIBody.TestToken(testNotificationToken: names.test(token, at: now)))
    }
  }

  /// Get Test Notification Status.
  func testStatus(_ text: String, _ environment: Environment) -> Reaction {
    guard let token = names.test(text) else { return .problem(4_040_008) }
    let asked: Reaction.Ask = { $0.testNotificationStatus(of: token, in: environment) }
    return .asks(asked) {
      guard let sent = books.sent(token.number),
        $0.server.testNotificationStatus(in: $0.answer) != nil
      else { return .problem(4_040_008) }
      return .json(
        APIBody.TestStatus(
          signedPayload: try signed(sent.notification), sendAttempts: attempts(of: sent)))
    }
  }

  // MARK: - What Apple is to do

  /// Finish Transaction.
  func finish(_ text: String, _ environment: Environment) -> Reaction {
    call(.finish, text, environment)
  }

  /// Set App Account Token.
  func setToken(_ text: String, _ body: [UInt8], _ environment: Environment) -> Reaction {
    guard let asked = try? JSON.decode(APIRequest.Token.self, from: body),
      let uuid = UUID(uuidString: asked.appAccountToken)
    else { return .problem(4_000_183) }
    return call(.setAppAccountToken(names.token(uuid)), text, environment)
  }

  /// Send Consumption Information, of either version.
  func consumption(_ text: String, _ body: [UInt8], _ environment: Environment) -> Reaction {
    guard let asked = try? JSON.decode(APIRequest.Consumption.self, from: body),
      let information = ConsumptionInformation(asked)
    else { return .problem(4_000_000) }
    return call(.sendConsumption(information), text, environment) { _ in
      .json([String: String](), status: 202)
    }
  }

  /// Extend a Subscription Renewal Date.
  func extend(_ text: String, _ body: [UInt8], _ environment: Environment) -> Reaction {
    guard let asked = try? JSON.decode(APIRequest.Extension.self, from: body) else {
      return .problem(4_000_000)
    }
    if let problem = Self.problem(
      asked.extendByDays, asked.extendReasonCode, asked.requestIdentifier)
    {
      return .problem(problem)
    }
    return call(.extendRenewalDate(days: asked.extendByDays), text, environment) { id in
      guard let status = books.subscription(of: id),
        let charge = books.charge(status.latest)
      else { return .problem(4_040_010) }
      return .json(
        APIBody.Extension(
          originalTransactionId: Names.transaction(status.original, environment),
          webOrderLineItemId: Names.lineItem(status.latest), success: true,
          effectiveDate: date(charge.expiresMillis ?? 0)))
    }
  }

  static func problem(_ days: Int, _ reason: Int, _ identifier: String) -> Int? {
    if !(1...90).contains(days) { return 4_000_009 }
    if !(0...3).contains(reason) { return 4_000_010 }
    return (1...128).contains(identifier.utf8.count) ? nil : 4_000_011
  }

  private func call(
    _ command: AppStoreCommand, _ text: String, _ environment: Environment,
    _ body: @escaping (TransactionID) throws -> Answer = { _ in .json([String: String]()) }
  ) -> Reaction {
    about(text) { id in
      .asks({ $0.call(command, about: id, in: environment) }) { _ in try body(id) }
    }
  }
}

extension ConsumptionInformation {
  /// What a request says; nil where it says what Apple has no word for.
  init?(_ asked: APIRequest.Consumption) {
    let delivery: Delivery
    switch asked.deliveryStatus {
    case .word("DELIVERED"), .number(0): delivery = .delivered
    case .word("UNDELIVERED_QUALITY_ISSUE"), .number(1): delivery = .qualityIssue
    case .word("UNDELIVERED_WRONG_ITEM"), .number(2): delivery = .wrongItem
    case .word("UNDELIVERED_SERVER_OUTAGE"), .number(3): delivery = .serverOutage
    case .word("UNDELIVERED_OTHER"), .number(4), .number(5): delivery = .other
    default: return nil
    }
    var preference: Preference?
    switch asked.refundPreference {
    case nil, .number(0), .number(3): break
    case .word("DECLINE"), .number(2): preference = .decline
    case .word("GRANT_FULL"), .number(1): preference = .grantFull
    case .word("GRANT_PRORATED"): preference = .grantProrated
    default: return nil
    }
    // Thousandths of a percent.
    if let consumed = asked.consumptionPercentage, !(0...100_000).contains(consumed) { return nil }
    self.init(
      isConsentedTo: asked.customerConsented, delivery: delivery,
      consumed: asked.consumptionPercentage.map { UInt32(clamping: $0) }, preference: preference)
  }
}

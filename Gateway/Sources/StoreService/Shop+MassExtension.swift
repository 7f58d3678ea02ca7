import ChaosStore
import Invariants

/// What Apple does for all subscribers of a product at once.
extension Shop {
  /// What a request about that is answered; nil for any other.
  func massExtension(_ request: AppleRequest) -> Answer? {
    let path = request.path
    guard path.starts(with: ["inApps", "v1", "subscriptions", "extend", "mass"]) else { return nil }
    if let refusal = desk.refusal(authorization: request.authorization) { return refusal }
    switch (request.method, path.count) {
    case ("POST", 5): return extendAll(request.body, request.environment)
    case ("GET", 7): return extensionStatus(path[5], path[6], request.environment)
    default: return nil
    }
  }

  /// Extend Subscription Renewal Dates for All Active Subscribers. Apple does it in the course of days, this store at
  /// once.
  private func extendAll(_ body: [UInt8], _ environment: Environment) -> Answer {
    guard let asked = try? JSON.decode(APIRequest.MassExtension.self, from: body) else {
      return .problem(4_000_000)
    }
    if let problem = StoreDesk.problem(
      asked.extendByDays, asked.extendReasonCode, asked.requestIdentifier)
    {
      return .problem(problem)
    }
    guard let place = desk.books.products.firstIndex(where: { $0.name == asked.productId }),
      desk.books.products[place].renewal != nil
    else { return .problem(4_000_023) }
    var status = APIBody.MassExtensionStatus(
      requestIdentifier: asked.requestIdentifier, complete: true, completeDate: now,
      succeededCount: 0, failedCount: 0)
    for id in store.books.subscriptions(to: ProductID(index: place), in: environment) {
      let answered = store.ask {
        $0.call(.extendRenewalDate(days: asked.extendByDays), about: id, in: environment)
      }
      if answered?.answer.status == 0 {
        status.succeededCount += 1
      } else {
        status.failedCount += 1
      }
    }
    massExtensions["\(environment) \(asked.productId) \(asked.requestIdentifier)"] = status
    return .json(APIBody.MassExtension(requestIdentifier: asked.requestIdentifier))
  }

  /// Get Status of Subscription Renewal Date Extensions.
  private func extensionStatus(
    _ product: String, _ identifier: String, _ environment: Environment
  ) -> Answer {
    guard let status = massExtensions["\(environment) \(product) \(identifier)"] else {
      return .problem(4_040_009)
    }
    return .json(status)
  }
}

/// What a `.storekit` file sells.
struct StoreKitCatalogue {
  private(set) var products: [Setup.Product] = []

  private let hasGrace: Bool
  /// Where each product stands, by its identifier.
  private var places: [String: String] = [:]

  private static let quiet = ["displayPrice", "internalID", "localizations", "referenceName"]
  private static let ofProduct = ["productID", "type", "familyShareable"]
  private static let offers = [
    ("introductoryOffer", "an introductory offer"),
    ("introductoryOffers", "introductory offers"), ("adHocOffers", "promotional offers"),
    ("codeOffers", "offer codes"), ("winbackOffers", "win-back offers"),
  ]

  init(
    _ file: JSONObject, hasGrace: Bool, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) {
    self.hasGrace = hasGrace
    let expected = "a list of products, which may be empty"
    for node in try file.required("products", expected).list(expected) {
      let product = try Self.product(node, ["Consumable", "NonConsumable"], more: [], &remarks)
      try add(product.id, product.type == 0 ? .consumable : .nonConsumable)
    }
    for node in try file.elements("nonRenewingSubscriptions") {
      let product = try Self.product(node, ["NonRenewingSubscription"], more: [], &remarks)
      let id = try product.id.text()
      try take(product.id)
      remarks.append(
        .init(path: node.path, what: "'\(id.shortened)', a subscription that is not renewed"))
    }
    for node in try file.elements("subscriptionGroups") { try readGroup(node, &remarks) }
  }

  // MARK: -

  /// The identifier and the position of the type; what else matters of it is remarked.
  private static func product(
    _ node: JSONNode, _ types: [String], more: [String],
    _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) -> (id: JSONNode, type: Int, object: JSONObject) {
    let object = try node.object("a product").remarking(
      known: ofProduct + more, quiet: quiet, &remarks)
    let id = try object.required("productID", "the identifier of a product")
    _ = try id.string("the identifier of a product")
    let type = try object.required("type", oneOf(types, "types"))
    if try object.isOn("familyShareable"), let shared = object["familyShareable"] {
      remarks.append(.init(path: shared.path, what: "Family Sharing"))
    }
    return (id, try type.index(among: types, "types"), object)
  }

  /// No other product has its identifier.
  private mutating func take(_ id: JSONNode) throws(ScenarioError) {
    if let twin = places.updateValue(id.path, forKey: try id.text()) {
      throw id.error(expected: "an identifier that no other product has; \(twin) is the same")
    }
  }

  private mutating func add(
    _ id: JSONNode, _ kind: Setup.Product.Kind
  ) throws(ScenarioError) {
    try take(id)
    products.append(Setup.Product(try id.text(), kind))
  }

  private mutating func readGroup(
    _ node: JSONNode, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) {
    let object = try node.object("a group of subscriptions").remarking(
      known: ["id", "subscriptions"], quiet: ["name", "localizations"], &remarks)
    let group = try object.required("id", "the identifier of a group")
      .string("the identifier of a group")
    let expected = "a list of subscriptions"
    for node in try object.required("subscriptions", expected).list(expected) {
      let product = try Self.product(
        node, ["RecurringSubscription"],
        more: ["recurringSubscriptionPeriod", "groupNumber", "subscriptionGroupID", "billingPlans"]
          + Self.offers.map(\.0), &remarks)
      if let own = product.object.value("subscriptionGroupID"), own.value != .string(group) {
        throw own.error(expected: "'\(group.shortened)', as the group that it stands in")
      }
      try Self.remarkOffers(of: product.object, &remarks)
      try add(product.id, .autoRenewable(try renewal(product.object, group)))
    }
  }

  private func renewal(
    _ object: JSONObject, _ group: String
  ) throws(ScenarioError) -> Setup.Product.Renewal {
    let expected = "how long a payment lasts, such as P1W, P1M or P1Y"
    let node = try object.required("recurringSubscriptionPeriod", expected)
    guard let period = Period(parsing: try node.string(expected)) else {
      throw node.error(expected: expected)
    }
    // Xcode counts as the simulator does: the first is the highest.
    let level = try object.required("groupNumber", Limits.whole(Limits.levels)).int(Limits.levels)
    return Setup.Product.Renewal(
      period, graceDays: hasGrace ? Self.graceDays(of: period) : 0, group: group, level: level)
  }

  /// The file only says that there is grace.
  ///
  /// Source: Apple, Enable Billing Grace Period for auto-renewable subscriptions: 16 days, and 6 for what is paid for by
  /// the week.
  private static func graceDays(of period: Period) -> Int {
    period == Period(1, .week) ? 6 : 16
  }

  private static func remarkOffers(
    of object: JSONObject, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) {
    for (key, what) in offers {
      guard let node = object.value(key) else { continue }
      if key == "introductoryOffer" {
        _ = try node.object("an offer, or null")
      } else if try node.list("a list of offers").isEmpty {
        continue
      }
      remarks.append(.init(path: node.path, what: what))
    }
    for node in try object.elements("billingPlans") {
      let plan = try node.object("a billing plan")
      if try plan.isOn("isEnabled"), plan["billingPlanType"]?.value != .string("BILLED_UPFRONT") {
        remarks.append(.init(path: node.path, what: "a billing plan that is not paid upfront"))
      }
    }
  }
}

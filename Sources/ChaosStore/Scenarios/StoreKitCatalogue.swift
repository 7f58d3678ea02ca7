/// What a `.storekit` file sells.
struct StoreKitCatalogue {
  private(set) var products: [Setup.Product] = []

  private let hasGrace: Bool
  /// Where each product stands, by its identifier.
  private var places: [String: String] = [:]

  private static let quiet = ["displayPrice", "internalID", "localizations", "referenceName"]
  private static let upfront = JSONValue.string("BILLED_UPFRONT")
  private static let ofProduct = ["productID", "type", "familyShareable"]
  private static let offers: [(String, Setup.Product.Offer.Kind)] = [
    ("introductoryOffer", .introductory), ("introductoryOffers", .introductory),
    ("adHocOffers", .promotional), ("codeOffers", .code), ("winbackOffers", .winBack),
  ]

  init(
    _ file: JSONObject, hasGrace: Bool, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) {
    self.hasGrace = hasGrace
    let expected = "a list of products, which may be empty"
    for node in try file.required("products", expected).list(expected) {
      let product = try Self.product(node, ["Consumable", "NonConsumable"], more: [], &remarks)
      try add(product, product.type == 0 ? .consumable : .nonConsumable)
    }
    for node in try file.elements("nonRenewingSubscriptions") {
      let product = try Self.product(node, ["NonRenewingSubscription"], more: [], &remarks)
      try add(product, .nonRenewing)
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
    return (id, try type.index(among: types, "types"), object)
  }

  /// No other product has its identifier.
  private mutating func take(_ id: JSONNode) throws(ScenarioError) {
    if let twin = places.updateValue(id.path, forKey: try id.text()) {
      throw id.error(expected: "an identifier that no other product has; \(twin) is the same")
    }
  }

  private mutating func add(
    _ found: (id: JSONNode, type: Int, object: JSONObject), _ kind: Setup.Product.Kind
  ) throws(ScenarioError) {
    try take(found.id)
    var product = Setup.Product(try found.id.text(), kind)
    // Of what can be bought again and again the key changes nothing.
    if !product.isRepeatable {
      product.isFamilyShareable = try found.object.isOn("familyShareable")
    }
    products.append(product)
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
      Self.remarkPlans(of: product.object, &remarks)
      try add(product, .autoRenewable(try renewal(product.object, group, &remarks)))
    }
  }

  private func renewal(
    _ object: JSONObject, _ group: String, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) -> Setup.Product.Renewal {
    let period = try Self.period(object, "recurringSubscriptionPeriod")
    // Xcode counts as the simulator does: the first is the highest.
    let level = try object.required("groupNumber", Limits.whole(Limits.levels)).int(Limits.levels)
    return Setup.Product.Renewal(
      period, graceDays: hasGrace ? Self.graceDays(of: period) : 0, group: group, level: level,
      offers: try Self.offers(of: object, &remarks))
  }

  private static func period(_ object: JSONObject, _ key: String) throws(ScenarioError) -> Period {
    let expected = "how long a payment lasts, such as P1W, P1M or P1Y"
    let node = try object.required(key, expected)
    guard let period = Period(parsing: try node.string(expected)) else {
      throw node.error(expected: expected)
    }
    return period
  }

  /// The file only says that there is grace.
  ///
  /// Source: Apple, Enable Billing Grace Period for auto-renewable subscriptions: 16 days, and 6 for what is paid for by
  /// the week.
  private static func graceDays(of period: Period) -> Int {
    period == Period(1, .week) ? 6 : 16
  }

  private static func offers(
    of object: JSONObject, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) -> [Setup.Product.Offer] {
    var offers: [Setup.Product.Offer] = []
    for (key, kind) in Self.offers {
      guard let node = object.value(key) else { continue }
      // Older files have one introductory offer, or null.
      let nodes = key == "introductoryOffer" ? [node] : try node.list("a list of offers")
      for (index, node) in nodes.enumerated() {
        let offer = try Self.offer(node, kind, number: index + 1, &remarks)
        if let twin = offers.first(where: { $0.name == offer.name }) {
          // A file of several storefronts has an introductory offer for each, and a new one has the first of them under
          // the old key as well.
          if twin != offer {
            let name = offer.name.map { "another offer called '\($0.shortened)'" }
            remarks.append(
              .init(path: node.path, what: name ?? "another introductory offer than the first"))
          }
        } else {
          offers.append(offer)
        }
      }
    }
    return offers
  }

  private static func offer(
    _ node: JSONNode, _ kind: Setup.Product.Offer.Kind, number: Int,
    _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) -> Setup.Product.Offer {
    let expected = kind == .introductory ? "an offer, or null" : "an offer"
    let object = try node.object(expected).remarking(
      known: [
        "offerID", "referenceName", "paymentMode", "subscriptionPeriod", "numberOfPeriods",
        "billingPlanType", "eligibility",
      ], quiet: ["displayPrice", "internalID", "isStackable", "isPreferred"], &remarks)
    remark(object, kind, &remarks)
    let modes = ["free", "payAsYouGo", "payUpFront"]
    let mode = try object.required("paymentMode", oneOf(modes, "ways to pay"))
      .index(among: modes, "ways to pay")
    let payment = Setup.Product.Offer.Payment.allCases[mode]
    let periods = try object.value("numberOfPeriods")?.int(Limits.offerPeriods) ?? 1
    var period = try Self.period(object, "subscriptionPeriod")
    // What is paid at once, or not at all, lasts for all of its periods.
    if payment != .payAsYouGo { period.count *= periods }
    return Setup.Product.Offer(
      kind == .introductory ? nil : try Self.name(of: object) ?? "\(kind.name) \(number)", kind,
      payment, period, periods: payment == .payAsYouGo ? periods : 1)
  }

  private static func remark(
    _ offer: JSONObject, _ kind: Setup.Product.Offer.Kind, _ remarks: inout [StoreKitFile.Remark]
  ) {
    if let plan = offer.value("billingPlanType"), plan.value != upfront {
      remarks.append(.init(path: plan.path, what: "an offer for a plan that is not paid upfront"))
    }
    // New, existing and expired subscribers: all there are.
    if kind == .code, let groups = offer.value("eligibility") {
      if case .list(let names) = groups.value, names.isEmpty || names.count > 2 { return }
      remarks.append(.init(path: groups.path, what: "a code that some people may not redeem"))
    }
  }

  /// What apps call an offer by: its identifier, or else its name in Xcode, where that is a text.
  private static func name(of offer: JSONObject) throws(ScenarioError) -> String? {
    if let id = offer.value("offerID") { return try id.string("the name of an offer") }
    guard case .string(let name) = offer["referenceName"]?.value, !name.isEmpty else { return nil }
    return name
  }

  /// What is paid upfront is what is simulated; all else is remarked, whatever its form.
  private static func remarkPlans(of object: JSONObject, _ remarks: inout [StoreKitFile.Remark]) {
    guard let plans = object.value("billingPlans") else { return }
    guard let nodes = try? plans.list("a list") else {
      remarks.append(.init(path: plans.path, what: "billing plans in a form that is not known"))
      return
    }
    for node in nodes {
      guard let plan = try? node.object() else {
        remarks.append(.init(path: node.path, what: "a billing plan in a form that is not known"))
        continue
      }
      let isOff = [nil, .null, .bool(false)].contains(plan["isEnabled"]?.value)
      if !isOff, plan["billingPlanType"]?.value != upfront {
        remarks.append(.init(path: node.path, what: "a billing plan that is not paid upfront"))
      }
    }
  }
}

import Invariants

/// Reads the keys of a world: who is there, what they do, and how long it goes on.
struct WorldReader {
  static let keys = [
    "accounts", "storeAccounts", "devices", "products", "storekit", "steps", "arrivals", "begins",
    "heal",
    "horizon", "reopenEvery", "relaunches", "retaps", "within", "patience", "policy", "eventLimit",
    "delays",
    "sittings", "families",
  ]

  private static let renewalKeys = ["period", "graceDays", "group", "level", "offers"]
  static let offerKeys = ["name", "kind", "payment", "period", "periods"]
  static let productKeys = ["name", "kind", "familyShareable"] + renewalKeys

  private let nodes: [String: JSONNode]
  private let owner: JSONNode
  private let files: StoreKitFiles

  /// The keys come from a world, those it extends, and the scenario, so each knows its own path; the
  /// owner is whose they are.
  init(_ nodes: [String: JSONNode], of owner: JSONNode, _ files: StoreKitFiles) {
    self.nodes = nodes
    self.owner = owner
    self.files = files
  }

  /// What the keys amount to, refused where nobody could be there or nothing could happen as they say.
  func setup() throws(ScenarioError) -> Setup {
    var setup = Setup()
    setup.accounts = try nodes["accounts"]?.int(Limits.accounts) ?? setup.accounts
    setup.storeAccounts = try nodes["storeAccounts"]?.int(Limits.accounts) ?? setup.storeAccounts
    if let node = nodes["families"] { setup.families = try families(node, setup) }
    if let node = nodes["devices"] { setup.devices = try devices(node, setup) }
    if let node = nodes["products"] { setup.products = try Self.products(node) }
    if let node = nodes["storekit"] { try readFile(node, into: &setup) }
    do { try SetupCheck(setup).checkPeople() } catch { throw error.error(in: nodes, of: owner) }
    try readTimes(into: &setup)
    if let node = nodes["steps"] { setup.steps = try StepReader(node, setup).steps() }
    if let node = nodes["arrivals"] { setup.arrivals = try arrivals(node) }
    setup.relaunches = try nodes["relaunches"]?.bool() ?? setup.relaunches
    setup.retaps = UInt32(try nodes["retaps"]?.int(Limits.retaps) ?? Int(setup.retaps))
    if let node = nodes["policy"] {
      setup.transfersOnRestore =
        try node.index(among: ["buyer", "transfer-on-restore"], "policies") == 1
    }
    if let node = nodes["delays"] { setup.mix.delays = try delays(node) }
    do { try SetupCheck(setup).checkTimeAndSteps() } catch {
      throw error.error(in: nodes, of: owner)
    }
    return setup
  }

  // MARK: -

  private func devices(_ node: JSONNode, _ setup: Setup) throws(ScenarioError)
    -> [Setup.Device]
  {
    if case .int = node.value {
      return (0..<(try node.int(Limits.devices))).map { index in
        Setup.Device(storeAccount: index % setup.storeAccounts, account: index % setup.accounts)
      }
    }
    var devices: [Setup.Device] = []
    for element in try node.list("a list of devices, or how many there are") {
      let object = try element.object(of: ["storeAccount", "account", "environment"])
      var device = Setup.Device()
      if let node = object["storeAccount"] {
        device.storeAccount = try node.index(of: "apple", count: setup.storeAccounts)
      }
      if let node = object["account"] {
        device.account = try node.index(of: "user", count: setup.accounts)
      }
      if let node = object["environment"] {
        let names = Environment.allCases.map { "\($0)" }
        device.environment = Environment.allCases[try node.index(among: names, "environments")]
      }
      devices.append(device)
    }
    return devices
  }

  private func families(_ node: JSONNode, _ setup: Setup) throws(ScenarioError) -> [[Int]] {
    var families: [[Int]] = []
    for element in try node.list("a list of families") {
      var family: [Int] = []
      for member in try element.list("a list of Apple accounts") {
        family.append(try member.index(of: "apple", count: setup.storeAccounts))
      }
      families.append(family)
    }
    return families
  }

  static func products(_ node: JSONNode) throws(ScenarioError) -> [Setup.Product] {
    var products: [Setup.Product] = []
    for element in try node.list("a list of products") {
      let object = try element.object(of: productKeys)
      let name = try object.required("name", "the name of a product")
      let text = try name.string("the name of a product")
      let kind = try object["kind"]?.index(among: Setup.Product.kindNames, "kinds") ?? 0
      var product = Setup.Product(text, try self.kind(kind, object))
      if let node = object["familyShareable"] {
        product.isFamilyShareable = try node.bool()
        if product.isFamilyShareable, product.isRepeatable {
          throw node.error(expected: "it only where the kind is non-consumable or auto-renewable")
        }
      }
      products.append(product)
    }
    return products
  }

  /// What Xcode's file sells, and the faults that it switches on.
  private func readFile(_ node: JSONNode, into setup: inout Setup) throws(ScenarioError) {
    if nodes["products"] != nil {
      throw node.error(expected: "it only where there are no products")
    }
    let file = try files.file(node)
    setup.products = file.products
    setup.mix.entries = file.faults
  }

  private static func kind(
    _ kind: Int, _ object: JSONObject
  ) throws(ScenarioError) -> Setup.Product.Kind {
    guard kind == 2 else {
      if let extra = renewalKeys.lazy.compactMap({ object[$0] }).first {
        throw extra.error(expected: "it only where the kind is auto-renewable")
      }
      return kind == 0 ? .consumable : kind == 1 ? .nonConsumable : .nonRenewing
    }
    return .autoRenewable(
      Setup.Product.Renewal(
        try period(object), graceDays: try object["graceDays"]?.int(Limits.graceDays) ?? 0,
        group: try object["group"]?.string("the name of a group"),
        level: try object["level"]?.int(Limits.levels) ?? 1,
        offers: try object["offers"].map(offers) ?? []))
  }

  private static func period(_ object: JSONObject) throws(ScenarioError) -> Period {
    let expected = "how long a payment lasts, such as P1M: a number of D, W, M or Y after P"
    let node = try object.required("period", expected)
    guard let period = Period(parsing: try node.string(expected)) else {
      throw node.error(expected: expected)
    }
    return period
  }

  private static func offers(_ node: JSONNode) throws(ScenarioError) -> [Setup.Product.Offer] {
    typealias Offer = Setup.Product.Offer
    var offers: [Offer] = []
    for element in try node.list("a list of offers") {
      let object = try element.object(of: offerKeys)
      let kinds = Offer.Kind.allCases.map(\.name)
      let kind = try object.required("kind", "one of \(kinds.joined(separator: ", "))")
      let payments = Offer.Payment.allCases.map(\.name)
      let payment = try object.required("payment", "one of \(payments.joined(separator: ", "))")
      offers.append(
        Offer(
          try object["name"]?.string("the name of an offer"),
          Offer.Kind.allCases[try kind.index(among: kinds, "kinds")],
          Offer.Payment.allCases[try payment.index(among: payments, "payments")],
          try period(object), periods: try object["periods"]?.int(Limits.offerPeriods) ?? 1))
    }
    return offers
  }

  private func sittings(_ node: JSONNode) throws(ScenarioError) -> Setup.Sittings {
    let object = try node.object(of: ["every", "for"])
    let every = try object.required("every", "after which time the app is opened again")
    let stay = try object.required("for", "after which time it is closed")
    return Setup.Sittings(
      everyMillis: try every.millis(Limits.spans), forMillis: try stay.millis(Limits.spans))
  }

  private func readTimes(into setup: inout Setup) throws(ScenarioError) {
    setup.beginsSeconds = try nodes["begins"]?.moment() ?? setup.beginsSeconds
    setup.healMillis = try nodes["heal"]?.millis() ?? setup.healMillis
    setup.horizonMillis = try nodes["horizon"]?.millis(Limits.spans) ?? setup.horizonMillis
    setup.withinMillis = try nodes["within"]?.millis(Limits.spans)
    setup.patienceMillis = try nodes["patience"]?.millis(Limits.spans) ?? setup.patienceMillis
    if let node = nodes["reopenEvery"] {
      setup.reopenEveryMillis =
        node.value == .string("never")
        ? nil : try node.millis(Limits.spans, or: ", or never")
    }
    if let node = nodes["sittings"] {
      if let other = nodes["reopenEvery"], other.value != .string("never") {
        throw other.error(expected: "it only where there are no sittings")
      }
      setup.sittings = try sittings(node)
      setup.reopenEveryMillis = nil
    }
    setup.eventLimit = try nodes["eventLimit"]?.int(Limits.events) ?? setup.eventLimit
  }

  private func arrivals(_ node: JSONNode) throws(ScenarioError) -> Setup.Arrivals {
    let object = try node.object(of: ["count", "over"])
    let count = try object.required("count", "how many purchases arrive")
    let over = try object.required("over", "the time over which they arrive")
    return Setup.Arrivals(count: try count.int(Limits.arrivals), overMillis: try over.millis())
  }

  private func delays(_ node: JSONNode) throws(ScenarioError)
    -> [Question: ClosedRange<Int64>]
  {
    let known = Question.allCases.filter { if case .delay = $0.shape { true } else { false } }
    var delays: [Question: ClosedRange<Int64>] = [:]
    for (key, node) in try node.object("an object of delays and their ranges").members {
      guard let question = Question(name: key), known.contains(question) else {
        throw node.unknownKey(key, known.map(\.name), "delays")
      }
      delays[question] = try node.millisRange()
    }
    return delays
  }
}

/// Reads the steps of a world.
struct StepReader {
  private let node: JSONNode
  private let setup: Setup
  /// Who is logged in on each device after the steps read so far.
  private var loggedIn: [Int]
  private let products: [String]
  private let positions: [String: Int]

  private static let actions = ["buy", "buyOutside", "buyPromoted", "logIn", "do"]
  private static let deeds: [(name: String, action: Setup.Step.Action)] = [
    ("restore", .restore), ("reinstall", .reinstall), ("restore-backup", .restoreBackup),
    ("quit", .quit), ("open", .open),
  ]

  /// The setup has its accounts, devices, products and times already.
  init(_ node: JSONNode, _ setup: Setup) {
    self.node = node
    self.setup = setup
    loggedIn = setup.devices.map(\.account)
    products = setup.products.map(\.name)
    positions = Dictionary(
      products.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  func steps() throws(ScenarioError) -> [Setup.Step] {
    var reader = self
    var steps: [Setup.Step] = []
    for node in try node.list("a list of steps") {
      steps.append(try reader.step(node))
    }
    return steps
  }

  private mutating func step(_ node: JSONNode) throws(ScenarioError) -> Setup.Step {
    let object = try node.object(
      of: ["at", "device", "quantity", "account", "offer"] + Self.actions)
    let at = try object.required("at", "the time of the step").millis()
    let device = try device(object)
    let chosen = object.members.filter { Self.actions.contains($0.key) }
    guard chosen.count == 1 else {
      throw node.error(
        found: chosen.isEmpty ? "no action" : chosen.map(\.key).joined(separator: " and "),
        expected: "one of \(Self.actions.joined(separator: ", "))")
    }
    let (key, action) = chosen[0]
    if key == "buyPromoted", let extra = object["quantity"] ?? object["offer"] {
      throw extra.error(
        expected: "it only beside buy and buyOutside: in the App Store one is bought at a time")
    }
    if !key.hasPrefix("buy"),
      let extra = object["quantity"] ?? object["account"] ?? object["offer"]
    {
      throw extra.error(expected: "it only where the step buys something")
    }
    switch key {
    case "buy", "buyOutside", "buyPromoted":
      let product = try action.index(among: products, positions, "products")
      let quantity = UInt32(try object["quantity"]?.int(Limits.quantity) ?? 1)
      let account =
        try object["account"]?.index(of: "user", count: setup.accounts) ?? loggedIn[device]
      let offer = try object["offer"].map { (node) throws(ScenarioError) in
        try self.offer(node, of: setup.products[product])
      }
      if key == "buyOutside" {
        return Setup.Step(
          atMillis: at, device: device,
          .buyOutside(product: product, quantity: quantity, account: account), offer: offer)
      }
      loggedIn[device] = account
      if key == "buyPromoted" {
        return Setup.Step(
          atMillis: at, device: device, .buyPromoted(product: product, account: account))
      }
      return Setup.Step(
        atMillis: at, device: device, .buy(product: product, quantity: quantity, account: account),
        offer: offer)
    case "logIn":
      let account = try action.index(of: "user", count: setup.accounts)
      loggedIn[device] = account
      return Setup.Step(atMillis: at, device: device, .logIn(account: account))
    default:
      let deed = try action.index(among: Self.deeds.map(\.name), "actions")
      return Setup.Step(atMillis: at, device: device, Self.deeds[deed].action)
    }
  }

  /// The place of an offer that can be asked for, by its name.
  private func offer(_ node: JSONNode, of product: Setup.Product) throws(ScenarioError) -> Int {
    let offers = product.renewal?.offers ?? []
    let names = offers.compactMap(\.name)
    guard !names.isEmpty else {
      throw node.error(
        expected: "it only where the product has offers that can be asked for by a name")
    }
    let name = names[try node.index(among: names, "offers")]
    return offers.firstIndex { $0.name == name } ?? 0
  }

  private func device(_ object: JSONObject) throws(ScenarioError) -> Int {
    let count = setup.devices.count
    if count == 1, object["device"] == nil { return 0 }
    return try object.required("device", "one of phone1 to phone\(count)")
      .index(of: "phone", count: count)
  }
}

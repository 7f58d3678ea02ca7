/// Reads the steps of a world.
struct StepReader {
  private let node: JSONNode
  private let setup: Setup
  /// Who is logged in on each device after the steps read so far.
  private var loggedIn: [Int]

  private static let actions = ["buy", "buyOutside", "logIn", "do"]
  private static let deeds: [(name: String, action: Setup.Step.Action)] = [
    ("restore", .restore), ("reinstall", .reinstall), ("restore-backup", .restoreBackup),
    ("quit", .quit), ("open", .open),
  ]

  /// The setup has its accounts, devices, products and times already.
  init(_ node: JSONNode, _ setup: Setup) {
    self.node = node
    self.setup = setup
    loggedIn = setup.devices.map(\.account)
  }

  func steps() throws(ScenarioFileError) -> [Setup.Step] {
    var reader = self
    var steps: [Setup.Step] = []
    for node in try node.list("a list of steps") {
      steps.append(try reader.step(node, after: steps.last?.atMillis ?? 0))
    }
    return steps
  }

  private mutating func step(
    _ node: JSONNode, after earlier: Int64
  ) throws(ScenarioFileError) -> Setup.Step {
    let object = try node.object(
      of: ["at", "device", "quantity", "account"] + Self.actions)
    let at = try time(try object.required("at", "the time of the step"), after: earlier)
    let device = try device(object)
    let chosen = object.members.filter { Self.actions.contains($0.key) }
    guard chosen.count == 1 else {
      throw node.error(
        found: chosen.isEmpty ? "no action" : chosen.map(\.key).joined(separator: " and "),
        expected: "one of \(Self.actions.joined(separator: ", "))")
    }
    let (key, action) = chosen[0]
    if !key.hasPrefix("buy"), let extra = object["quantity"] ?? object["account"] {
      throw extra.error(expected: "it only where the step buys something")
    }
    switch key {
    case "buy", "buyOutside":
      let product = try action.index(
        among: setup.products.map(\.name), "products")
      let quantity = UInt32(try object["quantity"]?.int(1...10) ?? 1)
      let account =
        try object["account"]?.index(of: "user", count: setup.accounts) ?? loggedIn[device]
      if key == "buyOutside" {
        return Setup.Step(
          atMillis: at, device: device,
          .buyOutside(product: product, quantity: quantity, account: account))
      }
      loggedIn[device] = account
      return Setup.Step(
        atMillis: at, device: device, .buy(product: product, quantity: quantity, account: account))
    case "logIn":
      let account = try action.index(of: "user", count: setup.accounts)
      loggedIn[device] = account
      return Setup.Step(atMillis: at, device: device, .logIn(account: account))
    default:
      let deed = try action.index(among: Self.deeds.map(\.name), "actions")
      return Setup.Step(atMillis: at, device: device, Self.deeds[deed].action)
    }
  }

  private func time(_ node: JSONNode, after earlier: Int64) throws(ScenarioFileError) -> Int64 {
    let at = try node.millis()
    guard at <= setup.horizonMillis else {
      throw node.error(expected: "a time not after the horizon (\(setup.horizonMillis)ms)")
    }
    guard at >= earlier else {
      throw node.error(expected: "a time not before that of the step above (\(earlier)ms)")
    }
    return at
  }

  private func device(_ object: JSONObject) throws(ScenarioFileError) -> Int {
    let count = setup.devices.count
    if count == 1, object["device"] == nil { return 0 }
    return try object.required("device", "one of phone1 to phone\(count)")
      .index(of: "phone", count: count)
  }
}

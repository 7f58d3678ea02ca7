import Invariants

/// Reads the keys of a world: who is there, what they do, and how long it goes on.
struct WorldReader {
  static let keys = [
    "accounts", "storeAccounts", "devices", "products", "steps", "arrivals", "heal", "horizon",
    "reopenEvery", "relaunches", "retaps", "within", "policy", "eventLimit", "delays",
  ]

  private let nodes: [String: JSONNode]

  /// The keys come from a world, those it extends, and the scenario, so each knows its own path.
  init(_ nodes: [String: JSONNode]) { self.nodes = nodes }

  func setup() throws(ScenarioFileError) -> Setup {
    var setup = Setup()
    let most = 1_000_000
    setup.accounts = try nodes["accounts"]?.int(1...most) ?? setup.accounts
    setup.storeAccounts = try nodes["storeAccounts"]?.int(1...most) ?? setup.storeAccounts
    if let node = nodes["devices"] { setup.devices = try devices(node, setup) }
    if let node = nodes["products"] { setup.products = try products(node) }
    try readTimes(into: &setup)
    if let node = nodes["steps"] { setup.steps = try StepReader(node, setup).steps() }
    if let node = nodes["arrivals"] { setup.arrivals = try arrivals(node, setup) }
    setup.relaunches = try nodes["relaunches"]?.bool() ?? setup.relaunches
    setup.retaps = UInt32(try nodes["retaps"]?.int(0...100) ?? Int(setup.retaps))
    if let node = nodes["policy"] {
      setup.transfersOnRestore =
        try node.index(among: ["buyer", "transfer-on-restore"], "policies") == 1
    }
    if let node = nodes["delays"] { setup.mix.delays = try delays(node) }
    return setup
  }

  /// Refuses more steps than can be told apart when taps are brought forward.
  func checkHurry(_ setup: Setup) throws(ScenarioFileError) {
    let most = UInt64.bitWidth
    guard let node = nodes["steps"], setup.steps.count > most,
      let taps = setup.mix.entries[.doubleTap],
      taps.sites.isEmpty || taps.sites.contains(.tapEarly)
    else { return }
    for step in setup.steps.dropFirst(most) {
      if case .buy = step.action {
        throw node.error(
          found: "\(setup.steps.count) steps",
          expected: "at most \(most) where '\(Question.tapEarly.name)' of double-tap may strike")
      }
    }
  }

  // MARK: -

  private func devices(_ node: JSONNode, _ setup: Setup) throws(ScenarioFileError)
    -> [Setup.Device]
  {
    if case .int = node.value {
      return (0..<(try node.int(1...1_000_000))).map { index in
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
      let others = devices.filter { $0.storeAccount == device.storeAccount }
      guard others.allSatisfy({ $0.environment == device.environment }) else {
        throw element.error(
          found: "another environment for apple\(device.storeAccount + 1)",
          expected: "one environment for each store account: sandbox accounts are their own")
      }
      devices.append(device)
    }
    guard !devices.isEmpty else {
      throw node.error(found: "an empty list", expected: "at least one device")
    }
    return devices
  }

  private func products(_ node: JSONNode) throws(ScenarioFileError) -> [Setup.Product] {
    var products: [Setup.Product] = []
    for element in try node.list("a list of products") {
      let object = try element.object(of: ["name", "kind"])
      let name = try object.required("name", "the name of a product")
      let text = try name.string("the name of a product")
      guard !products.contains(where: { $0.name == text }) else {
        throw name.error(expected: "a name that no other product has")
      }
      let kind = try object["kind"]?.index(among: ["consumable", "non-consumable"], "kinds") ?? 0
      products.append(Setup.Product(text, isConsumable: kind == 0))
    }
    guard !products.isEmpty else {
      throw node.error(found: "an empty list", expected: "at least one product")
    }
    return products
  }

  private func readTimes(into setup: inout Setup) throws(ScenarioFileError) {
    setup.healMillis = try nodes["heal"]?.millis() ?? setup.healMillis
    setup.horizonMillis = try nodes["horizon"]?.millis(1...Millis.longest) ?? setup.horizonMillis
    guard setup.healMillis <= setup.horizonMillis else {
      if let node = nodes["heal"] {
        throw node.error(
          expected: "a time not after the horizon (\(setup.horizonMillis)ms)")
      }
      guard let node = nodes["horizon"] else { fatalError("bug: defaults that contradict") }
      throw node.error(expected: "a time not before the heal (\(setup.healMillis)ms)")
    }
    if let node = nodes["within"] {
      let within = try node.millis(1...Millis.longest)
      let rest = setup.horizonMillis - setup.healMillis
      guard within <= rest else {
        throw node.error(
          expected: "at most the \(rest)ms from heal to horizon, or it could never be judged")
      }
      setup.withinMillis = within
    }
    if let node = nodes["reopenEvery"] {
      setup.reopenEveryMillis =
        node.value == .string("never")
        ? nil : try node.millis(1...Millis.longest, or: ", or never")
    }
    setup.eventLimit = try nodes["eventLimit"]?.int(1...Event.most) ?? setup.eventLimit
  }

  private func arrivals(
    _ node: JSONNode, _ setup: Setup
  ) throws(ScenarioFileError) -> Setup.Arrivals {
    guard !setup.steps.contains(where: \.isPurchase) else {
      throw node.error(
        expected: "no arrivals beside steps that buy, as both are numbered from tx1")
    }
    let object = try node.object(of: ["count", "over"])
    let count = try object.required("count", "how many purchases arrive")
    let over = try object.required("over", "the time over which they arrive")
    let arrivals = Setup.Arrivals(
      count: try count.int(1...10_000_000), overMillis: try over.millis())
    guard arrivals.overMillis <= setup.horizonMillis else {
      throw over.error(expected: "a time not after the horizon (\(setup.horizonMillis)ms)")
    }
    guard arrivals.count <= setup.eventLimit else {
      throw count.error(
        expected: "at most as many as the eventLimit (\(setup.eventLimit)), or a higher limit")
    }
    return arrivals
  }

  private func delays(_ node: JSONNode) throws(ScenarioFileError)
    -> [Question: ClosedRange<Int64>]
  {
    let known = Question.allCases.filter { if case .delay = $0.shape { true } else { false } }
    var delays: [Question: ClosedRange<Int64>] = [:]
    for (key, node) in try node.object("an object of delays and their ranges").members {
      guard let question = Question(name: key), known.contains(question) else {
        throw node.unknownKey(key, known.map(\.name), "delays")
      }
      let range = try node.millisRange()
      // Beyond its first class a delay is a fault, and has a chance of its own.
      if case .delay(_, _, let delay) = question.shape,
        let first = delay.overtaken ?? delay.late, range.upperBound >= first
      {
        throw node.error(expected: "a range below \(first) ms, where the delay is a fault")
      }
      delays[question] = range
    }
    return delays
  }
}
